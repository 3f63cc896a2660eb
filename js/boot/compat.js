// As nearprint.js, for the module of nearprint/compat.
import { fingerprintPairs, fingerprintText, initSync, restart } from '../../build/wasm/nearprint_compat.js';

export function start(module) {
  initSync({ module });
  return {
    bindings: { fingerprintPairs, fingerprintText, restart },
    get memory() {
      return initSync().memory;
    },
  };
}

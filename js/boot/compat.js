// Starts the module of nearprint/compat, as nearprint.js starts the main module.
import {
  fingerprintPairs,
  fingerprintText,
  finishRestart,
  initSync,
  scheduleRestart,
} from '../../build/wasm/nearprint_compat/nearprint_compat.js';

export function start(module) {
  initSync({ module });
  return {
    bindings: { fingerprintPairs, fingerprintText },
    restart() {
      scheduleRestart();
      finishRestart();
    },
    get memory() {
      return initSync().memory;
    },
  };
}

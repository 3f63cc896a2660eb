// The bindings of the main module, once its WebAssembly is there.
import { Engine, Index, initSync, rabin, rabinWindows, restart } from '../../build/wasm/nearprint.js';

export function start(module) {
  initSync({ module });
  return {
    bindings: { Engine, Index, rabin, rabinWindows, restart },
    // Another one after a restart, which initSync knows.
    get memory() {
      return initSync().memory;
    },
  };
}

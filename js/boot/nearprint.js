// Starts the main module.
import {
  Documents,
  Engine,
  finishRestart,
  hasRoom,
  Index,
  initSync,
  rabin,
  rabinWindows,
  scheduleRestart,
} from '../../build/wasm/nearprint/nearprint.js';

export function start(module) {
  initSync({ module });
  return {
    bindings: { Documents, Engine, hasRoom, Index, rabin, rabinWindows },
    restart() {
      scheduleRestart();
      finishRestart();
    },
    /** The memory of the current instance: a restart replaces it. */
    get memory() {
      return initSync().memory;
    },
  };
}

// Starts the module of the command line, as nearprint.js starts the main module.
import {
  Documents,
  Engine,
  finishRestart,
  hasRoom,
  Index,
  initSync,
  Lines,
  rabin,
  rabinWindows,
  scheduleRestart,
} from '../../build/wasm/nearprint_tools/nearprint_tools.js';

export function start(module) {
  initSync({ module });
  return {
    bindings: { Documents, Engine, hasRoom, Index, Lines, rabin, rabinWindows },
    restart() {
      scheduleRestart();
      finishRestart();
    },
    get memory() {
      return initSync().memory;
    },
  };
}

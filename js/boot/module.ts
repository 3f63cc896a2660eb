// Starts a WebAssembly module with its glue, which wasm-bindgen has generated.
import * as glue from '#glue';

/** The bindings of the main module. */
export type Bindings = typeof import('../../build/wasm/nearprint/nearprint.js');
/** The bindings of the module of nearprint/compat. */
export type CompatBindings = typeof import('../../build/wasm/nearprint_compat/nearprint_compat.js');
/** The bindings of the command line's module: the bindings of the main module, and `Lines`. */
export type ToolBindings = typeof import('../../build/wasm/nearprint_tools/nearprint_tools.js');

/** A started WebAssembly module. */
export interface Module {
  /** The functions and classes of the module by name. */
  readonly bindings: Record<string, unknown>;
  /** The memory of the current instance, which a restart replaces. */
  readonly memory: WebAssembly.Memory;
  /** Replaces the instance. */
  restart(): void;
}

export function start(module: WebAssembly.Module): Module {
  const { default: _, initSync, scheduleRestart, finishRestart, ...bindings } = glue;
  initSync({ module });
  return {
    bindings,
    get memory() {
      return initSync({ module }).memory;
    },
    restart() {
      scheduleRestart();
      finishRestart();
    },
  };
}

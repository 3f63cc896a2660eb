/** A started WebAssembly module. */
export interface Module {
  /** The functions and classes of the module by name. */
  readonly bindings: Record<string, unknown>;
  /** The memory of the current instance, which a restart replaces. */
  readonly memory: WebAssembly.Memory;
  /** Replaces the instance. */
  restart(): void;
}

/** The exports of the glue of wasm-bindgen in addition to the bindings. */
interface Glue {
  default: unknown;
  initSync(module: { module: WebAssembly.Module }): { readonly memory: WebAssembly.Memory };
  scheduleRestart(): void;
  finishRestart(): void;
}

/** Starts a module with its glue. */
export function startModule(module: WebAssembly.Module, glue: Glue): Module {
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

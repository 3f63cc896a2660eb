// Starts the module of nearprint/compat.
import * as glue from '../../build/wasm/nearprint_compat/nearprint_compat.js';
import { type Module, startModule } from './module.js';

/** The bindings of the module of nearprint/compat. */
export type CompatBindings = typeof glue;

export const start = (module: WebAssembly.Module): Module => startModule(module, glue);

// Starts the main module.
import * as glue from '../../build/wasm/nearprint/nearprint.js';
import { type Module, startModule } from './module.js';

/** The bindings of the main module. */
export type Bindings = typeof glue;

export const start = (module: WebAssembly.Module): Module => startModule(module, glue);

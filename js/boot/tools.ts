// Starts the module of the command line.
import * as glue from '../../build/wasm/nearprint_tools/nearprint_tools.js';
import { type Module, startModule } from './module.js';

/** The bindings of the command line's module: the bindings of the main module, and `Lines`. */
export type ToolBindings = typeof glue;

export const start = (module: WebAssembly.Module): Module => startModule(module, glue);

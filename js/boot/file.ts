// For the command line: the module is a file of the package. Its worker threads get it compiled.
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { bootError } from './boot-error.js';

let module: WebAssembly.Module | undefined = workerData?.module;

export function compiled(): WebAssembly.Module {
  try {
    module ??= new WebAssembly.Module(readFileSync(new URL('./nearprint_tools.wasm', import.meta.url)));
    return module;
  } catch (error) {
    throw bootError(error);
  }
}

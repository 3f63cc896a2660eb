// For the command line: the module is a file of the package. Its worker threads get it compiled.
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { bootError } from './boot-error.js';
import { type Module, start } from './module.js';

let module: WebAssembly.Module | undefined = workerData?.module;

export function compiled(): WebAssembly.Module {
  module ??= new WebAssembly.Module(readFileSync(new URL('./nearprint_tools.wasm', import.meta.url)));
  return module;
}

export function boot(): Module {
  try {
    return start(compiled());
  } catch (error) {
    throw bootError(error);
  }
}

// For the command line: the modules are files of the package. Its worker threads get them compiled.
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { bootError } from './boot-error.js';

/** The compiled modules by their names. */
export const modules: Record<string, WebAssembly.Module> = workerData?.modules ?? {};

export function compiled(name: unknown): WebAssembly.Module {
  const file = `./${name}.wasm`;
  try {
    modules[file] ??= new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
    return modules[file];
  } catch (error) {
    throw bootError(error);
  }
}

// For the command line: the modules are files of the package. Its worker threads get them compiled.
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { UserError } from '../node/errors.js';
import { bootError } from './boot-error.js';

export const modules: Record<string, WebAssembly.Module> = workerData?.modules ?? {};

export function compiled(name: unknown): WebAssembly.Module {
  const file = `./${name}.wasm`;
  try {
    modules[file] ??= new WebAssembly.Module(readFileSync(new URL(file, import.meta.url)));
    return modules[file];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? bootError(error) : new UserError(`${file} of the package cannot be read: ${message}`);
  }
}

// Optional packages, which the user installs.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from './errors.js';

/** Returns whether a package is missing, or the current folder itself, which may have been removed. */
const isMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Imports a package that is installed in the same node_modules as this one, or in the project of the current folder: a
 * command that is installed globally or started by `npx` finds it there. `option` names the option that needs it, and
 * `Module` is the part of its interface that is used.
 */
export async function importPackage<Module>(name: string, option: string): Promise<Module> {
  const inCurrentFolder = () => pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href;
  for (const locate of [() => name, inCurrentFolder]) {
    try {
      return await import(locate());
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new UserError(`${option} needs another package: npm install ${name}`);
}

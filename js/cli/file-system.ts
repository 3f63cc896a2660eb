// Calls of the file system that several parts of the command line need.
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, UserError } from '../node/errors.js';
import { isUtf8Path, pathOf, systemPath } from './path.js';

export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Only the native function takes bytes. */
const resolved = (path: string): string =>
  isUtf8Path(path) ? realpathSync(path) : pathOf(realpathSync.native(systemPath(path), { encoding: 'buffer' }));

/** Returns the path of a file without symbolic links. The file may not exist. */
export const realPath = (path: string): string =>
  attempt(() => resolved(path)) ?? attempt(() => join(resolved(dirname(path)), basename(path))) ?? path;

/** Returns whether a file can be read a second time: standard input and other pipes cannot. A missing file is not a pipe. */
export const canReadAgain = (path: string): boolean =>
  path !== '-' && statSync(systemPath(path), { throwIfNoEntry: false })?.isFile() !== false;

/** Makes the names in a folder survive a power cut. Windows has no such call. */
export function syncFolder(folder: string): void {
  const fd = attempt(() => openSync(systemPath(folder), 'r'));
  if (fd === undefined) return;
  try {
    fsyncSync(fd);
  } catch (error) {
    if (codeOf(error) === 'EIO') throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes a file of this program. A failure is ignored: the next run tries again. */
export const removeFile = (path: string): void => attempt(() => rmSync(path, { force: true }));

/** Returns the files of a folder with names of a prefix and a rest that matches `suffix`. Other files may be the user's. */
export const ownFiles = (folder: string, prefix: string, suffix: RegExp): string[] =>
  readdirSync(folder).filter((name) => name.startsWith(prefix) && suffix.test(name.slice(prefix.length)));

/** Returns the bytes of a regular file: reading a pipe or a device may not end. */
export function readRegularFile(path: string): Buffer {
  if (!statSync(systemPath(path)).isFile()) throw new UserError(`${path} is not a regular file`);
  return readFileSync(systemPath(path));
}

// The first bytes of a file, by which its kind is recognised.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { attempt } from './file-system.js';
import { fileKind } from './glob.js';
import { systemPath } from './path.js';

/** Returns the first bytes of a regular file, or undefined: the reader of the file reports the reason. */
export function headOf(path: string): Buffer | undefined {
  return attempt(() => {
    if (path === '-' || fileKind(path) !== 'file') return undefined;
    const fd = openSync(systemPath(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      // Another kind of file may have replaced it.
      if (!fstatSync(fd).isFile()) return undefined;
      const head = Buffer.alloc(64);
      return head.subarray(0, readSync(fd, head));
    } finally {
      closeSync(fd);
    }
  });
}

// Replaces a file atomically: after a failure or a power cut it is the old one or the new one.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../node/user-error.js';
import { codeOf, reason, WriteError } from './errors.js';

/** Returns the path of a file without symbolic links. The file may not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

/** Makes the names in a folder survive a power cut. Windows has no such call. */
export function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch (error) {
    if (codeOf(error) === 'EIO') throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes a file of this program's own, if it can be removed: the next run tries again. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error that led here is reported.
  }
}

const ZEROS = Buffer.alloc(1 << 16);

/**
 * The next content of a file, in a separate file in the same folder. It can reserve space, so that the content still
 * fits when other files have filled the disk.
 */
export class Draft {
  #path: string;
  #real: string;
  /** The path of the draft, and its descriptor while it is open. */
  #draft: string | null = null;
  #fd: number | null = null;
  #reserved = 0;

  constructor(path: string) {
    this.#path = path;
    this.#real = realPath(path);
  }

  /** Removes the drafts of runs that were killed. The caller holds the lock of the file. */
  removeOld(): void {
    const prefix = `${basename(this.#real)}.draft-`;
    const folder = dirname(this.#real);
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) removeFile(join(folder, name));
    }
  }

  /** Creates the draft, unless it is open, with an unpredictable name. It fails if the name exists, as a link too. */
  #open(): { draft: string; fd: number } {
    if (this.#draft !== null && this.#fd !== null) return { draft: this.#draft, fd: this.#fd };
    const old = statSync(this.#real, { throwIfNoEntry: false });
    const draft = `${this.#real}.draft-${randomBytes(8).toString('hex')}`;
    this.#draft = draft;
    const fd = openSync(draft, 'wx', old === undefined ? 0o666 : 0o600);
    this.#fd = fd;
    if (old === undefined) return { draft, fd };
    try {
      fchownSync(fd, old.uid, old.gid);
    } catch {
      // Only the superuser can.
    }
    fchmodSync(fd, old.mode & 0o7777);
    return { draft, fd };
  }

  #fail(error: unknown): UserError {
    this.remove();
    return new UserError(`${this.#path} is not saved: ${reason(error)}`);
  }

  /** Reserves space for a content of `size` bytes. Reserved space stays reserved after an error. */
  reserve(size: number): void {
    if (size <= this.#reserved) return;
    try {
      const { fd } = this.#open();
      while (this.#reserved < size) this.#reserved += writeSync(fd, ZEROS, 0, ZEROS.length, this.#reserved);
    } catch (error) {
      // Not a limit of a file's size (EFBIG), for example: the content may be smaller.
      const code = codeOf(error);
      if (code === 'ENOSPC' || code === 'EDQUOT') throw new WriteError(this.#path, error, 0);
    }
  }

  /** Replaces the file by one with these bytes. `check` throws if the old file must stay. */
  commit(bytes: Uint8Array, check?: () => void): void {
    try {
      const { draft, fd } = this.#open();
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
      ftruncateSync(fd, bytes.length);
      fsyncSync(fd);
      closeSync(fd);
      this.#fd = null;
      check?.();
      renameSync(draft, this.#real);
      this.#draft = null;
      this.#reserved = 0;
      syncFolder(dirname(this.#real));
    } catch (error) {
      if (error instanceof UserError) {
        this.remove();
        throw error;
      }
      throw this.#fail(error);
    }
  }

  /** Removes the draft, if there is one. */
  remove(): void {
    try {
      if (this.#fd !== null) closeSync(this.#fd);
    } catch {
      // It is removed anyway.
    }
    this.#fd = null;
    this.#reserved = 0;
    if (this.#draft !== null) removeFile(this.#draft);
    this.#draft = null;
  }
}

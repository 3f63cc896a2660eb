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
import { reason, WriteError } from './errors.js';

/** The path of a file without symbolic links; the file may not exist. */
export function realPath(path) {
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
export function syncFolder(folder) {
  let fd;
  try {
    fd = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(fd);
  } catch (error) {
    if (error.code === 'EIO') throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes a file of this program's own, if it can be removed: the next run tries again. */
export function removeFile(path) {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error that led here is reported.
  }
}

const ZEROS = Buffer.alloc(1 << 16);

/**
 * The next content of a file, in a file of its own beside it. It can reserve space, so that the content still fits when
 * other files have filled the disk.
 */
export class Draft {
  #path;
  #real;
  #draft;
  #fd = null;
  #reserved = 0;

  constructor(path) {
    this.#path = path;
    this.#real = realPath(path);
  }

  /** Removes the drafts of runs that were killed. The caller holds the lock of the file. */
  removeOld() {
    const prefix = `${basename(this.#real)}.draft-`;
    const folder = dirname(this.#real);
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) removeFile(join(folder, name));
    }
  }

  /** Creates the file with a name that no one can foresee. It fails if the name exists, as a link too. */
  #open() {
    if (this.#fd !== null) return;
    const old = statSync(this.#real, { throwIfNoEntry: false });
    this.#draft = `${this.#real}.draft-${randomBytes(8).toString('hex')}`;
    this.#fd = openSync(this.#draft, 'wx', old === undefined ? 0o666 : 0o600);
    if (old === undefined) return;
    try {
      fchownSync(this.#fd, old.uid, old.gid);
    } catch {
      // Only the superuser can.
    }
    fchmodSync(this.#fd, old.mode & 0o7777);
  }

  #fail(error) {
    this.remove();
    return new UserError(`${this.#path} is not saved: ${reason(error)}`);
  }

  /** Reserves space for a content of `size` bytes. What is reserved stays after an error. */
  reserve(size) {
    if (size <= this.#reserved) return;
    try {
      this.#open();
      while (this.#reserved < size) this.#reserved += writeSync(this.#fd, ZEROS, 0, ZEROS.length, this.#reserved);
    } catch (error) {
      // Not a limit of a file's size (EFBIG), for example: the content may be smaller.
      if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw new WriteError(this.#path, error, 0);
    }
  }

  /** Replaces the file. `check` throws if it must stay. */
  commit(bytes, check) {
    try {
      this.#open();
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at, bytes.length - at, at);
      ftruncateSync(this.#fd, bytes.length);
      fsyncSync(this.#fd);
      closeSync(this.#fd);
      this.#fd = null;
      check?.();
      renameSync(this.#draft, this.#real);
      this.#draft = undefined;
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

  remove() {
    try {
      if (this.#fd !== null) closeSync(this.#fd);
    } catch {
      // It is removed anyway.
    }
    this.#fd = null;
    this.#reserved = 0;
    if (this.#draft !== undefined) removeFile(this.#draft);
    this.#draft = undefined;
  }
}

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

/** Returns the result of a call, or undefined if it throws. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Returns the path of a file without symbolic links. The file may not exist. */
export const realPath = (path: string): string =>
  attempt(() => realpathSync(path)) ?? attempt(() => join(realpathSync(dirname(path)), basename(path))) ?? path;

/** Makes the names in a folder survive a power cut. Windows has no such call. */
export function syncFolder(folder: string): void {
  const fd = attempt(() => openSync(folder, 'r'));
  if (fd === undefined) return;
  try {
    fsyncSync(fd);
  } catch (error) {
    if (codeOf(error) === 'EIO') throw error;
  } finally {
    closeSync(fd);
  }
}

/** Removes a file of this program's own, if it can be removed: the next run tries again. */
export const removeFile = (path: string): void => attempt(() => rmSync(path, { force: true }));

const ZEROS = Buffer.alloc(1 << 16);

/**
 * The next content of a file, in a separate file in the same folder. It can reserve space, so that the content still
 * fits when other files have filled the disk.
 */
export class Draft {
  readonly #path: string;
  readonly #real: string;
  /** The draft, while there is one, and its descriptor while it is open. */
  #draft: { path: string; fd: number | null } | null = null;
  #reserved = 0;

  constructor(path: string) {
    this.#path = path;
    this.#real = realPath(path);
  }

  /** Removes the drafts of runs that were killed. The caller holds the lock of the file. */
  removeOld(): void {
    const prefix = `${basename(this.#real)}.draft-`;
    const folder = dirname(this.#real);
    // Another file of the user can begin like a draft.
    const isDraft = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{16}$/.test(name.slice(prefix.length));
    for (const name of readdirSync(folder)) if (isDraft(name)) removeFile(join(folder, name));
  }

  /** Returns the descriptor. Creates the draft with an unpredictable name: it fails if the name exists, as a link too. */
  #open(): number {
    if (this.#draft?.fd != null) return this.#draft.fd;
    const old = statSync(this.#real, { throwIfNoEntry: false });
    const path = `${this.#real}.draft-${randomBytes(8).toString('hex')}`;
    const fd = openSync(path, 'wx', old === undefined ? 0o666 : 0o600);
    this.#draft = { path, fd };
    if (old === undefined) return fd;
    // Only the superuser can change the owner.
    attempt(() => fchownSync(fd, old.uid, old.gid));
    fchmodSync(fd, old.mode & 0o7777);
    return fd;
  }

  /** Reserves space for a content of `size` bytes. Reserved space stays reserved after an error. */
  reserve(size: number): void {
    if (size <= this.#reserved) return;
    try {
      const fd = this.#open();
      while (this.#reserved < size) this.#reserved += writeSync(fd, ZEROS, 0, ZEROS.length, this.#reserved);
    } catch (error) {
      // Not a limit of a file's size (EFBIG), for example: the content may be smaller.
      const code = codeOf(error);
      if (code === 'ENOSPC' || code === 'EDQUOT') throw new WriteError(this.#path, error, 0);
    }
  }

  /** Replaces the file by one with these bytes. `check` throws if the old file must stay. */
  commit(bytes: Uint8Array, check: () => void): void {
    try {
      const fd = this.#open();
      const draft = this.#draft as { path: string; fd: number | null };
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
      ftruncateSync(fd, bytes.length);
      fsyncSync(fd);
      draft.fd = null;
      closeSync(fd);
      check();
      renameSync(draft.path, this.#real);
      this.#draft = null;
      this.#reserved = 0;
      syncFolder(dirname(this.#real));
    } catch (error) {
      this.remove();
      throw error instanceof UserError ? error : new UserError(`${this.#path} is not saved: ${reason(error)}`);
    }
  }

  /** Removes the draft, if there is one. */
  remove(): void {
    const draft = this.#draft;
    this.#draft = null;
    this.#reserved = 0;
    if (draft === null) return;
    const { path, fd } = draft;
    if (fd !== null) attempt(() => closeSync(fd));
    removeFile(path);
  }
}

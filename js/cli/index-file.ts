// Index files: snapshots of a Deduplicator.
import { accessSync, constants, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ArgumentError, Deduplicator } from '../index.js';
import { UserError } from '../node/user-error.js';
import type { Document } from './document.js';
import { codeOf, messageOf, reason, shorten } from './errors.js';
import type { Io } from './io.js';
import { Lock } from './lock.js';
import type { Output } from './output.js';
import { attempt, Draft, realPath } from './replace-file.js';

/** Returns the bytes of a regular file: reading a pipe or a device may not end. */
export function readRegularFile(path: string): Buffer {
  if (!statSync(path).isFile()) throw new UserError(`${path} is not a regular file`);
  return readFileSync(path);
}

/** Returns the documents in a file, or null if there is no such file. */
export function loadIndex(path: string): Deduplicator | null {
  try {
    return Deduplicator.fromBytes(readRegularFile(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof UserError) throw error;
    if (error instanceof ArgumentError) throw new UserError(`${path} is not an index: ${messageOf(error)}`);
    throw new UserError(`${path}: ${reason(error)}`);
  }
}

/** Returns the documents in a file that must exist. */
export function openIndex(path: string): Deduplicator {
  const index = loadIndex(path);
  if (index === null) throw new UserError(`${path}: no such file or directory`);
  return index;
}

/** Refuses an index of another scheme. */
export function checkScheme(path: string, index: Deduplicator, scheme: string): void {
  if (index.scheme === scheme) return;
  throw new UserError(`${path} must be of the scheme ${scheme}, got ${index.scheme}`);
}

/** Returns the points where file systems are mounted; none if the system does not list them. */
function mountPoints(): Set<string> {
  const lines = attempt(() => readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) ?? [];
  const withoutEscapes = (path: string) =>
    path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
  return new Set(lines.map((line) => withoutEscapes(line.split(' ')[4] ?? '')));
}

function isDanglingLink(path: string): boolean {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    return isLink === true && statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    throw new UserError(`${shorten(path)}: ${reason(error)}`);
  }
}

/** Refuses a path at which the index could not be saved, before the work begins. */
function checkPath(path: string): void {
  const real = realPath(path);
  try {
    accessSync(dirname(real), constants.W_OK);
  } catch (error) {
    throw new UserError(`${path}: its folder cannot be written to: ${reason(error)}`);
  }
  if (isDanglingLink(path)) throw new UserError(`${path} is a symbolic link to a file that does not exist`);
  if (mountPoints().has(real)) {
    throw new UserError(`${path} is a mount point, which cannot be replaced: mount its folder instead`);
  }
}

/** Upper bound of the bytes of a document in a snapshot, without its id. */
const DOCUMENT_BYTES = 112;
/** The bytes of the time at which a document expires: a document without one may receive it. */
const EXPIRY_BYTES = 8;
/** The space reserved at once. */
const STEP = 1 << 20;

/** The index file of a run, which no other run uses meanwhile. */
export class IndexFile {
  readonly path: string;
  readonly #lock: Lock;
  readonly #draft: Draft;
  #interval: number;
  #saved = performance.now();
  /** The bytes that a snapshot may have. */
  #size = 0;
  /** Whether the file has all decided documents. */
  #isSaved = false;

  /** `interval` is the time between two saves in milliseconds. */
  constructor(path: string, interval = 0) {
    checkPath(path);
    this.path = path;
    this.#interval = interval;
    this.#lock = new Lock(realPath(path));
    this.#draft = new Draft(path);
  }

  /** Waits until no other run uses the file. Returns false after a signal. */
  async acquire(io: Pick<Io, 'signal' | 'note'>): Promise<boolean> {
    if (!(await this.#lock.acquire(io, this.path))) return false;
    this.#draft.removeOld();
    return true;
  }

  load(): Deduplicator | null {
    const index = loadIndex(this.path);
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    this.#size = size + EXPIRY_BYTES * (index?.size ?? 0);
    this.#reserve();
    return index;
  }

  #reserve(): void {
    this.#draft.reserve(STEP * Math.ceil((this.#size + 1) / STEP));
  }

  /** Reserves space for decided documents, before their lines are written: they may fill the disk. */
  reserveFor(documents: Iterable<Document>): void {
    // At most 3 bytes of UTF-8 for each UTF-16 unit of an id.
    for (const { key } of documents) this.#size += DOCUMENT_BYTES + 3 * String(key).length;
    this.#reserve();
    this.#isSaved = false;
  }

  get isDue(): boolean {
    return performance.now() - this.#saved >= this.#interval;
  }

  /**
   * Saves the index, unless no document was decided since the last save. The outputs are made safe first: a document of the
   * index has its line, after a power cut too.
   */
  save(index: Deduplicator, outputs: Iterable<Output> = []): void {
    if (this.#isSaved) return;
    for (const output of outputs) output.sync();
    const start = performance.now();
    this.#draft.commit(index.toBytes(), () => {
      if (!this.#lock.isHeld()) throw new UserError(`${this.path} is not saved: another run has taken its lock`);
    });
    this.#saved = performance.now();
    this.#isSaved = true;
    // At most a tenth of the time is spent on saving.
    this.#interval = Math.max(this.#interval, 10 * (this.#saved - start));
  }

  close(): void {
    this.#draft.remove();
    this.#lock.release();
  }
}

// Index files.
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Deduplicator, NearIndex } from '../index.js';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { Lock } from './lock.js';
import { Draft, realPath } from './replace-file.js';

/** The first bytes of a snapshot of a NearIndex. */
const NEAR_INDEX = 'NearIdx\0';

/** The deduplicator or the index in a file, or null if there is no such file. */
export function loadIndex(path) {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false) throw new UserError(`${path} is not a regular file`);
    const bytes = readFileSync(path);
    const kind = bytes.toString('latin1', 0, NEAR_INDEX.length) === NEAR_INDEX ? NearIndex : Deduplicator;
    return kind.fromBytes(bytes);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (error instanceof UserError) throw error;
    if (error instanceof RangeError) throw new UserError(`${path}: ${error.message.replace('nearprint: bytes: ', '')}`);
    throw new UserError(`${path}: ${reason(error)}`);
  }
}

/** Refuses a folder that cannot be written to, before the work begins. */
function checkFolder(path) {
  try {
    accessSync(dirname(realPath(path)), constants.W_OK);
  } catch (error) {
    throw new UserError(`--index ${path}: its folder cannot be written to: ${reason(error)}`);
  }
}

/** Bytes of a document in a snapshot, beside its id. */
const DOCUMENT = 96;
/** The space reserved at once. */
const STEP = 1 << 20;

/** The index file of a run, which no other run uses meanwhile. */
export class IndexFile {
  #path;
  #lock;
  #draft;
  #interval;
  #saved = performance.now();
  /** The bytes that a snapshot may have. */
  #size = 0;

  /** `interval` is the time between two saves in milliseconds. */
  constructor(path, interval) {
    checkFolder(path);
    this.#path = path;
    this.#interval = interval;
    this.#lock = new Lock(realPath(path));
    this.#draft = new Draft(path);
  }

  /** Waits until no other run uses the file. Returns false after a signal. */
  async acquire(io) {
    if (!(await this.#lock.acquire(io, this.#path))) return false;
    this.#draft.removeOld();
    return true;
  }

  load() {
    const index = loadIndex(this.#path);
    this.#size = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    this.#reserve();
    return index;
  }

  #reserve() {
    this.#draft.reserve(STEP * Math.ceil((this.#size + 1) / STEP));
  }

  /** Reserves space for documents, before their lines are written: they may fill the disk. */
  make(documents) {
    // At most 3 bytes of UTF-8 for each UTF-16 unit of an id, and 4 for its length.
    for (const { stored } of documents) if (stored !== undefined) this.#size += DOCUMENT + 3 * String(stored).length;
    this.#reserve();
  }

  get isDue() {
    return performance.now() - this.#saved >= this.#interval;
  }

  /** Saves the index. The outputs are made safe first: a document of the index has its line, after a power cut too. */
  save(index, outputs) {
    for (const output of outputs) output?.sync();
    const start = performance.now();
    this.#draft.commit(index.toBytes(), () => {
      if (!this.#lock.isHeld()) throw new UserError(`${this.#path} is not saved: another run has taken its lock`);
    });
    this.#saved = performance.now();
    // At most a tenth of the time is spent on saving.
    this.#interval = Math.max(this.#interval, 10 * (this.#saved - start));
  }

  close() {
    this.#draft.remove();
    this.#lock.release();
  }
}

/**
 * The stored id of a document. It is another one than the document's id if the index holds that for another text: a page
 * that has changed, or the same line of another day's file. It is then the id, a NUL and a number; a `#` after the NUL
 * marks an id that is a number. An id with a NUL of its own always gets one more, so that {@link originalId} is right.
 */
export function storedId(index, id) {
  const first = firstId(id);
  if (!index.has(first)) return first;
  const base = typeof id === 'number' ? `${id}\0#` : `${id}\0`;
  let number = 2;
  while (index.has(`${base}${number}`)) number++;
  return `${base}${number}`;
}

/** The stored id of a document whose id the index does not hold. */
export const firstId = (id) => (typeof id === 'string' && id.includes('\0') ? `${id}\u00001` : id);

/** The id of a document, of its {@link storedId}. */
export function originalId(id) {
  const [, original, isNumber] = (typeof id === 'string' && /^(.*)\0(#?)\d+$/s.exec(id)) || [];
  if (original === undefined) return id;
  return isNumber ? Number(original) : original;
}

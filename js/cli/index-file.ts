// Index files: a snapshot of a Deduplicator, after the patterns of --ignore if there are any.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ArgumentError, Deduplicator, type Id } from '../index.js';
import { codeOf, messageOf, reason, UserError, WriteError } from '../node/errors.js';
import { headOf } from './file-head.js';
import { attempt, ownFiles, readRegularFile, realPath, removeFile, syncFolder } from './file-system.js';
import type { Io } from './io.js';
import { Lock } from './lock.js';
import type { Output } from './output.js';
import { isUtf8Path } from './path.js';
import type { SavedIndex } from './reading.js';
import { isDocumentName } from './recognise.js';
import { WrittenDocuments } from './written-documents.js';

/** Returns the reason why a file is not an index, and the way to use one that has documents. */
function adviceFor(path: string, error: ArgumentError): string {
  if (!isDocumentName(path) && !/^\s*[{[]/.test(`${headOf(path)}`)) return messageOf(error);
  return `--against ${path} compares with its documents, and nearprint dedupe --index seen.idx ${path} makes an index of them`;
}

/** The first bytes of an index with patterns. The length of their JSON, 4 bytes, and the JSON follow. */
const MAGIC = Buffer.from('NearPat\0');

/** Returns the bytes before the snapshot. */
function headerOf({ ignored }: SavedIndex): Buffer {
  if (ignored.length === 0) return Buffer.alloc(0);
  const patterns = Buffer.from(JSON.stringify(ignored));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(patterns.length);
  return Buffer.concat([MAGIC, length, patterns]);
}

function decode(bytes: Uint8Array): SavedIndex {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = MAGIC.length + 4;
  if (buffer.length < head || !buffer.subarray(0, MAGIC.length).equals(MAGIC))
    return { index: Deduplicator.fromBytes(bytes), ignored: [] };
  const end = head + buffer.readUInt32LE(MAGIC.length);
  const ignored: unknown = attempt(() => JSON.parse(buffer.toString('utf8', head, end)));
  if (!Array.isArray(ignored)) throw new Error('the patterns of --ignore in it are damaged');
  return { index: Deduplicator.fromBytes(buffer.subarray(end)), ignored };
}

/** Returns the index in a file, or null if the file does not exist. */
function loadIndex(path: string): SavedIndex | null {
  try {
    return decode(readRegularFile(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof UserError) throw error;
    if (error instanceof ArgumentError) throw new UserError(`${path} is not an index: ${adviceFor(path, error)}`);
    throw new UserError(`${path}: ${reason(error)}`);
  }
}

export function openIndex(path: string): SavedIndex {
  const index = loadIndex(path);
  if (index === null) throw new UserError(`${path}: no such file or directory`);
  return index;
}

/** Returns whether a file system is mounted at a path, if the system lists these. */
function isMountPoint(path: string): boolean {
  const escaped = path.replace(/[ \t\n\\]/g, (unit) => `\\${unit.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const lines = attempt(() => fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) ?? [];
  return lines.some((line) => line.split(' ')[4] === escaped);
}

/** Refuses a path at which the index could not be saved, before the work begins. */
function checkIndexPath(path: string): void {
  if (!isUtf8Path(path)) throw new UserError('--index must be a path in UTF-8');
  if (attempt(() => fs.lstatSync(path).isSymbolicLink()) && !fs.existsSync(path)) {
    throw new UserError(`${path} is a symbolic link that leads to no file`);
  }
  if (isMountPoint(realPath(path))) {
    throw new UserError(`${path} is a mount point, which cannot be replaced: mount its folder instead`);
  }
}

/** The maximum number of bytes of a document in a snapshot, without its id. */
const DOCUMENT_BYTES = 152;
/** The number of bytes of an expiry time: a document without one may get one. */
const EXPIRY_BYTES = 8;
/** An index is saved after this many documents or, if it is large, after a quarter of its number: the memory for them is bounded. */
const MAX_WRITTEN = 1 << 18;

/** The space reserved at once. */
const STEP = 1 << 20;

const ZEROS = Buffer.alloc(1 << 16);

/**
 * The index file of a run, locked against other runs. A draft in the same folder replaces it atomically: after a failure or a
 * power cut it is the old one or the new one.
 */
export class IndexFile {
  readonly path: string;
  saved: SavedIndex | null = null;
  /** The documents whose lines are written since the last save. */
  readonly written = new WrittenDocuments();
  readonly #real: string;
  readonly #lock: Lock;
  /** The path of the draft, if there is one, and its descriptor while it is open. */
  #draft: string | undefined;
  #fd: number | undefined;
  /** The maximum size of the next snapshot, and the space reserved in the draft, in bytes. */
  #size = 0;
  #reserved = 0;
  #interval: number;
  #saved = performance.now();
  #isSaved = false;

  /** `interval` is the time between two saves in milliseconds. */
  constructor(path: string, interval = 0) {
    checkIndexPath(path);
    this.path = path;
    this.#real = realPath(path);
    this.#interval = interval;
    this.#lock = new Lock(this.#real);
  }

  /** Waits until no other run uses the file. Returns false after a signal. */
  async acquire(io: Pick<Io, 'signal' | 'note'>): Promise<boolean> {
    if (!(await this.#lock.acquire(io, this.path))) return false;
    // Killed runs leave drafts.
    const folder = dirname(this.#real);
    const drafts = ownFiles(folder, `${basename(this.#real)}.draft-`, /^[0-9a-f]{16}$/);
    for (const draft of drafts) removeFile(join(folder, draft));
    return true;
  }

  load(): SavedIndex | null {
    this.saved = loadIndex(this.path);
    const size = fs.statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    this.#size = size + EXPIRY_BYTES * (this.saved?.index.size ?? 0);
    this.#reserve();
    return this.saved;
  }

  /** Returns the draft's descriptor. Creates the draft under an unpredictable name; fails if the name exists, even as a link. */
  #open(): number {
    if (this.#fd !== undefined) return this.#fd;
    const old = fs.statSync(this.#real, { throwIfNoEntry: false });
    const draft = `${this.#real}.draft-${randomBytes(8).toString('hex')}`;
    const fd = fs.openSync(draft, 'wx', old === undefined ? 0o666 : 0o600);
    [this.#draft, this.#fd] = [draft, fd];
    if (old !== undefined) {
      // Only the superuser can change the owner.
      attempt(() => fs.fchownSync(fd, old.uid, old.gid));
      fs.fchmodSync(fd, old.mode & 0o7777);
    }
    return fd;
  }

  /** Reserves space for the next snapshot, so that it still fits when other files have filled the disk. */
  #reserve(): void {
    const header = this.saved === null ? 0 : headerOf(this.saved).length;
    const size = STEP * Math.ceil((this.#size + header + 1) / STEP);
    try {
      while (this.#reserved < size)
        this.#reserved += fs.writeSync(this.#open(), ZEROS, 0, ZEROS.length, this.#reserved);
    } catch (error) {
      // Other errors, such as EFBIG (a limit on the file size), are ignored: the snapshot may be smaller than the space.
      const code = codeOf(error);
      if (code === 'ENOSPC' || code === 'EDQUOT') throw new WriteError(this.path, error, 0);
    }
  }

  /** Reserves space for documents by their keys, before their lines are written: they may fill the disk. */
  reserveFor(keys: Iterable<Id>): void {
    // At most 3 bytes of UTF-8 for each UTF-16 unit of an id.
    for (const key of keys) this.#size += DOCUMENT_BYTES + 3 * String(key).length;
    this.#reserve();
    this.#isSaved = false;
  }

  get isDue(): boolean {
    const isLong = this.written.count >= Math.max(MAX_WRITTEN, (this.saved?.index.size ?? 0) / 4);
    return isLong || performance.now() - this.#saved >= this.#interval;
  }

  /** Removes the documents without a written line: makes the index again from the file and the written documents. */
  rollback(expiresIn: number | undefined): void {
    if (this.saved === null) return;
    const { index, ignored } = this.saved;
    const { scheme } = index;
    index.free();
    this.saved = { index: loadIndex(this.path)?.index ?? new Deduplicator({ scheme }), ignored };
    this.written.addTo(this.saved.index, expiresIn);
  }

  /**
   * Saves the index, unless no document was decided since the last save. The outputs are made safe first: a document of the
   * index has its line, after a power cut too.
   */
  save(outputs: Iterable<Output> = []): void {
    if (this.#isSaved || this.saved === null) return;
    for (const output of outputs) output.sync();
    const start = performance.now();
    this.#replace(Buffer.concat([headerOf(this.saved), this.saved.index.toBytes()]));
    this.#saved = performance.now();
    this.#isSaved = true;
    this.written.clear();
    // At most a tenth of the time is spent on saving.
    this.#interval = Math.max(this.#interval, 10 * (this.#saved - start));
  }

  #replace(bytes: Uint8Array): void {
    try {
      const fd = this.#open();
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at, bytes.length - at, at);
      fs.ftruncateSync(fd, bytes.length);
      fs.fsyncSync(fd);
      this.#closeDraft();
      if (!this.#lock.isHeld()) throw new Error('another run has taken its lock');
      fs.renameSync(this.#draft as string, this.#real);
      this.#draft = undefined;
      syncFolder(dirname(this.#real));
    } catch (error) {
      this.#removeDraft();
      throw new UserError(`${this.path} is not saved: ${reason(error)}`);
    }
  }

  #closeDraft(): void {
    const fd = this.#fd;
    [this.#fd, this.#reserved] = [undefined, 0];
    if (fd !== undefined) fs.closeSync(fd);
  }

  #removeDraft(): void {
    attempt(() => this.#closeDraft());
    if (this.#draft !== undefined) removeFile(this.#draft);
    this.#draft = undefined;
  }

  close(): void {
    this.#removeDraft();
    this.#lock.release();
  }
}

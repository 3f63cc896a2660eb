// Reads files and standard input, plain, gzip or zstd, as chunks or as a whole.
import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { codeOf } from './errors.js';
import { frames } from './zstd.js';

/** Bytes read, or unpacked, at once. With half as many, two threads take up to 11 % longer (`benches/dedupe.mjs`). */
const CHUNK = 1 << 19;
/** A longer line, row, element or page is not read: it may not fit in a string. In bytes. */
export const MAX_DOCUMENT: number = 1 << 28;

/** The part of `Io` that reading bytes uses. */
export interface ChunkIo {
  /** Ends the input early. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes read from the file. */
  onRead(bytes: number): void;
}

/** The part of `Io` that splitting a file uses. */
export interface SplitIo {
  readonly signal: AbortSignal;
  /** Reports a line or a row that is not read. */
  reject(line: number, message: string): void;
}

export type Chunks = AsyncGenerator<Buffer, void, undefined>;

/** Makes a stream that unpacks, in a thread of Node's pool. */
type Unpacker = (options: { chunkSize: number }) => Transform;

/** A compressed format. */
interface Format {
  name: string;
  /** Its first bytes in hexadecimal. */
  start: string;
  /** Absent if the format is not supported. */
  create?: Unpacker;
  /** The version of Node from which on it is supported. */
  since?: string;
  /** Splits a file into parts that are unpacked one at a time. Default: the file is one part. */
  parts?: (source: Chunks) => AsyncGenerator<Chunks, void, undefined>;
  /** Unpacks a small part at once. */
  unpackSmall?: ((part: Buffer, options: { maxOutputLength: number }) => Buffer) | undefined;
}

// The declarations are of an older Node.
const { createZstdDecompress, zstdDecompressSync } = zlib as {
  createZstdDecompress?: Unpacker;
  zstdDecompressSync?: Format['unpackSmall'];
};

const formats: readonly Format[] = [
  { name: 'gzip', start: '1f8b', create: zlib.createGunzip },
  {
    name: 'zstd',
    start: '28b52ffd',
    create: createZstdDecompress,
    since: '22.15',
    parts: frames,
    unpackSmall: zstdDecompressSync,
  },
  { name: 'zip', start: '504b0304' },
  { name: 'xz', start: 'fd377a585a' },
  { name: 'bzip2', start: '425a68' },
];

/** Returns the name of a file in messages. */
export const nameOf = (path: string): string => (path === '-' ? 'stdin' : path);

/** Returns the total size of files in bytes, or null if one is not a regular file. */
export function totalSize(paths: readonly string[]): number | null {
  try {
    const all = paths.map((path) => statSync(path));
    return all.every((stats) => stats.isFile()) ? all.reduce((sum, stats) => sum + stats.size, 0) : null;
  } catch {
    return null;
  }
}

/** Opens a file or standard input. */
function open(path: string): Readable {
  if (path === '-') return process.stdin;
  const isPipe = process.platform !== 'win32' && statSync(path).isFIFO();
  if (!isPipe) return createReadStream(path, { highWaterMark: CHUNK });
  // Not a stream of files: its thread would wait for the writer, and the end of the process for that thread.
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
}

/** Yields the chunks of a file, unchanged. Ends early when the signal is aborted. */
async function* raw(path: string, { signal, onRead }: ChunkIo): Chunks {
  const stream = open(path);
  const stop = () => {
    stream.destroy();
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) {
      onRead(chunk.length);
      yield chunk;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Yields a chunk, unless it is empty, and then the others. */
export async function* withHead(head: Buffer, rest: Chunks): Chunks {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Yields the chunks of compressed chunks, unpacked. */
async function* unpacked(source: Chunks, create: Unpacker, signal: AbortSignal): Chunks {
  const stream = create({ chunkSize: CHUNK });
  // The reader of `stream` gets the same error.
  pipeline(Readable.from(source, { objectMode: false }), stream).catch(() => {});
  try {
    yield* stream;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A part of at most this many bytes is unpacked without a stream, which takes longer: a file may have millions of parts. */
const SMALL_PART = 1 << 16;
/** The number of unpacked bytes of small parts that are yielded together. */
const SMALL_CHUNK = 1 << 16;

/** Yields the chunks of a compressed file, unpacked part by part. */
async function* allUnpacked(
  source: Chunks,
  create: Unpacker,
  parts: NonNullable<Format['parts']>,
  unpackSmall: Format['unpackSmall'],
  signal: AbortSignal,
): Chunks {
  let small: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of parts(source)) {
      const head = await startOf(part);
      const bytes = head.length > SMALL_PART ? undefined : unpackedSmall(head, unpackSmall);
      if (bytes !== undefined) {
        small.push(bytes);
        size += bytes.length;
        if (size < SMALL_CHUNK) continue;
      }
      if (size > 0) yield Buffer.concat(small);
      [small, size] = [[], 0];
      if (bytes === undefined) yield* unpacked(withHead(head, part), create, signal);
    }
  } catch (error) {
    // The parts before a damaged one are read.
    if (size > 0) yield Buffer.concat(small);
    throw error;
  }
  if (size > 0) yield Buffer.concat(small);
}

/** Reads a small part whole, or the start of a larger one, which has more than `SMALL_PART` bytes. */
async function startOf(part: Chunks): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= SMALL_PART; ) {
    const { done, value } = await part.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/** Unpacks a small part; undefined if it is large when it is unpacked. */
function unpackedSmall(part: Buffer, unpack: Format['unpackSmall']): Buffer | undefined {
  try {
    return unpack?.(part, { maxOutputLength: CHUNK });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

/** Returns the error for a format that is not supported. */
function unsupported({ name, since }: Format): Error {
  const known = formats.filter(({ create }) => create !== undefined).map(({ name }) => name);
  const list = new Intl.ListFormat('en').format(['plain text', ...known]);
  const later = since ? `; with Node ${since} or newer, ${name} too` : '';
  return new Error(`the file is compressed with ${name}; ${list} are supported${later}`);
}

const MARK = Buffer.from('\ufeff');

/** Returns bytes without a byte order mark at their start. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;

/** Returns the compressed format of a file by its first bytes; undefined if it is not compressed. */
function formatOf(head: Buffer): Format | undefined {
  const start = head.toString('hex', 0, 5);
  return formats.find((format) => start.startsWith(format.start));
}

/** Returns whether a file is compressed, by its first bytes. */
export const isPacked = (head: Buffer): boolean => formatOf(head) !== undefined;

/** Yields the chunks of a file, unpacked if it begins like a compressed format. */
export async function* chunks(path: string, io: ChunkIo): Chunks {
  const source = raw(path, io);
  let head = Buffer.alloc(0);
  while (head.length < 5) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  let content = withHead(head, source);
  const format = formatOf(head);
  if (format !== undefined) {
    const { create, parts, unpackSmall } = format;
    if (create === undefined) throw unsupported(format);
    content =
      parts === undefined
        ? unpacked(content, create, io.signal)
        : allUnpacked(content, create, parts, unpackSmall, io.signal);
  }
  yield* content;
}

/** Yields the chunks of a text, without its byte order mark. */
export async function* textChunks(path: string, io: ChunkIo): Chunks {
  const source = chunks(path, io);
  const { done, value } = await source.next();
  if (!done) yield* withHead(withoutMark(value), source);
}

/** Resolves to the bytes of all chunks. */
export async function collect(content: Chunks): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    all.push(chunk);
    size += chunk.length;
    if (size > MAX_DOCUMENT) throw new Error(`a file of more than ${MAX_DOCUMENT >> 20} MiB`);
  }
  return Buffer.concat(all);
}

/** Resolves to a text, without its byte order mark. */
export const contents = (path: string, io: ChunkIo): Promise<Buffer> => collect(textChunks(path, io));

/** Counts a byte. */
export function countOf(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

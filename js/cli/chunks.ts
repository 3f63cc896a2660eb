// Reads files and standard input, plain, gzip or zstd, as chunks or as a whole.
import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { frames } from './zstd.js';

/** Bytes read, or unpacked, at once. With half as many, two threads take up to 11 % longer (`benches/dedupe.mjs`). */
const CHUNK = 1 << 19;
/** A longer line, row, element or page is not read: it may not fit in a string. In bytes. */
export const MAX_DOCUMENT: number = 1 << 28;

/** The part of `Io` that reading bytes takes. */
export interface ChunkIo {
  /** Ends the input early. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes read from the file. */
  onRead(bytes: number): void;
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
}

// The declarations are of an older Node.
const { createZstdDecompress } = zlib as { createZstdDecompress?: Unpacker };

const formats: readonly Format[] = [
  { name: 'gzip', start: '1f8b', create: zlib.createGunzip },
  { name: 'zstd', start: '28b52ffd', create: createZstdDecompress, since: '22.15', parts: frames },
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

async function* wholeOf(source: Chunks): AsyncGenerator<Chunks, void, undefined> {
  yield source;
}

/** Yields the chunks of a compressed file, unpacked part by part. */
async function* allUnpacked(
  source: Chunks,
  parts: NonNullable<Format['parts']>,
  create: Unpacker,
  signal: AbortSignal,
): Chunks {
  for await (const part of parts(source)) yield* unpacked(part, create, signal);
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

/** Yields the chunks of a file, unpacked if it begins like a compressed format. */
export async function* chunks(path: string, io: ChunkIo): Chunks {
  const source = raw(path, io);
  let head = Buffer.alloc(0);
  while (head.length < 5) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const start = head.toString('hex', 0, 5);
  let content = withHead(head, source);
  const format = formats.find((format) => start.startsWith(format.start));
  if (format !== undefined) {
    const { create, parts = wholeOf } = format;
    if (create === undefined) throw unsupported(format);
    content = allUnpacked(content, parts, create, io.signal);
  }
  yield* content;
}

/** Yields the chunks of a text, without its byte order mark. */
export async function* textChunks(path: string, io: ChunkIo): Chunks {
  const source = chunks(path, io);
  const { done, value } = await source.next();
  if (!done) yield* withHead(withoutMark(value), source);
}

/** Resolves to a text, without its byte order mark. */
export async function contents(path: string, io: ChunkIo): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for await (const chunk of textChunks(path, io)) {
    all.push(chunk);
    size += chunk.length;
    if (size > MAX_DOCUMENT) throw new Error(`a file of more than ${MAX_DOCUMENT >> 20} MiB`);
  }
  return Buffer.concat(all);
}

// Reads files and standard input, plain, gzip or zstd: as chunks, as a whole, or as batches of whole lines.
import { createReadStream, statSync } from 'node:fs';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import type { LineBatch } from '../node/documents.js';
import { frames } from './zstd.js';

const LINE_FEED = 10;
/** Bytes read, or unpacked, at once. With half as many, two threads take up to 11 % longer (`benches/dedupe.mjs`). */
const CHUNK = 1 << 19;
/** A longer line is a bad line: it may not fit in a string. In bytes. */
const MAX_LINE = 1 << 28;

/** The part of `Io` that reading a file uses. */
export interface InputIo {
  /** Ends the input early. */
  readonly signal: AbortSignal;
  /** Called with the number of bytes read from the file. */
  onRead(bytes: number): void;
}

/** The part of `Io` that reading lines uses. */
export interface LinesIo extends InputIo {
  /** Reports a bad line. */
  bad(name: string, line: number, message: string): void;
}

type Chunks = AsyncGenerator<Buffer, void, undefined>;

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

/** Yields the chunks of a file, unchanged. Ends early when the signal is aborted. */
async function* raw(path: string, { signal, onRead }: InputIo): Chunks {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
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

async function* withHead(head: Buffer, rest: Chunks): Chunks {
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

/** Yields the chunks of a file without its byte order mark, unpacked if it begins like a compressed format. */
export async function* chunks(path: string, io: InputIo): Chunks {
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
  let isFirst = true;
  for await (const chunk of content) {
    yield isFirst ? withoutMark(chunk) : chunk;
    isFirst = false;
  }
}

/** Resolves to the content of a file. */
export async function contents(path: string, io: InputIo): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks(path, io)) all.push(chunk);
  return Buffer.concat(all);
}

const withoutMark = (bytes: Buffer): Buffer => (bytes.toString('hex', 0, 3) === 'efbbbf' ? bytes.subarray(3) : bytes);

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

/**
 * Yields the lines of a file in batches. The caller owns their bytes. A batch has the lines that have arrived, so a
 * slow source does not delay them.
 */
export async function* lineBatches(path: string, io: LinesIo): AsyncGenerator<LineBatch, void, undefined> {
  const name = nameOf(path);
  let line = 1;
  /** The start of a line whose end has not been read. */
  let held: Buffer[] = [];
  let size = 0;
  let tooLong = false;

  const batch = (end: Uint8Array): LineBatch => {
    // Its buffer is not part of a pool, since it may be sent to a thread. It is not filled with zeros.
    const bytes = Buffer.allocUnsafeSlow(size + end.length);
    let at = 0;
    for (const piece of [...held, end]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    held = [];
    size = 0;
    const result = { name, line, bytes };
    line += countLines(bytes);
    return result;
  };
  const skip = () => {
    io.bad(name, line, `a line of more than ${MAX_LINE >> 20} MiB`);
    held = [];
    size = 0;
    tooLong = true;
  };

  for await (let chunk of chunks(path, io)) {
    if (tooLong) {
      const end = chunk.indexOf(LINE_FEED);
      if (end < 0) continue;
      chunk = chunk.subarray(end + 1);
      line++;
      tooLong = false;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield batch(chunk.subarray(0, end));
    if (end < chunk.length) {
      held.push(chunk.subarray(end));
      size += chunk.length - end;
      if (size > MAX_LINE) skip();
    }
  }
  // A last line may lack its line feed. After a signal, the last line is incomplete.
  if (size > 0 && !io.signal.aborted) yield batch(Uint8Array.of(LINE_FEED));
}

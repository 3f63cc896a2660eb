// Reads files and standard input, plain, gzip or zstd: as chunks, as a whole, or as batches of whole lines.
import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { frames } from './zstd.js';

const LINE_FEED = 10;
/** Bytes read, or unpacked, at once. With half as many, two threads take up to 11 % longer (`benches/dedupe.mjs`). */
const CHUNK = 1 << 19;
/** A longer line is a bad line: it may not fit in a string. */
export const LONGEST_LINE = 1 << 28;

/**
 * Compressed formats by their first bytes, and what unpacks them, in a thread of Node's pool. Node has zstd since 22.15.
 */
const formats = [
  { name: 'gzip', start: '1f8b', create: zlib.createGunzip },
  { name: 'zstd', start: '28b52ffd', create: zlib.createZstdDecompress, since: '22.15', parts: frames },
  { name: 'zip', start: '504b0304' },
  { name: 'xz', start: 'fd377a585a' },
  { name: 'bzip2', start: '425a68' },
];

export const nameOf = (path) => (path === '-' ? 'stdin' : path);

/** The total size of the files in bytes, or null if one is not a regular file. */
export function totalSize(paths) {
  try {
    const all = paths.map((path) => statSync(path));
    return all.every((stats) => stats.isFile()) ? all.reduce((sum, stats) => sum + stats.size, 0) : null;
  } catch {
    return null;
  }
}

/** The chunks of a file, unchanged. Ends early when the signal is aborted. */
async function* raw(path, { signal, onRead }) {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
  const stop = () => stream.destroy();
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

async function* withHead(head, rest) {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* unpacked(source, create, signal) {
  const stream = create({ chunkSize: CHUNK });
  // The reader of `stream` gets the same error.
  pipeline(Readable.from(source, { objectMode: false }), stream).catch(() => {});
  try {
    yield* stream;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function* wholeOf(source) {
  yield source;
}

/** The chunks of a compressed file, unpacked part by part. */
async function* allUnpacked(source, { create, parts = wholeOf }, signal) {
  for await (const part of parts(source)) yield* unpacked(part, create, signal);
}

/** The chunks of a file without its byte order mark, unpacked if its first bytes are those of a compressed format. */
export async function* chunks(path, io) {
  const source = raw(path, io);
  let head = Buffer.alloc(0);
  while (head.length < 5) {
    const { done, value } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const start = head.toString('hex', 0, 5);
  const format = formats.find((format) => start.startsWith(format.start));
  if (format !== undefined && format.create === undefined) {
    const { name, since } = format;
    const known = formats.filter(({ create }) => create !== undefined).map(({ name }) => name);
    const list = new Intl.ListFormat('en').format(['plain text', ...known]);
    const later = since ? `; with Node ${since} or newer, ${name} too` : '';
    throw new Error(`the file is compressed with ${name}; ${list} are supported${later}`);
  }
  const whole = withHead(head, source);
  let isFirst = true;
  for await (const chunk of format ? allUnpacked(whole, format, io.signal) : whole) {
    yield isFirst ? withoutMark(chunk) : chunk;
    isFirst = false;
  }
}

/** The content of a file. */
export async function contents(path, io) {
  const all = [];
  for await (const chunk of chunks(path, io)) all.push(chunk);
  return Buffer.concat(all);
}

const withoutMark = (bytes) => (bytes.toString('hex', 0, 3) === 'efbbbf' ? bytes.subarray(3) : bytes);

function countLines(bytes) {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

/**
 * The lines of a file in batches `{ name, line, bytes }`: whole lines with their line feeds, the first numbered `line`.
 * The caller owns `bytes`. A batch has the lines that have arrived, so a slow source does not delay them.
 */
export async function* lineBatches(path, io) {
  const name = nameOf(path);
  let line = 1;
  /** The start of a line whose end has not been read. */
  let held = [];
  let size = 0;
  let tooLong = false;

  const batch = (end) => {
    // Its buffer is no part of a pool: it may be sent to a thread. It is not filled with zeros.
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
    io.bad(name, line, `a line of more than ${LONGEST_LINE >> 20} MiB`);
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
      if (size > LONGEST_LINE) skip();
    }
  }
  // A last line may lack its line feed. After a signal, the last line is incomplete.
  if (size > 0 && !io.signal.aborted) yield batch(Uint8Array.of(LINE_FEED));
}

// Reads files and standard input, plain, gzip or zstd, as chunks or as a whole.
import { constants, createReadStream, openSync, type Stats, statSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import zlib from 'node:zlib';
import { attempt } from './file-system.js';
import { type Io, nothingNoticed } from './io.js';
import { systemPath } from './path.js';
import { CHUNK, joinParts, takeBuffer } from './spare-buffers.js';
import { type Chunks, startOf, withHead } from './streams.js';
import { frames } from './zstd.js';

/** The time in milliseconds that the first bytes of a chunk from a pipe wait for more. */
const PATIENCE = 2;
/** A longer line, row, element or page is not read: it may not fit in a string. In bytes. */
export const MAX_DOCUMENT: number = 1 << 28;

/** The part of `Io` that reading the input uses. */
export type InputIo = Pick<Io, 'signal' | 'onRead' | 'reject' | 'noticed'>;

/** Returns what reads the input again: without messages, and after a signal too. */
export const silentIo = (): InputIo => ({
  signal: new AbortController().signal,
  onRead() {},
  reject() {},
  noticed: nothingNoticed(),
});

/** Makes a stream that unpacks, in a thread of Node's pool. */
type Unpacker = (options: { chunkSize: number }) => Transform;

/** The functions for zstd, which the declarations of an older Node lack. */
interface Zstd {
  createZstdDecompress: Unpacker;
  zstdDecompressSync(part: Buffer, options: { maxOutputLength: number }): Buffer;
}

const zstd = 'createZstdDecompress' in zlib ? (zlib as unknown as Zstd) : undefined;

interface Compression {
  name: string;
  /** Its first bytes in hexadecimal. */
  start: string;
  /** Yields the chunks of compressed chunks, unpacked. Absent if the format is not supported. */
  unpack?: ((source: Chunks) => Chunks) | undefined;
  /** The first version of Node that supports it. */
  since?: string;
}

const compressions: readonly Compression[] = [
  { name: 'gzip', start: '1f8b', unpack: (source) => unpacked(source, zlib.createGunzip) },
  { name: 'zstd', start: '28b52ffd', unpack: zstd && ((source) => unpackedFrames(zstd, source)), since: '22.15' },
  { name: 'zip', start: '504b0304' },
  { name: 'xz', start: 'fd377a585a' },
  { name: 'bzip2', start: '425a68' },
];

/** Returns the name of a file in messages. */
export const nameOf = (path: string): string => (path === '-' ? 'stdin' : path);

/** Returns the total size of files in bytes, or null if one is not a regular file. */
export function totalSize(paths: readonly string[]): number | null {
  const all = paths.map((path) => attempt(() => statSync(systemPath(path))));
  return all.reduce<number | null>((sum, stats) => (sum !== null && stats?.isFile() ? sum + stats.size : null), 0);
}

/** Opens standard input, a pipe or a device. */
function openStream(path: string, stats: Stats | undefined): Readable {
  if (stats === undefined) return process.stdin;
  const isPipe = process.platform !== 'win32' && stats.isFIFO();
  if (!isPipe) return createReadStream(systemPath(path), { highWaterMark: CHUNK });
  // Not a stream of files: its thread would wait for the writer, and the end of the process for that thread.
  return new Socket({
    fd: openSync(systemPath(path), constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
}

/** Yields the chunks of a regular file. */
async function* ofFile(path: string, signal: AbortSignal): Chunks {
  const file = await openFile(systemPath(path));
  try {
    while (!signal.aborted) {
      const buffer = takeBuffer(CHUNK);
      const { bytesRead } = await file.read(buffer, 0, CHUNK);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Yields the chunks of a stream: joined, if they arrive one soon after the other, since a pipe has only 64 KiB at once. */
async function* joined(stream: Readable): Chunks {
  const source = stream.iterator() as AsyncIterableIterator<Buffer>;
  const pull = () => {
    const next = source.next();
    // It is awaited later.
    next.catch(() => {});
    return next;
  };
  try {
    for (let next = pull(); ; ) {
      const first = await next;
      if (first.done) return;
      const parts: Buffer[] = [first.value];
      let size = first.value.length;
      const pause = setTimeout(PATIENCE);
      for (next = pull(); size < CHUNK; next = pull()) {
        // An error is thrown after the bytes before it.
        const more = await Promise.race([pause, next.catch(() => {})]);
        if (more === undefined || more.done) break;
        parts.push(more.value);
        size += more.value.length;
      }
      yield parts.length === 1 ? parts[0] : joinParts(parts, size);
    }
  } finally {
    stream.destroy();
  }
}

/** Yields the chunks of a file, unchanged. */
async function* raw(path: string, { signal, onRead }: InputIo): Chunks {
  const stats = path === '-' ? undefined : statSync(systemPath(path));
  const source = stats?.isFile() ? ofFile(path, signal) : joined(addAbortSignal(signal, openStream(path, stats)));
  for await (const chunk of source) {
    onRead(chunk.length);
    yield chunk;
  }
}

async function* unpacked(source: Chunks, create: Unpacker): Chunks {
  const stream = create({ chunkSize: CHUNK });
  // The iteration throws the same error.
  pipeline(Readable.from(source, { objectMode: false }), stream).catch(() => {});
  yield* stream;
}

/** A frame of at most this many bytes is unpacked without a stream, which takes longer: a file may have millions of frames. */
const SMALL_FRAME = 1 << 16;

/** Yields the chunks of a zstd file, unpacked frame by frame. */
async function* unpackedFrames({ createZstdDecompress, zstdDecompressSync }: Zstd, source: Chunks): Chunks {
  /** Small frames, unpacked, which are yielded together. */
  let [small, size]: [Buffer[], number] = [[], 0];
  const take = (): Buffer => {
    const bytes = Buffer.concat(small);
    [small, size] = [[], 0];
    return bytes;
  };
  try {
    for await (const frame of frames(source)) {
      const head = await startOf(frame, SMALL_FRAME + 1);
      // Unpacking fails if the frame is damaged, or large when unpacked. The stream then reports the error, or succeeds.
      const unpackAll = () => zstdDecompressSync(head, { maxOutputLength: CHUNK });
      const bytes = head.length > SMALL_FRAME ? undefined : attempt(unpackAll);
      if (bytes !== undefined) {
        small.push(bytes);
        size += bytes.length;
        if (size >= SMALL_FRAME) yield take();
      } else {
        yield take();
        yield* unpacked(withHead(head, frame), createZstdDecompress);
      }
    }
  } catch (error) {
    // The frames before a damaged one are read.
    yield take();
    throw error;
  }
  yield take();
}

function unsupported({ name, since }: Compression): Error {
  const known = `plain text${zstd ? ', gzip, and zstd' : ' and gzip'}`;
  const later = since ? `; with Node ${since} or newer, ${name} too` : '';
  return new Error(`the file is compressed with ${name}; ${known} are supported${later}`);
}

/** Returns the compressed format of a file by its first bytes; undefined if it is not compressed. */
function formatOf(head: Buffer): Compression | undefined {
  const start = head.toString('hex', 0, 5);
  return compressions.find((format) => start.startsWith(format.start));
}

/** Yields the chunks of a file, unpacked if it begins like a compressed format. Ends early when the signal is aborted. */
export async function* chunks(path: string, io: InputIo): Chunks {
  const source = raw(path, io);
  try {
    const head = await startOf(source, 5);
    const content = withHead(head, source);
    const format = formatOf(head);
    if (format !== undefined && format.unpack === undefined) throw unsupported(format);
    yield* format?.unpack?.(content) ?? content;
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    // Closes the file if its content is refused. Not awaited: a pipe may never have its next chunk.
    source.return().catch(() => {});
  }
}

export async function collect(content: Chunks): Promise<Buffer> {
  const bytes = await startOf(content, MAX_DOCUMENT + 1);
  await content.return();
  if (bytes.length > MAX_DOCUMENT) throw new Error(`a file of more than ${MAX_DOCUMENT >> 20} MiB`);
  return bytes;
}

export function countBytes(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

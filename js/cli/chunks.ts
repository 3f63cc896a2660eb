// Reads files and standard input, plain, gzip or zstd, as chunks or as a whole.
import fs, { closeSync, constants, createReadStream, fstatSync, openSync, statSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { addAbortSignal, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { attempt } from './file-system.js';
import { type Io, nothingNoticed } from './io.js';
import { systemPath } from './path.js';
import { CHUNK, takeBuffer } from './spare-buffers.js';
import { type Chunks, startOf, withHead } from './streams.js';
import { frames } from './zstd.js';

const readSome = promisify(fs.read);

/** The maximum number of bytes that a pipe has at once. */
const PIPE = 1 << 16;
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

/** Yields the chunks of a regular file, which is closed then, except standard input. */
async function* ofFile(fd: number, signal: AbortSignal): Chunks {
  try {
    while (!signal.aborted) {
      const buffer = takeBuffer(CHUNK);
      const { bytesRead } = await readSome(fd, buffer, 0, CHUNK, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    if (fd !== 0) closeSync(fd);
  }
}

/**
 * Yields the chunks of a pipe: what arrives soon after the first bytes is in their chunk, since a pipe has only 64 KiB at once.
 * Not a stream of files: its thread would wait for the writer, and the end of the process for that thread.
 */
async function* ofPipe(fd: number, signal: AbortSignal): Chunks {
  const arrived = Buffer.allocUnsafeSlow(PIPE);
  let [chunk, size] = [takeBuffer(CHUNK), 0];
  const isFull = () => size + PIPE > CHUNK;
  /** Why there is nothing more to read: an error, or null at the end. */
  let ended: Error | null | undefined;
  let check = () => {};
  const until = (isMet: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (isMet()) resolve();
      };
      check();
    });
  const callback = (length: number) => {
    chunk.set(arrived.subarray(0, length), size);
    size += length;
    check();
    return !isFull();
  };
  // The declarations have `onread` for `connect` alone.
  const options: SocketConstructorOpts & ConnectOpts = {
    fd,
    readable: true,
    writable: false,
    onread: { buffer: arrived, callback },
  };
  const socket = new Socket(options);
  const end = (error: Error | null = null) => {
    ended ??= error;
    check();
  };
  addAbortSignal(signal, socket)
    .on('error', end)
    .on('end', () => end());
  try {
    for (;;) {
      await until(() => size > 0 || ended !== undefined);
      await Promise.race([until(() => isFull() || ended !== undefined), setTimeout(PATIENCE)]);
      // An error is thrown after the bytes before it.
      if (size === 0 && ended instanceof Error) throw ended;
      if (size === 0) return;
      const bytes = chunk.subarray(0, size);
      [chunk, size] = [takeBuffer(CHUNK), 0];
      socket.resume();
      yield bytes;
    }
  } finally {
    socket.destroy();
  }
}

/** Yields the chunks of a file or standard input, unchanged. */
async function* raw(path: string, { signal, onRead }: InputIo): Chunks {
  const stats = path === '-' ? fstatSync(0) : statSync(systemPath(path));
  const { O_RDONLY, O_NONBLOCK } = constants;
  const open = (flags: number) => (path === '-' ? 0 : openSync(systemPath(path), flags));
  const isPipe = process.platform !== 'win32' && (stats.isFIFO() || stats.isSocket());
  const device = () => (path === '-' ? process.stdin : createReadStream(systemPath(path)));
  const source = stats.isFile()
    ? ofFile(open(O_RDONLY), signal)
    : isPipe
      ? ofPipe(open(O_RDONLY | O_NONBLOCK), signal)
      : addAbortSignal(signal, device());
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

/** Yields the chunks of a file or standard input, unpacked. */
export const chunks = (path: string, io: InputIo): Chunks => plain(raw(path, io), io);

/** Yields chunks, unpacked if they begin like a compressed format. Ends early when the signal is aborted. */
export async function* plain(source: Chunks, io: Pick<InputIo, 'signal'>): Chunks {
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

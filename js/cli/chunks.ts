// Reads files and standard input, plain or gzip, as chunks or as a whole.
import fs, { constants, createReadStream, fstatSync, statSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { attempt, canReadAgain } from './file-system.js';
import { gunzipped } from './gunzip.js';
import { type Io, nothingNoticed } from './io.js';
import { systemPath } from './path.js';
import { CHUNK, takeBuffer } from './spare-buffers.js';
import { type Chunks, startOf, withHead } from './streams.js';

const openFile = promisify(fs.open);
const readSome = promisify(fs.read);
const closeFile = promisify(fs.close);

/** The maximum number of bytes that a pipe has at once. */
const PIPE = 1 << 16;
/** The number of bytes that are read where a file probably ends. */
const MIN_READ = 1 << 12;
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

/** Compressed formats, and their first bytes in hexadecimal. */
const compressions: readonly [name: string, start: string][] = [
  ['gzip', '1f8b'],
  ['zstd', '28b52ffd'],
  ['zip', '504b0304'],
  ['xz', 'fd377a585a'],
  ['bzip2', '425a68'],
];

/** Returns the name of a file in messages. */
export const nameOf = (path: string): string => (path === '-' ? 'stdin' : path);

/** Returns the total size of files in bytes, or null if one is not a regular file. */
export function totalSize(paths: readonly string[]): number | null {
  const all = paths.map((path) => attempt(() => statSync(systemPath(path))));
  return all.reduce<number | null>((sum, stats) => (sum !== null && stats?.isFile() ? sum + stats.size : null), 0);
}

/**
 * Yields the chunks of a regular file, which is closed then, except standard input. A small file takes a small buffer, and so does
 * looking for the end: large ones, for each of many files, would take more time than the files.
 */
async function* ofFile(fd: number, size: number, signal: AbortSignal): Chunks {
  try {
    let length = Math.min(Math.max(size + 1, MIN_READ), CHUNK);
    while (!signal.aborted) {
      const buffer = takeBuffer(length);
      const { bytesRead } = await readSome(fd, buffer, 0, length, null);
      if (bytesRead === 0) {
        // The last bytes may be a part of a document.
        if (fstatSync(fd).size < size) throw new Error('the file has become shorter while it was read');
        return;
      }
      // A file may have grown meanwhile.
      length = bytesRead === length ? CHUNK : MIN_READ;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    if (fd !== 0) await closeFile(fd);
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
  const open = async (flags: number) => (path === '-' ? 0 : await openFile(systemPath(path), flags));
  const isPipe = process.platform !== 'win32' && (stats.isFIFO() || stats.isSocket());
  const device = () => (path === '-' ? process.stdin : createReadStream(systemPath(path)));
  // Reading a folder is an error. The stream of standard input would end without one.
  const isRead = stats.isFile() || stats.isDirectory();
  const source = isRead
    ? ofFile(await open(O_RDONLY), stats.size, signal)
    : isPipe
      ? ofPipe(await open(O_RDONLY | O_NONBLOCK), signal)
      : addAbortSignal(signal, device());
  for await (const chunk of source) {
    onRead(chunk.length);
    yield chunk;
  }
}

/** Yields the chunks of a file or standard input, unpacked. */
export function chunks(path: string, io: InputIo): Chunks {
  const again = () => raw(path, { ...silentIo(), signal: io.signal });
  return plain(raw(path, io), io, canReadAgain(path) ? again : undefined);
}

/**
 * Yields chunks, unpacked if they are compressed with gzip. Ends early when the signal is aborted. `again` reads a damaged file a
 * second time.
 */
export async function* plain(source: Chunks, io: Pick<InputIo, 'signal'>, again?: () => Chunks): Chunks {
  try {
    const head = await startOf(source, 5);
    const content = withHead(head, source);
    const start = head.toString('hex', 0, 5);
    const [name = 'none'] = compressions.find(([, first]) => start.startsWith(first)) ?? [];
    if (name !== 'gzip' && name !== 'none')
      throw new Error(`the file is compressed with ${name}; plain text and gzip are supported`);
    yield* name === 'gzip' ? gunzipped(content, again) : content;
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

/** Returns how often a byte occurs. Takes no call for each byte of a run. */
export function countBytes(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at)) {
    for (; bytes[at] === byte; at++) count++;
  }
  return count;
}

// Unpacks gzip up to a fault: what stands before it is read, as it is in a plain file.
import { createGunzip } from 'node:zlib';
import { codeOf, reason } from '../node/errors.js';
import { CHUNK } from './spare-buffers.js';
import type { Chunks } from './streams.js';

/** The number of compressed bytes that are unpacked at once. Smaller pieces take more time, and larger ones more memory. */
const PIECE = 1 << 16;

/** A fault of the compressed bytes. */
class Fault extends Error {
  /**
   * The position of the piece with the fault: Node does not return the bytes that it has unpacked from this piece. Undefined if the
   * compressed bytes end too early, since nothing is missing then.
   */
  readonly at: number | undefined;

  constructor(error: unknown, position: number) {
    super(`the gzip file is damaged (${reason(error)}): it is not read to its end, and gzip -dc may write more of it`);
    this.at = codeOf(error) === 'Z_BUF_ERROR' ? undefined : position;
  }
}

/** Adds a part. Node fills a buffer by one part after the other: adjacent parts become one. */
function addPart(parts: Buffer[], part: Buffer): void {
  const last = parts.at(-1);
  if (last !== undefined && last.buffer === part.buffer && last.byteOffset + last.length === part.byteOffset)
    parts.push(Buffer.from(part.buffer, (parts.pop() as Buffer).byteOffset, last.length + part.length));
  else parts.push(part);
}

/**
 * Yields chunks, unpacked in a thread of Node's pool, and throws a `Fault` after what comes before it. The piece at the position `from`
 * is unpacked by `size` bytes. Not by a pipeline, which drops what it holds when there is a fault.
 */
async function* unpacked(source: Chunks, from = 0, size = PIECE): Chunks {
  const stream = createGunzip({ chunkSize: CHUNK });
  const parts: Buffer[] = [];
  let isEnded = false;
  // Node calls back neither after a fault nor for a piece with the end.
  let settle: (error?: Error | null) => void = () => {};
  stream
    .on('data', (part: Buffer) => addPart(parts, part))
    .on('end', () => {
      isEnded = true;
      settle();
    })
    .on('error', (error) => settle(error));
  const run = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
      start(settle);
    });
  let position = 0;
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length && !isEnded; ) {
        const isFine = position >= from && position < from + PIECE;
        const length = isFine ? size : Math.min(PIECE, position < from ? from - position : PIECE);
        const piece = chunk.subarray(at, at + length);
        await run((done) => stream.write(piece, done));
        at += piece.length;
        position += piece.length;
        yield* parts.splice(0, parts.length - 1);
      }
      yield* parts.splice(0);
      // Bytes after the end of the data are padding.
      if (isEnded) return;
    }
    await run(() => stream.end());
    yield* parts;
  } catch (error) {
    if (!codeOf(error)?.startsWith('Z_')) throw error;
    yield* parts;
    throw new Fault(error, position);
  } finally {
    stream.destroy();
  }
}

/**
 * Yields unpacked chunks. If there is a fault, the file is read again by `again`, in smaller pieces, so that all before the fault is
 * unpacked. A pipe cannot be read again: some documents before the fault may be missing.
 */
export async function* gunzipped(source: Chunks, again?: () => Chunks): Chunks {
  let read = 0;
  let fault: Fault;
  try {
    for await (const chunk of unpacked(source)) {
      read += chunk.length;
      yield chunk;
    }
    return;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    fault = error;
  }
  for (const size of [1 << 8, 1]) {
    if (again === undefined || fault.at === undefined) break;
    let position = 0;
    try {
      for await (const chunk of unpacked(again(), fault.at, size)) {
        const rest = chunk.subarray(Math.max(0, read - position));
        position += chunk.length;
        read += rest.length;
        if (rest.length > 0) yield rest;
      }
    } catch (error) {
      // The file may be gone.
      if (!(error instanceof Fault)) break;
      fault = error;
    }
  }
  // A plain error, since its message is for users.
  throw new Error(fault.message);
}

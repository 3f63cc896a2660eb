// Buffers that are used again. New ones for each chunk and each batch would bring the next collection of garbage nearer.

/** Bytes read, or unpacked, at once. With half as many, two threads take up to 11 % longer (`benches/dedupe.mjs`). */
export const CHUNK: number = 1 << 19;

/** The size of a buffer that is kept: a chunk, and the start of a line before it. */
const CAPACITY = CHUNK + (1 << 16);

/** A file, a batch that is made and a batch that is written have one each. */
const MAX_SPARE = 4;

const spare: ArrayBuffer[] = [];

/** Returns a buffer that is not filled with zeros, and not part of a pool of Node, since it may be sent to a thread. */
export function takeBuffer(length: number): Buffer<ArrayBuffer> {
  // A small batch may be in memory for long, with `--keep`.
  if (length > CAPACITY || length < CHUNK / 2) return Buffer.allocUnsafeSlow(length);
  return Buffer.from(spare.pop() ?? Buffer.allocUnsafeSlow(CAPACITY).buffer, 0, length);
}

/** Copies parts into one buffer, of `size` bytes. */
export function joinParts(parts: Iterable<Uint8Array>, size: number): Buffer<ArrayBuffer> {
  const bytes = takeBuffer(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Takes back the buffer of bytes from {@link takeBuffer}, which the caller no longer reads. Ignores other bytes. */
export function returnBuffer({ buffer, byteOffset }: Uint8Array): void {
  const isOurs = buffer instanceof ArrayBuffer && buffer.byteLength === CAPACITY && byteOffset === 0;
  if (isOurs && spare.length < MAX_SPARE) spare.push(buffer);
}

// The frames of a zstd file (RFC 8878, section 3.1). Node's decompressor ends after the first frame, and accepts a truncated
// file as complete, so it gets the frames one at a time, and only whole ones end without an error.
import { type Chunks, startOf } from './streams.js';

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

type Read = (length: number) => Promise<Buffer>;

async function* frame(read: Read, magic: Buffer): Chunks {
  yield magic;
  const descriptor = await read(1);
  yield descriptor;
  const [flags] = descriptor;
  const isSingleSegment = (flags >> 5) & 1;
  const sizeOfSize = [isSingleSegment, 2, 4, 8][flags >> 6];
  yield await read(1 - isSingleSegment + [0, 1, 2, 4][flags & 3] + sizeOfSize);
  for (let isLast = false; !isLast; ) {
    const header = await read(3);
    yield header;
    const number = header.readUIntLE(0, 3);
    isLast = (number & 1) === 1;
    // A block of one repeated byte has only that byte.
    yield await read((number >> 1) & 1 ? 1 : number >> 3);
  }
  if ((flags >> 2) & 1) yield await read(4);
}

/** Yields the bytes of each frame, as an async iterable to be read before the next one. */
export async function* frames(chunks: Chunks): AsyncGenerator<Chunks, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  /** Reads on until `length` bytes are held, and resolves to false if there are fewer. */
  const hold = async (length: number): Promise<boolean> => {
    if (held.length < length) held = Buffer.concat([held, await startOf(chunks, length - held.length)]);
    return held.length >= length;
  };
  const read: Read = async (length) => {
    if (!(await hold(length))) throw new Error('unexpected end of file');
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return bytes;
  };
  while (await hold(1)) {
    const bytes = await read(4);
    const magic = bytes.readUInt32LE();
    if (magic === FRAME) {
      yield frame(read, bytes);
    } else if ((magic & ~15) === SKIPPABLE) {
      for (let left = (await read(4)).readUInt32LE(); left > 0; ) left -= (await read(Math.min(left, 1 << 16))).length;
    } else {
      throw new Error('incorrect zstd frame');
    }
  }
}

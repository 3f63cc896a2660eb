// The frames of a zstd file (RFC 8878, section 3.1). Node's decompressor ends after the first frame, and takes a
// truncated file for a whole one, so it gets the frames one at a time, and only whole ones end without an error.

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/** Reads exact numbers of bytes from chunks. */
class Reader {
  #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Reads more, and resolves to false at the end. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
    return !done;
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) if (!(await this.#more())) return true;
    return false;
  }

  async read(length: number): Promise<Buffer> {
    while (this.#held.length < length) if (!(await this.#more())) throw new Error('unexpected end of file');
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return bytes;
  }
}

/** Yields the bytes of a frame, which begins with `magic`. */
async function* frame(reader: Reader, magic: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield magic;
  const descriptor = await reader.read(1);
  yield descriptor;
  const [flags] = descriptor;
  const isSingleSegment = (flags >> 5) & 1;
  const sizeOfSize = [isSingleSegment, 2, 4, 8][flags >> 6];
  yield await reader.read(1 - isSingleSegment + [0, 1, 2, 4][flags & 3] + sizeOfSize);
  for (let isLast = false; !isLast; ) {
    const header = await reader.read(3);
    yield header;
    const number = header.readUIntLE(0, 3);
    isLast = (number & 1) === 1;
    // A block of one repeated byte has only that byte.
    yield await reader.read((number >> 1) & 1 ? 1 : number >> 3);
  }
  if ((flags >> 2) & 1) yield await reader.read(4);
}

/** Yields the bytes of each frame, as an async iterable to be read before the next one. */
export async function* frames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<AsyncGenerator<Buffer, void, undefined>, void, undefined> {
  const reader = new Reader(chunks);
  while (!(await reader.isAtEnd())) {
    const bytes = await reader.read(4);
    const magic = bytes.readUInt32LE();
    if (magic === FRAME) {
      yield frame(reader, bytes);
    } else if ((magic & ~15) === SKIPPABLE) {
      for (let left = (await reader.read(4)).readUInt32LE(); left > 0; ) {
        left -= (await reader.read(Math.min(left, 1 << 16))).length;
      }
    } else {
      throw new Error('incorrect zstd frame');
    }
  }
}

// Asynchronous sequences of chunks.

export type Chunks = AsyncGenerator<Buffer, void, undefined>;

/** Yields a chunk, unless it is empty, and then the others. */
export async function* withHead(head: Buffer, rest: Chunks): Chunks {
  if (head.length > 0) yield head;
  yield* rest;
}

/** Reads until there are `length` bytes, `isEnough` returns true, or the source ends. */
export async function startOf(source: Chunks, length: number, isEnough?: (head: Buffer) => boolean): Promise<Buffer> {
  let chunks: Buffer[] = [];
  for (let size = 0; size < length; ) {
    if (isEnough !== undefined) chunks = [Buffer.concat(chunks)];
    if (isEnough?.(chunks[0])) break;
    const { done, value } = await source.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

/** Chunks that may end with an error, which is thrown after what comes before it is read. */
export class Failing {
  /** The chunks, which end without the error. */
  readonly chunks: Chunks;
  #failure: { error: unknown } | undefined;

  constructor(source: Chunks) {
    this.chunks = this.#untilError(source);
  }

  async *#untilError(source: Chunks): Chunks {
    try {
      yield* source;
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** Throws the error if it has occurred. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Yields the chunks that are not read yet, and throws the error. */
  async *rest(): Chunks {
    yield* this.chunks;
    this.check();
  }
}

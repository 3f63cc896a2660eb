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

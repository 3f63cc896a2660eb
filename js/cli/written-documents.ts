// The documents whose lines are written since the index was saved. From the saved index and them, the index can be made again
// without the documents whose lines are not written.
import type { Deduplicator, Id } from '../index.js';
import { Sketch } from '../sketch/sketch.js';
import type { Document } from './batch.js';
import { Selection } from './selection.js';

/** Documents that were written together. */
interface Part {
  readonly keys: readonly Id[];
  /** Whether each document is kept. Otherwise only its expiry time is renewed. */
  readonly areKept: readonly boolean[];
  /** The binary forms of the sketches, one after the other, and the end of each. */
  readonly sketches: Uint8Array;
  readonly ends: Uint32Array;
  /** In seconds since 1970. */
  readonly now: number;
}

export class WrittenDocuments {
  #parts: Part[] = [];
  #count = 0;

  /** The number of documents. Each takes about 200 bytes. */
  get count(): number {
    return this.#count;
  }

  /** Adds documents with keys, kept or unchanged. */
  add(documents: readonly Document[]): void {
    const { sketches, ends } = Selection.gather(documents);
    const keys = documents.map(({ key }) => key as Id);
    const areKept = documents.map(({ isKept }) => isKept);
    this.#parts.push({ keys, areKept, sketches, ends, now: Date.now() / 1000 });
    this.#count += documents.length;
  }

  clear(): void {
    this.#parts = [];
    this.#count = 0;
  }

  /** Adds the documents to the index in the order in which they were added here, as if it were then. */
  addTo(index: Deduplicator, expiresIn: number | undefined): void {
    for (const { keys, areKept, sketches, ends, now } of this.#parts) {
      for (const [at, key] of keys.entries()) {
        const sketch = Sketch.of(sketches, at === 0 ? 0 : ends[at - 1], ends[at]);
        if (areKept[at] || index.get(key, { now })?.equals(sketch)) index.add(key, sketch, { expiresIn, now });
      }
    }
  }
}

// The ids that occur more than once in the input.
import type { Id } from '../index.js';
import type { Batch } from './document.js';

/** The bits of a hash that are remembered: a small integer takes no memory of its own in V8. */
const HASH_BITS = 30;

/** Counts ids that repeat or, with `needsOtherText`, that repeat with another text than the first one. */
export class RepeatedIds {
  readonly #needsOtherText: boolean;
  /** A hash of the first text of each id. */
  readonly #first = new Map<Id, number>();
  readonly #repeated = new Set<Id>();

  constructor({ needsOtherText }: { needsOtherText: boolean }) {
    this.#needsOtherText = needsOtherText;
  }

  /** The number of ids. */
  get count(): number {
    return this.#repeated.size;
  }

  /** Returns the name of a document, with its place if several have the name. */
  nameOf({ name, place }: { name: Id; place: string | undefined }): string {
    return place !== undefined && this.#repeated.has(name) ? `${name} (${place})` : `${name}`;
  }

  /** Adds the ids of a batch. Returns the position of the first document at which an id has repeated; `Infinity` for none. */
  add(batch: Batch): number {
    const { ids, file } = batch;
    let first = this.count > 0 ? 0 : Number.POSITIVE_INFINITY;
    // The path of a whole file is both its id and its place.
    if (file.format === 'text' || file.format === 'html') return first;
    for (const [at, id] of ids.entries()) {
      if (id === null) continue;
      const hash = this.#needsOtherText ? Number(BigInt.asUintN(HASH_BITS, batch.sketchAt(at).words >> 2n)) : 0;
      const known = this.#first.get(id);
      if (known === undefined) this.#first.set(id, hash);
      else if (!this.#needsOtherText || known !== hash) {
        this.#repeated.add(id);
        first = Math.min(first, at);
      }
    }
    return first;
  }
}

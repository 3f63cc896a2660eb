// The ids that occur more than once in the input.
import { isWholeFile } from '../formats/names.js';
import type { Id } from '../index.js';
import type { Batch } from './batch.js';

/** The bits of a hash that are remembered: a small integer takes no memory of its own in V8. */
const HASH_BITS = 30;

/** Counts ids that repeat or, with `needsOtherText`, that repeat with another text than the first one. */
export class RepeatedIds {
  readonly #needsOtherText: boolean;
  readonly #seen = new Set<Id>();
  /** With `needsOtherText`, a hash of the first text of each id. */
  readonly #texts = new Map<Id, number>();
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
    if (isWholeFile(file.format)) return first;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at];
      if (id === null || !(this.#needsOtherText ? this.#hasOtherText(id, batch, at) : this.#wasSeen(id))) continue;
      this.#repeated.add(id);
      first = Math.min(first, at);
    }
    return first;
  }

  #wasSeen(id: Id): boolean {
    const { size } = this.#seen;
    return this.#seen.add(id).size === size;
  }

  /** Returns whether the text of a document is another one than the first text of its id. */
  #hasOtherText(id: Id, batch: Batch, at: number): boolean {
    const hash = Number(BigInt.asUintN(HASH_BITS, batch.sketchAt(at).hashes[0] >> 2n));
    const first = this.#texts.get(id);
    if (first === undefined) this.#texts.set(id, hash);
    return first !== undefined && first !== hash;
  }
}

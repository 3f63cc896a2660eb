// The ids that occur more than once in the input.
import type { Id } from '../index.js';
import type { Document } from './document.js';

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

  add({ id, place, sketch }: Document): void {
    // The path of a whole file is both its id and its place.
    if (id === null || id === place) return;
    const hash = this.#needsOtherText ? Number(BigInt.asUintN(HASH_BITS, sketch.words >> 2n)) : 0;
    const first = this.#first.get(id);
    if (first === undefined) this.#first.set(id, hash);
    else if (!this.#needsOtherText || first !== hash) this.#repeated.add(id);
  }
}

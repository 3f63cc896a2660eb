// Decides which documents are kept and which are near-duplicates of kept ones. It works on fingerprints and loads no
// WebAssembly of its own, so that worker threads can compute the fingerprints.
import { outOfRange } from './check.js';
import { distance } from './hamming.js';

/** The map key of a short text. A text may have features but no words, if those are characters; its fingerprint then counts. */
const keyOf = ({ fingerprint, words }) => words || fingerprint;

/** Keeps documents in an index, which may hold some from before. */
export class Deduplicator {
  #index;
  #maxDistance;
  /** Those kept since, if there may be others in the index. */
  #kept;
  /** The short ones among them, by their words, and by their ids. */
  #byWords = new Map();
  #short = new Set();

  constructor(index, maxDistance, isPrivate) {
    this.#index = index;
    this.#maxDistance = maxDistance;
    this.#kept = isPrivate ? null : new Set();
  }

  /** Whether this document was kept here, and not held by the index from before. */
  has(id) {
    return this.#kept === null ? this.#index.has(id) : this.#kept.has(id);
  }

  /** The nearest kept document, `{ id, distance }`, of equally near ones the first; or undefined. */
  nearest(text) {
    return text.words === undefined ? this.#nearestLong(text.fingerprint) : this.#equal(text);
  }

  #nearestLong(fingerprint) {
    for (let limit = 1; ; limit *= 4) {
      const hits = this.#index.query(fingerprint, { maxDistance: this.#maxDistance, limit });
      const hit = hits.find(({ id }) => !this.#short.has(id));
      if (hit !== undefined || hits.length < limit) return hit;
    }
  }

  #equal(text) {
    if (this.#kept !== null) {
      // Those from before come first, and of them there are only fingerprints.
      const [hit] = this.#index.query(text.fingerprint, { maxDistance: 0, limit: 1 });
      if (hit !== undefined && !this.#kept.has(hit.id)) return hit;
    }
    const same = this.#byWords.get(keyOf(text));
    return same && { id: same.id, distance: distance(same.fingerprint, text.fingerprint) };
  }

  /** Keeps a document, whose id the index must not hold. */
  keep(id, text, argument = 'id') {
    if (this.#index.has(id)) throw outOfRange(argument, 'an id that no document kept before has', id);
    this.#index.add(id, text.fingerprint);
    this.#kept?.add(id);
    if (text.words === undefined) return;
    this.#short.add(id);
    this.#byWords.set(keyOf(text), { id, fingerprint: text.fingerprint });
  }
}

// Which documents are kept and which are duplicates of them. Knows no WebAssembly: it is given the fingerprints and the
// index, so that the command line can make the fingerprints elsewhere.
import { outOfRange } from './check.js';
import { distance } from './hamming.js';

/**
 * A text of fewer different features is short. One edited word changes three of them, of 15 a fifth: the two
 * texts then stay within 8 of 64 bits one time in eleven (measured with 8,008 English texts of 2 to 15 features; never
 * above .3 for one number of features), so that an edit is missed far more often than found.
 */
export const MIN_FEATURES = 16;

/** All that is needed of a text: its fingerprint and, of a short one, its words. */
export function sketch(fingerprinter, text) {
  const fingerprint = fingerprinter.fingerprint(text);
  const words = fingerprinter.distinct < MIN_FEATURES ? fingerprinter.words(text).join('\n') : undefined;
  return { fingerprint, words };
}

/** A text without words is known by its fingerprint: it may have features, if those are characters. */
const keyOf = ({ fingerprint, words }) => words || fingerprint;

/** Keeps documents in an index, which may hold some from before. */
export class Keeper {
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

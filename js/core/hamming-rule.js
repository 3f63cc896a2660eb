// The Hamming rule: a document is a near-duplicate of a kept one if their fingerprints are within a distance. It takes
// summaries (short-text.js), so that worker threads can compute them.
import { ArgumentError } from './argument-error.js';
import { distance } from './hamming.js';

/** The map key of a short text. A text of `chars` features may have no words; its fingerprint is then the key. */
const keyOf = ({ fingerprint, words }) => words || fingerprint;

export class HammingRule {
  #index;
  #maxDistance;
  /** The ids kept here; null if the index was empty, so that it holds no others. */
  #kept;
  /** The short texts kept here, by key; and their ids. */
  #byKey = new Map();
  #short = new Set();

  /** Adds the kept documents to `index`. `isPrivate` states that it is empty. */
  constructor(index, maxDistance, isPrivate) {
    this.#index = index;
    this.#maxDistance = maxDistance;
    this.#kept = isPrivate ? null : new Set();
  }

  /** Whether the document was kept here; false for one that the index held before. */
  has(id) {
    return this.#kept === null ? this.#index.has(id) : this.#kept.has(id);
  }

  /** The nearest kept document, `{ id, distance }`, the first of equally near ones; or undefined. */
  nearest(summary) {
    return summary.words === undefined ? this.#nearestLong(summary.fingerprint) : this.#nearestShort(summary);
  }

  #nearestLong(fingerprint) {
    for (let limit = 1; ; limit *= 4) {
      const hits = this.#index.query(fingerprint, { maxDistance: this.#maxDistance, limit });
      const hit = hits.find(({ id }) => !this.#short.has(id));
      if (hit !== undefined || hits.length < limit) return hit;
    }
  }

  #nearestShort(summary) {
    if (this.#kept !== null) {
      // Documents that the index held before come first. Only their fingerprints are known.
      const [hit] = this.#index.query(summary.fingerprint, { maxDistance: 0, limit: 1 });
      if (hit !== undefined && !this.#kept.has(hit.id)) return hit;
    }
    const equal = this.#byKey.get(keyOf(summary));
    return equal && { id: equal.id, distance: distance(equal.fingerprint, summary.fingerprint) };
  }

  /** Keeps a document whose id the index does not hold. */
  keep(id, summary, argument = 'id') {
    if (this.#index.has(id)) throw new ArgumentError(argument, 'an id that no document kept before has', id);
    this.#index.add(id, summary.fingerprint);
    this.#kept?.add(id);
    if (summary.words === undefined) return;
    this.#short.add(id);
    this.#byKey.set(keyOf(summary), { id, fingerprint: summary.fingerprint });
  }
}

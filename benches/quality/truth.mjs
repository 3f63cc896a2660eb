// The exact resemblance of the documents of a collection, and the documents that resemble one.
import { shingleSets } from './shingles.mjs';

/** The size of the intersection of two ascending sets. */
function common(a, b) {
  let both = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      both++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  return both;
}

/** Returns the resemblance of two ascending sets. */
export const jaccard = (a, b) => {
  const both = common(a, b);
  return both / (a.length + b.length - both);
};

export class Truth {
  constructor(texts) {
    const { kinds, sets } = shingleSets(texts);
    this.kinds = kinds;
    this.sets = sets;
  }

  /** The set of each document, of its own kind. */
  ownSets() {
    return this.kinds.map((kind, document) => this.sets.get(kind)[document]);
  }

  /** The kinds of sets by which two documents are compared. */
  kindsOf = (a, b) => new Set([this.kinds[a], this.kinds[b]]);

  /** The exact resemblance of two documents. */
  resemblance(a, b) {
    return Math.max(...[...this.kindsOf(a, b)].map((kind) => jaccard(this.sets.get(kind)[a], this.sets.get(kind)[b])));
  }
}

/**
 * Finds a document with a resemblance of at least the threshold. Two such sets share one of the rarest shingles of each, so
 * only these are indexed: prefix filtering (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007), which is exact.
 */
export class SimilarityIndex {
  #truth;
  #threshold;
  #documents = new Map(); // kind -> shingle -> documents
  #seen; // for each document the last query that compared it
  #queries = 0;

  constructor(truth, threshold) {
    this.#truth = truth;
    this.#threshold = threshold;
    this.#seen = new Uint32Array(truth.kinds.length);
    for (const kind of truth.sets.keys()) this.#documents.set(kind, new Map());
  }

  /** Returns the rarest shingles: enough that every similar set has at least one of them. */
  #prefix(set) {
    return set.subarray(0, set.length - Math.ceil(this.#threshold * set.length - 1e-9) + 1);
  }

  add(document) {
    for (const [kind, documents] of this.#documents) {
      for (const shingle of this.#prefix(this.#truth.sets.get(kind)[document])) {
        const found = documents.get(shingle);
        if (found) found.push(document);
        else documents.set(shingle, [document]);
      }
    }
  }

  /** Returns a document that resembles this one by the threshold or more, or undefined. */
  find(document) {
    const threshold = this.#threshold;
    for (const [kind, documents] of this.#documents) {
      const sets = this.#truth.sets.get(kind);
      const own = sets[document];
      this.#queries++;
      for (const shingle of this.#prefix(own)) {
        for (const other of documents.get(shingle) ?? []) {
          if (this.#seen[other] === this.#queries) continue;
          this.#seen[other] = this.#queries;
          const { length } = sets[other];
          if (Math.min(length, own.length) < threshold * Math.max(length, own.length)) continue;
          if (!this.#truth.kindsOf(document, other).has(kind)) continue;
          if (jaccard(own, sets[other]) >= threshold) return other;
        }
      }
    }
    return undefined;
  }
}

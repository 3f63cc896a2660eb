// The indexes of --against, as one set that does not change.
import type { ResemblanceHit } from '../decisions/decision.js';
import type { Base, QueryOptions } from '../decisions/overlay.js';
import { byRank } from '../decisions/rule.js';
import type { Deduplicator, Id, Sketch } from '../index.js';

/** Indexes that are searched together: their salts differ, so they cannot be merged. An id that several have is of the last. */
export class References implements Base {
  readonly scheme: string;
  readonly #indexes: readonly Deduplicator[];

  constructor(scheme: string, indexes: readonly Deduplicator[]) {
    this.scheme = scheme;
    this.#indexes = indexes;
  }

  /** Whether there are no indexes. */
  get isEmpty(): boolean {
    return this.#indexes.length === 0;
  }

  get(id: Id): Sketch | undefined {
    return this.#indexes.findLast((index) => index.has(id))?.get(id);
  }

  query(document: Sketch, { minResemblance, limit }: QueryOptions): ResemblanceHit[] {
    return this.#indexes
      .flatMap((index) => {
        // All hits, since a later index may have the ids of the best ones.
        const hits = index.query(document, { minResemblance, limit: Infinity });
        return hits.filter(({ id }) => this.#indexes.findLast((other) => other.has(id)) === index);
      })
      .toSorted(byRank)
      .slice(0, limit);
  }
}

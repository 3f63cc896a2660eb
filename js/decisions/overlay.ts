// A set of documents over another set, which it does not change.

import { Deduplicator, type ResemblanceHit, type TimeOptions } from '../core/deduplicator.js';
import type { Sketch } from '../core/sketch.js';
import type { Id } from '../core/types.js';
import type { Outcome } from './decision.js';
import { idOfKey, keyOfId } from './ids.js';
import { byRank, isKept, outcomeOf, similarityOf } from './rule.js';

/** The lower set: a Deduplicator or a store. */
export interface Base {
  readonly scheme: string;
  /** A store may not have it. */
  readonly probes?: number;
  query(
    document: Sketch,
    options: { minResemblance: number; limit: number } & TimeOptions,
  ): ResemblanceHit[] | Promise<ResemblanceHit[]>;
  get(id: Id, options?: TimeOptions): Sketch | undefined | Promise<Sketch | undefined>;
}

/** Decides as the lower set would if it kept the documents of this run. */
export class Overlay {
  #base: Base;
  /** The new and changed documents. A changed one hides the version of the lower set. */
  #own: Deduplicator;
  #isPrivate: boolean;
  /** The time of the lower set. A store has its own. */
  #time: TimeOptions | undefined;

  /**
   * `own` receives the new and changed documents; by default an empty set that is freed with this one. `now` is the time of a
   * Deduplicator, by default the time of each call.
   */
  constructor(base: Base, own?: Deduplicator, now?: number) {
    this.#base = base;
    this.#time = now === undefined ? undefined : { now };
    this.#own = own ?? new Deduplicator({ scheme: base.scheme, probes: base.probes });
    this.#isPrivate = own === undefined;
  }

  /**
   * Decides what a document is. `key` stands for it in this run; `id` is its id, undefined if it has none. With `keep`, later
   * documents are compared with it.
   */
  async observe(key: Id, id: Id | undefined, sketch: Sketch, minResemblance: number, keep: boolean): Promise<Outcome> {
    const kept = this.#own.get(key) ?? (id === undefined ? undefined : await this.#base.get(id, this.#time));
    if (kept?.equals(sketch)) return { status: 'unchanged' };
    const before = kept && similarityOf(kept, sketch);
    const outcome = outcomeOf(before, await this.#best(key, id, sketch, minResemblance));
    if (keep && isKept(outcome)) this.#own.add(key, sketch);
    return outcome;
  }

  /** The best hit of both sets; of equally good ones the hit of the lower set, which was kept first. */
  async #best(
    key: Id,
    id: Id | undefined,
    sketch: Sketch,
    minResemblance: number,
  ): Promise<ResemblanceHit | undefined> {
    const own = this.#own.query(sketch, { minResemblance, limit: 2 }).find((hit) => hit.id !== key);
    const below = await this.#bestBelow(id, sketch, minResemblance);
    if (own === undefined || (below !== undefined && byRank(below, own) <= 0)) return below;
    return { ...own, id: idOfKey(own.id) };
  }

  /** The best hit of the lower set that is not hidden. */
  async #bestBelow(id: Id | undefined, sketch: Sketch, minResemblance: number): Promise<ResemblanceHit | undefined> {
    for (let limit = 2; ; limit *= 4) {
      const hits = await this.#base.query(sketch, { minResemblance, limit, ...this.#time });
      const best = hits.find((hit) => hit.id !== id && !this.#own.has(keyOfId(hit.id)));
      if (best !== undefined || hits.length < limit) return best;
    }
  }

  free(): void {
    if (this.#isPrivate) this.#own.free();
  }
}

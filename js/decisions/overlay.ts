// A set of documents over another set, which it does not change.

import { Deduplicator, type ExpiryOptions, type TimeOptions } from '../core/deduplicator.js';
import type { Sketch } from '../core/sketch.js';
import type { Id } from '../core/types.js';
import type { Outcome, ResemblanceHit } from './decision.js';
import { idOfKey, keyOfId } from './ids.js';
import { byRank, isKept, outcomeOf, similarityOf } from './rule.js';
import { type KeptHit, lowestEstimate, MAX_HITS, read, type Verifiable, type Verifier } from './verify.js';

export type QueryOptions = { minResemblance: number; limit: number } & TimeOptions;

/** The lower set: a Deduplicator, several of them, or a store. */
export interface Base {
  readonly scheme: string;
  query(document: Sketch, options: QueryOptions): ResemblanceHit[] | Promise<ResemblanceHit[]>;
  get(id: Id, options?: TimeOptions): Sketch | undefined | Promise<Sketch | undefined>;
}

/** The upper set: a Deduplicator, or documents that a store keeps provisionally. Documents are identified by their keys. */
export interface Upper extends Pick<Base, 'query' | 'get'> {
  add(key: Id, document: Sketch, options: ExpiryOptions): unknown;
  observe(key: Id, document: Sketch, options: ExpiryOptions): unknown;
}

/** A document. `key` identifies it in this run; `id` is its id, undefined if it has none. */
export interface OverlayDocument extends Verifiable {
  key: Id;
  id: Id | undefined;
}

/** The rule for a decision. */
export interface OverlayRule {
  minResemblance: number;
  /** Whether later documents are compared with it. */
  keeps: boolean;
  /** The expiry of the documents in the upper set. */
  expiresIn?: number | undefined;
  /** Verification by text. No set may be a store. */
  verifier?: Verifier | undefined;
}

/** Decides as the lower set would if it kept the documents of this run. */
export class Overlay {
  #base: Base;
  /** The new and changed documents. A changed one hides the version of the lower set. */
  #own: Upper;
  /** The upper set, if this object owns it. */
  #private: Deduplicator | undefined;
  /** The time of the lower set. A store has its own. */
  #time: TimeOptions | undefined;

  /**
   * `own` receives the new and changed documents under their keys, which their hits then have as ids. By default it is an
   * empty set that is freed with this object. `now` is the time for a Deduplicator, by default the time of each call.
   */
  constructor(base: Base, own?: Upper, now?: number) {
    this.#base = base;
    this.#time = now === undefined ? undefined : { now };
    if (own === undefined) this.#private = new Deduplicator({ scheme: base.scheme });
    this.#own = own ?? (this.#private as Deduplicator);
  }

  /** Decides what a document is, and keeps it under its key if it is new or changed. */
  async observe(document: OverlayDocument, rule: OverlayRule): Promise<Outcome> {
    const { key, id, sketch } = document;
    const { minResemblance, keeps, expiresIn, verifier } = rule;
    const own = await this.#own.get(key);
    const kept = own ?? (id === undefined ? undefined : await this.#base.get(id, this.#time));
    if (kept?.equals(sketch)) {
      if (own !== undefined && expiresIn !== undefined) await this.#own.observe(key, sketch, { expiresIn });
      return { status: 'unchanged' };
    }
    const hits = await this.#hits(document, minResemblance, verifier);
    let before = kept && similarityOf(kept, sketch);
    let best = hits.at(0)?.hit;
    if (verifier !== undefined) {
      if (kept !== undefined && id !== undefined) before = await read(verifier.similarity(document, id, kept));
      best = await read(verifier.best(document, hits, minResemblance));
    }
    const outcome = outcomeOf(before, best);
    if (keeps && isKept(outcome)) await this.#own.add(key, sketch, { expiresIn });
    return outcome;
  }

  /**
   * Returns hits of both sets in the order of their ranks, the best one among them. Ties go to the lower set, whose documents
   * were kept first.
   */
  async #hits({ key, id, sketch }: OverlayDocument, threshold: number, verifier?: Verifier): Promise<KeptHit<Id>[]> {
    const [minResemblance, limit, lowest] = verifier ? [0, MAX_HITS, lowestEstimate(threshold)] : [threshold, 2, 0];
    const own = (await this.#own.query(sketch, { minResemblance, limit })).filter(
      (hit) => hit.id !== key && hit.resemblance >= lowest,
    );
    const below: ResemblanceHit[] = [];
    // Half of the limit suffices. The other half makes up for hidden hits.
    for (let most = limit; below.length < limit / 2; most *= 4) {
      below.length = 0;
      const found = await this.#base.query(sketch, { minResemblance, limit: most, ...this.#time });
      for (const hit of found) {
        if (hit.resemblance < lowest) break;
        // A document of the upper set hides the hit with the same key.
        const hiding = await this.#own.get(this.#private === undefined ? hit.id : keyOfId(hit.id));
        if (hit.id !== id && hiding === undefined) below.push(hit);
      }
      if (found.length < most) break;
    }
    return [
      ...below.map((hit) => ({ hit, sketchOf: () => (this.#base as Deduplicator).get(hit.id, this.#time) })),
      ...own.map((hit) => ({ hit: this.#named(hit), sketchOf: () => (this.#own as Deduplicator).get(hit.id) })),
    ].toSorted((a, b) => byRank(a.hit, b.hit));
  }

  /** Returns a hit of the upper set with the id of its document in place of the key. */
  #named(hit: ResemblanceHit): ResemblanceHit {
    return this.#private === undefined ? hit : { ...hit, id: idOfKey(hit.id) };
  }

  free(): void {
    this.#private?.free();
  }
}

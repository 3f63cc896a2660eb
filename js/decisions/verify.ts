// Verification by text: decisions by exact resemblance, for callers that can return the texts of kept documents.
import { checkBytes } from '../core/check.js';
import type { Deduplicator } from '../core/deduplicator.js';
import type { FeatureSet } from '../core/feature-set.js';
import type { Fingerprinter } from '../core/fingerprinter.js';
import { type Sketch, wordsOf } from '../core/sketch.js';
import type { Id, Text } from '../core/types.js';
import type { Outcome, ResemblanceHit, Similarity } from './decision.js';
import { areNear, isKept, outcomeOf, similarityOf, thresholdOf } from './rule.js';

/** The maximum number of texts that are read for one document, its own kept version excluded. */
const MAX_TEXTS = 16;

/** The number of hits requested for one document, all of a search: hits may be hidden, or brief and below their threshold. */
export const MAX_HITS = 32;

/** The maximum number of features that are remembered: 16 MB. */
const MAX_KNOWN = 1 << 21;

/** The memory of a `FeatureSet` without its features, in features. */
const ENTRY = 32;

/** Three standard errors of an estimate for long texts, near the default threshold. */
const MARGIN = 0.11;

/** Returns three standard errors below a threshold. */
export const lowestEstimate = (minResemblance: number): number => Math.max(Number.MIN_VALUE, minResemblance - MARGIN);

/** A document, and a function that returns its text, or a promise of it. The function is called at most once. */
export interface Verifiable {
  sketch: Sketch;
  /** '' for none. */
  scope: string;
  text: () => unknown;
}

/** A kept document that may reach the threshold. */
export interface KeptHit<I extends Id> {
  hit: ResemblanceHit<I>;
  /** Returns its sketch, or undefined if it has been removed. */
  sketchOf(): Sketch | undefined;
}

/** A computation that yields texts or promises of them, and receives each as a text. */
export type Reading<R> = Generator<unknown, R, Text | undefined>;

/** Checks the text that a function of the caller has returned. */
const checkReturned = (text: unknown): Text | undefined =>
  text === undefined || typeof text === 'string'
    ? text
    : checkBytes(text, 'textOf(id)', 'a string, a Uint8Array of UTF-8 or undefined');

/** Runs a reading synchronously: a promise is not accepted as a text. */
export function readNow<R>(reading: Reading<R>): R {
  for (let step = reading.next(); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
  }
}

/** Runs a reading. Returns a promise if it yields one, wrapped: a thenable may call back synchronously or twice. */
export function read<R>(reading: Reading<R>, received?: Text): R | Promise<R> {
  for (let step = reading.next(received); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
    if (isPromise(step.value)) {
      return Promise.resolve(step.value).then((text) => read(reading, checkReturned(text)));
    }
  }
}

export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as Partial<Promise<T>> | undefined | null)?.then === 'function';

/** The part of a Deduplicator that decides with a {@link Verifier}. */
type Kept<I extends Id> = Pick<Deduplicator<I>, 'get' | 'query' | 'observe' | 'add'>;

interface ObserveOptions {
  minResemblance: number;
  expiresIn?: number | undefined;
  now?: number | undefined;
}

/** Decides by the texts of documents, in one scheme. */
export class Verifier<I extends Id = Id> {
  readonly #fingerprinter: Fingerprinter;
  readonly #textOf: (id: I) => unknown;
  /** The features of the last document. */
  #own: { document: Verifiable; features: FeatureSet | undefined } | undefined;
  /** The features of kept documents, the most recently compared one last. Near-duplicates come in groups, so they are reused. */
  readonly #known = new Map<I, FeatureSet>();
  #knownSize = 0;

  /** `textOf` returns the text of a kept document, a promise of it, or undefined. */
  constructor(fingerprinter: Fingerprinter, textOf: (id: I) => unknown) {
    this.#fingerprinter = fingerprinter;
    this.#textOf = textOf;
  }

  /** Returns the exact resemblance of a document to a kept one, or undefined if a text is not available. */
  *#exactly(document: Verifiable, id: I, kept: Sketch): Reading<number | undefined> {
    const features = yield* this.#featuresOf(id, kept, document.scope);
    if (features === undefined) return undefined;
    if (this.#own?.document !== document) {
      const own = yield document.text();
      const features = own === undefined ? undefined : this.#fingerprinter.featureSet(own, document.scope);
      this.#own = { document, features };
    }
    const own = this.#own.features;
    return own?.words === wordsOf(document.sketch) ? own.resemblance(features) : undefined;
  }

  /**
   * Returns the features of a kept document, or undefined if no text with the words of its sketch is available in the scope:
   * the text of the id may have changed since. A text is read again only after its features were forgotten. The time of a comparison
   * therefore depends on the features, about as many for near-duplicates, and not on the length of the other text.
   */
  *#featuresOf(id: I, kept: Sketch, scope: string): Reading<FeatureSet | undefined> {
    let features = this.#known.get(id);
    if (features?.words !== wordsOf(kept)) {
      const text = yield this.#textOf(id);
      if (text === undefined) return undefined;
      features = this.#fingerprinter.featureSet(text, scope);
      if (features.words !== wordsOf(kept)) return undefined;
    }
    this.#forget(id);
    this.#known.set(id, features);
    this.#knownSize += ENTRY + features.size;
    while (this.#knownSize > MAX_KNOWN) this.#forget(this.#known.keys().next().value as I);
    return features;
  }

  #forget(id: I): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#knownSize -= ENTRY + known.size;
    this.#known.delete(id);
  }

  /** Returns the similarity of a document to the kept version of its id: exact if that version's text is available. */
  *similarity(document: Verifiable, id: I, kept: Sketch): Reading<Similarity> {
    const estimated = similarityOf(kept, document.sketch);
    // The resemblance of a short text is exact.
    if (kept.isShort || document.sketch.isShort) return estimated;
    return { ...estimated, resemblance: (yield* this.#exactly(document, id, kept)) ?? estimated.resemblance };
  }

  /**
   * Returns the first hit that reaches the threshold exactly, or by its estimate if its text is not available. An equal
   * document needs no text. `hits` are in descending order of their estimates, whatever these are.
   */
  *best(
    document: Verifiable,
    hits: Iterable<KeptHit<I>>,
    minResemblance: number,
  ): Reading<ResemblanceHit<I> | undefined> {
    let count = 0;
    for (const { hit, sketchOf } of hits) {
      const kept = sketchOf();
      if (kept === undefined) continue;
      if (kept.equals(document.sketch)) return hit;
      const threshold = thresholdOf(minResemblance, kept.hasFewFeatures || document.sketch.hasFewFeatures);
      if (hit.resemblance < lowestEstimate(threshold)) continue;
      if (count++ === MAX_TEXTS) return undefined;
      const resemblance = (yield* this.#exactly(document, hit.id, kept)) ?? hit.resemblance;
      if (areNear(kept, document.sketch, resemblance, minResemblance)) return { ...hit, resemblance };
    }
    return undefined;
  }

  /** Decides what a document is, as `observe` of the set does, and keeps it there if it is new or changed. */
  *observe(kept: Kept<I>, id: I, document: Verifiable, options: ObserveOptions): Reading<Outcome<I>> {
    // `now` is the time of the whole decision.
    const { minResemblance, expiresIn, now = Date.now() / 1000 } = options;
    const { sketch } = document;
    const own = kept.get(id, { now });
    if (own?.equals(sketch)) {
      kept.observe(id, sketch, { expiresIn, now });
      return { status: 'unchanged' };
    }
    const lowest = lowestEstimate(minResemblance);
    // The search would raise a threshold for pairs with a brief text, so it has none.
    const query = (limit: number): ResemblanceHit<I>[] =>
      kept.query(sketch, { minResemblance: 0, limit, now }).filter((hit) => hit.id !== id && hit.resemblance >= lowest);
    // Most documents are decided by their best hit, without a second search.
    const [best] = query(own === undefined ? 1 : 2);
    const keptHit = (hit: ResemblanceHit<I>) => ({ hit, sketchOf: () => kept.get(hit.id, { now }) });
    const hits = function* () {
      yield keptHit(best);
      for (const hit of query(MAX_HITS)) if (hit.id !== best.id) yield keptHit(hit);
    };
    const before = own && (yield* this.similarity(document, id, own));
    const outcome = outcomeOf(before, best && (yield* this.best(document, hits(), minResemblance)));
    if (isKept(outcome)) kept.add(id, sketch, { expiresIn, now });
    return outcome;
  }
}

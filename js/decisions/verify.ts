// Verification by text: a decision by the exact resemblance of texts, where the caller can return the text of a kept document.
import { ArgumentError } from '../core/argument-error.js';
import { isBytes, plainBytes } from '../core/check.js';
import type { Deduplicator, ResemblanceHit, Similarity } from '../core/deduplicator.js';
import type { Fingerprinter } from '../core/fingerprinter.js';
import type { Sketch } from '../core/sketch.js';
import type { Id, Text } from '../core/types.js';
import type { Outcome } from './decision.js';
import { areNear, isKept, outcomeOf, similarityOf } from './rule.js';

/** The maximum number of texts that are read for one document, its own kept version excluded. */
const MAX_TEXTS = 16;

/** The maximum number of hits that are considered for one document: some are equal, or hidden. */
export const MAX_HITS: number = 2 * MAX_TEXTS;

/** The bins of a MinHash. */
const BINS = 256;

/** Returns three standard errors below a threshold: src/simhash/minhash.rs has the error of an estimate. */
export function lowestEstimate(minResemblance: number): number {
  const equal = (1 + 2 * minResemblance) / 3;
  return Math.max(Number.MIN_VALUE, minResemblance - 4.5 * Math.sqrt((equal * (1 - equal)) / BINS));
}

/** A document, and a function that returns its text, or a promise of it. The function is called for each hit. */
export interface Verifiable {
  sketch: Sketch;
  text: () => unknown;
}

/** A kept document that may reach the threshold. */
export interface KeptHit<I extends Id> {
  hit: ResemblanceHit<I>;
  /** Returns its sketch; undefined if it is not kept any more. */
  sketchOf(): Sketch | undefined;
}

/** A computation that yields texts or promises of them, and receives each as a text. */
export type Reading<R> = Generator<unknown, R, Text | undefined>;

/** Checks what a function of the caller returns for a text. */
function checkReturned(text: unknown): Text | undefined {
  if (text === undefined || typeof text === 'string') return text;
  if (isBytes(text)) return plainBytes(text);
  throw new ArgumentError('textOf(id)', 'a string, a Uint8Array of UTF-8 or undefined', text);
}

/** Runs a reading that waits for nothing: a promise is not accepted as a text. */
export function readNow<R>(reading: Reading<R>): R {
  for (let step = reading.next(); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
  }
}

/** Runs a reading. The result is a promise if it waits for one. */
export function read<R>(reading: Reading<R>, received?: Text): R | Promise<R> {
  for (let step = reading.next(received); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
    if (isPromise(step.value)) return step.value.then((text) => read(reading, checkReturned(text)));
  }
}

export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as Partial<Promise<T>> | undefined | null)?.then === 'function';

/** Decides by the texts of documents, in one scheme. */
export class Verifier<I extends Id = Id> {
  readonly #fingerprinter: Fingerprinter;
  readonly #textOf: (id: I) => unknown;

  /** `textOf` returns the text of a kept document, a promise of it, or undefined. */
  constructor(fingerprinter: Fingerprinter, textOf: (id: I) => unknown) {
    this.#fingerprinter = fingerprinter;
    this.#textOf = textOf;
  }

  /**
   * Returns the exact resemblance of a document to a kept one, or undefined if there is no text that matches the kept sketch:
   * the text of the id may have changed since.
   */
  *#exactly(document: Verifiable, id: I, kept: Sketch): Reading<number | undefined> {
    const text = yield this.#textOf(id);
    if (text === undefined || !this.#fingerprinter.sketch(text).equals(kept)) return undefined;
    const own = yield document.text();
    return own === undefined ? undefined : this.#fingerprinter.resemblances(own, text).exactResemblance;
  }

  /** Returns how similar a document is to the kept version of its id, exactly if that version's text can be had. */
  *similarity(document: Verifiable, id: I, kept: Sketch): Reading<Similarity> {
    const estimated = similarityOf(kept, document.sketch);
    return { ...estimated, resemblance: (yield* this.#exactly(document, id, kept)) ?? estimated.resemblance };
  }

  /**
   * Returns the first hit, in the order of the estimates, that reaches the threshold exactly, or by its estimate if its text
   * cannot be had. An equal document needs no text. `hits` have estimates from {@link lowestEstimate} on.
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
      if (count++ === MAX_TEXTS) return undefined;
      const resemblance = (yield* this.#exactly(document, hit.id, kept)) ?? hit.resemblance;
      if (areNear(kept, document.sketch, resemblance, minResemblance)) return { ...hit, resemblance };
    }
    return undefined;
  }

  /** Decides what a document is, as `observe` of the set does, and keeps it there if it is new or changed. */
  *observe(
    kept: Deduplicator<I>,
    id: I,
    document: Verifiable,
    options: { minResemblance: number; expiresIn?: number | undefined; now?: number | undefined },
  ): Reading<Outcome<I>> {
    // The time of the whole decision.
    const { minResemblance, expiresIn, now = Date.now() / 1000 } = options;
    const { sketch } = document;
    const lowest = lowestEstimate(minResemblance);
    const own = kept.get(id, { now });
    let best: ResemblanceHit<I> | undefined;
    if (own === undefined || own.equals(sketch)) {
      // One call is enough for a document that is equal to its kept version, or that has no hits. Otherwise it finds the best.
      const found = kept.observe(id, sketch, { minResemblance: lowest, expiresIn, now });
      if (found.status === 'new' || found.status === 'unchanged') return { status: found.status };
      if (found.status === 'duplicate') best = { ...found, id: found.duplicateOf };
    }
    const keptHit = (hit: ResemblanceHit<I>) => ({ hit, sketchOf: () => kept.get(hit.id, { now }) });
    const hits = function* () {
      if (best !== undefined) yield keptHit(best);
      // Most documents are decided by their best hit, without a second search.
      for (const hit of kept.query(sketch, { minResemblance: lowest, limit: MAX_HITS, now })) {
        if (hit.id !== id && hit.id !== best?.id) yield keptHit(hit);
      }
    };
    const before = own && (yield* this.similarity(document, id, own));
    const outcome = outcomeOf(before, yield* this.best(document, hits(), minResemblance));
    if (isKept(outcome)) kept.add(id, sketch, { expiresIn, now });
    return outcome;
  }
}

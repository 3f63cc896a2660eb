// Verification by text: exact resemblances for decisions of callers that can return the texts of kept documents.
import { checkBytes } from '../core/check.js';
import { FeatureSet } from '../core/feature-set.js';
import type { Fingerprinter } from '../core/fingerprinter.js';
import type { Sketch } from '../core/sketch.js';
import type { Text } from '../core/types.js';

/** A text, or its features. */
type Content = Text | FeatureSet;

/** The maximum number of features that are remembered: 16 MB. */
const MAX_KNOWN = 1 << 21;

/** The memory of a `FeatureSet` without its features, in features. */
const ENTRY = 32;

/** A document, and a function that returns its text, or a promise of it. The function is called at most once. */
export interface Verifiable {
  sketch: Sketch;
  /** '' for none. */
  scope: string;
  text: () => unknown;
}

/** A computation that yields texts or promises of them, and receives each as a text. The command line yields features too. */
export type Reading<R> = Generator<unknown, R, Content | undefined>;

/** Checks the text that a function of the caller has returned. */
const checkReturned = (text: unknown): Content | undefined =>
  text === undefined || typeof text === 'string' || text instanceof FeatureSet
    ? text
    : checkBytes(text, 'textOf(id)', 'a string, a Uint8Array of UTF-8 or undefined');

/** Runs a reading synchronously: a promise is not accepted as a text. */
export function readNow<R>(reading: Reading<R>): R {
  for (let step = reading.next(); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
  }
}

/** Runs a reading. Returns a promise if it yields one, wrapped: a thenable may call back synchronously or twice. */
export function read<R>(reading: Reading<R>, received?: Content): R | Promise<R> {
  for (let step = reading.next(received); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return step.value;
    if (isPromise(step.value)) {
      return Promise.resolve(step.value).then((text) => read(reading, checkReturned(text)));
    }
  }
}

/**
 * Runs a reading synchronously. Returns its result, or the promise that it waits for: once that has resolved, a reading that begins
 * again gets the text at once.
 */
export function readUntilPromise<R>(reading: Reading<R>): { result: R } | { waitsFor: Promise<unknown> } {
  for (let step = reading.next(); ; step = reading.next(checkReturned(step.value))) {
    if (step.done) return { result: step.value };
    if (isPromise(step.value)) return { waitsFor: step.value };
  }
}

export const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as Partial<Promise<T>> | undefined | null)?.then === 'function';

/** Compares the texts of documents, in one scheme. `I` identifies a kept document. */
export class Verifier<I> {
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

  /** Returns the exact resemblance of a document to a kept one of these words, or undefined if a text is not available. */
  *exactly(document: Verifiable, id: I, words: bigint): Reading<number | undefined> {
    const features = yield* this.#featuresOf(id, words, document.scope);
    if (features === undefined) return undefined;
    if (this.#own?.document !== document) {
      const own = yield document.text();
      this.#own = { document, features: own === undefined ? own : this.#featuresIn(own, document.scope) };
    }
    const own = this.#own.features;
    return own?.words === document.sketch.words ? own.resemblance(features) : undefined;
  }

  /**
   * Returns the features of a kept document, or undefined if no text with the words of its sketch is available in the scope:
   * the text of the id may have changed since. A text is read again only after its features were forgotten. The time of a comparison
   * therefore depends on the features, about as many for near-duplicates, and not on the length of the other text.
   */
  *#featuresOf(id: I, words: bigint, scope: string): Reading<FeatureSet | undefined> {
    let features = this.#known.get(id);
    if (features?.words !== words) {
      const text = yield this.#textOf(id);
      if (text === undefined) return undefined;
      features = this.#featuresIn(text, scope);
      if (features.words !== words) return undefined;
    }
    this.#forget(id);
    this.#known.set(id, features);
    this.#knownSize += ENTRY + features.size;
    while (this.#knownSize > MAX_KNOWN) this.#forget(this.#known.keys().next().value as I);
    return features;
  }

  #featuresIn(content: Content, scope: string): FeatureSet {
    return content instanceof FeatureSet ? content : this.#fingerprinter.featureSet(content, scope);
  }

  #forget(id: I): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#knownSize -= ENTRY + known.size;
    this.#known.delete(id);
  }
}

/** The request of a decision for the exact resemblance to a kept version, by the hash of its words. */
export interface Comparison<I> {
  compare: I;
  words: bigint;
}

/**
 * Decides by texts: `step` receives the exact resemblances that it has asked for so far, undefined where a text is not available,
 * and returns the decision, or a request for one more.
 */
export function* decideExactly<I, R extends object>(
  verifier: Verifier<I>,
  document: Verifiable,
  step: (exact: readonly (number | undefined)[]) => R | Comparison<I>,
): Reading<R> {
  const exact: (number | undefined)[] = [];
  for (;;) {
    const result = step(exact);
    if (!('compare' in result)) return result;
    exact.push(yield* verifier.exactly(document, result.compare, result.words));
  }
}

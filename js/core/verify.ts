// Verification by text: exact resemblances for decisions of callers that can return the texts of kept documents.
import { checkBytes } from './check.js';
import { FeatureSet } from './feature-set.js';
import type { Fingerprinter } from './fingerprinter.js';
import type { Sketch } from './sketch.js';
import type { Text } from './types.js';

/** A text, or its features, which are valid until the next call of the module. */
type Content = Text | FeatureSet;

/** The minimum and the maximum memory for the features of kept documents, in units of 4 bytes. */
const [MIN_MEMORY, MAX_MEMORY] = [1 << 13, 1 << 22];

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
  /** The features of the last document, and memory for them. */
  #own: { document: Verifiable; features: FeatureSet | undefined } | undefined;
  #ownMemory = new Uint32Array(0);
  /** The features of kept documents, the oldest first. Near-duplicates come in groups, so they are reused. */
  readonly #known = new Map<I, FeatureSet>();
  /** Their memory, a ring: an allocation for each would make V8 collect garbage every few thousand documents. */
  #memory = new Uint32Array(0);
  #end = 0;

  /** `textOf` returns the text of a kept document, a promise of it, or undefined. */
  constructor(fingerprinter: Fingerprinter, textOf: (id: I) => unknown) {
    this.#fingerprinter = fingerprinter;
    this.#textOf = textOf;
  }

  /**
   * Returns the exact resemblance of a document to a kept one, or undefined if no text with the words of its sketch is available
   * in the scope: the text of the id may have changed since. A text is read again only after its features were forgotten. The time
   * of a comparison therefore depends on the features, about as many for near-duplicates, and not on the length of the other text.
   */
  *exactly(document: Verifiable, id: I, words: bigint): Reading<number | undefined> {
    let kept = this.#known.get(id);
    if (kept?.words !== words) {
      const features = this.#featuresIn(yield this.#textOf(id), document.scope);
      if (features?.words !== words) return undefined;
      kept = this.#keep(id, features);
    }
    if (this.#own?.document !== document) {
      const features = this.#featuresIn(yield document.text(), document.scope);
      const length = features === undefined ? 0 : features.end - features.start;
      if (length > this.#ownMemory.length) this.#ownMemory = new Uint32Array(2 * length);
      this.#own = { document, features: features?.copy(this.#ownMemory) };
    }
    const own = this.#own.features;
    return own?.words === document.sketch.words ? own.resemblance(kept) : undefined;
  }

  #featuresIn(content: Content | undefined, scope: string): FeatureSet | undefined {
    if (content === undefined || content instanceof FeatureSet) return content;
    return this.#fingerprinter.featureSetView(content, scope);
  }

  /** Copies the features of a kept document, in place of the oldest ones. */
  #keep(id: I, features: FeatureSet): FeatureSet {
    const length = features.end - features.start;
    this.#known.delete(id);
    if (length > MAX_MEMORY) return features.copy();
    if (this.#end + length > this.#memory.length) {
      this.#forget(this.#end, this.#memory.length);
      this.#end = 0;
      if (this.#memory.length < MAX_MEMORY) {
        this.#known.clear();
        this.#memory = new Uint32Array(Math.min(MAX_MEMORY, Math.max(MIN_MEMORY, 2 * this.#memory.length, length)));
      }
    }
    this.#forget(this.#end, this.#end + length);
    const kept = features.copy(this.#memory, this.#end);
    this.#known.set(id, kept);
    this.#end = kept.end;
    return kept;
  }

  /** Forgets the features in the part of the ring that comes next: the oldest ones. */
  #forget(from: number, to: number): void {
    for (const [id, { start, end }] of this.#known) {
      if (start >= to || end <= from) return;
      this.#known.delete(id);
    }
  }
}

/** The request of a decision for the exact resemblance to a kept version, by the hash of its words. */
export interface Comparison<I> {
  compare: I;
  words: bigint;
}

/**
 * Decides by texts: `step` receives the exact resemblances that it has asked for so far, undefined where a text is not available,
 * and returns the decision, or a request for one more. `first` is its result without any.
 */
export function* decideExactly<I, R extends object>(
  verifier: Verifier<I>,
  document: Verifiable,
  step: (exact: readonly (number | undefined)[]) => R | Comparison<I>,
  first: R | Comparison<I> = step([]),
): Reading<R> {
  const exact: (number | undefined)[] = [];
  let result = first;
  while ('compare' in result) {
    exact.push(yield* verifier.exactly(document, result.compare, result.words));
    result = step(exact);
  }
  return result;
}

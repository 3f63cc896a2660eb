// Verification by text: exact resemblances for decisions of callers that can return the texts of kept documents.
import { checkBytes } from './check.js';
import { FeatureSet } from './feature-set.js';
import type { Fingerprinter } from './fingerprinter.js';
import type { Sketch } from './sketch.js';
import type { Text } from './types.js';

/** A text, or its features, which are valid until the next call of the module. */
type Content = Text | FeatureSet;

/** The minimum and the maximum memory for the features of kept documents, in cells of 8 bytes. */
const [MIN_CELLS, MAX_CELLS] = [1 << 12, 1 << 21];

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
  #ownCells = new BigUint64Array(0);
  /** The features of kept documents, the oldest first. Near-duplicates come in groups, so they are reused. */
  readonly #known = new Map<I, FeatureSet>();
  /** Their memory, a ring: an allocation for each would make V8 collect garbage every few thousand documents. */
  #cells = new BigUint64Array(0);
  #end = 0;

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
      const content = yield document.text();
      const found = content === undefined ? undefined : this.#featuresIn(content, document.scope);
      const { length } = found?.cells ?? [];
      if (length > this.#ownCells.length) this.#ownCells = new BigUint64Array(2 * length);
      this.#own = { document, features: found?.copy(this.#ownCells) };
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
    const known = this.#known.get(id);
    if (known?.words === words) return known;
    const content = yield this.#textOf(id);
    const features = content === undefined ? undefined : this.#featuresIn(content, scope);
    return features?.words === words ? this.#keep(id, features) : undefined;
  }

  #featuresIn(content: Content, scope: string): FeatureSet {
    return content instanceof FeatureSet ? content : this.#fingerprinter.featureSetView(content, scope);
  }

  /** Copies the features of a kept document, in place of the oldest ones. */
  #keep(id: I, features: FeatureSet): FeatureSet {
    const { length } = features.cells;
    this.#known.delete(id);
    if (length > MAX_CELLS) return features.copy();
    if (this.#end + length > this.#cells.length) {
      this.#forget(this.#end, this.#cells.length);
      this.#end = 0;
      if (this.#cells.length < MAX_CELLS) {
        this.#known.clear();
        this.#cells = new BigUint64Array(Math.min(MAX_CELLS, Math.max(MIN_CELLS, 2 * this.#cells.length, length)));
      }
    }
    const end = this.#end + length;
    this.#forget(this.#end, end);
    const kept = features.copy(this.#cells, this.#end);
    this.#known.set(id, kept);
    this.#end = end;
    return kept;
  }

  /** Forgets the features in the part of the ring that comes next: the oldest ones. */
  #forget(from: number, to: number): void {
    for (const [id, { cells }] of this.#known) {
      const start = cells.byteOffset / cells.BYTES_PER_ELEMENT;
      if (start >= to || start + cells.length <= from) return;
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

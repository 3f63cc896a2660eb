// The features that decide the resemblance of a text to others.
import type { Exchange } from './exchange.js';

/** The bit of the hash of the words that states that a text is blank. */
export const BLANK = 2n;

/**
 * The hashes of the different features of a text that count for the resemblance: all but grams of one word. The set is a part of
 * a larger array, because to allocate an array for each set takes as long as to compare two of them.
 */
export class FeatureSet {
  /** The hash of the words in order, as in the text's sketch. */
  readonly words: bigint;
  readonly #memory: Uint32Array;
  /** The start and the end of the set in the memory. */
  readonly start: number;
  readonly end: number;

  /**
   * `memory` has, from `start` to `end`, the low and the high half of each of these hashes: of the words by the scheme, of the same
   * words by the key, and of the features in ascending order.
   */
  constructor(words: bigint, memory: Uint32Array, start: number, end: number) {
    this.words = words;
    this.#memory = memory;
    this.start = start;
    this.end = end;
  }

  /** Returns a copy in other memory, from `at` on; by default in memory of its own. */
  copy(to: Uint32Array = new Uint32Array(this.end - this.start), at = 0): FeatureSet {
    to.set(this.#memory.subarray(this.start, this.end), at);
    // Not `new FeatureSet`: the bundler renames a class whose body names it.
    return new (this.constructor as typeof FeatureSet)(this.words, to, at, at + this.end - this.start);
  }

  /** The low and the high half of the hash of each feature. */
  get halves(): Uint32Array {
    return this.#memory.subarray(this.start + 4, this.end);
  }

  /** The number of features. */
  get size(): number {
    return (this.end - this.start) / 2 - 2;
  }

  /** Returns the number of features that both texts have. O(features). */
  shared(other: FeatureSet): number {
    const [a, b] = [this.#memory, other.#memory];
    let [i, j, shared] = [this.start + 4, other.start + 4, 0];
    while (i < this.end && j < other.end) {
      const order = a[i + 1] - b[j + 1] || a[i] - b[j];
      if (order === 0) shared++;
      if (order <= 0) i += 2;
      if (order >= 0) j += 2;
    }
    return shared;
  }

  /**
   * Returns the exact resemblance of both texts: shared features divided by all features. Without any feature, it is 1 if the
   * texts are equal and not blank, else 0. O(features).
   */
  resemblance(other: FeatureSet): number {
    const shared = this.shared(other);
    const all = this.size + other.size - shared;
    if (all > 0) return shared / all;
    const isBlank = (this.words & BLANK) !== 0n;
    const [a, b] = [this, other].map((set) => set.#memory.subarray(set.start + 2, set.start + 4));
    return Number(a[0] === b[0] && a[1] === b[1] && !isBlank);
  }
}

/** Returns the features in the first `count` cells of the exchange, which are valid until the next call. @internal */
export const readFeatures = (exchange: Exchange, count: number): FeatureSet =>
  new FeatureSet(exchange.cells(count)[0], exchange.halves(count), 0, 2 * count);

/** Returns `part / all`, and 1 if both are 0. */
export const share = (part: number, all: number): number => (all === 0 ? 1 : part / all);

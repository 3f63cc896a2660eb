// The features that decide the resemblance of a text to others.
import type { Exchange } from './exchange.js';

/** The bit of the hash of the words that states that a text is blank. */
export const BLANK = 2n;

/** The hashes of the different features of a text that count for the resemblance: all but grams of one word. */
export class FeatureSet {
  /** The hash of the words in order, as in the text's sketch. */
  readonly words: bigint;
  readonly #halves: Uint32Array;

  /**
   * `halves` has the low and the high half of each of these hashes: of the words by the scheme, of the same words by the key, and of
   * the features in ascending order.
   */
  constructor(words: bigint, halves: Uint32Array) {
    this.words = words;
    this.#halves = halves;
  }

  /** Returns a copy in memory of its own. */
  copy(): FeatureSet {
    // Not `new FeatureSet`: the bundler renames a class whose body names it.
    return new (this.constructor as typeof FeatureSet)(this.words, this.#halves.slice());
  }

  /** The number of features. */
  get size(): number {
    return this.#halves.length / 2 - 2;
  }

  /** Returns the number of features that both texts have. O(features). */
  shared(other: FeatureSet): number {
    const [a, b] = [this.#halves, other.#halves];
    let [i, j, shared] = [4, 4, 0];
    while (i < a.length && j < b.length) {
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
    const [a, b] = [this.#halves, other.#halves];
    return Number(a[2] === b[2] && a[3] === b[3] && !isBlank);
  }
}

/** Returns the features in the first `count` cells of the exchange, which are valid until the next call. @internal */
export const readFeatures = (exchange: Exchange, count: number): FeatureSet =>
  new FeatureSet(exchange.cells(count)[0], exchange.halves(count).subarray(0, 2 * count));

/** Returns `part / all`, and 1 if both are 0. */
export const share = (part: number, all: number): number => (all === 0 ? 1 : part / all);

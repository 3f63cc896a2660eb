// The features that decide the resemblance of a text to others.
import type { Exchange } from './exchange.js';

/** The bit of the hash of the words that states that a text is blank. */
export const BLANK = 2n;

/** The hashes of the different features of a text that count for the resemblance: all but grams of one word. */
export class FeatureSet {
  /** The hash of the words in order, as in the text's sketch. */
  readonly words: bigint;
  /** The hash of the same words by the key. */
  readonly #keyedWords: bigint;
  /** The hash of the words by the scheme and by the key, then the hashes of the features. */
  readonly cells: BigUint64Array;
  /** The low and the high half of each hash. The hashes ascend. */
  readonly halves: Uint32Array;

  constructor(cells: BigUint64Array) {
    this.cells = cells;
    this.words = cells[0];
    this.#keyedWords = cells[1];
    this.halves = new Uint32Array(cells.buffer, cells.byteOffset + 16, 2 * (cells.length - 2));
  }

  /** Returns a copy in other memory, from cell `at` on; by default in memory of its own. */
  copy(to: BigUint64Array = new BigUint64Array(this.cells.length), at = 0): FeatureSet {
    to.set(this.cells, at);
    // Not `new FeatureSet`: the bundler renames a class whose body names it.
    return new (this.constructor as typeof FeatureSet)(to.subarray(at, at + this.cells.length));
  }

  /** The number of features. */
  get size(): number {
    return this.halves.length / 2;
  }

  /** Returns the number of features that both texts have. O(features). */
  shared(other: FeatureSet): number {
    const [a, b] = [this.halves, other.halves];
    let [i, j, shared] = [0, 0, 0];
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
    return Number(this.#keyedWords === other.#keyedWords && !isBlank);
  }
}

/** Returns the features in the first `count` cells of the exchange, which are valid until the next call. @internal */
export const readFeatures = (exchange: Exchange, count: number): FeatureSet =>
  new FeatureSet(exchange.cells(count).subarray(0, count));

/** Returns `part / all`, and 1 if both are 0. */
export const share = (part: number, all: number): number => (all === 0 ? 1 : part / all);

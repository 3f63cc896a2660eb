// The features that decide the resemblance of a text to others.
import type { Exchange } from '../common/exchange.js';

/** The bit of the first hash of a document that states that a text is blank. */
export const BLANK = 2n;

/** The number of hashes before the hashes of the features. */
const HEAD = 4;

/** The hashes of the different features of a text that count for the resemblance: all but grams of one word. */
export class FeatureSet {
  readonly #halves: Uint32Array;

  /**
   * `halves` has the low and the high half of each of these hashes: two of the words and symbols by the scheme, as in the text's sketch
   * but with lowest bit 0; the same two by the key; and the hashes of the features in ascending order.
   */
  constructor(halves: Uint32Array) {
    this.#halves = halves;
  }

  /** Returns a copy in memory of its own. */
  copy(): FeatureSet {
    return new FeatureSet(this.#halves.slice());
  }

  /** The number of features. */
  get size(): number {
    return this.#halves.length / 2 - HEAD;
  }

  /** Returns the number of features that both texts have. O(features). */
  #shared(other: FeatureSet): number {
    const [a, b] = [this.#halves, other.#halves];
    let [i, j, shared] = [2 * HEAD, 2 * HEAD, 0];
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
    const shared = this.#shared(other);
    const all = this.size + other.size - shared;
    if (all > 0) return shared / all;
    const isBlank = (this.#halves[0] & Number(BLANK)) !== 0;
    return Number(!isBlank && this.#agrees(other.#halves, 4));
  }

  /** Returns whether the words and symbols have these two hashes by the scheme, the first with lowest bit 0. */
  hasHashes(first: bigint, second: bigint): boolean {
    return this.#agrees(new Uint32Array(BigUint64Array.of(first, second).buffer), 0);
  }

  /** Returns whether the four halves from `at` on are equal. */
  #agrees(halves: Uint32Array, at: number): boolean {
    return [0, 1, 2, 3].every((place) => this.#halves[at + place] === halves[at + place]);
  }
}

/** Returns the features in the first `count` cells of the exchange, which are valid until the next call. @internal */
export const readFeatures = (exchange: Exchange, count: number): FeatureSet =>
  new FeatureSet(exchange.halves(count).subarray(0, 2 * count));

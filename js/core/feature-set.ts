// The features that decide the resemblance of a text to others.

/** The hashes of the different features of a text that count for the resemblance: all but grams of one word. */
export class FeatureSet {
  /** The hash of the words in order, as in `wordsOf` of the text's sketch. */
  readonly words: bigint;
  /** The low and the high half of each hash. The hashes ascend. */
  readonly halves: Uint32Array;

  /** `cells` has the hash of the words, then the hashes of the features. */
  constructor(cells: BigUint64Array) {
    this.words = cells[0];
    this.halves = new Uint32Array(cells.buffer, 8);
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

  /** Returns the exact resemblance of both texts: shared features divided by all features, and 1 without any. O(features). */
  resemblance(other: FeatureSet): number {
    const shared = this.shared(other);
    return share(shared, this.size + other.size - shared);
  }
}

/** Returns `part / all`, and 1 if both are 0. */
export const share = (part: number, all: number): number => (all === 0 ? 1 : part / all);

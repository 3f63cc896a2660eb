// A random sample of a source of unknown length, in bounded memory, and random numbers that are the same in every run.

/** The maximum number of features of all documents of a sample together: 256 MB. */
const MAX_FEATURES = 1 << 25;

const SEED = 1;

/** Returns a generator of random whole numbers below a bound (Mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Every document of the source is in the sample with the same probability (Vitter's algorithm R). */
export class Sample<D extends { readonly at: number; readonly set: { readonly size: number } }> {
  #documents: D[] = [];
  #size: number;
  #features = 0;
  #maxFeatures: number;
  #random: (below: number) => number = randomNumbers(SEED);
  seen = 0;

  /** Holds at most `size` documents, and fewer if these have more than `maxFeatures` features together. */
  constructor(size: number, maxFeatures: number = MAX_FEATURES) {
    this.#size = size;
    this.#maxFeatures = maxFeatures;
  }

  /** Offers the next document of the source. `read` is called if the sample takes it. */
  take(read: () => D): void {
    this.seen++;
    const place = this.#documents.length < this.#size ? this.#documents.length : this.#random(this.seen);
    if (place >= this.#size) return;
    const document = read();
    this.#features += document.set.size - (this.#documents[place]?.set.size ?? 0);
    this.#documents[place] = document;
    while (this.#features > this.#maxFeatures && this.#documents.length > 1) this.#shrink();
  }

  /** Removes a random document and lowers the maximum size: a sample that grew again would depend on the lengths of the texts. */
  #shrink(): void {
    const at = this.#random(this.#documents.length);
    this.#features -= this.#documents[at].set.size;
    this.#documents[at] = this.#documents[this.#documents.length - 1];
    this.#documents.pop();
    this.#size = this.#documents.length;
  }

  get documents(): D[] {
    return this.#documents.sort((a, b) => a.at - b.at);
  }
}

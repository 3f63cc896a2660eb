// A random sample of a source of unknown length, in bounded memory, and random numbers that are the same in every run.

/** Returns a generator of random whole numbers below a bound (Mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The limits of a {@link Sample}. */
interface Limits<Item> {
  /** The maximum number of items. */
  size: number;
  /** The maximum of the bytes of all items together. Default: no limit. */
  bytes?: number;
  /** Returns the memory that an item takes, in bytes. Default: 0. */
  bytesOf?: (item: Item) => number;
  /** The seed of the random numbers. Default: 1. */
  seed?: number;
}

/** A sample in which every item of a source is with the same probability (Vitter's algorithm R). */
export class Sample<Item> {
  readonly #entries: { place: number; item: Item; bytes: number }[] = [];
  readonly #maxBytes: number;
  readonly #bytesOf: (item: Item) => number;
  readonly #random: (below: number) => number;
  #size: number;
  #bytes = 0;
  #seen = 0;

  constructor({ size, bytes = Infinity, bytesOf = () => 0, seed = 1 }: Limits<Item>) {
    this.#size = size;
    this.#maxBytes = bytes;
    this.#bytesOf = bytesOf;
    this.#random = randomNumbers(seed);
  }

  /** Offers the next item of the source. `make` is called if the sample takes it. O(1) and the time of `make`. */
  offer(make: () => Item): void {
    const place = this.#seen++;
    const at = this.#entries.length < this.#size ? this.#entries.length : this.#random(this.#seen);
    if (at >= this.#size) return;
    const item = make();
    const bytes = this.#bytesOf(item);
    this.#bytes += bytes - (this.#entries[at]?.bytes ?? 0);
    this.#entries[at] = { place, item, bytes };
    while (this.#bytes > this.#maxBytes && this.#entries.length > 1) this.#shrink();
  }

  /** Removes a random item and lowers the size: a sample that grew again would prefer what comes late. */
  #shrink(): void {
    const at = this.#random(this.#entries.length);
    this.#bytes -= this.#entries[at].bytes;
    this.#entries[at] = this.#entries[this.#entries.length - 1];
    this.#entries.pop();
    this.#size = this.#entries.length;
  }

  /** The items in the order of the source. O(size log size). */
  get items(): Item[] {
    return this.#entries.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
  }
}

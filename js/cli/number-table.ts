// A map from numbers to numbers.

/**
 * Maps numbers other than NaN to numbers, by open addressing. A `Map` takes twice the time and more memory: it allocates each
 * number above 2^31.
 */
export class NumberTable {
  /** Keys and values in turns, at most half full. A free key is NaN. */
  #cells = new Float64Array(1 << 11).fill(Number.NaN);
  #size = 0;
  /** Random, so that nobody can choose ids that collide. */
  readonly #factors = Array.from({ length: 2 }, () => Math.floor(Math.random() * 2 ** 31) * 2 + 1);

  get(key: number): number | undefined {
    const at = this.#find(key);
    return this.#cells[at] === key ? this.#cells[at + 1] : undefined;
  }

  set(key: number, value: number): void {
    const at = this.#find(key);
    if (this.#cells[at] !== key) this.#size++;
    this.#cells[at] = key;
    this.#cells[at + 1] = value;
    if (4 * this.#size > this.#cells.length) this.#grow();
  }

  /** Returns where a key is, or where it would be. */
  #find(key: number): number {
    const last = this.#cells.length - 2;
    const [low, high] = this.#factors;
    const hash = Math.imul(key | 0, low) + Math.imul((key / 2 ** 32) | 0, high);
    // The high bits of a product are the best.
    let at = (hash >>> Math.clz32(last)) & last;
    while (this.#cells[at] !== key && !Number.isNaN(this.#cells[at])) at = (at + 2) & last;
    return at;
  }

  #grow(): void {
    const cells = this.#cells;
    this.#cells = new Float64Array(2 * cells.length).fill(Number.NaN);
    this.#size = 0;
    for (let at = 0; at < cells.length; at += 2) if (!Number.isNaN(cells[at])) this.set(cells[at], cells[at + 1]);
  }
}

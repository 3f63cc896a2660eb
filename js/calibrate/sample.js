// A random sample of a source of unknown length, in bounded memory.
import { randomNumbers } from './random.js';

/** The features of all documents of a sample together: 256 MB. */
const MOST_FEATURES = 1 << 26;

const SEED = 1;

/** Every document of the source is in the sample with the same probability (Vitter's algorithm R). */
export class Sample {
  #documents = [];
  #size;
  #features = 0;
  #mostFeatures;
  #random = randomNumbers(SEED);
  /** The documents of the source so far. */
  seen = 0;

  /** Holds at most `size` documents, and fewer if they have more features together than `mostFeatures`. */
  constructor(size, mostFeatures = MOST_FEATURES) {
    this.#size = size;
    this.#mostFeatures = mostFeatures;
  }

  /** Takes the next document of the source. `read` returns what the sample holds of it, an object with its `set`. */
  take(read) {
    const at = this.seen++;
    const place = this.#documents.length < this.#size ? this.#documents.length : this.#random(this.seen);
    if (place >= this.#size) return;
    const document = { at, ...read() };
    this.#features += document.set.length - (this.#documents[place]?.set.length ?? 0);
    this.#documents[place] = document;
    while (this.#features > this.#mostFeatures && this.#documents.length > 1) this.#shrink();
  }

  /** Removes a random document. The sample does not grow again: its size would depend on the lengths of the texts. */
  #shrink() {
    const at = this.#random(this.#documents.length);
    this.#features -= this.#documents[at].set.length;
    this.#documents[at] = this.#documents.at(-1);
    this.#documents.pop();
    this.#size = this.#documents.length;
  }

  /** The documents, in the order of the source. */
  get documents() {
    return this.#documents.sort((a, b) => a.at - b.at);
  }
}

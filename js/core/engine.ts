// The object of the module that computes the fingerprints and sketches of a scheme.
import type { Fingerprinter, Stream } from '../../build/wasm/nearprint/nearprint.js';
import { free, generation, instance } from '../boot/instance.js';

export class Engine {
  /** The id of the scheme. */
  readonly scheme: string;
  #fingerprinter: Fingerprinter;
  #generation: number;

  constructor(scheme: string) {
    this.scheme = scheme;
    this.#fingerprinter = new (instance().bindings.Fingerprinter)(scheme);
    this.#generation = generation();
  }

  /** Returns the object in the current instance. A new one serves as well after a trap: it keeps nothing between calls. */
  current(): Fingerprinter {
    if (this.#generation !== generation()) {
      this.#fingerprinter = new (instance().bindings.Fingerprinter)(this.scheme);
      this.#generation = generation();
    }
    return this.#fingerprinter;
  }

  /** Starts a stream, which the caller frees. */
  stream(): Stream {
    return new (instance().bindings.Stream)(this.current());
  }

  free(): void {
    free(this.#fingerprinter);
  }
}

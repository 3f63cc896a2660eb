// The object of the module that computes the fingerprints and sketches of a scheme.
import type { Fingerprinter, Stream, Weighted } from '../../build/wasm/nearprint/nearprint.js';
import { free, generation, instance } from '../boot/instance.js';

export class Engine {
  /** The id of the scheme. */
  readonly scheme: string;
  readonly #key: Uint8Array;
  #fingerprinter: Fingerprinter;
  #generation: number;

  /** `key` is that of `keyOf`. */
  constructor(scheme: string, key: Uint8Array) {
    this.#key = key;
    this.#fingerprinter = new (instance().bindings.Fingerprinter)(scheme, key);
    this.scheme = this.#fingerprinter.scheme;
    this.#generation = generation();
  }

  /** Returns the object in the current instance. A new one serves as well after a trap: it keeps nothing between calls. */
  current(): Fingerprinter {
    if (this.#generation !== generation()) {
      this.#fingerprinter = new (instance().bindings.Fingerprinter)(this.scheme, this.#key);
      this.#generation = generation();
    }
    return this.#fingerprinter;
  }

  /** Starts a sum of weighted features, which the caller frees. */
  weighted(): Weighted {
    return new (instance().bindings.Weighted)(this.scheme, this.#key);
  }

  /** Starts a stream, which the caller frees. */
  stream(): Stream {
    return new (instance().bindings.Stream)(this.current());
  }

  free(): void {
    free(this.#fingerprinter);
  }
}

// The engine of a scheme: fingerprints, sketches and features are computed by one.
import { free, generation, instance } from '../boot/instance.js';

export class EngineOwner {
  #id;
  #engine;
  #generation;

  constructor(id) {
    this.#id = id;
    this.#open();
  }

  #open() {
    this.#engine = new (instance().bindings.Engine)(this.#id);
    this.#generation = generation();
  }

  /**
   * The engine in the current instance. A new one serves as well after a trap: an engine keeps nothing between calls.
   */
  current() {
    if (this.#generation !== generation()) this.#open();
    return this.#engine;
  }

  free() {
    free(this.#engine);
  }
}

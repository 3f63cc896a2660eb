// Objects of a module that keep no state between calls.
import type { Handle, Module } from './module.js';

/** An object of a module's bindings that keeps no state between calls. So a trap, which loses it, only requires a new one. */
export class Stateless<B extends object, H extends Handle> {
  readonly #module: () => Module<B>;
  readonly #make: (bindings: B) => H;
  #handle: H;
  /** The generation of the module's instance that has the object. `Infinity` if it is freed. */
  #generation: number;

  constructor(module: () => Module<B>, make: (bindings: B) => H) {
    [this.#module, this.#make] = [module, make];
    this.#generation = module().generation;
    this.#handle = make(module().bindings);
  }

  /** The object in the current instance. */
  get current(): H {
    const { generation } = this.#module();
    if (this.#generation < generation) {
      this.#handle = this.#make(this.#module().bindings);
      this.#generation = generation;
    }
    return this.#handle;
  }

  /** Frees its memory in the module now. It cannot be used any more. */
  free(): void {
    this.#module().free(this.#handle);
    this.#generation = Infinity;
  }
}

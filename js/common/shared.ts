// Objects that the plain functions share.

/** The maximum number of shared objects: a server may have a key for each of its customers. */
const MAX_SHARED = 64;

/** Objects by names, made at first use. */
export class Shared<T> {
  readonly #objects = new Map<string, T>();

  /** Returns the object of a name. `make` returns a new one. */
  get(name: string, make: () => T): T {
    const known = this.#objects.get(name);
    if (known !== undefined) return known;
    // The oldest one becomes garbage as soon as no caller uses it.
    if (this.#objects.size === MAX_SHARED) this.#objects.delete(this.#objects.keys().next().value as string);
    const made = make();
    this.#objects.set(name, made);
    return made;
  }
}

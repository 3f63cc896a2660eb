// Explicit resource management, for runtimes and versions of TypeScript's library that do not have it.

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
}

/** The method that `using` calls. Runtimes without it get the symbol that polyfills use. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** The method that `await using` calls. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/**
 * Defines a method with a computed name on the prototype of a class, at the first construction. If the class itself had such a
 * method, or a base class, esbuild or webpack would keep it even if nothing uses it.
 */
export function defineMethod<T>(prototype: object, name: symbol, value: (this: T) => unknown): void {
  if (!(name in prototype)) Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
}

/** Defines the method that `using` calls. */
export const defineDispose = (prototype: object): void =>
  defineMethod<{ free(): void }>(prototype, dispose, function () {
    this.free();
  });

/** The method that `using` calls. Runtimes without `Symbol.dispose` get the symbol that polyfills use. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for('Symbol.dispose') as typeof Symbol.dispose);

/** The method that `using` calls. Runtimes without it get the symbol that polyfills use. */
export const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

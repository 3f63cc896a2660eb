/** What `using` calls: newer than some runtimes, in which it is a symbol of our own that a polyfill shares. */
export const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

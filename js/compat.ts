/**
 * The fingerprints of other programs, bit for bit, for users who have stored such fingerprints; and Rabin fingerprints, which
 * find equal passages.
 *
 * Every function is synchronous and needs no initialisation. The entry has a WebAssembly module of its own; the first
 * call starts it. An argument that is not accepted throws an `ArgumentError`, a `TypeError` whose message has the
 * argument, the requirement with its scheme, and the value.
 *
 * @module
 */
export * from './compat/compat.js';
export { rabin, rabinWindows } from './compat/rabin.js';

/**
 * nearprint for plain pages that would rather fetch its WebAssembly as a file of its own, smaller than the inline one
 * and compiled while it comes in.
 *
 * @packageDocumentation
 */

/** Where the WebAssembly comes from: the URL of `nearprint.wasm`, a response, its bytes, or a compiled module. */
export type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the WebAssembly, once, and resolves to everything that `nearprint` exports. After a failure the next call tries
 * again.
 *
 * @param source - by default the file `nearprint.wasm` beside this one. Vite, webpack and Parcel put it there; with
 * other bundlers, copy it and give its URL.
 *
 * @example
 * ```js
 * const { fingerprint } = await load();
 * ```
 * @throws Error: there is no such file, or the Content-Security-Policy forbids WebAssembly
 */
export function load(source?: Source | Promise<Source>): Promise<typeof import('./index.js')>;

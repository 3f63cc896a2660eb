/**
 * nearprint for pages without a bundler: the WebAssembly is a separate file, smaller than the inline module and
 * compiled during the download.
 *
 * @packageDocumentation
 */

import { compile } from './boot/web.js';
import * as nearprint from './index.js';

/** The WebAssembly: the URL of `nearprint.wasm`, a response, its bytes, or a compiled module. */
export type Source = string | URL | Request | Response | BufferSource | WebAssembly.Module;

let loading: Promise<typeof nearprint> | undefined;

/**
 * Loads the WebAssembly once, and resolves to all exports of `nearprint`. After a failure, the next call tries again.
 *
 * @param source - default: the file `nearprint.wasm` in the folder of this file. Vite, webpack and Parcel copy it; with
 * other bundlers, copy it and pass its URL.
 *
 * @example
 * ```js
 * const { fingerprint } = await load();
 * ```
 * @throws Error: the file is not found, or the Content-Security-Policy forbids WebAssembly
 */
export function load(
  source: Source | Promise<Source> = new URL('nearprint.wasm', import.meta.url),
): Promise<typeof nearprint> {
  loading ??= compile(source).then(
    () => nearprint,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

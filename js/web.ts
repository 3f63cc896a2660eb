/**
 * nearprint for pages without a bundler: the WebAssembly is in separate files, smaller than the inline modules and
 * compiled during the download.
 *
 * @packageDocumentation
 */

import { compile, type Source } from './boot/web.js';
import * as nearprint from './index.js';

export type { Source };

/** The modules that {@link load} loads. */
export interface Sources {
  /** `text.wasm`. Default: the file of this name in the folder of this file. */
  text?: Source | Promise<Source>;
  /**
   * `sets.wasm`, which {@link Deduplicator}, {@link NearIndex}, {@link clusters} and {@link dedupe} need. Default: the file of
   * this name in the folder of this file. `false`: it is not loaded, and these throw an error.
   */
  sets?: Source | Promise<Source> | false;
}

/**
 * Loads the WebAssembly once, and resolves to all exports of `nearprint`. After a failure, the next call tries again.
 *
 * Vite, webpack and Parcel copy the default files; with other bundlers, copy them and pass their URLs.
 *
 * @example
 * ```js
 * const { fingerprint } = await load();
 * ```
 * @throws Error: a file is not found, or the Content-Security-Policy forbids WebAssembly
 */
export async function load({
  text = new URL('text.wasm', import.meta.url),
  sets = new URL('sets.wasm', import.meta.url),
}: Sources = {}): Promise<typeof nearprint> {
  await Promise.all([compile('text', text), ...(sets === false ? [] : [compile('sets', sets)])]);
  return nearprint;
}

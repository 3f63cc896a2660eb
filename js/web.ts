/**
 * nearprint for pages without a bundler: the WebAssembly is in separate files, smaller than the inline modules and
 * compiled during the download.
 *
 * @packageDocumentation
 */

import { compile, type Source } from './boot/web.js';
import * as dedupe from './index.js';
import * as simhash from './simhash.js';

export type { Source };

/** The modules that {@link load} loads. */
export interface Sources {
  /**
   * `dedupe.wasm`, for all that `nearprint` exports. Default: the file of this name in the folder of this file. `false`: it is not
   * loaded, and {@link load} does not resolve to these exports.
   */
  dedupe?: Source | Promise<Source> | false | undefined;
  /** `simhash.wasm`, for all that `nearprint/simhash` exports: as `dedupe`. */
  simhash?: Source | Promise<Source> | false | undefined;
}

/** The exports of `nearprint` and of `nearprint/simhash`, without the exports of a module that is `false`. */
export type Loaded<S extends Sources> = (S extends { dedupe: false } ? unknown : typeof dedupe) &
  (S extends { simhash: false } ? unknown : typeof simhash);

/**
 * Loads the WebAssembly once, and resolves to all exports of `nearprint` and of `nearprint/simhash` whose module is loaded. After
 * a failure, the next call tries again.
 *
 * Vite, webpack and Parcel copy the default files; with other bundlers, copy them and pass their URLs.
 *
 * @example
 * ```js
 * const { fingerprint } = await load({ dedupe: false });
 * ```
 * @throws Error: a file is not found, or the Content-Security-Policy forbids WebAssembly
 */
export async function load<const S extends Sources = Record<never, never>>(sources?: S): Promise<Loaded<S>> {
  const {
    dedupe: ofDedupe = new URL('dedupe.wasm', import.meta.url),
    simhash: ofSimhash = new URL('simhash.wasm', import.meta.url),
  }: Sources = sources ?? {};
  const loads = { dedupe: ofDedupe, simhash: ofSimhash };
  await Promise.all(
    Object.entries(loads).map(([name, source]) => (source === false ? undefined : compile(name, source))),
  );
  const loaded = { ...(ofDedupe === false ? {} : dedupe), ...(ofSimhash === false ? {} : simhash) };
  return loaded as Loaded<S>;
}

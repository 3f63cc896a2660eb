// How large the WebAssembly is that this page runs: measured, since a number written down goes stale.

let known;

/** In bytes. The module is in the package's file as base64, which is in the cache by now. */
export function wasmSize() {
  known ??= fetch(new URL('./pkg/index.js', import.meta.url))
    .then((response) => response.text())
    .then((source) => (source.match(/[A-Za-z0-9+/]{1000,}/)?.[0].length ?? 0) * (3 / 4));
  return known;
}

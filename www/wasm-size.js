// How large the WebAssembly is that this page runs: measured, since a number written down goes stale.

/** The characters of the string literal that the module is in the package's file, one a byte (scripts/build.mjs). */
function bytesIn(source) {
  let count = 0;
  for (let at = source.indexOf("'\\0asm") + 1; at < source.length && source[at] !== "'"; count++) {
    const escaped = source[at] === '\\';
    at += escaped ? (source[at + 1] === 'x' ? 4 : 2) : 1;
  }
  return count;
}

let known;

/** In bytes. The file is in the cache by now. */
export function wasmSize() {
  known ??= fetch(new URL('./pkg/index.js', import.meta.url))
    .then((response) => response.text())
    .then(bytesIn);
  return known;
}

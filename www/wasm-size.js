// How large the WebAssembly is that this page runs: measured, since a number written down goes stale.

/** How the string literal starts that the module is in the package's file: "\0asm", each byte XOR 118 (js/boot/bytes.js). */
const START = "'v\x17\x05\x1b";

/** The characters of the literal, one a byte. */
function bytesIn(source) {
  let count = 0;
  for (let at = source.indexOf(START) + 1; at < source.length && source[at] !== "'"; count++) {
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

/**
 * Each character of the string is a byte XOR this. The bytes that WebAssembly has most of are then letters and the like,
 * where the string would have backslashes: that is 3 % of the file after Brotli.
 */
export const MASK = 118;

/** The bytes that the characters of a string stand for. */
export function bytes(string) {
  const result = new Uint8Array(string.length);
  for (let at = 0; at < result.length; at++) result[at] = string.charCodeAt(at) ^ MASK;
  return result;
}

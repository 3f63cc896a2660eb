// For Node, bundlers, Deno, Bun and browsers: each module is inside a JavaScript file, as a string with one character for
// each byte.
import { bootError } from './boot-error.js';

/** The mask of scripts/build-bundles.mjs, which defines this name: each character is a byte XOR the mask. */
declare const MASK: number;

export function compiled(wasm: unknown): WebAssembly.Module {
  const string = wasm as string;
  try {
    return new WebAssembly.Module(decode(string));
  } catch (error) {
    if (!/[^\0-\xff]/.test(string)) throw bootError(error);
    const message =
      'nearprint: the script was not decoded as UTF-8: add <meta charset="utf-8"> to the page, or a charset to the ' +
      'content type of the script';
    throw new Error(message, { cause: error });
  }
}

function decode(string: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(string: string, encoding: 'latin1'): Uint8Array<ArrayBuffer> } };
  if (Buffer === undefined) {
    const result = new Uint8Array(string.length);
    for (let at = 0; at < result.length; at++) result[at] = string.charCodeAt(at) ^ MASK;
    return result;
  }
  // The engine interprets this code, because it runs once. Words instead of bytes take a quarter of the iterations.
  const result = Buffer.from(string, 'latin1');
  const words = new Uint32Array(result.buffer, result.byteOffset, result.length >>> 2);
  for (let at = 0; at < words.length; at++) words[at] ^= MASK * 0x01010101;
  for (let at = 4 * words.length; at < result.length; at++) result[at] ^= MASK;
  return result;
}

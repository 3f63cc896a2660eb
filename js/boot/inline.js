// Node, bundlers, Deno, Bun and browsers: the WebAssembly is in this file, a string with a character for each byte.
import { start } from '#bindings';
import string from '#wasm';
import { bootError } from './boot-error.js';
import { bytes } from './bytes.js';

export function boot() {
  try {
    return start(new WebAssembly.Module(bytes(string)));
  } catch (error) {
    if (/[^\0-\xff]/.test(string)) {
      const message = 'nearprint: the script was read in another encoding: have the page say <meta charset="utf-8">';
      throw new Error(message, { cause: error });
    }
    throw bootError(error);
  }
}

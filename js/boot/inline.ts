// For Node, bundlers, Deno, Bun and browsers: the module is part of the file, as a string of one character for each
// byte.
import wasm from '#wasm';
import { bootError } from './boot-error.js';
import { bytes } from './bytes.js';
import { type Module, start } from './module.js';

export function boot(): Module {
  const string = wasm as string;
  try {
    return start(new WebAssembly.Module(bytes(string)));
  } catch (error) {
    if (/[^\0-\xff]/.test(string)) {
      const message =
        'nearprint: the script was not decoded as UTF-8: add <meta charset="utf-8"> to the page, or a charset to the ' +
        'content type of the script';
      throw new Error(message, { cause: error });
    }
    throw bootError(error);
  }
}

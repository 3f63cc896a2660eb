// Node, bundlers, Deno, Bun and browsers: the WebAssembly is in this file, a string with a character for each byte.
import { Engine, Index, initSync, rabin, rabinWindows } from '../../build/wasm/nearprint.js';
import wasm from '../../build/wasm/nearprint_bg.wasm';
import { bytes } from './bytes.js';

export function boot() {
  const { memory } = initSync({ module: bytes(wasm) });
  return { bindings: { Engine, Index, rabin, rabinWindows }, memory };
}

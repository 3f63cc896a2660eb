// Node, bundlers, Deno, Bun and browsers: the WebAssembly is in this file, as base64.
import { Engine, Index, initSync, rabin, rabinWindows } from '../../build/wasm/nearprint.js';
import base64 from '../../build/wasm/nearprint_bg.wasm';
import { decode } from './base64.js';

export function boot() {
  const { memory } = initSync({ module: decode(base64) });
  return { bindings: { Engine, Index, rabin, rabinWindows }, memory };
}

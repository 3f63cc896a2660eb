// As inline.js, for nearprint/compat.
import { fingerprintPairs, fingerprintText, initSync } from '../../build/wasm/nearprint_compat.js';
import wasm from '../../build/wasm/nearprint_compat_bg.wasm';
import { bytes } from './bytes.js';

export function boot() {
  const { memory } = initSync({ module: bytes(wasm) });
  return { bindings: { fingerprintPairs, fingerprintText }, memory };
}

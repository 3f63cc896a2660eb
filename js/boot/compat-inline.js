// As inline.js, for nearprint/compat.
import { fingerprintPairs, fingerprintText, initSync } from '../../build/wasm/nearprint_compat.js';
import base64 from '../../build/wasm/nearprint_compat_bg.wasm';
import { decode } from './base64.js';

export function boot() {
  const { memory } = initSync({ module: decode(base64) });
  return { bindings: { fingerprintPairs, fingerprintText }, memory };
}

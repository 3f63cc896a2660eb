// The block keys of a fingerprint. `block_keys` in src/index/blocks.rs is the same function for users of the crate and
// states why it is exact; calling it through WebAssembly would cost more than these few steps.
import { checkBits, checkFingerprint, checkOptions } from './check.js';
import { checkMaxDistance, defaultMaxDistance } from './max-distance.js';

export function blockKeys(fingerprint, options) {
  const { bits = 64, maxDistance = defaultMaxDistance(bits) } = checkOptions(options, ['bits', 'maxDistance']);
  checkMaxDistance(maxDistance, checkBits(bits));
  checkFingerprint(fingerprint, 'fingerprint', bits);
  const count = maxDistance + 1;
  const shift = BigInt(Math.max(32, Math.ceil(bits / count)));
  return Array.from({ length: count }, (_, block) => {
    const end = Math.floor(((block + 1) * bits) / count);
    const width = end - Math.floor((block * bits) / count);
    return BigInt.asUintN(width, fingerprint >> BigInt(bits - end)) | (BigInt(block) << shift);
  });
}

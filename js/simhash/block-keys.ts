// The block keys of a fingerprint. `block_keys` in src/simhash/index/blocks.rs is the same function for users of the crate and
// states why it is exact. A call through WebAssembly would take longer than this function.
import { checkBits, checkFingerprint, checkMaxDistance, checkOptions } from '../common/check.js';
import type { Bits } from '../common/types.js';

/** The options of {@link blockKeys}. */
export interface BlockKeyOptions {
  /** The width of the fingerprint in bits. Default: 64. */
  bits?: Bits | undefined;
  /** The distance in bits: 0 to a quarter of the width. Default: an eighth of it. */
  maxDistance?: number | undefined;
}

/**
 * Returns the keys under which a store files a fingerprint: `maxDistance + 1` bigints. Two fingerprints within
 * `maxDistance` share at least one key. O(maxDistance).
 *
 * Store and look up with the same `maxDistance`, and verify the distance of candidates that share a key. Key `i` is
 * `i * 2^32` plus block `i`, counted from the highest bits; if a block is wider than 32 bits, `i` is shifted by the
 * widest block instead. The layout is stable.
 *
 * @example
 * ```js
 * blockKeys(0x0123456789abcdefn, { maxDistance: 3 }); // [0x123n, 0x100004567n, 0x2000089abn, 0x30000cdefn]
 * ```
 */
export function blockKeys(fingerprint: bigint, options?: BlockKeyOptions): bigint[] {
  const { bits = 64, maxDistance } = checkOptions(options, ['bits', 'maxDistance']);
  checkFingerprint(fingerprint, 'fingerprint', checkBits(bits));
  const count = checkMaxDistance(bits, maxDistance) + 1;
  const shift = BigInt(Math.max(32, Math.ceil(bits / count)));
  return Array.from({ length: count }, (_, block) => {
    const end = Math.floor(((block + 1) * bits) / count);
    const width = end - Math.floor((block * bits) / count);
    return BigInt.asUintN(width, fingerprint >> BigInt(bits - end)) | (BigInt(block) << shift);
  });
}

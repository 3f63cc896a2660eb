// Hamming distance: the only bit count of js/.
import { checkBits, checkFingerprint } from '../common/check.js';
import type { Bits } from '../common/types.js';

/** Returns the number of 1 bits of a 32-bit integer (Warren, Hacker's Delight, section 5-1). @internal */
export function popcount(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Returns the number of bits in which two fingerprints differ. O(1). For unrelated texts it is about half the width.
 *
 * @example
 * ```js
 * distance(0b1100n, 0b1010n); // 2
 * ```
 */
export function distance(a: bigint, b: bigint): number {
  let differing = checkFingerprint(a, 'a') ^ checkFingerprint(b, 'b');
  let count = 0;
  for (; differing; differing >>= 32n) count += popcount(Number(BigInt.asUintN(32, differing)));
  return count;
}

/**
 * Returns the share of equal bits, `1 - distance / bits`, from 0 to 1. O(1).
 *
 * @param bits - the width of both fingerprints. Default: 64.
 * @example
 * ```js
 * similarity(0b1100n, 0b1010n, 32); // 0.9375
 * ```
 */
export function similarity(a: bigint, b: bigint, bits: Bits = 64): number {
  checkBits(bits);
  return 1 - distance(checkFingerprint(a, 'a', bits), checkFingerprint(b, 'b', bits)) / bits;
}

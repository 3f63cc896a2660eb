// Hamming distance: the only bit count of js/.
import { checkBits, checkFingerprint } from './check.js';

/** The number of 1 bits of a 32-bit integer (Warren, Hacker's Delight, section 5-1). */
function popcount(x) {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function distance(a, b) {
  let differing = checkFingerprint(a, 'a') ^ checkFingerprint(b, 'b');
  let count = 0;
  for (; differing; differing >>= 32n) count += popcount(Number(BigInt.asUintN(32, differing)));
  return count;
}

/** The share of different bits. */
function share(a, b, bits) {
  checkBits(bits);
  return distance(checkFingerprint(a, 'a', bits), checkFingerprint(b, 'b', bits)) / bits;
}

export const similarity = (a, b, bits = 64) => 1 - share(a, b, bits);

export const cosine = (a, b, bits = 64) => Math.cos(Math.PI * share(a, b, bits));

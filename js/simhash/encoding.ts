// The encodings of a fingerprint: hexadecimal digits, signed integers and bytes.
import { ArgumentError } from '../common/argument-error.js';
import { checkBits, checkBytes, checkFingerprint } from '../common/check.js';
import { bytesOfHex, hexOf } from '../common/hex.js';
import type { Bits } from '../common/types.js';

/**
 * Returns a fingerprint as 8, 16 or 32 lower-case hexadecimal digits. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toHex(255n); // '00000000000000ff'
 * ```
 */
export function toHex(fingerprint: bigint, bits: Bits = 64): string {
  return checkFingerprint(fingerprint, 'fingerprint', checkBits(bits))
    .toString(16)
    .padStart(bits / 4, '0');
}

/**
 * Returns the fingerprint of 8, 16 or 32 hexadecimal digits. O(1).
 *
 * @example
 * ```js
 * fromHex('00000000000000ff'); // 255n
 * ```
 * @throws ArgumentError: `hex` is not a string of 8, 16 or 32 hexadecimal digits
 */
export function fromHex(hex: string): bigint {
  if (typeof hex !== 'string' || !/^(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32})$/i.test(hex)) {
    throw new ArgumentError('hex', 'a string of 8, 16 or 32 hexadecimal digits', hex);
  }
  return BigInt(`0x${hex}`);
}

/**
 * Returns a fingerprint as a signed integer of the same width in two's complement, for SQL's `bigint`. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toSigned(2n ** 64n - 1n); // -1n
 * ```
 */
export function toSigned(fingerprint: bigint, bits: Bits = 64): bigint {
  return BigInt.asIntN(checkBits(bits), checkFingerprint(fingerprint, 'fingerprint', bits));
}

/**
 * Returns the fingerprint of a signed integer of the same width. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * fromSigned(-1n); // 2n ** 64n - 1n
 * ```
 * @throws ArgumentError: `signed` is not a bigint, or not a signed integer of `bits` bits; the width is not 32, 64 or
 * 128
 */
export function fromSigned(signed: bigint, bits: Bits = 64): bigint {
  checkBits(bits);
  if (typeof signed !== 'bigint') throw new ArgumentError('signed', 'a bigint', signed);
  if (BigInt.asIntN(bits, signed) !== signed)
    throw new ArgumentError('signed', `a signed integer of ${bits} bits`, signed);
  return BigInt.asUintN(bits, signed);
}

/**
 * Returns a fingerprint as 4, 8 or 16 bytes, big-endian: the bytes sort in the order of the numbers. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toBytes(255n, 32); // Uint8Array.of(0, 0, 0, 255)
 * ```
 */
export function toBytes(fingerprint: bigint, bits: Bits = 64): Uint8Array {
  return bytesOfHex(toHex(fingerprint, bits));
}

/**
 * Returns the fingerprint of 4, 8 or 16 bytes, big-endian. O(1).
 *
 * @example
 * ```js
 * fromBytes(Uint8Array.of(0, 0, 0, 255)); // 255n
 * ```
 * @throws ArgumentError: `bytes` is not a `Uint8Array` of 4, 8 or 16 bytes
 */
export function fromBytes(bytes: Uint8Array): bigint {
  bytes = checkBytes(bytes, 'bytes', 'a Uint8Array of 4, 8 or 16 bytes');
  if (![4, 8, 16].includes(bytes.length)) {
    throw new ArgumentError('bytes', 'a Uint8Array of 4, 8 or 16 bytes', bytes, `${bytes.length} bytes`);
  }
  return BigInt(`0x${hexOf(bytes)}`);
}

/**
 * Returns fingerprints as 64-bit cells: one for each fingerprint; for 128 bits two, the low half first. An array of bigints
 * would take four times as much memory. @internal
 */
export function packFingerprints<T>(
  items: Iterable<T>,
  bits: Bits,
  fingerprintOf: (item: T, at: number) => bigint,
): BigUint64Array {
  let cells = new BigUint64Array(64);
  let [count, length] = [0, 0];
  for (const item of items) {
    if (length === cells.length) {
      const longer = new BigUint64Array(2 * length);
      longer.set(cells);
      cells = longer;
    }
    const fingerprint = fingerprintOf(item, count++);
    cells[length++] = fingerprint; // the low half
    if (bits === 128) cells[length++] = fingerprint >> 64n;
  }
  return cells.slice(0, length);
}

/** Returns cells as the typed array for the width. @internal */
export const toTypedArray = (cells: BigUint64Array, bits: Bits): Uint32Array | BigUint64Array =>
  bits === 32 ? Uint32Array.from(cells, Number) : cells;

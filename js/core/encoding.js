// The encodings of a fingerprint: hexadecimal digits, signed integers and bytes.
import { ArgumentError } from './argument-error.js';
import { checkBits, checkFingerprint, isBytes } from './check.js';

export const toHex = (fingerprint, bits = 64) =>
  checkFingerprint(fingerprint, 'fingerprint', checkBits(bits))
    .toString(16)
    .padStart(bits / 4, '0');

export function fromHex(hex) {
  if (typeof hex !== 'string') throw new ArgumentError('hex', 'a string of 8, 16 or 32 hexadecimal digits', hex);
  if (!/^(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32})$/i.test(hex)) {
    throw new ArgumentError('hex', 'a string of 8, 16 or 32 hexadecimal digits', hex);
  }
  return BigInt(`0x${hex}`);
}

/** Two's complement, the type `bigint` of SQL. */
export const toSigned = (fingerprint, bits = 64) =>
  BigInt.asIntN(checkBits(bits), checkFingerprint(fingerprint, 'fingerprint', bits));

export function fromSigned(signed, bits = 64) {
  checkBits(bits);
  if (typeof signed !== 'bigint') throw new ArgumentError('signed', 'a bigint', signed);
  if (BigInt.asIntN(bits, signed) !== signed)
    throw new ArgumentError('signed', `a signed integer of ${bits} bits`, signed);
  return BigInt.asUintN(bits, signed);
}

/** Big-endian: the bytes sort in the order of the numbers. */
export function toBytes(fingerprint, bits = 64) {
  const hex = toHex(fingerprint, bits);
  return Uint8Array.from({ length: bits / 8 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

export function fromBytes(bytes) {
  if (!isBytes(bytes)) throw new ArgumentError('bytes', 'a Uint8Array of 4, 8 or 16 bytes', bytes);
  if (![4, 8, 16].includes(bytes.length)) {
    throw new ArgumentError('bytes', 'a Uint8Array of 4, 8 or 16 bytes', bytes.length);
  }
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

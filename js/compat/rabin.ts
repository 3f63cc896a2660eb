// Rabin fingerprints (src/simhash/rabin.rs).
import { compat } from '../boot/compat.js';
import { checkText, checkWhole } from '../common/check.js';
import type { Text } from '../common/types.js';
import { encoder } from '../common/utf8.js';

/** Returns a text as bytes. A lone surrogate becomes U+FFFD. */
function bytesOf(text: Text): Uint8Array {
  text = checkText(text);
  return typeof text === 'string' ? encoder.encode(text) : text;
}

/**
 * Returns the Rabin fingerprint of bytes, an unsigned bigint of 64 bits (Apache Avro's CRC-64-AVRO). O(length of the text).
 *
 * Equal bytes have equal fingerprints, different bytes almost never. It finds equal passages, not similar ones. A
 * string counts as its UTF-8.
 *
 * @example
 * ```js
 * BigInt.asIntN(64, rabin('"null"')); // 7195948357588979594n, as in Avro's schema-tests.txt
 * ```
 * @throws ArgumentError: `text` is not a text
 */
export function rabin(text: Text): bigint {
  return compat.bindings.rabin(bytesOf(text));
}

/**
 * Returns the {@link rabin} fingerprints of every `width` consecutive bytes, in order: `length - width + 1` elements,
 * or none if the text is shorter. O(length of the text) for every width.
 *
 * @example
 * ```js
 * rabinWindows('abcab', 2).length; // 4
 * ```
 * @throws ArgumentError: `text` is not a text, or `width` is not a whole number from 1 to 2^32 - 1
 */
export function rabinWindows(text: Text, width: number): BigUint64Array {
  checkWhole(width, 'width', 2 ** 32 - 1, 1);
  return compat.bindings.rabinWindows(bytesOf(text), width);
}

// Rabin fingerprints (src/hash/rabin.rs).
import { text as module, textExchange } from '../boot/text.js';
import { checkText, checkWhole } from './check.js';
import type { Text } from './types.js';
import { encoder } from './utf8.js';

/** The maximum number of bytes that are copied without a check of the memory, which takes as long as hashing a short text. */
const MAX_UNCHECKED = 1 << 16;

/**
 * Writes a text to the exchange and returns the number of bytes. A lone surrogate becomes U+FFFD. Throws if the module cannot
 * allocate `factor` times that number.
 */
function write(text: Text, factor: number): number {
  text = checkText(text);
  const bytes = typeof text === 'string' ? encoder.encode(text) : text;
  if (bytes.length > MAX_UNCHECKED) textExchange().checkMemory(factor * bytes.length, 'the text');
  return textExchange().write(bytes);
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
 */
export function rabin(text: Text): bigint {
  return module().bindings.rabin(write(text, 1));
}

/**
 * Returns the {@link rabin} fingerprints of every `width` consecutive bytes, in order: `length - width + 1` elements,
 * or none if the text is shorter. O(length of the text) for every width.
 *
 * @example
 * ```js
 * rabinWindows('abcab', 2).length; // 4
 * ```
 */
export function rabinWindows(text: Text, width: number): BigUint64Array {
  checkWhole(width, 'width', 2 ** 32 - 1, 1);
  // Each byte of the text needs eight more, for the fingerprint of its window.
  return module().bindings.rabinWindows(write(text, 9), width);
}

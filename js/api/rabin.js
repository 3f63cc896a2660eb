// Rabin fingerprints (src/hash/rabin.rs).

import { instance } from '../boot/instance.js';
import { outOfRange, wrongType } from './check.js';

const encoder = new TextEncoder();

/** The bytes of a text. A lone surrogate becomes U+FFFD. */
function bytesOf(text) {
  if (typeof text === 'string') return encoder.encode(text);
  if (text instanceof Uint8Array) return text;
  throw wrongType('text', 'a string or a Uint8Array', text);
}

export const rabin = (text) => instance().bindings.rabin(bytesOf(text));

export function rabinWindows(text, width) {
  const bytes = bytesOf(text);
  const takes = 'a whole number of bytes from 1 to 4294967295';
  if (typeof width !== 'number') throw wrongType('width', takes, width);
  if (!Number.isInteger(width) || width < 1 || width > 0xffffffff) throw outOfRange('width', takes, width);
  return instance().bindings.rabinWindows(bytes, width);
}

// Rabin fingerprints (src/hash/rabin.rs).
import { instance } from '../boot/instance.js';
import { checkText, checkWhole } from './check.js';

const encoder = new TextEncoder();

/** The bytes of a text. A lone surrogate becomes U+FFFD. */
const bytesOf = (text) => (typeof checkText(text) === 'string' ? encoder.encode(text) : text);

export const rabin = (text) => instance().bindings.rabin(bytesOf(text));

export function rabinWindows(text, width) {
  const bytes = bytesOf(text);
  return instance().bindings.rabinWindows(bytes, checkWhole(width, 'width', 2 ** 32 - 1, 1));
}

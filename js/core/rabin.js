// Rabin fingerprints (src/hash/rabin.rs).
import { instance } from '../boot/instance.js';
import { checkText, checkWhole } from './check.js';
import { checkRoom } from './text.js';

const encoder = new TextEncoder();

/** The room of a copy is checked from this length on, in bytes: the check takes as long as a short text. */
const LONG = 1 << 16;

/** The bytes of a text, for which the module has room, `times` over. A lone surrogate becomes U+FFFD. */
function bytesOf(text, times) {
  const bytes = typeof checkText(text) === 'string' ? encoder.encode(text) : text;
  if (bytes.length > LONG) checkRoom(times * bytes.length, 'text');
  return bytes;
}

export const rabin = (text) => instance().bindings.rabin(bytesOf(text, 1));

export function rabinWindows(text, width) {
  // The windows take eight bytes each.
  const bytes = bytesOf(text, 9);
  return instance().bindings.rabinWindows(bytes, checkWhole(width, 'width', 2 ** 32 - 1, 1));
}

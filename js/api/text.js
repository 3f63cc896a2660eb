// Texts on their way into the WebAssembly memory: written straight into the engine's input.

import { instance } from '../boot/instance.js';
import { checkText } from './check.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text as a string. Bytes that are not UTF-8 become U+FFFD, as in the fingerprint. */
const string = (text) => (typeof text === 'string' ? text : decoder.decode(text));

/** A longer text goes in pieces, so that the input stays small. In UTF-16 units, or bytes. */
const PIECE = 1 << 16;

/** The engine's input, of `length` bytes at least. It keeps the array: to ask for it takes longer than to fill it. */
function input(engine, length) {
  const { room } = engine;
  // When the memory grows, or something is freed, or the module is started again, all such arrays are emptied.
  if (room?.length > 0 && room.length >= length) return room;
  const at = engine.input(length);
  if (at === 0) throw new RangeError('nearprint: text takes more memory than there is');
  engine.room = new Uint8Array(instance().memory.buffer, at, length);
  return engine.room;
}

/** Writes a text into the engine's input, a string as UTF-8 and bytes as they are, and tells how many bytes that took. */
function writeAsIs(engine, text) {
  if (typeof text !== 'string') {
    input(engine, text.length).set(text);
    return text.length;
  }
  // At most 3 bytes a unit. A lone surrogate becomes U+FFFD.
  return encoder.encodeInto(text, input(engine, 3 * text.length)).written;
}

/** Writes a text, which then is UTF-8 whatever it was. */
export const write = (engine, text) => writeAsIs(engine, string(text));

/** Writes two texts, one behind the other. */
export function writeBoth(engine, a, b) {
  const [first, second] = [a, b].map((text) => encoder.encode(string(text)));
  const to = input(engine, first.length + second.length);
  to.set(first);
  to.set(second, first.length);
  return [first.length, second.length];
}

/** The low half of a text's fingerprint. */
export function fingerprintText(engine, text) {
  checkText(text);
  if (text.length <= PIECE) return engine.fingerprint(writeAsIs(engine, text), typeof text === 'string');
  engine.reset();
  updateText(engine, text);
  const low = engine.digest();
  engine.reset();
  return low;
}

/** Adds a chunk to the engine's stream, in pieces that split no surrogate pair. */
export function updateText(engine, text) {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    if (to < text.length && typeof text === 'string' && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    const piece = typeof text === 'string' ? text.slice(from, to) : text.subarray(from, to);
    engine.update(writeAsIs(engine, piece));
    from = to;
  }
}

export const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;

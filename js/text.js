// Texts on their way into the WebAssembly memory: written straight into the engine's input.
import { checkText } from './check.js';
import { core } from './core.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text as a string. Bytes that are not UTF-8 become U+FFFD, as in the fingerprint. */
const string = (text) => (typeof text === 'string' ? text : decoder.decode(text));

/** A longer text goes in pieces, so that the input stays small. In UTF-16 units, or bytes. */
const PIECE = 1 << 16;

let room = new Uint8Array();

/** The engine's input, of `length` bytes at least. Its array is kept: to make one takes longer than to fill it. */
function input(engine, length) {
  const at = engine.input(length);
  const { buffer } = core().memory; // which moves when it grows
  if (room.buffer !== buffer || room.byteOffset !== at || room.length < length) {
    room = new Uint8Array(buffer, at, length);
  }
  return room;
}

/** Writes a text into the engine's input, as UTF-8, and tells how many bytes that took. */
export function write(engine, text) {
  const whole = string(text);
  // At most 3 bytes a unit. A lone surrogate becomes U+FFFD.
  return encoder.encodeInto(whole, input(engine, 3 * whole.length)).written;
}

/** Writes two texts, one behind the other. */
export function writeBoth(engine, a, b) {
  const [first, second] = [a, b].map((text) => encoder.encode(string(text)));
  writeBytes(engine, first, second);
  return [first.length, second.length];
}

/** Writes bytes as they are, be they UTF-8 or not, one array behind the other. */
function writeBytes(engine, ...arrays) {
  const to = input(
    engine,
    arrays.reduce((length, bytes) => length + bytes.length, 0),
  );
  let at = 0;
  for (const bytes of arrays) {
    to.set(bytes, at);
    at += bytes.length;
  }
}

/** The low half of a text's fingerprint. */
export function fingerprintText(engine, text) {
  checkText(text);
  if (text.length <= PIECE) {
    if (typeof text === 'string') return engine.fingerprint(write(engine, text), true);
    writeBytes(engine, text);
    return engine.fingerprint(text.length, false);
  }
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
    if (typeof text === 'string') {
      engine.update(write(engine, text.slice(from, to)));
    } else {
      writeBytes(engine, text.subarray(from, to));
      engine.update(to - from);
    }
    from = to;
  }
}

export const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;

// Texts on their way into the WebAssembly memory: written straight into the engine's input.
import { checkText } from './check.js';
import { core } from './core.js';

const encoder = new TextEncoder();

/** A longer text goes in pieces, so that the input stays small. In UTF-16 units, or bytes. */
const PIECE = 1 << 16;

let view = new Uint8Array();

/** The WebAssembly memory, which moves when it grows. */
function memory() {
  const { buffer } = core().memory;
  if (view.buffer !== buffer) view = new Uint8Array(buffer);
  return view;
}

/** Writes a text into the engine's input, as UTF-8, and tells how many bytes that took. */
export function write(engine, text) {
  if (typeof text !== 'string') {
    const at = engine.input(text.length);
    memory().set(text, at);
    return text.length;
  }
  // At most 3 bytes a unit. A lone surrogate becomes U+FFFD.
  const at = engine.input(3 * text.length);
  return encoder.encodeInto(text, memory().subarray(at, at + 3 * text.length)).written;
}

/** Writes two texts, one behind the other. */
export function writeBoth(engine, a, b) {
  const [first, second] = [a, b].map((text) => (typeof text === 'string' ? encoder.encode(text) : text));
  const at = engine.input(first.length + second.length);
  memory().set(first, at);
  memory().set(second, at + first.length);
  return [first.length, second.length];
}

/** The low half of a text's fingerprint. */
export function fingerprintText(engine, text) {
  checkText(text);
  if (text.length <= PIECE) return engine.fingerprint(write(engine, text), typeof text === 'string');
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
    engine.update(write(engine, piece));
    from = to;
  }
}

export const isHighSurrogate = (unit) => (unit & 0xfc00) === 0xd800;

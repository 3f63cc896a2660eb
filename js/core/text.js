// Writes texts into the input of an engine, a buffer in the memory of the module.

import { instance } from '../boot/instance.js';
import { checkText } from './check.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text as a string. Invalid UTF-8 becomes U+FFFD, as in the fingerprint. */
const asString = (text) => (typeof text === 'string' ? text : decoder.decode(text));

/** Longer texts are written in pieces, to keep the input small. In UTF-16 units, or bytes. */
const PIECE = 1 << 16;

/** An engine gives a larger input back after the call that reads it (src/wasm.rs). In bytes. */
const MOST_KEPT = 1 << 20;

/** The size of the module's memory from which on an engine checks every time that there is room (src/wasm.rs). */
const NEARLY_FULL = 7 * 2 ** 29;

/** The error for what takes more memory than there is. */
export const tooLarge = (argument) => new RangeError(`nearprint: ${argument} takes more memory than there is`);

/** Refuses an argument of so many bytes that has no room in the module: to copy it there would trap. */
export function checkRoom(bytes, argument) {
  if (bytes >= 2 ** 31 || !instance().bindings.hasRoom(bytes)) throw tooLarge(argument);
}

/**
 * The engine's input, of at least `length` bytes. Cached on the engine: the call takes longer than a short write. What is no
 * text takes no memory beside it.
 */
function input(engine, length, isText = true) {
  const { room } = engine;
  // It is detached, and has length 0, when the memory grows, an object is freed or the module restarts.
  if (room?.length > 0 && room.length >= length) return room;
  const at = isText ? engine.input(length) : engine.buffer(length);
  if (at === 0) throw tooLarge('text');
  const { buffer } = instance().memory;
  const bytes = new Uint8Array(buffer, at, length);
  engine.room = length > MOST_KEPT || buffer.byteLength >= NEARLY_FULL ? undefined : bytes;
  return bytes;
}

/** Writes a string as UTF-8, or bytes unchanged, and returns the number of bytes written. */
function writeAsIs(engine, text) {
  if (typeof text !== 'string') {
    input(engine, text.length).set(text);
    return text.length;
  }
  // At most 3 bytes for each UTF-16 unit. A lone surrogate becomes U+FFFD.
  return encoder.encodeInto(text, input(engine, 3 * text.length)).written;
}

/** Writes a text as valid UTF-8, and returns the number of bytes written. */
export const write = (engine, text) => writeAsIs(engine, asString(text));

/** Writes two texts, the second after the first, and returns both lengths. */
export function writeBoth(engine, a, b) {
  const [first, second] = [a, b].map((text) => encoder.encode(asString(text)));
  const to = input(engine, first.length + second.length);
  to.set(first);
  to.set(second, first.length);
  return [first.length, second.length];
}

/** Returns the low half of a text's fingerprint. */
export function fingerprintText(engine, text) {
  checkText(text);
  if (text.length <= PIECE) return engine.fingerprint(writeAsIs(engine, text), typeof text === 'string');
  engine.reset();
  try {
    updateText(engine, text);
    return engine.digest();
  } finally {
    engine.reset();
  }
}

/** Makes the sketch of a text, which the engine then has. */
export function sketchText(engine, text) {
  checkText(text);
  if (text.length <= PIECE) {
    engine.sketch(writeAsIs(engine, text), typeof text === 'string');
    return;
  }
  engine.reset();
  try {
    updateText(engine, text);
    engine.sketchStream();
  } finally {
    engine.reset();
  }
}

/** Copies bytes that are no text to the input, and returns their number. */
export function writeBytes(engine, bytes) {
  input(engine, bytes.length, false).set(bytes);
  return bytes.length;
}

/** A copy of the first `length` bytes of the input. */
export const readBytes = (engine, length) => input(engine, length, false).slice(0, length);

/** Adds a text to the engine's stream, in pieces that split no surrogate pair. */
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

// The exchange: the buffer in the module's memory through which texts, sketches and results cross (wasm/src/exchange.rs).
import { instance } from '../boot/instance.js';
import type { Text } from './types.js';
import { decoder, encoder } from './utf8.js';

/** Decodes a text. Invalid UTF-8 becomes U+FFFD, as in the fingerprint. */
const asString = (text: Text): string => (typeof text === 'string' ? text : decoder.decode(text));

/** The maximum length of a piece of text, in UTF-16 units or bytes. Longer texts are written in several pieces. */
export const PIECE: number = 1 << 16;

/** The maximum size in bytes of a view that is cached: the module releases a larger exchange after the call. */
const MAX_KEPT = 1 << 20;

const MIN_SIZE = 1 << 12;

/** The size in bytes of the module's memory from which no view is cached: the memory is then checked before every text. */
const NEARLY_FULL = 7 * 2 ** 29;

/** The purposes of opening the exchange, as in wasm/src/exchange.rs. */
const [RESULT, INPUT, TEXT]: readonly number[] = [0, 1, 2];

/** The forms in which a document is written to the exchange, as in wasm/src/texts.rs and deduplicator.rs. */
export const [ENCODED, BYTES, SKETCH]: readonly number[] = [0, 1, 2];

/** Returns the error for an argument that needs more memory than is available. */
export const outOfMemory = (argument: string): RangeError =>
  new RangeError(`nearprint: there is not enough memory for ${argument}`);

/** Checks that the module can allocate `bytes` bytes for an argument: copying it there would trap. */
export function checkMemory(bytes: number, argument: string): void {
  if (bytes >= 2 ** 31 || !instance().bindings.canAllocate(bytes)) throw outOfMemory(argument);
}

/** The last view of the exchange, and its address. */
let view = new Uint8Array(0);
let address = 0;
/** The cell of the module's memory that holds the current address of the exchange. */
let addressNow = new Uint32Array(0);
/** The same memory as `view`, as cells. */
let floats = new Float64Array(0);
let cells = new BigUint64Array(0);

/**
 * Returns a view of at least `length` bytes of the exchange, valid until the next call of the module. If it is opened for a
 * text, also checks that memory suffices to process a text of this length.
 */
function exchange(length: number, purpose: number): Uint8Array {
  // A view is detached, and has length 0, when the memory grows, an object is freed or the module restarts.
  if (view.length >= length && addressNow[0] === address && view.length > 0) return view;
  return openExchange(length, purpose);
}

function openExchange(length: number, purpose: number): Uint8Array {
  const { bindings, memory } = instance();
  const size = length >= MAX_KEPT ? length : Math.min(MAX_KEPT, Math.max(MIN_SIZE, 2 ** Math.ceil(Math.log2(length))));
  const at = bindings.exchange(size, purpose);
  if (at === 0) throw outOfMemory('the text');
  const { buffer } = memory;
  const opened = new Uint8Array(buffer, at, size);
  address = at;
  addressNow = new Uint32Array(buffer, bindings.exchangeAddress(), 1);
  floats = new Float64Array(buffer, at, size >>> 3);
  cells = new BigUint64Array(buffer, at, size >>> 3);
  view = size > MAX_KEPT || buffer.byteLength >= NEARLY_FULL ? new Uint8Array(0) : opened;
  return opened;
}

/** Returns the cells of a result as numbers, at least `count`. They are valid until the next call. */
export function floatsOf(count: number): Float64Array {
  exchange(8 * count, RESULT);
  return floats;
}

/** Returns the cells of a result as bigints, at least `count`. They are valid until the next call. */
export function cellsOf(count: number): BigUint64Array {
  exchange(8 * count, RESULT);
  return cells;
}

/** Returns the first `length` bytes of a result, which are valid until the next call. */
export const readBytes = (length: number): Uint8Array => exchange(length, RESULT).subarray(0, length);

/** Returns at least `length` bytes to write an input to that is not a text. They are valid until the next call. */
export const inputOf = (length: number): Uint8Array => exchange(length, INPUT);

/** Writes bytes that are not a text, and returns their number. */
export function writeBytes(bytes: Uint8Array): number {
  inputOf(bytes.length).set(bytes);
  return bytes.length;
}

/** Writes a text of at most {@link PIECE} units: a string as UTF-8, bytes unchanged. Returns the number of bytes. */
export function writePiece(text: Text): number {
  if (typeof text !== 'string') {
    exchange(text.length, TEXT).set(text);
    return text.length;
  }
  // At most 3 bytes for each UTF-16 unit. A lone surrogate becomes U+FFFD.
  return encoder.encodeInto(text, exchange(3 * text.length, TEXT)).written;
}

/** Writes a scope behind a text of `length` bytes, and returns its number of bytes. */
export function writeScope(length: number, scope: string): number {
  if (scope === '') return 0;
  // The exchange keeps the text if it must grow.
  return encoder.encodeInto(scope, exchange(length + 3 * scope.length, TEXT).subarray(length)).written;
}

/** Writes a whole text as valid UTF-8, and returns the number of bytes. */
export const writeEncoded = (text: Text): number => writePiece(asString(text));

/** Writes two texts as valid UTF-8, one after the other, and returns both lengths. */
export function writeBoth(a: Text, b: Text): [number, number] {
  const [first, second] = [encoder.encode(asString(a)), encoder.encode(asString(b))];
  const to = exchange(first.length + second.length, TEXT);
  to.set(first);
  to.set(second, first.length);
  return [first.length, second.length];
}

/** Returns the kind of a text that {@link writePiece} writes. */
export const kindOf = (text: Text): number => (typeof text === 'string' ? ENCODED : BYTES);

/** Returns a copy of the note of a snapshot, which follows its length. */
export function readNote(): Uint8Array {
  const [length] = floatsOf(1);
  return exchange(8 + length, RESULT).slice(8, 8 + length);
}

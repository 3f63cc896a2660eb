// The exchange: the buffer in a module's memory through which texts, sketches and results cross (wasm/src/exchange.rs).
import type { Module } from './module.js';
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

/** The kinds of a text in the exchange, as in wasm/src/exchange.rs: written by a `TextEncoder`, and any other bytes. */
const [ENCODED, BYTES]: readonly number[] = [0, 1];

/** Returns the kind of a text that {@link Exchange.writePiece} writes. */
export const textKind = (text: Text): number => (typeof text === 'string' ? ENCODED : BYTES);

/** The bindings of an exchange. */
interface Bindings {
  canAllocate(bytes: number): boolean;
  exchange(length: number, purpose: number): number;
  exchangeAddress(): number;
}

/** Returns the error for an argument that needs more memory than is available. */
export const outOfMemory = (argument: string): RangeError =>
  new RangeError(`nearprint: there is not enough memory for ${argument}`);

/** The exchange of a module. */
export class Exchange {
  readonly #module: Module<Bindings>;
  /** The last view, and its address. */
  #view = new Uint8Array(0);
  #address = 0;
  /** The cell of the module's memory that holds the current address of the exchange. */
  #addressNow = new Uint32Array(0);
  /** The same memory as the view, as cells and as halves of cells. */
  #floats = new Float64Array(0);
  #cells = new BigUint64Array(0);
  #halves = new Uint32Array(0);

  constructor(module: Module<Bindings>) {
    this.#module = module;
  }

  /** Checks that the module can allocate `bytes` bytes for an argument: copying it there would trap. */
  checkMemory(bytes: number, argument: string): void {
    if (bytes >= 2 ** 31 || !this.#module.bindings.canAllocate(bytes)) throw outOfMemory(argument);
  }

  /**
   * Returns a view of at least `length` bytes, valid until the next call of the module. If it is opened for a text, also checks
   * that memory suffices to process a text of this length.
   */
  #open(length: number, purpose: number): Uint8Array {
    const view = this.#view;
    // A view is detached, and has length 0, when the memory grows, an object is freed or the module restarts.
    if (view.length >= length && this.#addressNow[0] === this.#address && view.length > 0) return view;
    return this.#renew(length, purpose);
  }

  #renew(length: number, purpose: number): Uint8Array {
    const { bindings } = this.#module;
    const size =
      length >= MAX_KEPT ? length : Math.min(MAX_KEPT, Math.max(MIN_SIZE, 2 ** Math.ceil(Math.log2(length))));
    const at = bindings.exchange(size, purpose);
    if (at === 0) throw outOfMemory('the text');
    const { buffer } = this.#module.memory;
    const opened = new Uint8Array(buffer, at, size);
    this.#address = at;
    this.#addressNow = new Uint32Array(buffer, bindings.exchangeAddress(), 1);
    this.#floats = new Float64Array(buffer, at, size >>> 3);
    this.#cells = new BigUint64Array(buffer, at, size >>> 3);
    this.#halves = new Uint32Array(buffer, at, (size >>> 3) * 2);
    this.#view = size > MAX_KEPT || buffer.byteLength >= NEARLY_FULL ? new Uint8Array(0) : opened;
    return opened;
  }

  /** Returns the cells of a result as numbers, at least `count`. They are valid until the next call. */
  floats(count: number): Float64Array {
    this.#open(8 * count, RESULT);
    return this.#floats;
  }

  /** Returns the cells of a result as bigints, at least `count`. They are valid until the next call. */
  cells(count: number): BigUint64Array {
    this.#open(8 * count, RESULT);
    return this.#cells;
  }

  /** Returns the halves of the cells of a result, of at least `count` cells. They are valid until the next call. */
  halves(count: number): Uint32Array {
    this.#open(8 * count, RESULT);
    return this.#halves;
  }

  /** Returns the first `length` bytes of a result, which are valid until the next call. */
  read(length: number): Uint8Array {
    return this.#open(length, RESULT).subarray(0, length);
  }

  /** Returns at least `length` bytes to write an input to that is not a text. They are valid until the next call. */
  input(length: number): Uint8Array {
    return this.#open(length, INPUT);
  }

  /** Writes bytes that are not a text, and returns their number. */
  write(bytes: Uint8Array): number {
    this.input(bytes.length).set(bytes);
    return bytes.length;
  }

  /** Writes the binary forms of two sketches, one after the other, and returns both lengths. */
  writeBoth(a: Uint8Array, b: Uint8Array): [number, number] {
    const to = this.input(a.length + b.length);
    to.set(a);
    to.set(b, a.length);
    return [a.length, b.length];
  }

  /** Writes a text of at most {@link PIECE} units: a string as UTF-8, bytes unchanged. Returns the number of bytes. */
  writePiece(text: Text): number {
    if (typeof text !== 'string') {
      this.#open(text.length, TEXT).set(text);
      return text.length;
    }
    // At most 3 bytes for each UTF-16 unit. A lone surrogate becomes U+FFFD.
    return encoder.encodeInto(text, this.#open(3 * text.length, TEXT)).written;
  }

  /** Writes a scope behind a text of `length` bytes, and returns its number of bytes. */
  writeScope(length: number, scope: string): number {
    if (scope === '') return 0;
    // The exchange keeps the text if it must grow.
    return encoder.encodeInto(scope, this.#open(length + 3 * scope.length, TEXT).subarray(length)).written;
  }

  /** Writes a whole text as valid UTF-8, and returns the number of bytes. */
  writeEncoded(text: Text): number {
    return this.writePiece(asString(text));
  }

  /** Writes two texts as valid UTF-8, one after the other, and returns both lengths. */
  writeTexts(a: Text, b: Text): [number, number] {
    const [first, second] = [encoder.encode(asString(a)), encoder.encode(asString(b))];
    this.#open(first.length + second.length, TEXT);
    return this.writeBoth(first, second);
  }
}

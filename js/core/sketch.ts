// Sketches in their binary form (src/dedupe/sketch.rs).
import { text, textExchange } from '../boot/text.js';
import { ArgumentError } from './argument-error.js';
import { checkBytes } from './check.js';
import type { Exchange } from './exchange.js';
import { BLANK } from './feature-set.js';
import { bytesOfHex, hexOf } from './hex.js';

/** The size in bytes of the arrays that sketches share: to allocate one for each takes as long as a short text. */
const SHARED_SIZE = 1 << 10;

/** The kind of the sketch of a short text. */
const SHORT = 0;

/**
 * The record of a document in a {@link Deduplicator}: the 64-bit fingerprint of the text, a hash of its words and symbols in
 * order, and the odd sketch of its features, which estimates the resemblance. A sketch made from a text also has the keys
 * under which a search finds it. A short text (fewer than {@link MIN_FEATURES} different features) has no odd sketch.
 *
 * {@link sketch} makes it from a text. A sketch is immutable.
 *
 * @example
 * ```js
 * const [a, b] = sketchAll(['The river burst its banks early on Tuesday.', 'the RIVER burst its banks early on Tuesday']);
 * a.resemblance(b); // 1
 * ```
 */
export class Sketch {
  /** The binary form, from `#start` to `#end`. Sketches share an array until their first use. */
  #shared: Uint8Array;
  #start: number;
  #end: number;

  /** `bytes` has a valid binary form from `start` to `end`. */
  private constructor(bytes: Uint8Array, start: number, end: number) {
    this.#shared = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Returns the sketch of a valid binary form, which is in `bytes` from `start` to `end`. @internal */
  static of(bytes: Uint8Array, start = 0, end: number = bytes.length): Sketch {
    // Not `new Sketch`: the bundler renames a class whose body names it.
    return new this(bytes, start, end);
  }

  /** The binary form, which must not be changed. @internal */
  get view(): Uint8Array {
    return this.#shared.subarray(this.#start, this.#end);
  }

  /** The hash of the words, without its lowest bit, which states whether the text has few features. @internal */
  get words(): bigint {
    return this.#wordsHash & ~1n;
  }

  /** The binary form, copied from the shared array at first use. */
  get #bytes(): Uint8Array {
    if (this.#shared.length !== this.#end - this.#start) {
      this.#shared = this.#shared.slice(this.#start, this.#end);
      this.#start = 0;
      this.#end = this.#shared.length;
    }
    return this.#shared;
  }

  /**
   * Returns the sketch of its binary form. O(1).
   *
   * @example
   * ```js
   * Sketch.fromBytes(sketch('Good news').toBytes()).equals(sketch('Good news')); // true
   * ```
   * @throws {@link ArgumentError}: `bytes` is not a `Uint8Array`, or not the binary form of a sketch
   */
  static fromBytes(bytes: Uint8Array): Sketch {
    return checkedSketch(Uint8Array.from(checkBytes(bytes)));
  }

  /**
   * Returns the sketch of its binary form in hexadecimal. O(1).
   *
   * @example
   * ```js
   * Sketch.fromHex(sketch('Good news').toHex()).equals(sketch('Good news')); // true
   * ```
   * @throws {@link ArgumentError}: `hex` is not a string, or not the binary form of a sketch in hexadecimal
   */
  static fromHex(hex: string): Sketch {
    const requirement = 'a string of two hexadecimal digits for each byte';
    if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})+$/i.test(hex)) throw new ArgumentError('hex', requirement, hex);
    return checkedSketch(bytesOfHex(hex));
  }

  /** The id of the scheme at 64 bits, such as `'v1:64'`. Sketches are comparable only if their schemes are equal. */
  get scheme(): string {
    return String.fromCharCode(...this.#bytes.subarray(1, this.#at));
  }

  /** The position of the kind in the binary form, after the scheme's id. */
  get #at(): number {
    return 1 + this.#shared[this.#start];
  }

  /** Whether the text is short: fewer than {@link MIN_FEATURES} different features. */
  get isShort(): boolean {
    return this.#shared[this.#start + this.#at] === SHORT;
  }

  /**
   * Whether the text is blank: it has neither words nor symbols or, with `features: { chars: n }`, only white space. Such a
   * text resembles nothing, not even an equal one.
   */
  get isBlank(): boolean {
    return (this.#wordsHash & BLANK) !== 0n;
  }

  /** Whether the text is short or brief: fewer than 16 different features. */
  get hasFewFeatures(): boolean {
    return (this.#wordsHash & 1n) === 1n;
  }

  /** The fingerprint of the text, an unsigned bigint of 64 bits. */
  get fingerprint(): bigint {
    return this.#number(1);
  }

  get #wordsHash(): bigint {
    return this.#number(9);
  }

  /** The number of 64 bits at a position after the kind. */
  #number(at: number): bigint {
    const { buffer, byteOffset } = this.#shared;
    return new DataView(buffer, byteOffset).getBigUint64(this.#start + this.#at + at, true);
  }

  /**
   * Returns whether the documents are equal: their fingerprints and their normalised words in order are, up to collisions of
   * 64-bit hashes. Sketches of different schemes are not equal. O(1).
   *
   * Keys are ignored.
   *
   * @example
   * ```js
   * sketch('Good news').equals(sketch('GOOD NEWS!')); // true
   * ```
   */
  equals(other: Sketch): boolean {
    checkSketch(other, 'other');
    return (
      this.fingerprint === other.fingerprint && this.#wordsHash === other.#wordsHash && this.scheme === other.scheme
    );
  }

  /**
   * Returns the binary form, the same on every machine: the scheme's id, the fingerprint, the hash of the words, and unless
   * the text is short, the odd sketch (64 bytes) and the keys (96 bytes, if it was made from a text). O(1).
   *
   * @example
   * ```js
   * sketch('Good news').toBytes().length; // 23
   * ```
   */
  toBytes(): Uint8Array {
    return this.#bytes.slice();
  }

  /**
   * Returns the binary form as lower-case hexadecimal digits. O(1).
   *
   * @example
   * ```js
   * sketch('Good news').toHex().slice(0, 12); // '0576313a3634', as the id of the scheme is 'v1:64'
   * ```
   */
  toHex(): string {
    return hexOf(this.#bytes);
  }

  /**
   * The keys under which a search finds the document: 12, unless the text is short, and last the key that equal documents
   * have in common. A blank text has none. Documents that share a key are candidates, and {@link Sketch.resemblance} verifies them. A sketch that
   * comes from a {@link Deduplicator} has none: a set does not keep them.
   *
   * @example
   * ```js
   * sketch('Good news').keys.length; // 1, as the text is short
   * ```
   */
  get keys(): BigUint64Array {
    return text().bindings.keysOf(writeSketch(this));
  }

  /** See {@link resemblance}. */
  resemblance(other: Sketch): number {
    checkSketch(other, 'other');
    return text().bindings.resemblance(...textExchange().writeBoth(this.view, other.view));
  }
}

/** @internal */
export function checkSketch(sketch: unknown, argument: string): Sketch {
  if (sketch instanceof Sketch) return sketch;
  throw new ArgumentError(argument, 'a Sketch', sketch);
}

/** Returns the sketch of a binary form, which may be invalid. @internal */
export function checkedSketch(bytes: Uint8Array): Sketch {
  text().bindings.checkSketch(textExchange().write(bytes));
  return Sketch.of(bytes);
}

let shared = new Uint8Array(0);
let used = 0;

/** Returns the sketch that is the result of a call of the module of texts, of `length` bytes. @internal */
export function readSketch(length: number): Sketch {
  if (used + length > shared.length) [shared, used] = [new Uint8Array(Math.max(SHARED_SIZE, length)), 0];
  shared.set(textExchange().read(length), used);
  used += length;
  return Sketch.of(shared, used - length, used);
}

/** Writes the binary form of a sketch to the exchange, and returns its length. @internal */
export const writeSketch = (sketch: Sketch, exchange: Exchange = textExchange()): number => exchange.write(sketch.view);

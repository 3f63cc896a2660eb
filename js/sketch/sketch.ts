// Sketches in their binary form (src/sketch/sketch.rs).
import { dedupeExchange, dedupeModule } from '../boot/dedupe.js';
import { ArgumentError } from '../common/argument-error.js';
import { checkBytes } from '../common/check.js';
import { bytesOfHex, hexOf } from '../common/hex.js';
import { BLANK } from './feature-set.js';

/** The size in bytes of the arrays that sketches share: to allocate one for each takes as long as a short text. */
const SHARED_SIZE = 1 << 10;

/** A symbol cannot be cloned, and the error names it. */
const UNCLONEABLE = Symbol('a Sketch cannot be cloned: send toBytes(), and read it by Sketch.fromBytes()');

/** The kind of the sketch of a short text. */
const SHORT = 0;

/** The kinds of a sketch in words, in the order of their numbers. */
const KINDS = ['short', 'without keys', 'with keys'];

/**
 * A document without its text. It has two 64-bit hashes of the words and symbols in order, which decide whether documents are equal,
 * and an odd sketch of the features, which estimates the resemblance. A sketch made from a text also has the keys under which a
 * search finds it. The sketch of a short text (fewer than {@link MIN_FEATURES} different features) has no odd sketch.
 *
 * {@link sketch} makes it from a text. A sketch is immutable. In JSON it is the string of {@link Sketch.toHex}, which
 * {@link Sketch.fromHex} reads. A sketch cannot be cloned or sent to a thread: send {@link Sketch.toBytes}.
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
  /** Makes `structuredClone` and `postMessage` throw: they would return an object without the private fields. @internal */
  readonly uncloneable: symbol = UNCLONEABLE;

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

  /** The id of the scheme, such as `'s1'`. Sketches are comparable only if their schemes are equal. */
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
    return (this.#first & BLANK) !== 0n;
  }

  /** Whether the text is short or brief: fewer than 16 different features. */
  get hasFewFeatures(): boolean {
    return (this.#first & 1n) === 1n;
  }

  /**
   * The two hashes that equal documents have in common, unsigned bigints of 64 bits. The lowest bit of the first states whether
   * the text has fewer than 16 different features, and the next one whether it is blank.
   */
  get hashes(): [first: bigint, second: bigint] {
    return [this.#first, this.#second];
  }

  get #first(): bigint {
    return this.#number(1);
  }

  get #second(): bigint {
    return this.#number(9);
  }

  /** The number of 64 bits at a position after the kind. */
  #number(at: number): bigint {
    const { buffer, byteOffset } = this.#shared;
    return new DataView(buffer, byteOffset).getBigUint64(this.#start + this.#at + at, true);
  }

  /**
   * Returns whether the documents are equal: they have the same words and symbols in the same order, up to collisions of two
   * 64-bit hashes. Case, apostrophes and most punctuation make no difference, but accents do. Sketches of different schemes or
   * scopes are not equal. Keys are ignored. O(1).
   *
   * @example
   * ```js
   * sketch('Good news').equals(sketch('GOOD NEWS!')); // true
   * sketch('El año').equals(sketch('El ano')); // false
   * ```
   */
  equals(other: Sketch): boolean {
    checkSketch(other, 'other');
    return this.#first === other.#first && this.#second === other.#second && this.scheme === other.scheme;
  }

  /**
   * Returns the binary form, the same on every machine: the scheme's id, the two hashes, and unless the text is short, the
   * odd sketch (64 bytes) and the keys (96 bytes, if it was made from a text). O(1).
   *
   * @example
   * ```js
   * sketch('Good news').toBytes().length; // 20
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
   * sketch('Good news').toHex().slice(0, 6); // '027331', as the id of the scheme is 's1'
   * ```
   */
  toHex(): string {
    return hexOf(this.#bytes);
  }

  /**
   * Returns {@link Sketch.toHex}, so that `JSON.stringify` keeps the sketch.
   *
   * @example
   * ```js
   * const json = JSON.stringify({ id: 7, sketch: sketch('Good news') });
   * Sketch.fromHex(JSON.parse(json).sketch).equals(sketch('Good news')); // true
   * ```
   */
  toJSON(): string {
    return this.toHex();
  }

  /** Returns the form that `console.log` of Node, Deno and Bun prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const kind = KINDS[this.#shared[this.#start + this.#at]];
    return `Sketch { scheme: '${this.scheme}', ${kind}, hashes: ${this.hashes.map((hash) => hash.toString(16).padStart(16, '0')).join(' ')} }`;
  }

  /**
   * The keys under which a search finds the document: 12, unless the text is short, and last the key that equal documents have in
   * common. Documents that share a key are candidates, and {@link Sketch.resemblance} verifies them. A blank text has no keys, nor has
   * a sketch that comes from a {@link Deduplicator}, since a set does not keep them.
   *
   * @example
   * ```js
   * sketch('Good news').keys.length; // 1, as the text is short
   * ```
   */
  get keys(): BigUint64Array {
    return dedupeModule().bindings.keysOf(writeSketch(this));
  }

  /** See {@link resemblance}. */
  resemblance(other: Sketch): number {
    checkSketch(other, 'other');
    return dedupeModule().bindings.resemblance(...dedupeExchange().writeBoth(this.view, other.view));
  }
}

/** @internal */
export function checkSketch(sketch: unknown, argument: string): Sketch {
  if (sketch instanceof Sketch) return sketch;
  throw new ArgumentError(argument, 'a Sketch', sketch);
}

/** Returns the sketch of a binary form, which may be invalid. @internal */
export function checkedSketch(bytes: Uint8Array): Sketch {
  dedupeModule().bindings.checkSketch(dedupeExchange().write(bytes));
  return Sketch.of(bytes);
}

let shared = new Uint8Array(0);
let used = 0;

/** Returns the sketch that is the result of a call of the module of texts, of `length` bytes. @internal */
export function readSketch(length: number): Sketch {
  if (used + length > shared.length) [shared, used] = [new Uint8Array(Math.max(SHARED_SIZE, length)), 0];
  shared.set(dedupeExchange().read(length), used);
  used += length;
  return Sketch.of(shared, used - length, used);
}

/** Writes the binary form of a sketch to the exchange, and returns its length. @internal */
export const writeSketch = (sketch: Sketch): number => dedupeExchange().write(sketch.view);

/**
 * The fingerprints of other programs, bit for bit, for users who have stored such fingerprints.
 *
 * Every function is synchronous and needs no initialisation. The WebAssembly module is not that of the main entry; the
 * first call starts it. A `TypeError` is thrown for an argument of the wrong type, a `RangeError` for a value out of
 * range. The message has the scheme, what it takes and what it got.
 *
 * @module
 */

/** A text: a string, or bytes of UTF-8. Invalid UTF-8 counts as U+FFFD. */
export type Text = string | Uint8Array;

/** The words or keywords of a document, in order, each with its count or weight. A `Map` is such an iterable. */
export type Pairs = Iterable<readonly [word: string, weight: number]>;

/** The schemes that take a text. */
export type TextScheme = 'simhash-java' | 'simhash-java-2018' | 'charikar-py' | '1e0ng';

/** The schemes that take pairs, because a segmenter provides their words: see {@link schemes}. */
export type PairScheme = 'zxub' | 'jieba' | 'keywords-py';

/** The name of a program whose fingerprints are reproduced. */
export type SchemeName = TextScheme | PairScheme;

/** The widths of a scheme in bits. */
export type Widths<S extends SchemeName> = S extends 'charikar-py' ? 32 | 64 | 128 : S extends '1e0ng' ? 64 | 128 : 64;

/** The program and the width of a fingerprint. */
export interface Options<S extends SchemeName, Bits extends Widths<S> = Widths<S>> {
  /** The program. */
  readonly scheme: S;
  /** The width in bits. Default: the default of the program, 128 for `charikar-py` and 64 for the others. */
  readonly bits?: Bits;
}

/** The properties of a scheme. */
export interface Scheme {
  /** The value for the option `scheme`. */
  readonly name: SchemeName;
  /** Whether it takes a text or pairs. */
  readonly input: 'text' | 'pairs';
  /** Its widths in bits, the smallest first. */
  readonly bits: readonly (32 | 64 | 128)[];
  /** The width without the option `bits`. */
  readonly defaultBits: 64 | 128;
  /** The program whose fingerprints it reproduces. */
  readonly reproduces: string;
}

/**
 * All schemes.
 *
 * @example
 * schemes.map(({ name }) => name);
 * // ['zxub', 'simhash-java', 'simhash-java-2018', 'jieba', 'keywords-py', 'charikar-py', '1e0ng']
 */
export const schemes: readonly Scheme[];

/**
 * Returns the fingerprint that another program computes for a document, as an unsigned bigint. O(length of the input).
 *
 * For `jieba` and `keywords-py` the order of the pairs matters: weights are added in floating point in that order, as
 * in the original programs.
 *
 * @example
 * fingerprint('This is simhash test.', { scheme: '1e0ng' }); // 0x8a87048612660883n
 * fingerprint([['妈妈', 6.55531], ['吃饭', 6.44422]], { scheme: 'jieba' }); // 0x48f024068dec1c16n
 *
 * @throws TypeError: the scheme takes pairs and the input is a text, or the reverse; a pair is not a string and a
 * number; an option is unknown or has the wrong type
 * @throws RangeError: the scheme is unknown or has no such width; a count is not a whole number from 0 to 2147483647,
 * or the total is larger (`zxub`); a weight is not finite (`jieba`, `keywords-py`); a keyword has a lone surrogate
 * (`jieba`) or is empty (`keywords-py`)
 */
export function fingerprint<S extends TextScheme>(input: Text, options: Options<S>): bigint;
export function fingerprint<S extends PairScheme>(input: Pairs, options: Options<S>): bigint;

/**
 * Returns the fingerprints of many documents: for 32 bits a `Uint32Array`, for 64 bits a `BigUint64Array`, and for 128
 * bits a `BigUint64Array` with two elements for each document, the low half first. O(total length).
 *
 * @example
 * fingerprintAll(['one text', 'another'], { scheme: '1e0ng' }).length; // 2
 * fingerprintAll(['one text', 'another'], { scheme: 'charikar-py', bits: 32 }).length; // 2
 *
 * @throws TypeError, RangeError: as {@link fingerprint}; the message has the position of the input
 */
export function fingerprintAll<S extends TextScheme>(
  inputs: Iterable<Text>,
  options: Options<S, 32 & Widths<S>> & { readonly bits: 32 },
): Uint32Array;
export function fingerprintAll<S extends TextScheme>(
  inputs: Iterable<Text>,
  options: Options<S, Exclude<Widths<S>, 32>>,
): BigUint64Array;
export function fingerprintAll<S extends PairScheme>(inputs: Iterable<Pairs>, options: Options<S>): BigUint64Array;

export { cosine, distance, fromBytes, fromHex, fromSigned, similarity, toBytes, toHex, toSigned } from './index.js';

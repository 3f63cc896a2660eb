/**
 * Fingerprints of other programs, bit for bit: for those who have stored some and cannot compute them anew.
 *
 * Every function is synchronous and needs no set-up; the WebAssembly module, which is not that of the main entry, is
 * started by the first call that needs it. What is passed wrong is a `TypeError` if it is of the wrong kind and a
 * `RangeError` if its value is out of range, and the message names the scheme and says what it takes.
 *
 * @module
 */

/** A string, or UTF-8 bytes (what is no UTF-8 in them counts as U+FFFD). */
export type Text = string | Uint8Array;

/** The words or keywords of a document, in order, each with its count or weight. A `Map` will do. */
export type Pairs = Iterable<readonly [word: string, weight: number]>;

/** The schemes that take a text. */
export type TextScheme = 'simhash-java' | 'simhash-java-2018' | 'charikar-py' | '1e0ng';

/** The schemes that take pairs, since their words come from a segmenter: see {@link schemes}. */
export type PairScheme = 'zxub' | 'jieba' | 'keywords-py';

/** The name of a program whose fingerprints are reproduced. */
export type SchemeName = TextScheme | PairScheme;

/** The widths that a scheme has, in bits. */
export type Widths<S extends SchemeName> = S extends 'charikar-py' ? 32 | 64 | 128 : S extends '1e0ng' ? 64 | 128 : 64;

/** Which program's fingerprint, and of what width. */
export interface Options<S extends SchemeName, Bits extends Widths<S> = Widths<S>> {
  /** The program. */
  readonly scheme: S;
  /** The width in bits. Default: that of the program itself, which is 128 for `charikar-py` and 64 for the others. */
  readonly bits?: Bits;
}

/** What there is to know of a scheme. */
export interface Scheme {
  /** What the option `scheme` takes. */
  readonly name: SchemeName;
  /** Whether it takes a text or pairs. */
  readonly input: 'text' | 'pairs';
  /** The widths it has, in bits, narrowest first. */
  readonly bits: readonly (32 | 64 | 128)[];
  /** The width without the option `bits`: the program's own default. */
  readonly defaultBits: 64 | 128;
  /** The program whose fingerprints it gives. */
  readonly reproduces: string;
}

/**
 * Every scheme.
 *
 * @example
 * schemes.map(({ name }) => name);
 * // ['zxub', 'simhash-java', 'simhash-java-2018', 'jieba', 'keywords-py', 'charikar-py', '1e0ng']
 */
export const schemes: readonly Scheme[];

/**
 * The fingerprint that another program gives a document, as an unsigned bigint.
 *
 * With `jieba` and `keywords-py` the order of the pairs counts: weights are added in floating point in the order
 * given, as the originals add them.
 *
 * @example
 * fingerprint('This is simhash test.', { scheme: '1e0ng' }); // 0x8a87048612660883n
 * fingerprint([['妈妈', 6.55531], ['吃饭', 6.44422]], { scheme: 'jieba' }); // 0x48f024068dec1c16n
 *
 * @throws {TypeError} The input is not what the scheme takes: a string where it takes pairs, pairs where it takes a
 * text, a pair that is not a string and a number. Or an option is unknown or of the wrong kind.
 * @throws {RangeError} The scheme is unknown, or has no such width; a count is no whole number from 0 to 2147483647, or
 * the counts add up to more (`zxub`); a weight is not finite (`jieba`, `keywords-py`); a keyword has a lone surrogate
 * (`jieba`) or is empty (`keywords-py`).
 */
export function fingerprint<S extends TextScheme>(input: Text, options: Options<S>): bigint;
export function fingerprint<S extends PairScheme>(input: Pairs, options: Options<S>): bigint;

/**
 * The fingerprints of many documents: 32 bits in a `Uint32Array`, 64 bits in a `BigUint64Array`, 128 bits in a
 * `BigUint64Array` as low half, high half, low half, high half and so on.
 *
 * @example
 * fingerprintAll(['one text', 'another'], { scheme: '1e0ng' }).length; // 2
 * fingerprintAll(['one text', 'another'], { scheme: 'charikar-py', bits: 32 }); // a Uint32Array
 *
 * @throws {TypeError | RangeError} As {@link fingerprint}; the message says which input it was.
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

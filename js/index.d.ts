/**
 * SimHash fingerprints of text, and near-duplicate search over them.
 *
 * Everything is synchronous and needs no initialisation. Two texts are near-duplicates if their
 * fingerprints differ in few bits: of 64, 8 is the default and 3 is strict.
 *
 * @packageDocumentation
 */

/** A text: a string, or its UTF-8 bytes. A lone surrogate, or a byte that is not UTF-8, counts as U+FFFD. */
export type Text = string | Uint8Array;

/** How wide a fingerprint is. The widths nest: the low half of a fingerprint is the next narrower one. */
export type Bits = 32 | 64 | 128;

/** What makes a fingerprint. Fingerprints are comparable if and only if their schemes are the same. */
export interface SchemeOptions {
  /** `'v1'`, or the id of a scheme such as `'v1:128'`, which then stands for all the other options. */
  scheme?: string;
  /** The width in bits. Default: 64. */
  bits?: Bits;
  /**
   * What happens to the text first: Unicode NFKC_Casefold, so that case, width, compatibility forms and
   * invisible characters make no difference, or nothing. Default: `'nfkc-casefold'`.
   */
  normalize?: 'nfkc-casefold' | 'none';
  /**
   * What the text is cut into. `'grams'`, the default: words and word pairs, or word pairs and triples where
   * words are written without spaces. `'words'` is `{ words: 1 }`, and `'bigrams'` is `{ chars: 2 }`: shingles of
   * 1 to 64 words or characters.
   */
  features?: 'grams' | 'words' | 'bigrams' | { words: number } | { chars: number };
  /** The hash of a feature. Default: `'fnv1'`. */
  hash?: 'fnv1' | 'fnv1a';
  /** Whether the hash passes a finaliser; without it, unrelated texts come close, and 128 bits cannot be had. Default: true. */
  mix?: boolean;
  /** What a feature counts that occurs `tf` times: `1 + floor(log2 tf)`, `tf` or 1. Default: `'log'`. */
  weights?: 'log' | 'tf' | 'binary';
}

/**
 * The fingerprint of a text. O(text). Of the empty text it is `0n`.
 *
 * @example
 * ```js
 * fingerprint('Hello, world') === fingerprint('HELLO world!'); // true
 * ```
 * @throws TypeError, RangeError: a wrong text or option, which the message names
 */
export function fingerprint(text: Text, options?: SchemeOptions): bigint;

/**
 * The fingerprints of many texts, in their order: at 64 bits a BigUint64Array with one element a text, at 128 bits
 * with two, the low half first, and at 32 bits a Uint32Array.
 *
 * @example
 * ```js
 * const [a, b] = fingerprintAll(['Hello, world', 'Hello, word']);
 * ```
 */
export function fingerprintAll(texts: Iterable<Text>, options: SchemeOptions & { bits: 32 }): Uint32Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions & { bits?: 64 | 128 }): BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array;

/**
 * Makes fingerprints of one scheme.
 *
 * @example
 * ```js
 * const wide = new Fingerprinter({ bits: 128 });
 * wide.id; // 'v1:128'
 * ```
 */
export class Fingerprinter {
  constructor(options?: SchemeOptions);
  /** The scheme's stable name: store it beside the fingerprints. */
  readonly id: string;
  readonly bits: Bits;
  fingerprint(text: Text): bigint;
  fingerprintAll(texts: Iterable<Text>): Uint32Array | BigUint64Array;
  /** A fingerprint of a text that comes in chunks. */
  stream(): FingerprintStream;
}

/**
 * A fingerprint in the making. Where the chunks are cut changes nothing, not even inside a character.
 *
 * @example
 * ```js
 * const stream = new Fingerprinter().stream();
 * for (const chunk of ['Hello, wo', 'rld']) stream.update(chunk);
 * stream.digest() === fingerprint('Hello, world'); // true
 * ```
 */
export interface FingerprintStream {
  /** Takes the next chunk. */
  update(chunk: Text): this;
  /** The fingerprint of the text so far; more may follow. */
  digest(): bigint;
}

/** How many bits of two fingerprints differ: 0 to their width, about half of it for unrelated texts. */
export function distance(a: bigint, b: bigint): number;
/** The share of equal bits, `1 - distance / bits`, from 0 to 1. */
export function similarity(a: bigint, b: bigint, bits?: Bits): number;
/** The cosine of the texts' feature vectors as the fingerprints estimate it, `cos(π · distance / bits)`, from -1 to 1. */
export function cosine(a: bigint, b: bigint, bits?: Bits): number;

/** A fingerprint as hexadecimal digits: 8, 16 or 32 of them, small letters. */
export function toHex(fingerprint: bigint, bits?: Bits): string;
/** The fingerprint of 8, 16 or 32 hexadecimal digits. */
export function fromHex(hex: string): bigint;
/** A fingerprint as a signed integer of that width, for SQL's `bigint`. */
export function toSigned(fingerprint: bigint, bits?: Bits): bigint;
/** The fingerprint of a signed integer of that width. */
export function fromSigned(signed: bigint, bits?: Bits): bigint;
/** A fingerprint as 4, 8 or 16 bytes, big-endian, so that they sort as the numbers do. */
export function toBytes(fingerprint: bigint, bits?: Bits): Uint8Array;
/** The fingerprint of 4, 8 or 16 bytes, big-endian. */
export function fromBytes(bytes: Uint8Array): bigint;

/** What became of a document. */
export interface Deduped<Id> {
  id: Id;
  /** The id of the kept document that this one is a near-duplicate of, or null: then it is kept itself. */
  duplicateOf: Id | null;
  /** How many bits they are apart, or null. */
  distance: number | null;
}

/**
 * Tells of each document, as it comes, whether it is a near-duplicate of one that came before and was kept.
 *
 * @example
 * ```js
 * for await (const { id, duplicateOf } of dedupe(documents)) if (duplicateOf === null) keep(id);
 * ```
 */
export function dedupe<Id extends string | number>(
  source: Iterable<{ id: Id; text: Text }> | AsyncIterable<{ id: Id; text: Text }>,
  options?: { maxDistance?: number },
): AsyncGenerator<Deduped<Id>, void, undefined>;

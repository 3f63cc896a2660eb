/**
 * SimHash fingerprints of texts, and search for near-duplicates.
 *
 * Every function is synchronous and needs no initialisation, except that {@link dedupe} is an async generator.
 *
 * Two texts are near-duplicates if their resemblance is large: the share of their word pairs that both have. A
 * {@link Sketch} estimates it, and a {@link Deduplicator} searches by it. The distance of two fingerprints, the number
 * of bits in which they differ, is a coarser measure: among up to ten thousand documents, 8 of 64 bits separates
 * near-duplicates from the rest. {@link NearIndex} searches by distance.
 *
 * A `TypeError` is thrown for an argument of the wrong type, a `RangeError` for a value out of range. The message has
 * the name of the argument, what it takes and what it got.
 *
 * @packageDocumentation
 */

/** A text: a string, or bytes of UTF-8. A lone surrogate and invalid UTF-8 count as U+FFFD. */
export type Text = string | Uint8Array;

/** The width of a fingerprint in bits. The low half of a fingerprint is the fingerprint of the next smaller width. */
export type Bits = 32 | 64 | 128;

/** The version of Unicode that defines normalisation and words. It is part of the scheme. */
export const UNICODE_VERSION: string;

/**
 * The scheme of a fingerprint: the choices that determine it. Fingerprints are comparable only if their schemes are
 * equal.
 */
export interface SchemeOptions {
  /** `'v1'` (default), or the id of a scheme such as `'v1:128'`, which replaces all other options. */
  scheme?: string;
  /** The width in bits. Default: 64. */
  bits?: Bits;
  /**
   * `'nfkc-casefold'` (default): the text is normalised to Unicode NFKC_Casefold, so that case, width, compatibility
   * characters and invisible characters make no difference. `'none'`: the text is used unchanged.
   */
  normalize?: 'nfkc-casefold' | 'none';
  /**
   * `'grams'` (default): words and word pairs; for numbers and scripts written without spaces, word pairs and triples.
   * `{ words: n }` and `{ chars: n }`: shingles of `n` words or characters, 1 to 64. `'words'` is `{ words: 1 }`, and
   * `'bigrams'` is `{ chars: 2 }`.
   */
  features?: 'grams' | 'words' | 'bigrams' | { words: number } | { chars: number };
  /** The hash function of features. Default: `'fnv1'`. */
  hash?: 'fnv1' | 'fnv1a';
  /**
   * Whether a finaliser spreads each hash over all its bits. Default: true. Without it, unrelated texts have small
   * distances, and a width of 128 is refused.
   */
  mix?: boolean;
  /**
   * The weight of a feature that occurs `tf` times: `1 + floor(log2 tf)` (`'log'`, default), `tf`, or 1 (`'binary'`).
   */
  weights?: 'log' | 'tf' | 'binary';
}

/**
 * Returns the fingerprint of a text as an unsigned bigint of `bits` bits. O(length of the text).
 *
 * The fingerprint of a text without features is `0n`.
 *
 * @example
 * ```js
 * fingerprint('Hello, world') === fingerprint('HELLO world!'); // true
 * ```
 * @throws TypeError: the text or an option has the wrong type
 * @throws RangeError: an option has no such value
 */
export function fingerprint(text: Text, options?: SchemeOptions): bigint;

/**
 * Returns the fingerprints of many texts in their order. O(total length).
 *
 * - 64 bits: a `BigUint64Array` with one element for each text.
 * - 128 bits: a `BigUint64Array` with two elements for each text, the low half first.
 * - 32 bits: a `Uint32Array` with one element for each text.
 *
 * @example
 * ```js
 * fingerprintAll(['Hello, world', 'Hello, word']).length; // 2
 * fingerprintAll(['Hello, world', 'Hello, word'], { bits: 128 }).length; // 4
 * ```
 * @throws TypeError: `texts` is not an iterable of texts, or an option has the wrong type
 * @throws RangeError: an option has no such value
 */
export function fingerprintAll(texts: Iterable<Text>, options: SchemeOptions & { bits: 32 }): Uint32Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions & { bits?: 64 | 128 }): BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array;

/**
 * Computes fingerprints of one scheme. Its methods are the functions of the same name, without their options.
 *
 * @example
 * ```js
 * const wide = new Fingerprinter({ bits: 128 });
 * wide.id; // 'v1:128'
 * ```
 * @throws TypeError: an option has the wrong type
 * @throws RangeError: an option has no such value
 */
export class Fingerprinter {
  constructor(options?: SchemeOptions);
  /** The id of the scheme. It is stable: store it with the fingerprints. */
  readonly id: string;
  /** The width of the fingerprints in bits. */
  readonly bits: Bits;
  /** See {@link fingerprint}. */
  fingerprint(text: Text): bigint;
  /** See {@link fingerprintAll}. */
  fingerprintAll(texts: Iterable<Text>): Uint32Array | BigUint64Array;
  /** See {@link fingerprintFeatures}. */
  fingerprintFeatures(features: Iterable<WeightedFeature>): bigint;
  /** See {@link fingerprintHashes}. */
  fingerprintHashes(hashes: BigUint64Array, weights?: ArrayLike<number>): bigint;
  /**
   * The number of different features of the last text that was fingerprinted. A fingerprint of few features is
   * unreliable: see {@link MIN_FEATURES}. O(1); O(length of the text) with the weights `'tf'`.
   *
   * @example
   * ```js
   * const fingerprinter = new Fingerprinter();
   * fingerprinter.fingerprint('a red house');
   * fingerprinter.distinct; // 5
   * ```
   */
  readonly distinct: number;
  /**
   * Returns the normalised words of a text in their order. O(length of the text).
   *
   * @example
   * ```js
   * new Fingerprinter().words('GOOD news, everyone!'); // ['good', 'news', 'everyone']
   * ```
   * @throws TypeError: the text has the wrong type
   */
  words(text: Text): string[];
  /** See {@link features}. */
  features(text: Text): Feature[];
  /** See {@link compare}. */
  compare(a: Text, b: Text): Comparison;
  /** See {@link sketch}. */
  sketch(text: Text): Sketch;
  /** See {@link sketchAll}. */
  sketchAll(texts: Iterable<Text>): Sketch[];
  /** Returns a stream, which computes the fingerprint and the sketch of a text in chunks. */
  stream(): FingerprintStream;
  /** Frees its WebAssembly memory now, instead of after garbage collection. It cannot be used any more. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Computes the fingerprint and the sketch of a text in chunks. Chunk borders change nothing, even inside a character.
 *
 * @example
 * ```js
 * const stream = new Fingerprinter().stream();
 * for (const chunk of ['Hello, wo', 'rld']) stream.update(chunk);
 * stream.digest() === fingerprint('Hello, world'); // true
 * ```
 */
export interface FingerprintStream {
  /**
   * Adds the next chunk. O(length of the chunk).
   *
   * @throws TypeError: the chunk has the wrong type
   * @throws RangeError: it takes more memory than there is; the stream is then freed, since it may have a part of it
   */
  update(chunk: Text): this;
  /** Returns the fingerprint of the text so far. More chunks may follow. */
  digest(): bigint;
  /**
   * Returns the sketch of the text so far. More chunks may follow. O(different features).
   *
   * @example
   * ```js
   * new Fingerprinter().stream().update('Hello, wo').update('rld').sketch().equals(sketch('Hello, world')); // true
   * ```
   */
  sketch(): Sketch;
  /** Frees its WebAssembly memory now, instead of after garbage collection. It cannot be used any more. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Returns the sketch of a text. O(length of the text); it takes a little longer than {@link fingerprint}.
 *
 * A sketch has the 64-bit fingerprint of the scheme, whatever `bits` is.
 *
 * @example
 * ```js
 * sketch('Hello, world').fingerprint === fingerprint('Hello, world'); // true
 * ```
 * @throws TypeError: the text or an option has the wrong type
 * @throws RangeError: an option has no such value, or there is not enough memory
 */
export function sketch(text: Text, options?: SchemeOptions): Sketch;

/**
 * Returns the sketches of many texts in their order. O(total length).
 *
 * @example
 * ```js
 * sketchAll(['Hello, world', 'Hello, word']).length; // 2
 * ```
 * @throws TypeError: `texts` is not an iterable of texts, or an option has the wrong type
 * @throws RangeError: as {@link sketch}
 */
export function sketchAll(texts: Iterable<Text>, options?: SchemeOptions): Sketch[];

/**
 * What a {@link Deduplicator} stores of a document: the 64-bit fingerprint of the text and the MinHash of its features,
 * 256 bins of 2 bits. Of a short text (fewer than {@link MIN_FEATURES} different features), a hash of its words instead.
 *
 * {@link sketch} makes it from a text. A sketch does not change.
 *
 * @example
 * ```js
 * const [a, b] = sketchAll(['The river burst its banks early on Tuesday.', 'the RIVER burst its banks early on Tuesday']);
 * a.resemblance(b); // 1
 * ```
 */
export class Sketch {
  private constructor();
  /**
   * Returns the sketch of its binary form. O(1).
   *
   * @example
   * ```js
   * Sketch.fromBytes(sketch('Good news').toBytes()).equals(sketch('Good news')); // true
   * ```
   * @throws TypeError: `bytes` is not a `Uint8Array`
   * @throws RangeError: `bytes` is not the binary form of a sketch
   */
  static fromBytes(bytes: Uint8Array): Sketch;
  /**
   * Returns the sketch of its binary form in hexadecimal. O(1).
   *
   * @example
   * ```js
   * Sketch.fromHex(sketch('Good news').toHex()).equals(sketch('Good news')); // true
   * ```
   * @throws TypeError: `hex` is not a string
   * @throws RangeError: `hex` is not the binary form of a sketch in hexadecimal
   */
  static fromHex(hex: string): Sketch;
  /** The id of the scheme at 64 bits, such as `'v1:64'`. Sketches are comparable only if their schemes are equal. */
  readonly scheme: string;
  /** Whether the text is short: fewer than {@link MIN_FEATURES} different features. */
  readonly isShort: boolean;
  /** The fingerprint of the text, an unsigned bigint of 64 bits. */
  readonly fingerprint: bigint;
  /**
   * Returns whether the binary forms are equal. O(1). Sketches of equal texts are equal. A sketch made from a text also
   * has vote margins, which a {@link Deduplicator} does not store: what `get` returns is not equal to it, but has
   * resemblance 1.
   *
   * @example
   * ```js
   * sketch('Good news').equals(sketch('GOOD NEWS!')); // true
   * ```
   * @throws TypeError: `other` is not a `Sketch`
   */
  equals(other: Sketch): boolean;
  /**
   * Returns the binary form, the same on every machine: the scheme's id, the fingerprint, then the MinHash (64 bytes) and
   * the margins (32 bytes), or the hash of the words of a short text (8 bytes). It does not change: store it. O(1).
   *
   * @example
   * ```js
   * sketch('Good news').toBytes().length; // 23
   * ```
   */
  toBytes(): Uint8Array;
  /**
   * Returns the binary form as lower-case hexadecimal digits. O(1).
   *
   * @example
   * ```js
   * sketch('Good news').toHex().slice(0, 12); // '0576313a3634', as the id of the scheme is 'v1:64'
   * ```
   */
  toHex(): string;
  /**
   * Returns the block values under which a search for this sketch finds documents in a database: `count` values for each
   * of the four 16-bit blocks of the fingerprint, those of the highest block first, the fingerprint's own value at the
   * head of each. A document is a candidate if its value of a block is among those of that block, and its fingerprint is
   * within 16 bits. The sketch of a short text has none: it matches sketches of equal fingerprint and words. O(count).
   *
   * The stores (`nearprint/store/sqlite` and others) do this.
   *
   * @param count - 1 to 256 (default: 25)
   * @example
   * ```js
   * sketch('Good news').probes().length; // 0, as the text is short
   * ```
   * @throws TypeError: `count` is not a number
   * @throws RangeError: `count` is out of range
   */
  probes(count?: number): Uint16Array;
  /**
   * Returns the number of bits in which the fingerprints differ. O(1).
   *
   * @example
   * ```js
   * sketch('Good news').distance(sketch('GOOD NEWS!')); // 0
   * ```
   * @throws TypeError: `other` is not a `Sketch`
   */
  distance(other: Sketch): number;
  /** See {@link resemblance}. */
  resemblance(other: Sketch): number;
}

/**
 * Returns the estimated resemblance of two texts, from 0 to 1. O(1).
 *
 * It is the share of word pairs in common: of all different word pairs of the two texts, how many are in both (the
 * Jaccard resemblance). Of scripts written without spaces, and of numbers, it counts pairs and triples of words, which
 * are mostly characters. With other `features`, it counts the shingles.
 *
 * The standard error is at most 0.045; at a resemblance of 0.7 it is 0.04, at 0.9 it is 0.025, for texts of more than a
 * few hundred words. It is smaller for shorter texts. Of two short texts the resemblance is exact: 1 if their words are
 * equal, else 0. Of a short text and a longer one it is 0.
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
 * resemblance(sketch(text), sketch(text.replace('closed', 'open'))) > 0.7; // true
 * ```
 * @throws TypeError: an argument is not a `Sketch`
 * @throws RangeError: the sketches are of different schemes
 */
export function resemblance(a: Sketch, b: Sketch): number;

/** A feature: a string, alone (weight 1) or with its weight, from -2^32 to 2^32. */
export type WeightedFeature = string | readonly [feature: string, weight: number];

/**
 * Returns the fingerprint of your own features: keywords of a segmenter with their tf-idf, the tags of a picture.
 * O(total length).
 *
 * Features are hashed unchanged. Their order makes no difference, and the weights of equal features are added. Of the
 * options, only `bits`, `hash` and `mix` have an effect.
 *
 * @example
 * ```js
 * fingerprintFeatures(['red', 'house']) === fingerprintFeatures([['house', 1], ['red', 1]]); // true
 * ```
 * @throws TypeError: a feature is not a string or a `[string, number]` pair
 * @throws RangeError: a weight is not a number from -2^32 to 2^32
 */
export function fingerprintFeatures(features: Iterable<WeightedFeature>, options?: SchemeOptions): bigint;

/**
 * Returns the fingerprint of features that you have hashed to 64 bits. O(number of hashes).
 *
 * The finaliser improves the hashes, so a simple hash function is sufficient. With `mix: false` they are used
 * unchanged.
 *
 * @param weights - one number for each hash, from -2^32 to 2^32. Default: 1 for each.
 * @example
 * ```js
 * fingerprintHashes(BigUint64Array.of(17n, 4n), [1, 1]) === fingerprintHashes(BigUint64Array.of(4n, 17n)); // true
 * ```
 * @throws TypeError: `hashes` is not a `BigUint64Array`, or the number of weights differs from the number of hashes
 * @throws RangeError: a weight is not a number from -2^32 to 2^32
 */
export function fingerprintHashes(hashes: BigUint64Array, weights?: ArrayLike<number>, options?: SchemeOptions): bigint;

/** A feature of a text. */
export interface Feature {
  /**
   * Its words or characters, for display. Two different features can look the same: their words end in other places.
   */
  feature: string;
  /** How often it occurs in the text. */
  count: number;
  /** Its weight, derived from the count. */
  weight: number;
  /** Its hash. Bit *i* is its vote on bit *i* of the fingerprint. An unsigned bigint of 64 or 128 bits. */
  hash: bigint;
}

/**
 * Returns the different features of a text, in the order in which they first end. O(length of the text).
 *
 * @example
 * ```js
 * features('Tick tick, tick!').map((f) => [f.feature, f.count, f.weight]); // [['tick', 3, 2], ['tick tick', 2, 2]]
 * ```
 * @throws TypeError: the text or an option has the wrong type
 * @throws RangeError: an option has no such value
 */
export function features(text: Text, options?: SchemeOptions): Feature[];

/** The result of {@link compare}: what the fingerprints estimate, and the exact values. */
export interface Comparison {
  /** The id of the scheme. */
  id: string;
  bits: Bits;
  a: { fingerprint: bigint; features: Feature[] };
  b: { fingerprint: bigint; features: Feature[] };
  /** The number of different bits. */
  distance: number;
  /** The share of equal bits, from 0 to 1. */
  similarity: number;
  /** The cosine of the weighted features, estimated from the distance. From -1 to 1. */
  cosine: number;
  /** The exact cosine of the weighted features. From 0 to 1. */
  exactCosine: number;
  /** The exact Jaccard similarity: shared features divided by all features. From 0 to 1. */
  jaccard: number;
  /** The exact resemblance, which sketches estimate: `jaccard` without the features of one word. From 0 to 1. */
  resemblance: number;
  /** One element for each bit, the lowest bit first. */
  perBit: BitComparison[];
}

/** One bit of two fingerprints. */
export interface BitComparison {
  bit: number;
  differs: boolean;
  a: BitVotes;
  b: BitVotes;
}

/** The votes on one bit of a fingerprint. */
export interface BitVotes {
  /**
   * The total of the votes: the weights of features that vote for 1, minus those that vote for 0. The bit is 1 if `sum
   * > 0`.
   */
  sum: number;
  /** The features with the largest weights that vote for 1, at most five. */
  ones: { feature: string; weight: number }[];
  /** The features with the largest weights that vote for 0, at most five. */
  zeros: { feature: string; weight: number }[];
}

/**
 * Compares two texts, by their fingerprints and exactly. O(length of both texts).
 *
 * @example
 * ```js
 * compare('a red house', 'a blue house').jaccard; // 0.25
 * ```
 * @throws TypeError: a text or an option has the wrong type
 * @throws RangeError: an option has no such value
 */
export function compare(a: Text, b: Text, options?: SchemeOptions): Comparison;

/**
 * Returns the Rabin fingerprint of bytes, an unsigned bigint of 64 bits (Apache Avro's CRC-64-AVRO). O(length of the
 * text).
 *
 * Equal bytes have equal fingerprints, different bytes almost never. It finds equal passages, not similar ones. A
 * string counts as its UTF-8.
 *
 * @example
 * ```js
 * BigInt.asIntN(64, rabin('"null"')); // 7195948357588979594n, as in Avro's schema-tests.txt
 * ```
 * @throws TypeError: the text has the wrong type
 */
export function rabin(text: Text): bigint;

/**
 * Returns the {@link rabin} fingerprints of every `width` consecutive bytes, in order: `length - width + 1` elements,
 * or none if the text is shorter. O(length of the text) for every width.
 *
 * @example
 * ```js
 * rabinWindows('abcab', 2).length; // 4
 * ```
 * @throws TypeError: the text or the width has the wrong type
 * @throws RangeError: the width is not a whole number from 1 to 4294967295
 */
export function rabinWindows(text: Text, width: number): BigUint64Array;

/**
 * Returns the number of bits in which two fingerprints differ. O(1). For unrelated texts it is about half the width.
 *
 * @example
 * ```js
 * distance(0b1100n, 0b1010n); // 2
 * ```
 * @throws TypeError: a fingerprint is not a bigint
 * @throws RangeError: a fingerprint is negative or has more than 128 bits
 */
export function distance(a: bigint, b: bigint): number;

/**
 * Returns the share of equal bits, `1 - distance / bits`, from 0 to 1. O(1).
 *
 * @param bits - the width of both fingerprints. Default: 64.
 * @example
 * ```js
 * similarity(0b1100n, 0b1010n, 32); // 0.9375
 * ```
 * @throws TypeError, RangeError: as {@link distance}; the width is not 32, 64 or 128
 */
export function similarity(a: bigint, b: bigint, bits?: Bits): number;

/**
 * Returns the estimated cosine of the weighted features of two texts, `cos(π · distance / bits)`, from -1 to 1. O(1).
 *
 * @param bits - the width of both fingerprints. Default: 64.
 * @example
 * ```js
 * cosine(5n, 5n); // 1
 * ```
 * @throws TypeError, RangeError: as {@link similarity}
 */
export function cosine(a: bigint, b: bigint, bits?: Bits): number;

/**
 * Returns a fingerprint as 8, 16 or 32 lower-case hexadecimal digits. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toHex(255n); // '00000000000000ff'
 * ```
 * @throws TypeError: the fingerprint is not a bigint
 * @throws RangeError: the fingerprint has more than `bits` bits
 */
export function toHex(fingerprint: bigint, bits?: Bits): string;

/**
 * Returns the fingerprint of 8, 16 or 32 hexadecimal digits. O(1).
 *
 * @example
 * ```js
 * fromHex('00000000000000ff'); // 255n
 * ```
 * @throws TypeError: `hex` is not a string
 * @throws RangeError: `hex` is not 8, 16 or 32 hexadecimal digits
 */
export function fromHex(hex: string): bigint;

/**
 * Returns a fingerprint as a signed integer of the same width, for SQL's `bigint`. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toSigned(2n ** 64n - 1n); // -1n
 * ```
 * @throws TypeError: the fingerprint is not a bigint
 * @throws RangeError: the fingerprint has more than `bits` bits
 */
export function toSigned(fingerprint: bigint, bits?: Bits): bigint;

/**
 * Returns the fingerprint of a signed integer of the same width. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * fromSigned(-1n); // 2n ** 64n - 1n
 * ```
 * @throws TypeError: `signed` is not a bigint
 * @throws RangeError: `signed` is not a signed integer of `bits` bits
 */
export function fromSigned(signed: bigint, bits?: Bits): bigint;

/**
 * Returns a fingerprint as 4, 8 or 16 bytes, big-endian: they sort in the order of the numbers. O(1).
 *
 * @param bits - the width. Default: 64.
 * @example
 * ```js
 * toBytes(255n, 32); // Uint8Array.of(0, 0, 0, 255)
 * ```
 * @throws TypeError: the fingerprint is not a bigint
 * @throws RangeError: the fingerprint has more than `bits` bits
 */
export function toBytes(fingerprint: bigint, bits?: Bits): Uint8Array;

/**
 * Returns the fingerprint of 4, 8 or 16 bytes, big-endian. O(1).
 *
 * @example
 * ```js
 * fromBytes(Uint8Array.of(0, 0, 0, 255)); // 255n
 * ```
 * @throws TypeError: `bytes` is not a `Uint8Array`
 * @throws RangeError: `bytes` has another length
 */
export function fromBytes(bytes: Uint8Array): bigint;

/**
 * The id of a document in a {@link NearIndex} or a {@link Deduplicator}: a string or a safe integer. One index may have
 * both; `7` and `'7'` are different ids.
 */
export type Id = string | number;

export interface IndexOptions {
  /** The width of the fingerprints in bits. Default: 64. */
  bits?: Bits;
  /**
   * The distance, in bits, for which the index is built: 0 to a quarter of the width. Default: an eighth, 8 of 64. It
   * is the default of the methods, which take other distances too. A larger one takes more memory.
   */
  maxDistance?: number;
  /**
   * The id of the scheme of the fingerprints. Indexes of different schemes cannot be merged. Default: `v1:` and the
   * width.
   */
  scheme?: string;
}

export interface SearchOptions {
  /** The largest distance in bits, 0 to a quarter of the width. Default: that of the index. */
  maxDistance?: number;
}

export interface QueryOptions extends SearchOptions {
  /** The largest number of hits, 0 to 2^32 - 1 or `Infinity` (default). */
  limit?: number;
}

export interface ClusterOptions extends SearchOptions {
  /**
   * `'star'` (default): a document joins the cluster of the nearest representative within the distance, or becomes a
   * representative. Documents are taken in insertion order, and the first of equally near representatives wins. Every
   * document is within the distance of its representative.
   * `'single'`: two documents within the distance are always in the same cluster. Clusters can be long chains.
   */
  linkage?: 'star' | 'single';
}

/** A document that a query found. */
export interface Hit<I extends Id = Id> {
  id: I;
  fingerprint: bigint;
  /** The number of different bits. */
  distance: number;
}

/** Two documents within a distance. */
export interface Pair<I extends Id = Id> {
  /** The document that was added first. */
  a: I;
  b: I;
  /** The number of different bits. */
  distance: number;
}

export interface IndexStats {
  /** The number of documents. */
  size: number;
  /** The number of different fingerprints. */
  distinct: number;
  /** The largest number of documents with equal fingerprints. */
  largestBucket: number;
  /** WebAssembly memory of the index, in bytes. String ids take JavaScript memory in addition. */
  bytes: number;
  /** For each table, the width of its block and how many bits of the block select a bucket. */
  tables: { blockBits: number; bucketBits: number }[];
}

/**
 * An exact index of fingerprints: a query finds every fingerprint within its distance.
 *
 * A method that throws a `TypeError` or a `RangeError` for its arguments has changed nothing.
 *
 * @example
 * ```js
 * const index = new NearIndex({ maxDistance: 3 });
 * index.add('a', 0xff00n).add('b', 0xff01n);
 * index.query(0xff01n).map((hit) => [hit.id, hit.distance]); // [['b', 0], ['a', 1]]
 * ```
 * @throws TypeError: an option has the wrong type
 * @throws RangeError: an option is out of range
 */
export class NearIndex<I extends Id = Id> {
  constructor(options?: IndexOptions);
  readonly bits: Bits;
  readonly maxDistance: number;
  readonly scheme: string;
  /** The number of documents. O(1). */
  readonly size: number;
  /**
   * Adds a document. If the id is known, its fingerprint is replaced and its place in insertion order stays. O(1),
   * amortised, for each table.
   *
   * @example
   * ```js
   * new NearIndex().add('a', 5n).add(7, 6n).size; // 2
   * ```
   * @throws TypeError: the id or the fingerprint has the wrong type
   * @throws RangeError: the id is not a safe integer, the fingerprint has too many bits, or there is not enough memory
   */
  add(id: I, fingerprint: bigint): this;
  /**
   * Adds many documents, much faster than `add`.
   *
   * @param fingerprints - bigints, or their typed array: a `BigUint64Array` for 64 bits; a `BigUint64Array` with low
   * and high half of each for 128 bits; a `Uint32Array` for 32 bits.
   * @example
   * ```js
   * new NearIndex().addAll(['a', 'b'], BigUint64Array.of(5n, 6n)).get('b'); // 6n
   * ```
   * @throws TypeError: as `add`
   * @throws RangeError: as `add`, or the numbers of ids and fingerprints differ
   */
  addAll(ids: Iterable<I>, fingerprints: BigUint64Array | Uint32Array | Iterable<bigint>): this;
  /** Removes a document and returns whether it was there. O(1) for each table. */
  delete(id: I): boolean;
  /** Returns whether there is a document with this id. O(1). */
  has(id: I): boolean;
  /** Returns the fingerprint of a document, or `undefined`. O(1). */
  get(id: I): bigint | undefined;
  /** Removes all documents. */
  clear(): void;
  /**
   * Returns the documents within `maxDistance`, the nearest first, equally near ones in insertion order. The time grows
   * much slower than the size of the index for the distance that the index is built for; larger distances take longer.
   *
   * @example
   * ```js
   * new NearIndex().add('a', 5n).query(4n); // [{ id: 'a', fingerprint: 5n, distance: 1 }]
   * ```
   * @throws TypeError: an argument has the wrong type
   * @throws RangeError: an argument is out of range
   */
  query(fingerprint: bigint, options?: QueryOptions): Hit<I>[];
  /**
   * Iterates over all pairs of documents within `maxDistance`, each pair once, in no particular order. Pairs are
   * computed during the iteration, which throws an `Error` if the index changes.
   *
   * @example
   * ```js
   * const index = new NearIndex().addAll(['a', 'b', 'c'], [0n, 1n, 0xffff0000n]);
   * [...index.pairs()]; // [{ a: 'a', b: 'b', distance: 1 }]
   * ```
   */
  pairs(options?: SearchOptions): Iterable<Pair<I>>;
  /**
   * Returns the ids of all documents in clusters, a document without near-duplicates in a cluster of its own. Ids are
   * in insertion order, clusters in the order of their first ids.
   *
   * @example
   * ```js
   * new NearIndex().addAll(['a', 'b', 'c'], [0n, 2n ** 40n - 1n, 1n]).clusters(); // [['a', 'c'], ['b']]
   * ```
   */
  clusters(options?: ClusterOptions): I[][];
  /** Returns sizes and memory of the index. O(size). */
  stats(): IndexStats;
  /**
   * Adds all documents of another index. For an id that both have, the other index's fingerprint wins.
   *
   * @throws TypeError: `other` is not a `NearIndex`
   * @throws RangeError: `other` has another width or scheme
   */
  merge(other: NearIndex<I>): this;
  /** Returns a snapshot: fingerprints and ids with a checksum. It is the same on every machine. O(size). */
  toBytes(): Uint8Array;
  /**
   * Returns the index of a snapshot. O(size).
   *
   * @example
   * ```js
   * NearIndex.fromBytes(new NearIndex().add('a', 5n).toBytes()).get('a'); // 5n
   * ```
   * @throws TypeError: `bytes` is not a `Uint8Array`
   * @throws RangeError: `bytes` is not a complete, unchanged snapshot
   */
  static fromBytes<I extends Id = Id>(bytes: Uint8Array): NearIndex<I>;
  /** Frees its WebAssembly memory now, instead of after garbage collection. It cannot be used any more. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Returns the keys under which a store files a fingerprint: `maxDistance + 1` bigints. Two fingerprints within
 * `maxDistance` share at least one key. O(maxDistance).
 *
 * Store and look up with the same `maxDistance`, and verify the distance of candidates that share a key. Key `i` is
 * `i * 2^32` plus block `i`, counted from the highest bits; if a block is wider than 32 bits, `i` is shifted by the
 * widest block instead. The layout is stable.
 *
 * @param options - `bits`, the width (default: 64); `maxDistance`, 0 to a quarter of the width (default: an eighth)
 * @example
 * ```js
 * blockKeys(0x0123456789abcdefn, { maxDistance: 3 }); // [0x123n, 0x100004567n, 0x2000089abn, 0x30000cdefn]
 * ```
 * @throws TypeError: an argument has the wrong type
 * @throws RangeError: an argument is out of range
 */
export function blockKeys(fingerprint: bigint, options?: { bits?: Bits; maxDistance?: number }): bigint[];

/**
 * The number of different features below which a text is short: about eight words, unless they repeat. A short text is a
 * near-duplicate only of a text with equal normalised words: with so few features, one edited word changes more than a
 * fifth of them.
 *
 * @example
 * ```js
 * MIN_FEATURES; // 16
 * ```
 */
export const MIN_FEATURES: 16;

export interface DeduplicatorOptions extends SchemeOptions {
  /**
   * The resemblance from which a document is a near-duplicate: the smallest share of word pairs that both texts have,
   * above 0 and up to 1. Default: 0.67. See {@link resemblance}.
   */
  minResemblance?: number;
  /**
   * How many buckets of each of the four blocks of a fingerprint a query examines, 1 to 256. Default: 25, which finds
   * .96 of the near-duplicates; 10 finds .91 and 60 finds .984. The time of a query grows with it.
   */
  probes?: number;
}

/** A kept document that another one is a near-duplicate of. */
export interface ResemblanceHit<I extends Id = Id> {
  id: I;
  /** The estimated resemblance, from the threshold to 1. See {@link resemblance}. */
  resemblance: number;
  /** The number of bits in which the 64-bit fingerprints differ, 0 to 16. */
  distance: number;
}

/**
 * Keeps documents and finds the kept one that a text resembles most.
 *
 * It takes a text, or its {@link Sketch} of the same scheme. The fingerprint finds candidates, and the MinHash verifies
 * them. The result has few errors in both directions, also among a million documents, but it is not exact: some
 * near-duplicates are missed, and the resemblance is an estimate. {@link NearIndex} is exact, for fingerprints alone.
 *
 * Memory: 108 to 119 bytes of WebAssembly memory for each document. String ids take JavaScript memory in addition. Its
 * state is in this process only; a snapshot ({@link Deduplicator.toBytes}) carries it to the next.
 *
 * A method that throws a `TypeError` or a `RangeError` has changed nothing, except that `merge` may have added some
 * documents when memory runs out.
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said.';
 * const kept = new Deduplicator();
 * kept.addIfNew('/news', text).duplicateOf; // null
 * kept.addIfNew('/print/news', text.toUpperCase()).duplicateOf; // '/news'
 * kept.size; // 1
 * ```
 * @throws TypeError: an option has the wrong type
 * @throws RangeError: an option is out of range
 */
export class Deduplicator<I extends Id = Id> {
  constructor(options?: DeduplicatorOptions);
  /** The id of the scheme at 64 bits: `bits` makes no difference. */
  readonly scheme: string;
  readonly minResemblance: number;
  readonly probes: number;
  /** The number of kept documents. O(1). */
  readonly size: number;
  /** WebAssembly memory of the documents, in bytes. O(1). */
  readonly bytes: number;
  /**
   * Returns the kept document that the text resembles most, or `undefined` if none reaches `minResemblance`. Of equally
   * similar ones, it is the one of the smallest distance, then the one kept first.
   *
   * A short text finds only a text of equal words. A sketch that comes from `get`, or from another deduplicator, has no
   * vote margins; with it, a query finds fewer near-duplicates than with the text.
   *
   * O(length of the text), and `4 * probes` buckets of about `size / 65536` documents.
   *
   * @example
   * ```js
   * const text = 'The river burst its banks early on Tuesday, the council said.';
   * new Deduplicator().add('a', text).query(text); // { id: 'a', resemblance: 1, distance: 0 }
   * ```
   * @throws TypeError: the argument is not a text or a `Sketch`
   * @throws RangeError: the sketch is of another scheme
   */
  query(document: Text | Sketch): ResemblanceHit<I> | undefined;
  /**
   * Returns up to `limit` kept documents that reach `minResemblance`, in the order in which the other form takes the
   * first. Of more than 256 longer texts with one fingerprint, it has the first 256.
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'GOOD NEWS!');
   * kept.query('good news', { limit: 10 }).map(({ id }) => id); // ['a', 'b']
   * ```
   * @throws TypeError, RangeError: as the other form; `limit` is no whole number from 0 to 2^32 - 1 and not `Infinity`
   */
  query(document: Text | Sketch, options: { limit: number }): ResemblanceHit<I>[];
  /**
   * Keeps a document, whatever it resembles. If the id is known, its document is replaced, and it is then the last in
   * the order of addition unless its sketch is the same. O(length of the text).
   *
   * @example
   * ```js
   * new Deduplicator().add('a', 'Good news').add(7, 'Good news').size; // 2
   * ```
   * @throws TypeError: the id or the document has the wrong type
   * @throws RangeError: the id is not a safe integer, the sketch is of another scheme, or there is not enough memory
   */
  add(id: I, document: Text | Sketch): this;
  /**
   * Keeps a document unless it is a near-duplicate of a kept one, and returns what became of it: `duplicateOf` is the id
   * that `query` finds, or null if the document is kept. The time is that of `query`.
   *
   * A call may be repeated: a document that is kept under this id with the same sketch stays, and `duplicateOf` is null.
   *
   * @example
   * ```js
   * const kept = new Deduplicator();
   * kept.addIfNew('a', 'Good news'); // { id: 'a', duplicateOf: null, resemblance: null, distance: null }
   * kept.addIfNew('b', 'GOOD NEWS!'); // { id: 'b', duplicateOf: 'a', resemblance: 1, distance: 0 }
   * ```
   * @throws TypeError: the id or the document has the wrong type
   * @throws RangeError: as `add`; or the document is new, but its id is that of another kept document
   */
  addIfNew(id: I, document: Text | Sketch): Deduped<I>;
  /**
   * Calls `addIfNew` for each document, in order, and returns the results. A document is also compared with those before
   * it in the array. It takes the time of the single calls.
   *
   * An error ends the call. The documents before the wrong one stay kept, and the call may be repeated.
   *
   * @example
   * ```js
   * const results = new Deduplicator().addIfNewAll(['a', 'b'], ['Good news', 'GOOD NEWS!']);
   * results.map(({ duplicateOf }) => duplicateOf); // [null, 'a']
   * ```
   * @throws TypeError, RangeError: as `addIfNew`; `ids` and `documents` are not arrays, or not of equal length
   */
  addIfNewAll(ids: readonly I[], documents: readonly (Text | Sketch)[]): Deduped<I>[];
  /** Returns whether a document with this id is kept. O(1). */
  has(id: I): boolean;
  /**
   * Returns the sketch of a kept document, without vote margins, or `undefined`. O(1).
   *
   * @example
   * ```js
   * new Deduplicator().add('a', 'Good news').get('a').isShort; // true
   * ```
   */
  get(id: I): Sketch | undefined;
  /** Removes a document and returns whether it was kept. O(bucket), amortised. */
  delete(id: I): boolean;
  /** Removes all documents. */
  clear(): void;
  /**
   * Adds all documents of another deduplicator, as `add` does: near-duplicates between the two are all kept, and for an
   * id that both have, the other's document wins. O(size of the other).
   *
   * @example
   * ```js
   * const other = new Deduplicator().add('b', 'Bad news');
   * new Deduplicator().add('a', 'Good news').merge(other).size; // 2
   * ```
   * @throws TypeError: `other` is not a `Deduplicator`
   * @throws RangeError: `other` has another scheme, or there is not enough memory
   */
  merge(other: Deduplicator<I>): this;
  /**
   * Iterates over the kept documents, those of longer texts first and then those of short ones, each in the order of
   * addition. Documents that are deleted during the iteration are skipped; added ones do not appear. O(size).
   *
   * @example
   * ```js
   * const kept = new Deduplicator().add('a', 'Good news').add('b', 'Bad news');
   * [...kept].map(({ id }) => id); // ['a', 'b']
   * ```
   */
  [Symbol.iterator](): Generator<{ id: I; sketch: Sketch }, void, undefined>;
  /**
   * Returns a snapshot with a checksum: the documents, the scheme, `minResemblance` and `probes`. It is the same on
   * every machine. O(size).
   */
  toBytes(): Uint8Array;
  /**
   * Returns the deduplicator of a snapshot. O(size).
   *
   * A snapshot of a `NearIndex` is refused, because it has no sketches: read the documents anew.
   *
   * @example
   * ```js
   * Deduplicator.fromBytes(new Deduplicator().add('a', 'Good news').toBytes()).has('a'); // true
   * ```
   * @throws TypeError: `bytes` is not a `Uint8Array`
   * @throws RangeError: `bytes` is not a complete, unchanged snapshot, or there is not enough memory
   */
  static fromBytes<I extends Id = Id>(bytes: Uint8Array): Deduplicator<I>;
  /** Frees its WebAssembly memory now, instead of after garbage collection. It cannot be used any more. */
  free(): void;
  [Symbol.dispose](): void;
}

/** A document for {@link dedupe}. */
export interface Document<I extends Id = Id> {
  id: I;
  text: Text;
}

/** The result for one document. */
export interface Deduped<I extends Id = Id> {
  id: I;
  /** The id of the kept document of which this one is a near-duplicate; null if it is kept itself. */
  duplicateOf: I | null;
  /**
   * The estimated resemblance of both documents, from 0 to 1; null if it is kept itself, or if `maxDistance` decided.
   */
  resemblance: number | null;
  /** The distance of the fingerprints of both documents in bits; null if it is kept itself. */
  distance: number | null;
}

/** What {@link dedupe} uses of a store. */
export interface DocumentStore {
  readonly scheme: string;
  readonly minResemblance: number;
  addIfNew(
    docs: Iterable<{ id: string; sketch: Sketch }>,
  ): Promise<{ id: string; duplicateOf: string | null; resemblance: number | null; distance: number | null }[]>;
  query(sketch: Sketch): Promise<{ id: string; resemblance: number; distance: number }[]>;
}

export interface DedupeOptions<I extends Id = Id> extends SchemeOptions {
  /**
   * The resemblance from which a document is a near-duplicate: the smallest share of word pairs that both texts have,
   * above 0 and up to 1. Default: 0.67, or that of `against`. See {@link resemblance}. `bits` makes no difference to it.
   */
  minResemblance?: number;
  /**
   * The Hamming rule instead: near-duplicates are documents whose fingerprints differ in at most so many bits, 0 to a
   * quarter of the width. The search is exact, and takes less memory. It holds for up to about ten thousand documents:
   * among more, texts that resemble nothing lie within 8 of 64 bits. If you must do with a fingerprint, use
   * `{ scheme: 'v1:128:binary', maxDistance: 20 }`. Not together with `minResemblance`.
   */
  maxDistance?: number;
  /**
   * `'first'` (default): of near-duplicates, the first document is kept. `'longest'`: the longest is kept, of equally
   * long ones the first; results then come after the whole source is read, and memory holds a sketch of each document.
   * The length of a text is its UTF-16 units or bytes.
   */
  keep?: 'first' | 'longest';
  /**
   * Earlier documents of the same scheme. Documents are compared with them as well, and kept documents **are added to
   * them**: save the snapshot for the next run. `minResemblance` is that of the deduplicator.
   *
   * A `NearIndex` selects the Hamming rule, within `maxDistance` or an eighth of the width. It has no texts, so a short
   * text is a duplicate of one of its documents only if the fingerprints are equal.
   *
   * A store (`nearprint/store/sqlite` and others) has the documents of many processes. Its ids are strings. A document
   * that it holds already under its own id is new again, so that a run can be repeated.
   */
  against?: Deduplicator<I> | NearIndex<I> | DocumentStore;
}

/**
 * Yields for each document, in the order of the source, whether it is kept or a near-duplicate of a kept document: of
 * the one that it resembles most, of equally similar ones the nearest, then the first kept. With `keep: 'first'`, a
 * result comes as soon as its document is read.
 *
 * A short text, with fewer than {@link MIN_FEATURES} different features, is a duplicate only of a text with equal
 * normalised words. So empty texts are duplicates of each other and of nothing else.
 *
 * The time grows little faster than the number of documents. Memory is that of a {@link Deduplicator} with the kept
 * documents: 108 to 119 bytes of each, and its id. With the Hamming rule, it is that of a {@link NearIndex}, and the
 * words of short texts.
 *
 * @example
 * ```js
 * for await (const { id, duplicateOf } of dedupe(documents)) if (duplicateOf === null) keep(id);
 * ```
 * @throws TypeError, RangeError (by rejection of the next result): an option or a document is wrong; `against` has
 * another scheme or another `minResemblance`; a document to be kept has the id of another kept document or of one in
 * `against`. A document that occurs twice with the same text is a duplicate of itself.
 */
export function dedupe<I extends Id>(
  source: Iterable<Document<I>> | AsyncIterable<Document<I>>,
  options?: DedupeOptions<I>,
): AsyncGenerator<Deduped<I>, void, undefined>;

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

/** The version of Unicode by which texts are normalised and cut, which is part of the scheme: `'17.0.0'`. */
export const UNICODE_VERSION: string;

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
  fingerprintFeatures(features: Iterable<WeightedFeature>): bigint;
  fingerprintHashes(hashes: BigUint64Array, weights?: ArrayLike<number>): bigint;
  /**
   * How many different features the last text that it made a fingerprint of had: how much that rests on. O(1), but O(text)
   * with the weights `'tf'`, which need no counting.
   */
  readonly distinct: number;
  /**
   * The normalised words of a text, in order. O(text).
   *
   * @example
   * ```js
   * new Fingerprinter().words('GOOD news, everyone!'); // ['good', 'news', 'everyone']
   * ```
   */
  words(text: Text): string[];
  features(text: Text): Feature[];
  compare(a: Text, b: Text): Comparison;
  /** A fingerprint of a text that comes in chunks. */
  stream(): FingerprintStream;
  /** Frees its WebAssembly memory now. Otherwise that happens some time after the last reference is gone. */
  free(): void;
  [Symbol.dispose](): void;
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
  /** Frees its WebAssembly memory now. Otherwise that happens some time after the last reference is gone. */
  free(): void;
  [Symbol.dispose](): void;
}

/** A feature, alone or with its weight. */
export type WeightedFeature = string | readonly [feature: string, weight: number];

/**
 * The fingerprint of your own features: the keywords of a segmenter with their tf-idf, the tags of a picture. A feature
 * is hashed as it is, and one that comes twice counts as one of both weights; their order does not matter. Of the
 * options only the width, the hash and the finaliser count.
 *
 * @example
 * ```js
 * fingerprintFeatures(['red', 'house']) === fingerprintFeatures([['house', 1], ['red', 1]]); // true
 * ```
 * @throws TypeError, RangeError: a feature that is not a string, a weight that is not a number from -2^32 to 2^32
 */
export function fingerprintFeatures(features: Iterable<WeightedFeature>, options?: SchemeOptions): bigint;

/**
 * The fingerprint of features that you have hashed yourself. The hashes pass the finaliser, so a plain one will do,
 * unless `mix: false` says that they are good already.
 *
 * @example
 * ```js
 * fingerprintHashes(BigUint64Array.of(17n, 4n), [2.5, 1]);
 * ```
 * @throws TypeError, RangeError: not as many weights as hashes, a weight that is not a number from -2^32 to 2^32
 */
export function fingerprintHashes(hashes: BigUint64Array, weights?: ArrayLike<number>, options?: SchemeOptions): bigint;

/** A feature of a text. */
export interface Feature {
  /** Its words or characters, for people: two features may look the same and differ in where their words end. */
  feature: string;
  /** How often it occurs. */
  count: number;
  /** How much it counts. */
  weight: number;
  /** The bits it votes for. */
  hash: bigint;
}

/**
 * The different features of a text, in the order in which they first end. O(text).
 *
 * @example
 * ```js
 * features('Tick tick, tick!').map((f) => [f.feature, f.count, f.weight]); // [['tick', 3, 2], ['tick tick', 2, 2]]
 * ```
 */
export function features(text: Text, options?: SchemeOptions): Feature[];

/** Two texts side by side: what their fingerprints say, and what is exact. */
export interface Comparison {
  /** The scheme. */
  id: string;
  bits: Bits;
  a: { fingerprint: bigint; features: Feature[] };
  b: { fingerprint: bigint; features: Feature[] };
  /** How many bits differ. */
  distance: number;
  /** The share of equal bits. */
  similarity: number;
  /** The cosine of the weighted features as the fingerprints estimate it. */
  cosine: number;
  /** The same cosine, exact. */
  exactCosine: number;
  /** The share of all features that both texts have, exact. */
  jaccard: number;
  /** Each bit, the lowest first. */
  perBit: BitComparison[];
}

/** A bit of two fingerprints. */
export interface BitComparison {
  bit: number;
  differs: boolean;
  a: BitVotes;
  b: BitVotes;
}

/** How a bit came about. */
export interface BitVotes {
  /** The weights of the features that vote for a 1, less those that vote for a 0: the bit is 1 if it is above 0. */
  sum: number;
  /** The heaviest features that vote for a 1, five at most. */
  ones: { feature: string; weight: number }[];
  /** The heaviest features that vote for a 0, five at most. */
  zeros: { feature: string; weight: number }[];
}

/**
 * Compares two texts, by their fingerprints and exactly. O(a + b).
 *
 * @example
 * ```js
 * compare('a red house', 'a blue house').jaccard; // 0.25
 * ```
 */
export function compare(a: Text, b: Text, options?: SchemeOptions): Comparison;

/**
 * The Rabin fingerprint of bytes, an unsigned 64-bit bigint: equal bytes have equal ones, and different ones almost
 * never. To find equal passages, not similar ones. It is Apache Avro's CRC-64-AVRO. A string counts as its UTF-8.
 *
 * @example
 * ```js
 * BigInt.asIntN(64, rabin('"null"')); // 7195948357588979594n, as in Avro's schema-tests.txt
 * ```
 *
 * @throws {TypeError} The text is neither a string nor a `Uint8Array`.
 */
export function rabin(text: Text): bigint;

/**
 * The {@link rabin} fingerprint of every run of `width` bytes, in order. It takes time by the length of the text,
 * whatever the width; a text of fewer bytes has none.
 *
 * @example
 * ```js
 * rabinWindows('abcab', 2).length; // 4
 * ```
 *
 * @throws {TypeError} The text is neither a string nor a `Uint8Array`, or the width is no number.
 * @throws {RangeError} The width is no whole number from 1 to 4294967295.
 */
export function rabinWindows(text: Text, width: number): BigUint64Array;

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

/** An id as `NearIndex` takes it: a string, or a safe integer (`Number.isSafeInteger`). The two may be mixed. */
export type Id = string | number;

export interface IndexOptions {
  /** Width of the fingerprints. 64 by default. */
  bits?: 32 | 64 | 128;
  /**
   * The distance the index is made for, in bits: 0 to 8 of 32, 16 of 64, 32 of 128. An eighth of the bits by default.
   * It decides how much memory the index takes, and is the default of its methods; it does not bound them.
   */
  maxDistance?: number;
  /** Names how the fingerprints are made; indexes of different schemes do not merge. `v1:` and the bits by default. */
  scheme?: string;
}

export interface SearchOptions {
  /** In bits, 0 to a quarter of the fingerprints' width; that of the index by default. */
  maxDistance?: number;
}

export interface QueryOptions extends SearchOptions {
  /** The most results, 0 to 2^32 - 1 or `Infinity`, the default. */
  limit?: number;
}

export interface ClusterOptions extends SearchOptions {
  /**
   * `'star'`, the default: documents are taken in insertion order; one within the distance of representatives joins the
   * nearest (of equally near ones, the first), one that is not becomes a representative. Nothing chains.
   * `'single'`: any two documents within the distance are in one cluster.
   */
  linkage?: 'star' | 'single';
}

export interface Hit<I extends Id = Id> {
  id: I;
  fingerprint: bigint;
  /** Differing bits. */
  distance: number;
}

export interface Pair<I extends Id = Id> {
  /** The document added first. */
  a: I;
  b: I;
  /** Differing bits. */
  distance: number;
}

export interface IndexStats {
  /** Documents held. */
  size: number;
  /** Different fingerprints among them. */
  distinct: number;
  /** How many documents share the most common fingerprint. */
  largestBucket: number;
  /** Memory in wasm, in bytes; string ids take more, on the JavaScript heap. */
  bytes: number;
  /** Each table's block width, and how many bits of it number the buckets. */
  tables: { blockBits: number; bucketBits: number }[];
}

/**
 * An index of fingerprints that finds everything within a Hamming distance, always.
 *
 * Methods throw a `TypeError` for a wrong kind of argument and a `RangeError` for a value out of range, and then have
 * changed nothing.
 *
 * @example
 * ```js
 * const index = new NearIndex({ maxDistance: 3 });
 * index.add('a', 0xff00n).add('b', 0xff01n);
 * index.query(0xff01n); // [{ id: 'b', fingerprint: 0xff01n, distance: 0 }, { id: 'a', fingerprint: 0xff00n, distance: 1 }]
 * ```
 */
export class NearIndex<I extends Id = Id> {
  constructor(options?: IndexOptions);
  readonly bits: 32 | 64 | 128;
  readonly maxDistance: number;
  readonly scheme: string;
  /** How many documents it holds. */
  readonly size: number;
  /** Adds a document. One that has this id already gets the fingerprint and keeps its place in insertion order. */
  add(id: I, fingerprint: bigint): this;
  /**
   * Adds many, much faster than one by one.
   *
   * Fingerprints: a `BigUint64Array` for 64 bits; for 128 too, with low and high word in turn; a `Uint32Array` for 32; or
   * bigints. `RangeError` if there are not as many as ids.
   */
  addAll(ids: Iterable<I>, fingerprints: BigUint64Array | Uint32Array | Iterable<bigint>): this;
  /** Whether there was a document with this id. */
  delete(id: I): boolean;
  has(id: I): boolean;
  /** The fingerprint of a document, or `undefined`. */
  get(id: I): bigint | undefined;
  clear(): void;
  /** The documents within `maxDistance`, nearest first, then in insertion order. */
  query(fingerprint: bigint, options?: QueryOptions): Hit<I>[];
  /**
   * All pairs within `maxDistance`, each once, in no particular order. They are found as the iteration goes; it throws
   * an `Error` if the index has changed since it began.
   */
  pairs(options?: SearchOptions): Iterable<Pair<I>>;
  /** Every document in a cluster, alone if it is near no other. Ids in insertion order, clusters in that of their first. */
  clusters(options?: ClusterOptions): I[][];
  stats(): IndexStats;
  /** Adds all documents of another index of the same bits and scheme; where both have an id, the other's fingerprint stays. */
  merge(other: NearIndex<I>): this;
  /** A snapshot, ids included, with a checksum. The same on every machine. */
  toBytes(): Uint8Array;
  /** The index of a snapshot. `RangeError` for bytes that are not a whole, unchanged one. */
  static fromBytes<I extends Id = Id>(bytes: Uint8Array): NearIndex<I>;
  /** Frees its memory now. Otherwise that happens some time after the last reference is gone. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * The keys under which a store files a fingerprint, so that any two within `maxDistance` share at least one.
 *
 * `maxDistance + 1` keys; file and look up with the same `maxDistance`, and compare what shares a key. Key `i` is
 * `i * 2^32` plus block `i`, counted from the highest bits; blocks wider than 32 bits put the number above the widest.
 * This layout is stable.
 *
 * @example
 * ```js
 * blockKeys(0x0123456789abcdefn, { maxDistance: 3 }); // [0x123n, 0x100004567n, 0x2000089abn, 0x30000cdefn]
 * ```
 */
export function blockKeys(fingerprint: bigint, options?: { bits?: 32 | 64 | 128; maxDistance?: number }): bigint[];

/**
 * A text of fewer different features than this, 16, is short: eight words or less, unless they
 * repeat. One edited word of so few is missed far more often than found (the fingerprint stays within 8 of 64 bits one
 * time in eleven), so {@link dedupe} asks of short texts that their words are the same.
 */
export const MIN_FEATURES: 16;

/** A document as {@link dedupe} takes it. */
export interface Document<I extends Id = Id> {
  id: I;
  text: Text;
}

/** What became of a document. */
export interface Deduped<I extends Id = Id> {
  id: I;
  /** The id of the kept document that this one is a near-duplicate of, or null: then it is kept itself. */
  duplicateOf: I | null;
  /** How many bits they are apart, or null. */
  distance: number | null;
}

export interface DedupeOptions<I extends Id = Id> extends SchemeOptions {
  /** In bits, 0 to a quarter of the fingerprints' width; an eighth of it by default: 8 of 64, 16 of 128, 4 of 32. */
  maxDistance?: number;
  /**
   * Which of near-duplicates is kept: the `'first'`, the default; or the `'longest'`, of equally long ones the first. For
   * that the source is read to its end before anything is told; of each text only the fingerprint stays in memory. Long
   * is what has many UTF-16 units, or bytes.
   */
  keep?: 'first' | 'longest';
  /**
   * An index of documents from before, of the same scheme: a document is compared with them too. What is kept **is added
   * to it**, so save it for the next time. Its texts are gone, so a short text is a duplicate of one of its documents
   * only where the fingerprints are equal.
   */
  against?: NearIndex<I>;
}

/**
 * Tells of each document, in the order of the source, whether it is a near-duplicate of one that is kept, and of which:
 * the nearest, and of equally near ones that kept first. As it comes, unless the longest is to be kept.
 *
 * A short text, of fewer than {@link MIN_FEATURES} different features, is a duplicate only of one with the very same
 * words once both are normalised; so empty texts are duplicates of each other, and of nothing else.
 *
 * Memory grows with what is kept: a fingerprint and an id of each document, the words of a short one.
 *
 * @example
 * ```js
 * for await (const { id, duplicateOf } of dedupe(documents)) if (duplicateOf === null) keep(id);
 * ```
 * @throws TypeError, RangeError, by rejecting the next result: a wrong option or document, which the message names; an
 * index of another scheme; a document to be kept that has the id of a kept one, or of one in `against`. A document that
 * comes twice is a duplicate of itself.
 */
export function dedupe<I extends Id>(
  source: Iterable<Document<I>> | AsyncIterable<Document<I>>,
  options?: DedupeOptions<I>,
): AsyncGenerator<Deduped<I>, void, undefined>;

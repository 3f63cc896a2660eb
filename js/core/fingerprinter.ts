// Fingerprints of texts, and of the caller's features and hashes.
//
// Code of the caller (an iterator, a getter) runs before the exchange is written: it may call the same fingerprinter.
import type { Fingerprinter as Binding, Stream, Weighted } from '../../build/wasm/text/text.js';
import { textExchange as exchange, text as module } from '../boot/text.js';
import { ArgumentError } from './argument-error.js';
import { checkAttached, checkIterable, checkOptions, checkText, checkWeight, isTypedArray } from './check.js';
import { defineDispose, type dispose } from './dispose.js';
import { packFingerprints, toTypedArray } from './encoding.js';
import { type Exchange, kindOf, PIECE } from './exchange.js';
import { type FeatureSet, readFeatures, share } from './feature-set.js';
import { cosineAt, distance, similarity } from './hamming.js';
import { keyOf, type SchemeOptions, schemeId, schemeOptions } from './scheme.js';
import { type ScopeOptions, scopeOf } from './scope.js';
import { readSketch, Sketch, writeSketch } from './sketch.js';
import { textKey } from './text-key.js';
import type { Bits, Text } from './types.js';
import { encoder } from './utf8.js';

/** A feature: a string, alone (weight 1) or with its weight, from -2^32 to 2^32. */
export type WeightedFeature = string | readonly [feature: string, weight: number];

/** A feature of a text. */
export interface Feature {
  /**
   * Its words or characters, for display. Different features can look the same if their words end in different places.
   */
  feature: string;
  /** How often it occurs in the text. */
  count: number;
  /** Its weight, derived from the count. */
  weight: number;
  /** Its hash. Bit *i* is its vote on bit *i* of the fingerprint. An unsigned bigint of 64 or 128 bits. */
  hash: bigint;
}

/** The result of {@link compare}: the estimates of the fingerprints and sketches, and the exact values. */
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
  /** The exact Jaccard similarity of all features: shared features divided by all features. From 0 to 1. */
  jaccard: number;
  /** The resemblance as the sketches estimate it: see {@link resemblance}. From 0 to 1. */
  resemblance: number;
  /**
   * The exact resemblance: `jaccard`, but with `'grams'` the features of one word do not count. From 0 to 1. For a blank text it
   * is 0. The exact values are computed with a secret random key: see {@link SchemeOptions.key}.
   */
  exactResemblance: number;
  /**
   * The exact share of the features of each text, as in `exactResemblance`, that the other has; 1 if it has none. A text
   * quoted in full by the other has 1, however long the other is.
   */
  containment: { a: number; b: number };
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
   * The total of the votes: the weights of features that vote for 1, minus the weights of features that vote for 0. The bit
   * is 1 if `sum > 0`.
   */
  sum: number;
  /** The features with the largest weights that vote for 1, at most five. */
  ones: { feature: string; weight: number }[];
  /** The features with the largest weights that vote for 0, at most five. */
  zeros: { feature: string; weight: number }[];
}

/**
 * Computes fingerprints and sketches of one scheme. Methods do the same as functions of the same name, without the options of
 * the scheme.
 *
 * @example
 * ```js
 * const wide = new Fingerprinter({ bits: 128 });
 * wide.id; // 'v1:128'
 * ```
 */
export class Fingerprinter {
  /** See {@link Fingerprinter.free}. */
  declare readonly [dispose]: () => void;

  readonly #id: string;
  readonly #bits: Bits;
  #key: Uint8Array;
  #binding: Binding;
  /** The generation of the module's instance that has the binding. `Infinity` if this object is freed. */
  #generation = module().generation;

  constructor(options?: SchemeOptions) {
    defineDispose(new.target.prototype);
    const id = schemeId(options);
    this.#key = keyOf(options);
    this.#binding = new (module().bindings.Fingerprinter)(id, this.#key);
    this.#id = this.#binding.scheme;
    this.#bits = Number(this.#id.split(':')[1]) as Bits;
  }

  /** The id of the scheme. It is stable: store it with the fingerprints. */
  get id(): string {
    return this.#id;
  }

  /** The width of the fingerprints in bits. */
  get bits(): Bits {
    return this.#bits;
  }

  /** Returns the binding in the current instance. It keeps no state between calls, so a trap only requires a new one. */
  #current(): Binding {
    if (this.#generation < module().generation) {
      this.#binding = new (module().bindings.Fingerprinter)(this.#id, this.#key);
      this.#generation = module().generation;
    }
    return this.#binding;
  }

  /** See {@link fingerprint}. */
  fingerprint(text: Text): bigint {
    text = checkText(text);
    if (text.length > PIECE) return this.#inPieces(text, '', (stream) => stream.digest());
    const binding = this.#current();
    const length = exchange().writePiece(text);
    const kind = kindOf(text);
    return this.#bits === 128 ? binding.fingerprint128(length, kind) : binding.fingerprint(length, kind);
  }

  /** See {@link fingerprintAll}. */
  fingerprintAll(texts: Iterable<Text>): Uint32Array | BigUint64Array {
    checkIterable(texts, 'texts', 'an iterable of texts');
    const cells = packFingerprints(texts, this.#bits, (text, at) =>
      this.fingerprint(typeof text === 'string' ? text : checkText(text, `texts[${at}]`)),
    );
    return toTypedArray(cells, this.#bits);
  }

  /** See {@link sketch}. */
  sketch(text: Text, options?: ScopeOptions): Sketch {
    return this.#sketch(checkText(text), scopeOf(options));
  }

  #sketch(text: Text, scope: string): Sketch {
    return text.length > PIECE ? this.#sketchInPieces(text, scope) : readSketch(this.#writeSketch(text, scope));
  }

  #sketchInPieces(text: Text, scope: string): Sketch {
    return this.#inPieces(text, scope, (stream) => stream.sketch());
  }

  /** Writes the sketch of a piece to the exchange of the module of texts, and returns its length. */
  #writeSketch(text: Text, scope: string): number {
    const binding = this.#current();
    const length = exchange().writePiece(text);
    return binding.sketch(length, kindOf(text), exchange().writeScope(length, scope));
  }

  /** Writes the sketch of a text to the exchange of another module, and returns its length. @internal */
  sketchTo(to: Exchange, text: Text, scope: string): number {
    if (text.length > PIECE) return writeSketch(this.#sketchInPieces(text, scope), to);
    return to.write(exchange().read(this.#writeSketch(text, scope)));
  }

  /** See {@link sketchAll}. */
  sketchAll(texts: Iterable<Text>, options?: ScopeOptions): Sketch[] {
    const scope = scopeOf(options);
    checkIterable(texts, 'texts', 'an iterable of texts');
    const sketches: Sketch[] = [];
    for (const text of texts) sketches.push(this.#sketch(checkText(text, `texts[${sketches.length}]`), scope));
    return sketches;
  }

  #inPieces<T>(text: Text, scope: string, use: (stream: FingerprintStream) => T): T {
    const stream = this.#stream(scope).update(text);
    try {
      return use(stream);
    } finally {
      stream.free();
    }
  }

  /** See {@link fingerprintFeatures}. */
  fingerprintFeatures(features: Iterable<WeightedFeature>): bigint {
    checkIterable(features, 'features', 'an iterable of strings or [feature, weight] pairs');
    return this.#weigh((weighted) => {
      let at = 0;
      for (const entry of features) {
        const [feature, given] = typeof entry === 'string' ? [entry, 1] : Array.isArray(entry) ? entry : [];
        if (typeof feature !== 'string') {
          throw new ArgumentError(`features[${at}]`, 'a string or a [feature, weight] pair', entry);
        }
        const weight = checkWeight(given, `features[${at++}][1]`);
        weighted.add(exchange().writeEncoded(feature), weight);
      }
    });
  }

  /** See {@link fingerprintHashes}. */
  fingerprintHashes(hashes: BigUint64Array, weights?: ArrayLike<number>): bigint {
    if (!isTypedArray(hashes, 'BigUint64Array')) throw new ArgumentError('hashes', 'a BigUint64Array', hashes);
    checkAttached(hashes, 'hashes');
    const count = hashes.length;
    if (weights !== undefined && weights?.length !== count) {
      throw new ArgumentError('weights', `an array of ${count} numbers, one for each hash`, weights);
    }
    return this.#weigh((weighted) => {
      for (let at = 0; at < count; at++) {
        weighted.addHash(hashes[at], weights === undefined ? 1 : checkWeight(weights[at], `weights[${at}]`));
      }
    });
  }

  #weigh(add: (weighted: Weighted) => void): bigint {
    const weighted = new (module().bindings.Weighted)(this.#id, this.#key);
    try {
      add(weighted);
      return weighted.digest();
    } finally {
      module().free(weighted);
    }
  }

  /**
   * Returns the normalised words of a text in their order. O(length of the text).
   *
   * @example
   * ```js
   * new Fingerprinter().words('GOOD news, everyone!'); // ['good', 'news', 'everyone']
   * ```
   */
  words(text: Text): string[] {
    text = checkText(text);
    const joined = this.#current().words(exchange().writeEncoded(text));
    return joined === '' ? [] : joined.split('\n');
  }

  /** See {@link features}. */
  features(text: Text): Feature[] {
    text = checkText(text);
    const joined = this.#current().features(exchange().writeEncoded(text));
    if (joined === '') return [];
    const names = joined.split('\n');
    return featuresOf(
      names,
      exchange()
        .cells(3 * names.length)
        .slice(0, 3 * names.length),
    );
  }

  /** See {@link compare}. */
  compare(a: Text, b: Text): Comparison {
    a = checkText(a, 'a');
    b = checkText(b, 'b');
    const [id, bits] = [this.#id, this.#bits];
    const joined = this.#current().compare(...exchange().writeTexts(a, b), textKey());
    const names = joined.split('\n');
    const [count] = exchange().floats(1);
    const cells = exchange().cells(count).slice(0, count);
    const floats = new Float64Array(cells.buffer);
    const [exactCosine, jaccard, exactResemblance] = floats.subarray(1);
    let at = 4;
    const readSide = () => {
      const sums = floats.subarray(at + 4, at + 4 + bits);
      const end = at + 4 + bits + 3 * floats[at];
      const side = {
        fingerprint: join(cells[at + 1], cells[at + 2]),
        features: featuresOf(names.splice(0, floats[at]), cells.slice(at + 4 + bits, end)),
      };
      const containment = floats[at + 3];
      at = end;
      return { side, containment, votes: votesOf(side.features, sums) };
    };
    const [first, second] = [readSide(), readSide()];
    const fingerprints = [first.side.fingerprint, second.side.fingerprint] as const;
    const differing = fingerprints[0] ^ fingerprints[1];
    const apart = distance(...fingerprints);
    return {
      id,
      bits,
      a: first.side,
      b: second.side,
      distance: apart,
      similarity: similarity(...fingerprints, bits),
      cosine: cosineAt(apart, bits),
      exactCosine,
      jaccard,
      resemblance: this.sketch(a).resemblance(this.sketch(b)),
      exactResemblance,
      containment: { a: first.containment, b: second.containment },
      perBit: Array.from({ length: bits }, (_, bit) => ({
        bit,
        differs: ((differing >> BigInt(bit)) & 1n) === 1n,
        a: first.votes(bit),
        b: second.votes(bit),
      })),
    };
  }

  /** Returns the exact values of {@link compare} that concern the resemblance, in much less time. @internal */
  resemblances(a: Text, b: Text): Pick<Comparison, 'exactResemblance' | 'containment'> {
    const [first, second] = [this.featureSet(a), this.featureSet(b)];
    const shared = first.shared(second);
    return {
      exactResemblance: first.resemblance(second),
      containment: { a: share(shared, first.size), b: share(shared, second.size) },
    };
  }

  /** Returns the features that decide the resemblance of a text. Only sets of one key are comparable. @internal */
  featureSet(text: Text, scope?: string, key?: bigint): FeatureSet {
    return this.featureSetView(text, scope, key).copy();
  }

  /** Returns the same features, valid until the next call. @internal */
  featureSetView(text: Text, scope = '', key: bigint = textKey()): FeatureSet {
    const binding = this.#current();
    const length = exchange().writeEncoded(text);
    return readFeatures(exchange(), binding.featureSet(length, exchange().writeScope(length, scope), key));
  }

  /** Returns a stream, which computes the fingerprint and the sketch of a text in chunks. */
  stream(options?: ScopeOptions): FingerprintStream {
    return this.#stream(scopeOf(options));
  }

  #stream(scope: string): FingerprintStream {
    const binding = this.#current();
    return new FingerprintStream(new (module().bindings.Stream)(binding, exchange().writeScope(0, scope)));
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. It cannot be used any more. */
  free(): void {
    module().free(this.#binding);
    this.#generation = Infinity;
  }
}

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

const join = (low: bigint, high: bigint): bigint => (high << 64n) | low;

/** Returns features from their names and three cells each: count and weight, and both halves of the hash. */
function featuresOf(names: readonly string[], cells: BigUint64Array): Feature[] {
  const numbers = new Uint32Array(cells.buffer);
  return Array.from({ length: cells.length / 3 }, (_, at) => ({
    feature: names[at],
    count: numbers[6 * at],
    weight: numbers[6 * at + 1],
    hash: join(cells[3 * at + 1], cells[3 * at + 2]),
  }));
}

/** The maximum number of features that a bit lists for each of its values. */
const MAX_LISTED = 5;

/** Returns a function from a bit to its sum and the heaviest features that vote for 1 and for 0. */
function votesOf(features: readonly Feature[], sums: Float64Array): (bit: number) => BitVotes {
  const heaviest = features.toSorted((x, y) => y.weight - x.weight);
  return (bit) => {
    const ones: BitVotes['ones'] = [];
    const zeros: BitVotes['zeros'] = [];
    for (const { feature, weight, hash } of heaviest) {
      const list = (hash >> BigInt(bit)) & 1n ? ones : zeros;
      if (list.length < MAX_LISTED) list.push({ feature, weight });
      if (ones.length === MAX_LISTED && zeros.length === MAX_LISTED) break;
    }
    return { sum: sums[bit], ones, zeros };
  };
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
export class FingerprintStream {
  /** See {@link FingerprintStream.free}. */
  declare readonly [dispose]: () => void;

  #stream: Stream;
  /** A high surrogate at the end of the last chunk, or ''. The module has the first two bytes of its character in UTF-8. */
  #half = '';

  /** @internal */
  constructor(stream: Stream) {
    defineDispose(new.target.prototype);
    this.#stream = stream;
  }

  /**
   * Adds the next chunk. O(length of the chunk).
   *
   * @throws RangeError: there is not enough memory; this frees the stream, which may have read a part of the chunk
   */
  update(chunk: Text): this {
    chunk = checkText(chunk, 'chunk');
    if (chunk.length === 0) return this;
    if (typeof chunk === 'string') {
      if (this.#half !== '' && isLowSurrogate(chunk.charCodeAt(0))) {
        this.#add(encoder.encode(this.#half + chunk[0]).subarray(2));
        chunk = chunk.slice(1);
      }
      this.#half = isHighSurrogate(chunk.charCodeAt(chunk.length - 1)) ? chunk.slice(-1) : '';
      this.#add(this.#half ? chunk.slice(0, -1) : chunk);
      // All low surrogates give the same first two bytes.
      if (this.#half) this.#add(encoder.encode(`${this.#half}\udc00`).subarray(0, 2));
    } else {
      // The chunk does not continue the half.
      if (this.#half) this.#stream.update(0);
      this.#half = '';
      this.#add(chunk);
    }
    return this;
  }

  /** Adds a text in pieces that split no surrogate pair. */
  #add(text: Text): void {
    try {
      for (let from = 0; from < text.length; ) {
        let to = Math.min(from + PIECE, text.length);
        if (to < text.length && typeof text === 'string' && isHighSurrogate(text.charCodeAt(to - 1))) to--;
        this.#stream.update(
          exchange().writePiece(typeof text === 'string' ? text.slice(from, to) : text.subarray(from, to)),
        );
        from = to;
      }
    } catch (error) {
      // The stream may have read a part of the text.
      this.free();
      throw error;
    }
  }

  /** Returns the fingerprint of the text so far. More chunks may follow. */
  digest(): bigint {
    return this.#stream.digest();
  }

  /**
   * Returns the sketch of the text so far. More chunks may follow. O(different features).
   *
   * @example
   * ```js
   * new Fingerprinter().stream().update('Hello, wo').update('rld').sketch().equals(sketch('Hello, world')); // true
   * ```
   */
  sketch(): Sketch {
    return Sketch.of(this.#stream.sketch());
  }

  /** See {@link Fingerprinter.free}. */
  free(): void {
    module().free(this.#stream);
  }
}

/** The maximum number of shared fingerprinters: a server may have a key for each of its customers. */
const MAX_SHARED = 64;

const shared = new Map<string, Fingerprinter>();

/** Returns the fingerprinter with these options that the plain functions share. @internal */
export function sharedFingerprinter(options: SchemeOptions | undefined): Fingerprinter {
  const name = options?.key === undefined ? schemeId(options) : `${schemeId(options)} ${keyOf(options)}`;
  const known = shared.get(name);
  if (known !== undefined) return known;
  // The oldest one becomes garbage as soon as no caller uses it.
  if (shared.size === MAX_SHARED) shared.delete(shared.keys().next().value as string);
  const fingerprinter = new Fingerprinter(options);
  shared.set(name, fingerprinter);
  return fingerprinter;
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
 */
export const fingerprint = (text: Text, options?: SchemeOptions): bigint =>
  sharedFingerprinter(options).fingerprint(text);

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
 */
export function fingerprintAll(texts: Iterable<Text>, options: SchemeOptions & { bits: 32 }): Uint32Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions & { bits?: 64 | 128 }): BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array {
  return sharedFingerprinter(options).fingerprintAll(texts);
}

/**
 * Returns the sketch of a text. O(length of the text); it takes a little longer than {@link fingerprint}.
 *
 * A sketch has the 64-bit fingerprint of the scheme, whatever `bits` and `scope` are.
 *
 * @example
 * ```js
 * sketch('Hello, world').fingerprint === fingerprint('Hello, world'); // true
 * sketch('Hello, world', { scope: 'a' }).equals(sketch('Hello, world', { scope: 'b' })); // false
 * ```
 */
export const sketch = (text: Text, options?: SchemeOptions & ScopeOptions): Sketch => {
  const [fingerprinter, scope] = withScope(options);
  return fingerprinter.sketch(text, scope);
};

function withScope(options: (SchemeOptions & ScopeOptions) | undefined): [Fingerprinter, ScopeOptions | undefined] {
  if (options === undefined) return [sharedFingerprinter(options), options];
  const { scope, ...scheme } = checkOptions(options, [...schemeOptions, 'scope']);
  return [sharedFingerprinter(scheme), { scope }];
}

/**
 * Returns the sketches of many texts in their order. O(total length).
 *
 * @example
 * ```js
 * sketchAll(['Hello, world', 'Hello, word']).length; // 2
 * ```
 */
export const sketchAll = (texts: Iterable<Text>, options?: SchemeOptions & ScopeOptions): Sketch[] => {
  const [fingerprinter, scope] = withScope(options);
  return fingerprinter.sketchAll(texts, scope);
};

/**
 * Returns the fingerprint of your own features, such as keywords with tf-idf or the tags of a picture. O(total length).
 *
 * Features are hashed unchanged. Their order makes no difference, and the weights of equal features are added. Of the
 * options, only `bits`, `hash`, `mix` and `key` have an effect.
 *
 * @example
 * ```js
 * fingerprintFeatures(['red', 'house']) === fingerprintFeatures([['house', 1], ['red', 1]]); // true
 * ```
 */
export const fingerprintFeatures = (features: Iterable<WeightedFeature>, options?: SchemeOptions): bigint =>
  sharedFingerprinter(options).fingerprintFeatures(features);

/**
 * Returns the fingerprint of features that you have hashed to 64 bits. O(number of hashes).
 *
 * The finaliser improves the hashes, so a simple hash function is sufficient. With `mix: false` they are used unchanged.
 *
 * @param weights - one number for each hash, from -2^32 to 2^32. Default: 1 for each.
 * @example
 * ```js
 * fingerprintHashes(BigUint64Array.of(17n, 4n), [1, 1]) === fingerprintHashes(BigUint64Array.of(4n, 17n)); // true
 * ```
 * @throws {@link ArgumentError}: `hashes` is not a `BigUint64Array`, the number of weights differs from the number of hashes,
 * or a weight is not a number from -2^32 to 2^32
 */
export const fingerprintHashes = (
  hashes: BigUint64Array,
  weights?: ArrayLike<number>,
  options?: SchemeOptions,
): bigint => sharedFingerprinter(options).fingerprintHashes(hashes, weights);

/**
 * Returns the different features of a text, ordered by where they first end. O(length of the text).
 *
 * @example
 * ```js
 * features('Tick tick, tick!').map((f) => [f.feature, f.count, f.weight]); // [['tick', 3, 2], ['tick tick', 2, 2]]
 * ```
 */
export const features = (text: Text, options?: SchemeOptions): Feature[] => sharedFingerprinter(options).features(text);

/**
 * Returns the estimated resemblance of two texts, from 0 to 1. O(1) for sketches; a text is sketched first.
 *
 * It is the share of word pairs in common: the number of different word pairs that both texts have, divided by the number
 * that either has (the Jaccard resemblance). In scripts written without spaces, and for numbers, it counts pairs and triples
 * of words, which are mostly characters. With other `features`, it counts the shingles.
 *
 * Near a resemblance of 0.7, the standard error is 0.02 for texts of up to 400 word pairs, and at most 0.04 for longer ones.
 * Below 0.5 it is larger. Texts of at most 40 word pairs are compared almost exactly. Between two short texts the resemblance
 * is exact: 1 if their words are equal, else 0. For a short text and a longer one it is 0, and for a blank text too.
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
 * resemblance(text, text.replace('closed', 'open')) > 0.7; // true
 * ```
 * @param options - the scheme of two texts. The text beside a sketch has the sketch's scheme: only `key` has an effect then.
 * @throws {@link ArgumentError}: an argument is neither a text nor a `Sketch`, the sketches are of different schemes, or an
 * option is wrong
 */
export function resemblance(a: Text | Sketch, b: Text | Sketch, options?: SchemeOptions): number {
  const [first, second] = sketchBoth(a, b, options);
  return first.resemblance(second);
}

/** Returns the sketches of two documents, texts by the scheme of the other one if that is a sketch. @internal */
export function sketchBoth(a: Text | Sketch, b: Text | Sketch, options?: SchemeOptions): [Sketch, Sketch] {
  const sketchOf = (document: Text | Sketch, argument: string, other: Text | Sketch) => {
    if (document instanceof Sketch) return document;
    checkText(document, argument);
    const scheme = other instanceof Sketch ? { scheme: other.scheme, key: options?.key } : options;
    return sharedFingerprinter(scheme).sketch(document);
  };
  return [sketchOf(a, 'a', b), sketchOf(b, 'b', a)];
}

/**
 * Compares two texts, exactly and by their fingerprints and sketches. O(length of both texts).
 *
 * @example
 * ```js
 * const { exactResemblance, containment, jaccard } = compare('a red house', 'a red house and a garden');
 * [exactResemblance, containment.a, containment.b]; // [0.4, 1, 0.4]
 * jaccard; // 0.5
 * ```
 */
export const compare = (a: Text, b: Text, options?: SchemeOptions): Comparison =>
  sharedFingerprinter(options).compare(a, b);

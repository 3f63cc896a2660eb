// Fingerprints of texts, and of the caller's features and hashes.
//
// Code of the caller (an iterator, a getter) runs before the exchange is written: it may call the same fingerprinter.
import type {
  Fingerprinter as Binding,
  FingerprintStream as StreamBinding,
  Weighted,
} from '../../build/wasm/simhash/simhash.js';
import { simhashExchange as exchange, simhashModule as module } from '../boot/simhash.js';
import { ArgumentError } from '../common/argument-error.js';
import { checkAttached, checkIterable, checkText, checkWeight, isTypedArray } from '../common/check.js';
import { ChunkFeed } from '../common/chunk-feed.js';
import { defineDispose, type dispose } from '../common/dispose.js';
import { PIECE, textKind } from '../common/exchange.js';
import { defineInspection } from '../common/inspection.js';
import { keyOf, nameWithKey } from '../common/key.js';
import { Shared } from '../common/shared.js';
import { Stateless } from '../common/stateless.js';
import type { Bits, Text } from '../common/types.js';
import { type BitComparison, readBits } from './bits-comparison.js';
import { packFingerprints, toTypedArray } from './encoding.js';
import { type Feature, readFeatures } from './features.js';
import { type SchemeOptions, schemeId } from './scheme.js';

type Bindings = ReturnType<typeof module>['bindings'];

/** A feature: a string, alone (weight 1) or with its weight, from -2^32 to 2^32. */
export type WeightedFeature = string | readonly [feature: string, weight: number];

/**
 * Computes fingerprints of one scheme. Methods do the same as functions of the same name, without the options of
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
  readonly #key: Uint8Array;
  readonly #binding: Stateless<Bindings, Binding>;

  constructor(options?: SchemeOptions) {
    defineDispose(new.target.prototype);
    defineInspection<Fingerprinter>(new.target.prototype, 'id');
    const id = schemeId(options);
    this.#key = keyOf(options);
    this.#binding = new Stateless(module, ({ Fingerprinter }) => new Fingerprinter(id, this.#key));
    this.#id = this.#binding.current.scheme;
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

  /** See {@link fingerprint}. */
  fingerprint(text: Text): bigint {
    text = checkText(text);
    if (text.length > PIECE) return this.#inPieces(text);
    const binding = this.#binding.current;
    const length = exchange().writePiece(text);
    const kind = textKind(text);
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

  #inPieces(text: Text): bigint {
    const stream = this.stream().update(text);
    try {
      return stream.digest();
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
    hashes = checkAttached(hashes, 'hashes');
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

  /** See {@link features}. */
  features(text: Text): Feature[] {
    text = checkText(text);
    const names = this.#binding.current.features(exchange().writeEncoded(text));
    return readFeatures(exchange(), names, this.#bits);
  }

  /** See {@link compareBits}. */
  compareBits(a: Text, b: Text): BitComparison {
    a = checkText(a, 'a');
    b = checkText(b, 'b');
    const names = this.#binding.current.compare(...exchange().writeTexts(a, b));
    return { id: this.#id, bits: this.#bits, ...readBits(exchange(), names, this.#bits) };
  }

  /** Returns a stream, which computes the fingerprint of a text in chunks. */
  stream(): FingerprintStream {
    return new FingerprintStream(new (module().bindings.FingerprintStream)(this.#binding.current));
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. Every later call of another method throws an `Error`. */
  free(): void {
    this.#binding.free();
  }
}

/**
 * Computes the fingerprint of a text in chunks. Chunk borders change nothing, even inside a character.
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

  readonly #stream: StreamBinding;
  readonly #chunks: ChunkFeed;

  /** @internal */
  constructor(stream: StreamBinding) {
    defineDispose(new.target.prototype);
    this.#stream = stream;
    this.#chunks = new ChunkFeed(stream, exchange(), () => this.free());
  }

  /**
   * Adds the next chunk. O(length of the chunk).
   *
   * @throws RangeError: there is not enough memory; this frees the stream, which may have read a part of the chunk
   */
  update(chunk: Text): this {
    this.#chunks.add(chunk);
    return this;
  }

  /** Returns the fingerprint of the text so far. More chunks may follow. O(different features). */
  digest(): bigint {
    return this.#stream.digest();
  }

  /** See {@link Fingerprinter.free}. */
  free(): void {
    module().free(this.#stream);
  }
}

/** The scheme of fingerprints of 32 bits. */
export interface NarrowOptions extends SchemeOptions {
  /** The width in bits. */
  bits: 32;
}

/** The scheme of fingerprints of 64 or 128 bits. */
export interface WideOptions extends SchemeOptions {
  /** The width in bits. Default: 64. */
  bits?: 64 | 128 | undefined;
}

const shared = new Shared<Fingerprinter>();

/** Returns the fingerprinter with these options that the plain functions share. @internal */
const sharedFingerprinter = (options: SchemeOptions | undefined): Fingerprinter =>
  shared.get(nameWithKey(schemeId(options), options), () => new Fingerprinter(options));

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
export function fingerprintAll(texts: Iterable<Text>, options: NarrowOptions): Uint32Array;
export function fingerprintAll(texts: Iterable<Text>, options?: WideOptions): BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array;
export function fingerprintAll(texts: Iterable<Text>, options?: SchemeOptions): Uint32Array | BigUint64Array {
  return sharedFingerprinter(options).fingerprintAll(texts);
}

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
 * Compares the fingerprints of two texts bit by bit: the sum of the votes on each bit, and the heaviest voters. O(n log n) for n
 * features.
 *
 * @example
 * ```js
 * const { distance, perBit } = compareBits('a red house', 'a red house and a garden');
 * perBit.filter(({ differs }) => differs).length === distance; // true
 * perBit[0].a.sum > 0 === ((fingerprint('a red house') & 1n) === 1n); // true
 * ```
 */
export const compareBits = (a: Text, b: Text, options?: SchemeOptions): BitComparison =>
  sharedFingerprinter(options).compareBits(a, b);

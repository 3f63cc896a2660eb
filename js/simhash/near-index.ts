// Exact search for near fingerprints. This file numbers ids and checks arguments; src/simhash/index searches.
import type { NearIndex as Binding } from '../../build/wasm/simhash/simhash.js';
import { simhashExchange as exchange, simhashModule as module } from '../boot/simhash.js';
import { ArgumentError } from '../common/argument-error.js';
import {
  checkBits,
  checkBytes,
  checkFingerprint,
  checkId,
  checkIterable,
  checkLimit,
  checkMaxDistance,
  checkOptions,
  isId,
  isTypedArray,
} from '../common/check.js';
import { defineDispose, type dispose } from '../common/dispose.js';
import { Ids } from '../common/ids.js';
import { defineInspection } from '../common/inspection.js';
import type { Bits, Id } from '../common/types.js';
import { packFingerprints } from './encoding.js';

/** The options of {@link NearIndex}. */
export interface IndexOptions {
  /** The width of the fingerprints in bits. Default: 64. */
  bits?: Bits | undefined;
  /**
   * The distance in bits for which the index is built: 0 to a quarter of the width. Default: an eighth of the width (8 for
   * 64 bits). It is the default of the methods, which also accept other distances. A larger one takes more memory.
   */
  maxDistance?: number | undefined;
  /**
   * The id of the scheme of the fingerprints, which snapshots contain. Default: `v1:` and the width.
   */
  scheme?: string | undefined;
}

/** The distance of a search. */
export interface SearchOptions {
  /** The largest distance in bits, 0 to a quarter of the width. Default: the distance of the index. */
  maxDistance?: number | undefined;
}

/** The options of {@link NearIndex.query}. */
export interface NeighbourOptions extends SearchOptions {
  /** The largest number of hits, 0 to 2^32 - 1 or `Infinity` (default). */
  limit?: number | undefined;
}

/** A document within a distance. */
export interface Neighbour<I extends Id = Id> {
  /** The id of the document. */
  id: I;
  /** The fingerprint of the document. */
  fingerprint: bigint;
  /** The number of different bits. */
  distance: number;
}

/** Two documents within a distance. */
export interface NeighbourPair<I extends Id = Id> {
  /** The document that was added first. */
  a: I;
  /** The other document. */
  b: I;
  /** The number of different bits. */
  distance: number;
}

/**
 * An exact index of fingerprints: a query finds every fingerprint within its distance.
 *
 * A method that throws an {@link ArgumentError} has changed nothing.
 *
 * @example
 * ```js
 * const index = new NearIndex({ maxDistance: 3 });
 * index.add('a', 0xff00n).add('b', 0xff01n);
 * index.query(0xff01n).map((hit) => [hit.id, hit.distance]); // [['b', 0], ['a', 1]]
 * ```
 */
export class NearIndex<I extends Id = Id> {
  /** See {@link NearIndex.free}. */
  declare readonly [dispose]: () => void;

  /** The index in the module. */
  #index: Binding;
  #bits: Bits;
  #ids = new Ids<I>();

  constructor(options?: IndexOptions) {
    defineDispose(new.target.prototype);
    defineInspection<NearIndex<I>>(new.target.prototype, 'scheme', 'size');
    const { bits = 64, maxDistance, scheme: given } = checkOptions(options, ['bits', 'maxDistance', 'scheme']);
    this.#bits = checkBits(bits);
    const distance = checkMaxDistance(bits, maxDistance);
    const scheme = given === undefined ? `v1:${bits}` : given;
    if (typeof scheme !== 'string') throw new ArgumentError('scheme', "a scheme's id", scheme);
    this.#index = new (module().bindings.NearIndex)(bits, distance, scheme);
  }

  /** The width of the fingerprints in bits. */
  get bits(): Bits {
    return this.#bits;
  }

  /** The distance in bits for which the index is built: the default of the methods. */
  get maxDistance(): number {
    return this.#index.maxDistance;
  }

  /** The id of the scheme of the fingerprints. */
  get scheme(): string {
    return this.#index.scheme;
  }

  /** The number of documents. O(1). */
  get size(): number {
    return this.#index.size;
  }

  /** WebAssembly memory of the index, in bytes. Ids take JavaScript memory in addition. O(size). */
  get bytes(): number {
    return this.#index.bytes;
  }

  #distance({ maxDistance = this.maxDistance }: SearchOptions): number {
    return checkMaxDistance(this.#bits, maxDistance);
  }

  /**
   * Adds a document, last in insertion order. Replaces one with this id, unless the fingerprint is the same. O(log size),
   * amortised.
   *
   * @example
   * ```js
   * new NearIndex().add('a', 5n).add(7, 6n).size; // 2
   * ```
   */
  add(id: I, fingerprint: bigint): this {
    checkId(id);
    checkFingerprint(fingerprint, 'fingerprint', this.#bits);
    this.#ids.add(id, (number) => this.#index.add(number, fingerprint));
    return this;
  }

  /**
   * Adds many documents, much faster than `add`.
   *
   * @param fingerprints - bigints, or a typed array: a `BigUint64Array` for 64 bits, a `BigUint64Array` with the low and the
   * high half of each for 128 bits, a `Uint32Array` for 32 bits.
   * @example
   * ```js
   * new NearIndex().addAll(['a', 'b'], BigUint64Array.of(5n, 6n)).get('b'); // 6n
   * ```
   * @throws {@link ArgumentError}: as `add`, or the numbers of ids and fingerprints differ
   */
  addAll(ids: Iterable<I>, fingerprints: BigUint64Array | Uint32Array | Iterable<bigint>): this {
    const packed = this.#pack(fingerprints);
    checkIterable(ids, 'ids', 'an iterable of strings and safe integers');
    // A copy that is checked first: a call that throws adds nothing.
    const list = Array.from(ids, (id, at) => (isId(id) ? id : checkId(id, `ids[${at}]`)));
    const count = packed.length / (this.#bits === 128 ? 2 : 1);
    if (list.length !== count) {
      throw new ArgumentError('fingerprints', `one for each of the ${list.length} ids`, count);
    }
    const size = list.length + packed.length;
    exchange().checkMemory(8 * size, 'the documents');
    const newIds = list.filter((id) => this.#ids.numberOf(id) === undefined);
    try {
      exchange()
        .floats(size)
        .set(list.map((id) => this.#ids.enter(id)));
      exchange().cells(size).set(packed, list.length);
      this.#index.addAll(list.length);
    } catch (error) {
      for (const id of newIds) if (!this.has(id)) this.#ids.remove(id);
      throw error;
    }
    return this;
  }

  /** Returns fingerprints as 64-bit cells. */
  #pack(fingerprints: BigUint64Array | Uint32Array | Iterable<bigint>): BigUint64Array {
    const bits = this.#bits;
    if (bits === 32 && isTypedArray(fingerprints, 'Uint32Array')) return BigUint64Array.from(fingerprints, BigInt);
    if (bits !== 32 && isTypedArray(fingerprints, 'BigUint64Array')) {
      if (bits === 128 && fingerprints.length % 2) {
        throw new ArgumentError('fingerprints', 'two elements for each fingerprint of 128 bits', fingerprints.length);
      }
      return fingerprints;
    }
    const array = bits === 32 ? 'Uint32Array' : 'BigUint64Array';
    checkIterable(fingerprints, 'fingerprints', `a ${array} or an iterable of bigints`);
    const bigints = fingerprints as Iterable<bigint>;
    return packFingerprints(bigints, bits, (one, at) => checkFingerprint(one, `fingerprints[${at}]`, bits));
  }

  /** Removes a document and returns whether it was there. O(log size), amortised. */
  delete(id: I): boolean {
    const number = this.#ids.numberOf(checkId(id));
    if (number === undefined) return false;
    const isDeleted = this.#index.delete(number);
    this.#ids.remove(id);
    return isDeleted;
  }

  /** Returns whether there is a document with this id. O(log size). */
  has(id: I): boolean {
    return this.get(id) !== undefined;
  }

  /** Returns the fingerprint of a document, or `undefined`. O(log size). */
  get(id: I): bigint | undefined {
    const number = this.#ids.numberOf(checkId(id));
    return number === undefined ? undefined : this.#index.get(number);
  }

  /** Removes all documents. */
  clear(): void {
    const empty = new (module().bindings.NearIndex)(this.#bits, this.maxDistance, this.scheme);
    module().free(this.#index);
    this.#index = empty;
    this.#ids = new Ids<I>();
  }

  /**
   * Returns the documents within `maxDistance`, the nearest first, ties in insertion order. The time grows much more slowly
   * than the size of the index for the distance that the index is built for; larger distances take longer.
   *
   * @example
   * ```js
   * new NearIndex().add('a', 5n).query(4n); // [{ id: 'a', fingerprint: 5n, distance: 1 }]
   * ```
   */
  query(fingerprint: bigint, options?: NeighbourOptions): Neighbour<I>[] {
    checkFingerprint(fingerprint, 'fingerprint', this.#bits);
    const given = checkOptions(options, ['maxDistance', 'limit']);
    const limit = checkLimit(given.limit);
    const count = this.#index.query(fingerprint, this.#distance(given), limit);
    const [floats, cells] = [exchange().floats(4 * count), exchange().cells(4 * count)];
    return Array.from({ length: count }, (_, hit) => {
      const at = 4 * hit;
      const fingerprint = cells[at + 2] | (cells[at + 3] << 64n);
      return { id: this.#ids.idOf(floats[at]), fingerprint, distance: floats[at + 1] };
    });
  }

  /**
   * Iterates over all pairs of documents within `maxDistance`, each pair once, in no particular order. `a` was added before
   * `b`. Pairs are computed during the iteration, which throws an `Error` if the index changes.
   *
   * @example
   * ```js
   * const index = new NearIndex().addAll(['a', 'b', 'c'], [0n, 1n, 0xffff0000n]);
   * [...index.pairs()]; // [{ a: 'a', b: 'b', distance: 1 }]
   * ```
   */
  pairs(options?: SearchOptions): Iterable<NeighbourPair<I>> {
    const distance = this.#distance(checkOptions(options, ['maxDistance']));
    return { [Symbol.iterator]: () => this.#pairs(distance) };
  }

  *#pairs(distance: number): Generator<NeighbourPair<I>, void, undefined> {
    const index = this.#index;
    const cursor = index.pairs(distance);
    try {
      for (;;) {
        if (index !== this.#index) throw new Error('nearprint: the index has changed since the iteration began');
        // One pair at a time, so that the module notices every change of the index.
        if (!index.nextPair(cursor)) return;
        const [a, b, distance] = exchange().floats(3);
        yield { a: this.#ids.idOf(a), b: this.#ids.idOf(b), distance };
      }
    } finally {
      module().free(cursor);
    }
  }

  /**
   * Returns a snapshot: fingerprints and ids with a checksum. It is the same on every machine. The Rust crate reads it, and writes the
   * same bytes, if every id is a non-negative safe integer. O(size).
   */
  toBytes(): Uint8Array {
    return this.#index.toBytes(...this.#ids.write(this.#index.ids(), exchange()));
  }

  /**
   * Returns the index of a snapshot. O(size).
   *
   * @example
   * ```js
   * NearIndex.fromBytes(new NearIndex().add('a', 5n).toBytes()).get('a'); // 5n
   * ```
   * @throws {@link ArgumentError}: `bytes` is not a `Uint8Array`, or not a complete, unchanged snapshot
   */
  static fromBytes<I extends Id = Id>(bytes: Uint8Array): NearIndex<I> {
    bytes = checkBytes(bytes);
    exchange().checkMemory(bytes.length, 'the snapshot');
    const binding = module().bindings.NearIndex.fromBytes(bytes);
    try {
      const ids = Ids.read<I>(binding.size, exchange());
      const index = emptyIndex<I>();
      module().free(index.#index);
      index.#index = binding;
      index.#bits = binding.bits as Bits;
      index.#ids = ids;
      return index;
    } catch (error) {
      module().free(binding);
      throw error;
    }
  }

  /** Frees its WebAssembly memory now, instead of after garbage collection. Every later call of another method throws an `Error`. */
  free(): void {
    module().free(this.#index);
  }
}

// Outside the class, since the bundler renames a class whose body names it.
const emptyIndex = <I extends Id>(): NearIndex<I> => new NearIndex<I>();

import type { Sketch } from '../index.js';

/** A document for a store. */
export interface StoreDocument {
  /** Up to 2,000 bytes of UTF-8, without NUL and without lone surrogates. */
  id: string;
  sketch: Sketch;
}

/** A kept document that another one is a near-duplicate of. */
export interface StoreHit {
  id: string;
  /** The estimated share of word pairs in common, from 0 to 1. */
  resemblance: number;
  /** The number of differing bits of the fingerprints. */
  distance: number;
}

export interface StoreQueryOptions {
  /** The largest number of hits: 0 to 2^32 - 1 or `Infinity`, 1 by default. */
  limit?: number;
}

/** The answer for one document. */
export interface Added {
  id: string;
  /** The id of the kept document of which this one is a near-duplicate; null if it is kept itself. */
  duplicateOf: string | null;
  /** Null if the document is kept itself, as is `distance`. */
  resemblance: number | null;
  distance: number | null;
}

export interface StoreOptions {
  /**
   * The name of the store, `nearprint` by default: up to 40 lower-case letters, digits and `_`, the first a letter. The
   * names of its tables or keys begin with it, so one database takes many stores.
   */
  name?: string;
  /** The scheme of the sketches, `v1:64` by default. */
  scheme?: string;
  /** The resemblance from which a document is a near-duplicate: above 0 and up to 1, that of `Deduplicator` by default. */
  minResemblance?: number;
  /** How many values of each of the four blocks a query examines: 1 to 256, 25 by default. */
  probes?: number;
}

/**
 * The kept documents of many clients. The answers are those of a `Deduplicator`: what concurrent clients get is what
 * some order of their calls, one at a time, would give.
 *
 * All methods reject with a TypeError or a RangeError that names the argument if an argument is wrong, and with an Error
 * that states what to do if the engine fails.
 */
export interface Store {
  readonly name: string;
  readonly scheme: string;
  readonly minResemblance: number;
  /**
   * Keeps each document unless it is a near-duplicate of a kept one. The answers are in the order of the documents, and a
   * document is compared with those before it. Each document is atomic; after an error, those before it are kept.
   *
   * A call may be repeated: a document that is kept already, under the same id and with the same sketch, is new again.
   *
   * @throws RangeError: a new document has the id of another kept document
   */
  addIfNew(docs: Iterable<StoreDocument>): Promise<Added[]>;
  /** Keeps documents whatever they resemble, each in place of the one with its id. Takes a `Deduplicator` too. */
  add(docs: Iterable<StoreDocument>): Promise<void>;
  /**
   * The kept documents that the sketch is a near-duplicate of, up to `limit` (1 by default): the most similar first, of
   * equally similar ones that of the smallest distance, then the one kept first.
   */
  query(sketch: Sketch, options?: StoreQueryOptions): Promise<StoreHit[]>;
  /** The sketch of a kept document, without margins. */
  get(id: string): Promise<Sketch | undefined>;
  /** Removes documents. Returns how many there were. */
  delete(ids: Iterable<string>): Promise<number>;
  count(): Promise<number>;
  /** All kept documents in the order of addition. Those that are added or deleted meanwhile may be missing. */
  entries(): AsyncIterable<StoreDocument>;
  /** The statements that create the tables and functions, for those who run their own migrations. */
  schema(): string;
  /** Frees what the store holds. The client is the caller's, and stays open. */
  [Symbol.asyncDispose](): Promise<void>;
}

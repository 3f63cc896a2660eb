/**
 * Fingerprints of texts (SimHash), and the search of fingerprints by their Hamming distance.
 *
 * Texts that differ in a few edits have fingerprints that differ in a few bits: {@link distance}. In a large collection, unrelated
 * texts lie within any distance too. To decide on documents, use `nearprint`: it is more exact. A fingerprint is the same on every
 * machine for as long as its scheme keeps its name.
 *
 * Every function is synchronous and needs no initialisation. It throws an {@link ArgumentError} for an argument of another type, out
 * of its range, or of another scheme, and for an unknown option; and a `RangeError` if there is not enough memory.
 *
 * @packageDocumentation
 */
export { ArgumentError } from './common/argument-error.js';
export type { KeyOptions } from './common/key.js';
export type { CharShingles, Shingles, WordShingles } from './common/shingles.js';
export type { Bits, Id, Text } from './common/types.js';
export type { BitComparison, BitVotes, ComparedBit, ComparedText, Voter } from './simhash/bits-comparison.js';
export { type BlockKeyOptions, blockKeys } from './simhash/block-keys.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './simhash/encoding.js';
export type { Feature } from './simhash/features.js';
export {
  compareBits,
  Fingerprinter,
  type FingerprintStream,
  features,
  fingerprint,
  fingerprintAll,
  fingerprintFeatures,
  fingerprintHashes,
  type NarrowOptions,
  type WeightedFeature,
  type WideOptions,
} from './simhash/fingerprinter.js';
export { distance, similarity } from './simhash/hamming.js';
export {
  type IndexOptions,
  NearIndex,
  type Neighbour,
  type NeighbourOptions,
  type NeighbourPair,
  type SearchOptions,
} from './simhash/near-index.js';
export type { SchemeOptions } from './simhash/scheme.js';
export { type HammingSql, type HammingSqlOptions, hammingSql } from './simhash/sql.js';

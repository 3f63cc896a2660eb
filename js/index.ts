/**
 * Finds texts that are equal except for edits.
 *
 * Every function is synchronous and needs no initialisation, except that {@link dedupe} is an async generator
 * and {@link clusters} returns a promise.
 *
 * Two texts are near-duplicates if their resemblance is large: the share of their word pairs that both have. A
 * {@link Sketch} estimates it, and a {@link Deduplicator} decides by it whether a document is new, unchanged, changed, or a
 * near-duplicate. The distance of two fingerprints, the number of bits in which they differ, is a coarser measure: among up
 * to ten thousand documents, 8 of 64 bits separates near-duplicates from the rest. {@link NearIndex} searches by distance.
 *
 * Every function throws an {@link ArgumentError} for an argument of another type, out of its range, or of another scheme, and for an
 * unknown option. It throws a `RangeError` if there is not enough memory.
 *
 * @packageDocumentation
 */
export { ArgumentError } from './core/argument-error.js';
export { blockKeys } from './core/block-keys.js';
export { type ClusterOptions, clusters, type DocumentCluster, type DocumentMember } from './core/clusters.js';
/** The rule for stores. @internal */
export {
  areNear,
  type CandidateHit,
  type Change,
  type Decided,
  decide,
  decideAdd,
  decideSettle,
  endOf,
  hasEqual,
  hitsOf,
  isLive,
  isProvisional,
  type Rule,
  sketchOfValue,
  sketchScheme,
} from './core/decide.js';
export type { Decision, Hit, Observation, Outcome, RunOutcome, SetOutcome } from './core/decision.js';
export { MIN_FEATURES, MIN_RESEMBLANCE } from './core/decision-options.js';
export {
  type Cluster,
  type ClusterMember,
  Deduplicator,
  type DocumentContent,
  type ExpiryOptions,
  type IdentifiedDocument,
  type LinkageOptions,
  type ObserveOptions,
  type Pair,
  type PeekOptions,
  type QueryOptions,
  type ThresholdOptions,
  type TimeOptions,
} from './core/deduplicator.js';
export { fromBytes, fromHex, fromSigned, toBytes, toHex, toSigned } from './core/encoding.js';
export {
  type BitComparison,
  type BitVotes,
  type Comparison,
  compare,
  type Feature,
  Fingerprinter,
  type FingerprintStream,
  features,
  fingerprint,
  fingerprintAll,
  fingerprintFeatures,
  fingerprintHashes,
  resemblance,
  sketch,
  sketchAll,
  type WeightedFeature,
} from './core/fingerprinter.js';
export { distance, similarity } from './core/hamming.js';
export { isNearDuplicate, type NearDuplicateOptions } from './core/near-duplicate.js';
export {
  type IndexOptions,
  NearIndex,
  type Neighbour,
  type NeighbourOptions,
  type NeighbourPair,
  type SearchOptions,
} from './core/near-index.js';
export type { KeyOptions, SchemeOptions } from './core/scheme.js';
export type { ScopeOptions } from './core/scope.js';
export { Sketch } from './core/sketch.js';
export type { DocumentOptions } from './core/source.js';
export type { Bits, Id, Text } from './core/types.js';
export { type DedupeOptions, dedupe } from './decisions/dedupe.js';
export type {
  DocumentStore,
  PeekedDocument,
  StoreObserveOptions,
  StorePeekOptions,
  Version,
} from './decisions/store.js';
/** Decisions for stores. @internal */
export { outcomeOf } from './decisions/versions.js';

/** The version of Unicode that defines normalisation and words. It is part of the scheme. */
export const UNICODE_VERSION: string = '17.0.0';

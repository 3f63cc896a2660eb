/**
 * Finds texts that are equal except for edits.
 *
 * Every function is synchronous and needs no initialisation, except that {@link dedupe} is an async generator
 * and {@link clusters} returns a promise.
 *
 * Two texts are near-duplicates if their resemblance is large: the share of their word pairs that both have. A
 * {@link Sketch} estimates it, and a {@link Deduplicator} decides by it whether a document is new, unchanged, changed, or a
 * near-duplicate. Fingerprints of 32, 64 or 128 bits, and their search, are in `nearprint/simhash`.
 *
 * Every function throws an {@link ArgumentError} for an argument of another type, out of its range, or of another scheme, and for an
 * unknown option. It throws a `RangeError` if there is not enough memory.
 *
 * @packageDocumentation
 */
export { ArgumentError } from './common/argument-error.js';
export type { KeyOptions } from './common/key.js';
export type { CharShingles, Shingles, WordShingles } from './common/shingles.js';
export type { Id, Text } from './common/types.js';
export type { Cluster, ClusterMember, LinkageOptions, Pair } from './dedupe/cluster.js';
export { type ClusterOptions, clusters, type DocumentCluster, type DocumentMember } from './dedupe/clusters.js';
export type {
  ChangedOutcome,
  Decision,
  DuplicateOutcome,
  Hit,
  Identified,
  NewOutcome,
  Observation,
  OriginalInRun,
  Outcome,
  Positioned,
  RunOutcome,
  SetOutcome,
  UnchangedOutcome,
} from './dedupe/decision.js';
export type {
  ExpiryOptions,
  ObserveOptions,
  PeekOptions,
  QueryOptions,
  ThresholdOptions,
  TimeOptions,
} from './dedupe/decision-options.js';
export { MIN_FEATURES, MIN_RESEMBLANCE } from './dedupe/decision-options.js';
export { dedupe } from './dedupe/dedupe.js';
export type { DedupeOptions } from './dedupe/dedupe-options.js';
export { Deduplicator } from './dedupe/deduplicator.js';
export type { DocumentContent, IdentifiedDocument, SketchContent, TextContent } from './dedupe/document.js';
export type {
  DocumentStore,
  PeekedDocument,
  SketchedVersion,
  StoreObserveOptions,
  StorePeekOptions,
  Version,
} from './dedupe/document-store.js';
export { isNearDuplicate, type NearDuplicateOptions } from './dedupe/near-duplicate.js';
export type { DocumentOptions, SourceArguments } from './dedupe/source.js';
export type { ComparedFeature, Comparison } from './sketch/comparison.js';
export type { SketchOptions } from './sketch/scheme.js';
export type { ScopeOptions } from './sketch/scope.js';
export { Sketch } from './sketch/sketch.js';
export { compare, resemblance, Sketcher, type SketchStream, sketch, sketchAll } from './sketch/sketcher.js';

/** The version of Unicode that defines normalisation and words. It is part of the scheme. */
export const UNICODE_VERSION: string = '17.0.0';

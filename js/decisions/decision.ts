// The outcome of a search, and of a decision on a document.
import type { Id } from '../core/types.js';

/** How similar two documents are. */
export interface Similarity {
  /** The resemblance, from 0 to 1: the estimate of {@link resemblance}, or exact if texts were compared. */
  resemblance: number;
  /** The number of bits in which the 64-bit fingerprints differ: 0 to 16 for a hit. */
  distance: number;
}

/** A kept document that a text resembles. */
export interface ResemblanceHit<I extends Id = Id> extends Similarity {
  id: I;
}

/**
 * The outcome of a decision: see {@link Deduplicator.observe} for the rule. New and changed documents are kept.
 * `resemblance` and `distance` compare a changed document with the version that it replaces, and a duplicate with the kept
 * document `duplicateOf`: the share of word pairs in common, from 0 to 1 (an estimate, or exact with `textOf`), and the
 * number of bits in which the 64-bit fingerprints differ.
 */
export type Outcome<I extends Id = Id> =
  | { status: 'new' }
  | { status: 'unchanged' }
  | { status: 'changed'; resemblance: number; distance: number }
  | { status: 'duplicate'; duplicateOf: I; resemblance: number; distance: number };

/** The decision on a document that was observed by its id. */
export type Observation<I extends Id = Id> = { id: I } & Outcome<I>;

/** The decision on a document of {@link dedupe}. */
export type Decision<I extends Id = Id, D = unknown> = { id: I; document: D } & Outcome<I>;

// The rule of section "Decisions" in DESIGN.md, for documents that are not in a Deduplicator of this process: the stores, and
// comparisons that change nothing. src/dedupe/deduplicator.rs has the same rule.

import { MIN_BRIEF_RESEMBLANCE } from '../core/decision-options.js';
import { distance } from '../core/hamming.js';
import type { Sketch } from '../core/sketch.js';
import type { Id } from '../core/types.js';
import type { Outcome, ResemblanceHit, Similarity } from './decision.js';

/** Returns the threshold of two documents; `hasFewFeatures` states whether either has few. A threshold of 0 admits all. */
export const thresholdOf = (minResemblance: number, hasFewFeatures: boolean): number =>
  hasFewFeatures && minResemblance > 0 ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE) : minResemblance;

/** Returns whether a resemblance reaches the threshold of two documents. */
export const reaches = (resemblance: number, minResemblance: number, hasFewFeatures: boolean): boolean =>
  resemblance >= thresholdOf(minResemblance, hasFewFeatures);

/**
 * Returns whether two documents are near-duplicates. `resemblance` is exact or estimated. A short text resembles only equal
 * texts, for which the sketches decide, unless the resemblance is exact and contradicts.
 */
export const areNear = (a: Sketch, b: Sketch, resemblance: number, minResemblance: number): boolean =>
  reaches(
    a.isShort || b.isShort ? Math.min(a.resemblance(b), Math.floor(resemblance)) : resemblance,
    minResemblance,
    a.hasFewFeatures || b.hasFewFeatures,
  );

/** Compares hits: the most similar first, then the smallest distance. */
export const byRank = (a: Similarity, b: Similarity): number =>
  b.resemblance - a.resemblance || a.distance - b.distance;

/** Returns the similarity of two sketches. */
export const similarityOf = (a: Sketch, b: Sketch): Similarity => ({
  resemblance: a.resemblance(b),
  distance: distance(a.fingerprint, b.fingerprint),
});

/**
 * Decides on a document that does not equal the kept version of its id. `before` is its similarity to that version, if any,
 * and `hit` is the best other document that reaches the threshold.
 */
export function outcomeOf<I extends Id>(
  before: Similarity | undefined,
  hit: ResemblanceHit<I> | undefined,
): Outcome<I> {
  if (hit !== undefined && !(before !== undefined && before.resemblance >= hit.resemblance)) {
    const { id: duplicateOf, resemblance, distance } = hit;
    return { status: 'duplicate', duplicateOf, resemblance, distance };
  }
  return before === undefined ? { status: 'new' } : { status: 'changed', ...before };
}

/** Returns whether a document with this outcome is kept, in place of any earlier version. */
export const isKept = ({ status }: Outcome): boolean => status === 'new' || status === 'changed';

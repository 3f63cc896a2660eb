// The rule of section "Decisions" in DESIGN.md, for documents that are not in a Deduplicator of this process: the stores, and
// comparisons that change nothing. src/dedupe/deduplicator.rs has the same rule.
import type { Id } from '../core/check.js';
import { checkMinResemblance, type ResemblanceHit, type ThresholdOptions } from '../core/deduplicator.js';
import { checkOptions } from '../core/check.js';
import { checkSketch, MIN_BRIEF_RESEMBLANCE, type Sketch } from '../core/sketch.js';
import type { Outcome } from './decision.js';

/** How similar two versions or documents are. */
export interface Similarity {
  resemblance: number;
  distance: number;
}

/** Whether a resemblance reaches the threshold for two documents, of which one may have few features. 0 admits all. */
export const reaches = (resemblance: number, minResemblance: number, hasFewFeatures: boolean): boolean =>
  resemblance >= (hasFewFeatures && minResemblance > 0 ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE) : minResemblance);

/** Compares hits: the most similar first, then the smallest distance. */
export const byRank = (a: Similarity, b: Similarity): number => b.resemblance - a.resemblance || a.distance - b.distance;

/** Returns the similarity of two sketches. */
export const similarityOf = (a: Sketch, b: Sketch): Similarity => ({
  resemblance: a.resemblance(b),
  distance: a.distance(b),
});

/**
 * Decides what a document is that does not equal the kept version of its id. `before` compares it with that version, if there
 * is one, and `hit` is the best other document that reaches the threshold.
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

/** Whether a document with this outcome is kept, in place of an earlier version if there is one. */
export const isKept = ({ status }: Outcome): boolean => status === 'new' || status === 'changed';

/** The options of {@link isNearDuplicate}. */
export interface NearDuplicateOptions extends ThresholdOptions {
  /** The exact resemblance, such as {@link compare} returns it. Default: the estimate of the sketches. */
  resemblance?: number;
}

/**
 * Returns whether two documents are near-duplicates by the rule of {@link Deduplicator.observe}: their resemblance reaches
 * the threshold. A pair with a brief text needs at least {@link MIN_BRIEF_RESEMBLANCE}. O(1).
 *
 * @example
 * ```js
 * const [a, b] = sketchAll(['The river burst its banks on Tuesday', 'The river burst its banks on Wednesday']);
 * isNearDuplicate(a, b); // true
 * isNearDuplicate(a, b, { minResemblance: 0.9 }); // false
 * ```
 * @throws {@link ArgumentError}: an argument is not a `Sketch`, the sketches are of different schemes, or an option is wrong
 */
export function isNearDuplicate(a: Sketch, b: Sketch, options?: NearDuplicateOptions): boolean {
  checkSketch(a, 'a');
  checkSketch(b, 'b');
  const { minResemblance, resemblance = a.resemblance(b) } = checkOptions(options, ['minResemblance', 'resemblance']);
  return reaches(resemblance, checkMinResemblance(minResemblance), a.hasFewFeatures || b.hasFewFeatures);
}

// The threshold rule for two documents.
import { checkNumber, checkOptions } from '../core/check.js';
import { checkMinResemblance } from '../core/decision-options.js';
import type { ThresholdOptions } from '../core/deduplicator.js';
import { checkSketch, type Sketch } from '../core/sketch.js';
import { areNear } from './rule.js';

/** The options of {@link isNearDuplicate}. */
export interface NearDuplicateOptions extends ThresholdOptions {
  /** The `exactResemblance` of {@link compare}, if both texts are known. Default: the estimate of the sketches. */
  resemblance?: number;
}

/**
 * Returns whether two documents are near-duplicates by the rule of {@link Deduplicator.observe}: their resemblance reaches
 * the threshold. A pair with a brief text needs at least {@link MIN_BRIEF_RESEMBLANCE}. O(1).
 *
 * @example
 * ```js
 * const [a, b] = sketchAll(['The river burst its banks on Tuesday', 'The river burst its banks on Tuesday again']);
 * isNearDuplicate(a, b); // true
 * isNearDuplicate(a, b, { minResemblance: 0.9 }); // false
 * ```
 * @throws {@link ArgumentError}: an argument is not a `Sketch`, the sketches are of different schemes, or an option is wrong
 */
export function isNearDuplicate(a: Sketch, b: Sketch, options?: NearDuplicateOptions): boolean {
  checkSketch(a, 'a');
  checkSketch(b, 'b');
  // The estimate is computed in any case, since it checks the schemes.
  const estimate = a.resemblance(b);
  const { minResemblance, resemblance = estimate } = checkOptions(options, ['minResemblance', 'resemblance']);
  checkNumber(resemblance, 'resemblance', 0, 1);
  return areNear(a, b, resemblance, checkMinResemblance(minResemblance));
}

// The threshold rule for two documents.
import { dedupeExchange, dedupeModule } from '../boot/dedupe.js';
import { checkNumber, checkOptions } from '../common/check.js';
import type { Text } from '../common/types.js';
import { type SketchOptions, sketchOptions } from '../sketch/scheme.js';
import type { Sketch } from '../sketch/sketch.js';
import { sketchBoth } from '../sketch/sketcher.js';
import type { ThresholdOptions } from './decision-options.js';
import { checkMinResemblance } from './decision-options.js';

/** The options of {@link isNearDuplicate}. */
export interface NearDuplicateOptions extends ThresholdOptions, SketchOptions {
  /**
   * The `exactResemblance` of {@link compare}, if both texts are known. Default: the estimate of the sketches. Short texts with
   * equal sketches need 1.
   */
  resemblance?: number | undefined;
}

/**
 * Returns whether two documents are near-duplicates by the rule of {@link Deduplicator.observe}: their resemblance reaches
 * the threshold. A pair with a brief text needs at least 0.75. O(1) for sketches; a text is sketched first.
 *
 * @example
 * ```js
 * const [a, b] = ['The river burst its banks on Tuesday', 'The river burst its banks on Tuesday again'];
 * isNearDuplicate(a, b); // true
 * isNearDuplicate(sketch(a), b); // true
 * isNearDuplicate(a, b, { minResemblance: 0.9 }); // false
 * ```
 * @param options - the threshold, and the scheme as for {@link resemblance}
 * @throws {@link ArgumentError}: an argument is neither a text nor a `Sketch`, the sketches are of different schemes, or an option is wrong
 */
export function isNearDuplicate(a: Text | Sketch, b: Text | Sketch, options?: NearDuplicateOptions): boolean {
  const { minResemblance, resemblance, ...scheme } = checkOptions(options, [
    'minResemblance',
    'resemblance',
    ...sketchOptions,
  ]);
  const [first, second] = sketchBoth(a, b, scheme);
  if (resemblance !== undefined) checkNumber(resemblance, 'resemblance', 0, 1);
  const min = checkMinResemblance(minResemblance);
  const { areNear } = dedupeModule().bindings;
  return areNear(...dedupeExchange().writeBoth(first.view, second.view), min, resemblance);
}

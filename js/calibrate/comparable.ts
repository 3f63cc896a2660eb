// Documents that are compared exactly, by the rule of decisions.
import { isNearDuplicate, type Sketch } from '../index.js';
import type { FeatureSet } from '../sketch/feature-set.js';

/** The thresholds of a calibration: .5 to .95 in steps of .05. */
export const thresholds: readonly number[] = Array.from({ length: 10 }, (_, at) => (50 + 5 * at) / 100);

/** A document with what decides about pairs. */
export interface Comparable {
  sketch: Sketch;
  features: FeatureSet;
}

/**
 * Returns the exact resemblance of two documents, or 0 if they are not near-duplicates at the lowest threshold. So a pair with
 * a brief text has at least .75, and a pair with a short one is equal.
 */
export function nearResemblance(a: Comparable, b: Comparable): number {
  const resemblance = a.features.resemblance(b.features);
  const [minResemblance] = thresholds;
  if (resemblance < minResemblance) return 0;
  return isNearDuplicate(a.sketch, b.sketch, { minResemblance, resemblance }) ? resemblance : 0;
}

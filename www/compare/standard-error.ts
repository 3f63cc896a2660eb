// The error of an estimate by sketches.

/** The number of bits of an odd sketch. */
const BITS = 480;

/** The maximum number of features that toggle bits, and the smallest sample of a text that has more. */
const [MAX_FEATURES, SAMPLE] = [400, 200];

/** Returns the largest standard error of an estimated resemblance. Neither text has more than `features` features. */
export function standardError(resemblance: number, features = Infinity): number {
  const isSampled = features > MAX_FEATURES;
  const sum = 2 * (isSampled ? SAMPLE : features);
  const differing = (sum * (1 - resemblance)) / (1 + resemblance);
  if (differing < 1) return 2 / sum; // Equal sketches do not prove that no feature differs: the error of one of them.
  // The variances of the number of differing features, and of the share of common features in a sample.
  const variance = (BITS / 4) * Math.expm1((4 * differing) / BITS) - differing;
  const sampling = isSampled ? (2 * resemblance * (1 - resemblance)) / (sum + differing) : 0;
  return Math.hypot((2 * sum * Math.sqrt(variance)) / (sum + differing) ** 2, Math.sqrt(sampling));
}

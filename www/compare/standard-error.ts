// The error of an estimate by sketches.

/** The share of the smallest hashes that are equal by chance: two bits of each are kept, which have three values. */
const CHANCE = 1 / 3;

/** The number of smallest hashes in the sketch of a long text. */
const BINS = 256;

/** Returns the standard error of the estimate of a resemblance by the sketches of two long texts. */
export function standardError(resemblance: number): number {
  const equal = resemblance + (1 - resemblance) * CHANCE;
  return Math.sqrt((equal * (1 - equal)) / BINS) / (1 - CHANCE);
}

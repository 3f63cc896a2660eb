// The error of an estimate by sketches.

/** The probability that two different minima have the same value: a bin stores one of three values. */
const CHANCE = 1 / 3;

/** The number of bins of a MinHash. */
const BINS = 256;

/** Returns the standard error of the estimate of a resemblance by the sketches of two long texts. */
export function standardError(resemblance: number): number {
  const equal = resemblance + (1 - resemblance) * CHANCE;
  return Math.sqrt((equal * (1 - equal)) / BINS) / (1 - CHANCE);
}

// The share of pairs that a search finds: documents are compared only if they have a key in common.

/** The keys of the minima: `BANDS` keys of `ROWS` minima each (DESIGN.md, "Sketches"). */
const [BANDS, ROWS] = [12, 3];

/** The share of the pairs of one resemblance that have a key in common. It depends on the length of the texts. */
export interface FoundShare {
  /** The share for long texts, of a thousand words or more. */
  long: number;
  /** The share for texts of some 30 words or fewer. Other texts lie between the two. */
  short: number;
}

/** Returns the probability of a common key if each minimum is common with the probability `p`. */
const ofMinima = (p: number): number => 1 - (1 - p ** ROWS) ** BANDS;

/**
 * Returns the share of the pairs of a resemblance that have a key in common. In a long text, which fills all bins of the
 * minima, a minimum is common with the probability `J / (2 - J)` instead of `J`.
 *
 * @internal
 */
export const foundShare = (resemblance: number): FoundShare => ({
  long: ofMinima(resemblance / (2 - resemblance)),
  short: ofMinima(resemblance),
});

// The rule by which every program here counts mistakes, and every document reports them.
import { SimilarityIndex } from './truth.mjs';

/** A dropped document is wrong if its exact resemblance to every kept document is below this. */
export const FAR = 0.4;

/** A kept document is left if its exact resemblance to an earlier kept document is at least this. Between, both are right. */
export const NEAR = 0.7;

/** In place of a kept document: one that is not in the truth and resembles nothing in it. */
export const OTHER = -1;

/**
 * Returns for each document 'wrong', 'left' or undefined. `partners` has the kept document for which each document was dropped,
 * or undefined. The documents can be the first ones of the truth.
 */
export function judge(truth, partners) {
  const near = new SimilarityIndex(truth, NEAR);
  const far = new SimilarityIndex(truth, FAR);
  const verdicts = partners.map((partner, document) => {
    if (partner === OTHER) return 'wrong';
    if (partner !== undefined) return truth.resemblance(document, partner) < FAR ? 'wrong' : undefined;
    const isLeft = near.find(document) !== undefined;
    near.add(document);
    return isLeft ? 'left' : undefined;
  });
  // The partner is not similar, but another kept document may be.
  if (verdicts.includes('wrong')) {
    for (const [document, partner] of partners.entries()) if (partner === undefined) far.add(document);
  }
  return verdicts.map((verdict, document) =>
    verdict === 'wrong' && far.find(document) !== undefined ? undefined : verdict,
  );
}

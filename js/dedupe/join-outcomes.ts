// The decision on a document that several sets have decided on.
import type { Outcome } from './decision.js';

type Compared<I> = Extract<Outcome<I>, { resemblance: number }>;

/** Returns the outcome of a status with the largest resemblance, the first of equal ones. */
function best<I>(outcomes: readonly Outcome<I>[], status: 'changed' | 'duplicate'): Compared<I> | undefined {
  const compared = outcomes.filter((outcome): outcome is Compared<I> => outcome.status === status);
  return compared.sort((a, b) => b.resemblance - a.resemblance)[0];
}

/**
 * Joins the decisions of several sets on one document. `unchanged` in any set is `unchanged`. Otherwise the document is compared
 * with its most similar earlier version and with the most similar other document: as in one set, it is a `duplicate` only if
 * the other document is more similar. Ties go to the set that comes first. `I` names a kept document.
 */
export function joinOutcomes<I>(outcomes: readonly Outcome<I>[]): Outcome<I> {
  const unchanged = outcomes.find(({ status }) => status === 'unchanged');
  if (unchanged !== undefined) return unchanged;
  const [changed, duplicate] = [best(outcomes, 'changed'), best(outcomes, 'duplicate')];
  if (duplicate !== undefined && duplicate.resemblance > (changed?.resemblance ?? 0)) return duplicate;
  return changed ?? { status: 'new' };
}

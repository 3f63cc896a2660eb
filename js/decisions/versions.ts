// Decisions by versions that are kept elsewhere: in a store, or in two sets of which one does not change.
import { type Decided, decide, isProvisional, OWN, type Rule, wordsOfValue } from '../core/decide.js';
import type { Outcome } from '../core/decision.js';
import { type Comparison, decideExactly, type Reading, type Verifiable, type Verifier } from '../core/verify.js';

/** What a decision depends on, as `read` of a set returns it. `I` identifies a document. @internal */
export interface Versions<I> {
  /** The time of the set in milliseconds. */
  now: number;
  /** The versions of the document's id. */
  own: readonly Uint8Array[];
  /** Versions of other ids that share a key with the document, the oldest first. */
  candidates: readonly { id: I; value: Uint8Array }[];
}

/** Decides what a document is, and changes nothing. `own` identifies the kept version of its id for the verifier. @internal */
export function* decideBy<I>(
  document: Verifiable,
  own: I,
  versions: Versions<I>,
  options: Omit<Rule, 'now'>,
  verifier: Verifier<I> | undefined,
): Reading<Decided> {
  const { sketch } = document;
  const { now, candidates } = versions;
  const rule = { ...options, now };
  const values = candidates.map(({ value }) => value);
  if (verifier === undefined) return decide(sketch, versions.own, values, rule) as Decided;
  return yield* decideExactly(verifier, document, (exact): Decided | Comparison<I> => {
    const result = decide(sketch, versions.own, values, rule, exact);
    if (!('compare' in result)) return result;
    const kept = versions.own.find((value) => !isProvisional(value)) as Uint8Array;
    const { id, value } = result.compare === OWN ? { id: own, value: kept } : candidates[result.compare];
    return { compare: id, words: wordsOfValue(value) };
  });
}

/** Returns the outcome of a decision about candidates. @internal */
export function outcomeOf<I>(decided: Decided, { candidates }: { candidates: readonly { id: I }[] }): Outcome<I> {
  const { status, of, resemblance, distance, isProvisional } = decided;
  if (status === 'new' || status === 'unchanged') return { status };
  if (status === 'changed') return { status, resemblance, distance };
  const outcome: Outcome<I> = { status, duplicateOf: candidates[of].id, resemblance, distance };
  return isProvisional ? Object.assign(outcome, { isProvisional }) : outcome;
}

/**
 * Joins the versions of two sets, of which the upper one has later documents. `hides` states whether it has a version of a document
 * of the lower one.
 */
export const joined = <A, B>(lower: Versions<A>, upper: Versions<B>, hides: (id: A) => boolean): Versions<A | B> => ({
  now: lower.now,
  own: upper.own.length > 0 ? upper.own : lower.own,
  candidates: [...lower.candidates.filter(({ id }) => !hides(id)), ...upper.candidates],
});

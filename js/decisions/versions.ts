// Decisions by versions that are kept elsewhere, in a store.
import { type Decided, decide, type Rule } from '../core/decide.js';
import type { Outcome } from '../core/decision.js';
import type { Sketch } from '../core/sketch.js';

/** What a decision depends on, as `read` of a set returns it. `I` identifies a document. @internal */
export interface Versions<I> {
  /** The time of the set in milliseconds. */
  now: number;
  /** The versions of the document's id. */
  own: readonly Uint8Array[];
  /** Versions of other ids that share a key with the document, the oldest first. */
  candidates: readonly { id: I; value: Uint8Array }[];
}

/** Decides what a document is, and changes nothing. @internal */
export const decideBy = <I>(
  sketch: Sketch,
  { now, own, candidates }: Versions<I>,
  options: Omit<Rule, 'now'>,
): Decided =>
  decide(
    sketch,
    own,
    candidates.map(({ value }) => value),
    { ...options, now },
  );

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

// Decisions by versions that are kept elsewhere, in a store.
import type { Decided } from './decide.js';
import type { Outcome } from './decision.js';

/** What a decision depends on, as `read` of a set returns it. `I` identifies a document. @internal */
export interface Versions<I> {
  /** The time of the set in milliseconds. */
  now: number;
  /** The versions of the document's id. */
  own: readonly Uint8Array[];
  /** Versions of other ids that share a key with the document, the oldest first. */
  candidates: readonly { id: I; value: Uint8Array }[];
}

/** Returns the outcome of a decision about candidates. @internal */
export function outcomeOf<I>(decided: Decided, { candidates }: { candidates: readonly { id: I }[] }): Outcome<I> {
  const { status, of, resemblance, isProvisional } = decided;
  if (status === 'new' || status === 'unchanged') return { status };
  if (status === 'changed') return { status, resemblance };
  const outcome: Outcome<I> = { status, duplicateOf: candidates[of].id, resemblance };
  return isProvisional ? Object.assign(outcome, { isProvisional }) : outcome;
}

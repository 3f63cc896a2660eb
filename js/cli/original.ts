// The document that another one duplicates.
import type { Outcome } from '../dedupe/decision.js';
import type { Id } from '../index.js';

/** The original of a duplicate. All duplicates of an original have the same object. */
export interface Original {
  /** The key of a document of this run or of its index or store; undefined for a document of a reference. */
  readonly key: Id | undefined;
  /** Its id, or its place if it has none. */
  name: Id;
  /** Undefined if it is not a document of this run, or if the run identifies documents by their ids. */
  readonly place: string | undefined;
}

/** Returns an outcome whose original is named by `originalOf`. Changes a duplicate in place. */
export function withOriginal<I>(outcome: Outcome<I>, originalOf: (key: I) => Original): Outcome<Original> {
  if (outcome.status !== 'duplicate') return outcome;
  return Object.assign(outcome, { duplicateOf: originalOf(outcome.duplicateOf) });
}

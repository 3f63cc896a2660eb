// The outcome of a search, and of a decision on a document.
import type { Id } from '../common/types.js';

/** A kept document that a text resembles. */
export interface Hit<I extends Id = Id> {
  id: I;
  /** The estimated resemblance, from 0 to 1. See {@link resemblance}. */
  resemblance: number;
  /** The document is provisional: its lease may end. Only in hits of a store. */
  isProvisional?: true;
}

/**
 * The outcome of a decision: see {@link Deduplicator.observe} for the rule. New and changed documents are kept.
 * `resemblance` compares a changed document with the version that it replaces, and a duplicate with the kept document
 * `duplicateOf`: the share of word pairs in common, from 0 to 1, an estimate, or exact with `textOf`. `isProvisional` states
 * that a store keeps `duplicateOf` provisionally: if its handling fails, a later visit finds the document new.
 */
export type Outcome<I = Id> =
  | { status: 'new' }
  | { status: 'unchanged' }
  | { status: 'changed'; resemblance: number }
  | { status: 'duplicate'; duplicateOf: I; resemblance: number; isProvisional?: true };

/** The decision on a document that was observed by its id. */
export type Observation<I extends Id = Id> = { id: I } & Outcome<I>;

/**
 * The decision on a document of {@link dedupe}. `position` is the place of the document in the source, and `id` is undefined if
 * the document has none. If the original of a duplicate is a document of this call, `duplicatePosition` is its place, and
 * `duplicateOf` is undefined if it has no id. `A` is the type of the ids of `against`, and `never` without it: a document is then
 * `new` or a `duplicate`.
 */
export type Decision<I extends Id | undefined = Id | undefined, D = unknown, A extends Id = NonNullable<I>> = {
  id: I;
  position: number;
  document: D;
} & ([A] extends [never] ? RunOutcome<I> : SetOutcome<I | A>);

/** The outcome without earlier documents. */
export type RunOutcome<I> =
  | { status: 'new' }
  | { status: 'duplicate'; duplicateOf: I; duplicatePosition: number; resemblance: number };

/** The outcome with earlier documents, whose ids `I` includes. */
export type SetOutcome<I> =
  | Exclude<Outcome<I>, { status: 'duplicate' }>
  | (Extract<Outcome<I>, { status: 'duplicate' }> & { duplicatePosition?: number });

/** Returns whether a document with this outcome is kept, in place of any earlier version. */
export const isKept = ({ status }: { status: Outcome['status'] }): boolean => status === 'new' || status === 'changed';

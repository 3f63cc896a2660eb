// The outcome of a search, and of a decision on a document.
import type { Id } from '../common/types.js';

/** A kept document that a text resembles. */
export interface Hit<I extends Id = Id> {
  /** The id of the kept document. */
  id: I;
  /** The estimated resemblance, from 0 to 1. See {@link resemblance}. */
  resemblance: number;
  /** The document is provisional: its lease may end. Only in hits of a store. */
  isProvisional?: true;
}

/** The document resembles no kept one. It is kept. */
export interface NewOutcome {
  /** `'new'`: the document resembles no kept one, and is kept. */
  status: 'new';
}

/** An equal document with this id is kept already. */
export interface UnchangedOutcome {
  /** `'unchanged'`: an equal document with this id is kept. */
  status: 'unchanged';
}

/** A document with the same id and another text is kept. This one replaces it. */
export interface ChangedOutcome {
  /** `'changed'`: a document with this id and another text was kept, which this one replaces. */
  status: 'changed';
  /** The resemblance to the version that is replaced, from 0 to 1: an estimate, or exact with `textOf`. See {@link resemblance}. */
  resemblance: number;
}

/** The document resembles a kept one. It is not kept. */
export interface DuplicateOutcome<I = Id> {
  /** `'duplicate'`: the document is a near-duplicate of a kept one, and is not kept. */
  status: 'duplicate';
  /** The id of the kept document. From {@link dedupe}, undefined if that document has no id. */
  duplicateOf: I;
  /** The resemblance to the kept document, from 0 to 1: an estimate, or exact with `textOf`. See {@link resemblance}. */
  resemblance: number;
  /** A store keeps `duplicateOf` provisionally: if its handling fails, a later visit finds this document new. */
  isProvisional?: true;
}

/** The outcome of a decision: see {@link Deduplicator.observe} for the rule. New and changed documents are kept. */
export type Outcome<I = Id> = NewOutcome | UnchangedOutcome | ChangedOutcome | DuplicateOutcome<I>;

/** The document that a decision is on. */
export interface Identified<I> {
  /** The id of the document. */
  id: I;
}

/** The decision on a document that was observed by its id. */
export type Observation<I extends Id = Id> = Identified<I> & Outcome<I>;

/** The document that a decision of {@link dedupe} is on, and its place. */
export interface Positioned<I, D> {
  /** The id of the document, undefined if it has none. */
  id: I;
  /** The place of the document in the source, from 0. */
  position: number;
  /** The document, as the source has it. */
  document: D;
}

/**
 * The decision on a document of {@link dedupe}. `A` is the type of the ids of `against`, and `never` without it: a document is then
 * `new` or a `duplicate`.
 */
export type Decision<
  I extends Id | undefined = Id | undefined,
  D = unknown,
  A extends Id = NonNullable<I>,
> = Positioned<I, D> & ([A] extends [never] ? RunOutcome<I> : SetOutcome<I | A>);

/** The original of a near-duplicate, a document of the same call. */
export interface OriginalInRun {
  /** The place of the kept document in the source, from 0. */
  duplicatePosition: number;
}

/** The outcome without earlier documents. */
export type RunOutcome<I> = NewOutcome | (Omit<DuplicateOutcome<I>, 'isProvisional'> & OriginalInRun);

/** The outcome with earlier documents, whose ids `I` includes. A duplicate of one of them has no `duplicatePosition`. */
export type SetOutcome<I> =
  | NewOutcome
  | UnchangedOutcome
  | ChangedOutcome
  | (DuplicateOutcome<I> & Partial<OriginalInRun>);

/** Returns whether a document with this outcome is kept, in place of any earlier version. */
export const isKept = ({ status }: { status: Outcome['status'] }): boolean => status === 'new' || status === 'changed';

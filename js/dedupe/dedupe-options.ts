// The options of dedupe.
import type { Id, Text } from '../common/types.js';
import type { SketchOptions } from '../sketch/scheme.js';
import type { ExpiryOptions, ThresholdOptions, TimeOptions } from './decision-options.js';
import type { Deduplicator } from './deduplicator.js';
import type { DocumentStore } from './document-store.js';
import type { DocumentOptions } from './source.js';

/** The options of {@link dedupe}. */
export interface DedupeOptions<D = unknown, I extends Id | undefined = Id | undefined, A extends Id = Id>
  extends DocumentOptions<D, I>,
    SketchOptions,
    ThresholdOptions,
    ExpiryOptions,
    TimeOptions {
  /**
   * Which of several near-duplicates is kept: `'first'` (default), `'longest'`, or the one for which the function returns
   * the largest number; ties go to the first. Unless it is `'first'`, decisions are yielded after the whole source is read,
   * still in its order, and memory holds all documents and their sketches. The length is in UTF-16 units or bytes.
   */
  keep?: (('first' | 'longest' | ((document: D) => number)) | undefined) | undefined;
  /**
   * Earlier documents of the same scheme: a {@link Deduplicator}, or a store (`nearprint/store/sqlite` and others), which many
   * processes share and whose ids are strings. Documents are compared with them as well, and new and changed documents **are
   * added to them**; one without an id under an id that is derived from its sketch, so that a repeated run finds it. One without
   * an id and without words is `new` each time, and is not added.
   *
   * With it, ids identify documents over time: a document whose id is known with another text is `changed`. Default: each
   * document of the source is a document of its own, `new` or a `duplicate`, and ids are only names.
   */
  against?: Deduplicator<A> | DocumentStore<A> | undefined;
  /**
   * Whether new and changed documents are added to `against`. Default: true. If it is false, each document is compared with
   * `against` by its id and its text, and then with the earlier documents of this call by its text alone. `against` does not change, so
   * an earlier version in it still counts.
   */
  add?: boolean | undefined;
  /**
   * With a store: keeps each new or changed document provisionally for this number of seconds. It becomes permanent when the
   * next decision is requested, and is discarded if the loop ends before that, so that a document whose handling fails is
   * new or changed again. Handle each document within this time. Default: documents are permanent at once.
   */
  lease?: number | undefined;
  /**
   * The same as for {@link Deduplicator.observe}, but it may return a promise, and receives the position of a document of this
   * call, whose id may be undefined. Not with a store, and not with `add: false`. If it returns a promise, do not use `against`
   * before the next decision.
   */
  textOf?:
    | ((id: I | NoInfer<A>, position: number | undefined) => Text | undefined | PromiseLike<Text | undefined>)
    | undefined;
}

/** Refuses `against` if the ids of the documents are of another type. */
export type AgainstIds<I, A extends Id> = [NonNullable<I>] extends [A]
  ? unknown
  : Id extends I
    ? unknown
    : { against?: undefined };

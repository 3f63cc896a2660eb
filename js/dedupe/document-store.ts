// The part of a store that dedupe uses. js/stores has the stores.
import type { Id } from '../common/types.js';
import type { ScopeOptions } from '../sketch/scope.js';
import type { Sketch } from '../sketch/sketch.js';
import type { Identified, Observation, Outcome } from './decision.js';
import type { ThresholdOptions } from './decision-options.js';
import type { DocumentContent, IdentifiedDocument } from './document.js';

/** The advice against forged texts where texts cannot be compared. */
export const ADVICE_AGAINST_FORGERY = '(against forged texts, give a key)';

/** The options of a store's `observe`. */
export interface StoreObserveOptions extends ThresholdOptions, ScopeOptions {
  /** The number of seconds after which new, changed and unchanged documents expire. Default: as for {@link Deduplicator.observe}. */
  expiresIn?: number | undefined;
  /**
   * Keeps new and changed documents provisionally for this number of seconds: until `confirm` makes them permanent, or
   * `release` or the end of the lease discards them. Default: they are permanent at once.
   */
  lease?: number | undefined;
}

/** The options of a store's `peek`. */
export interface StorePeekOptions extends ThresholdOptions, ScopeOptions {}

/** A document that may have no id. */
export type PeekedDocument<I extends Id = string> = Partial<Identified<I | undefined>> & DocumentContent;

/** An id, or one version of its document. */
export type Version<I extends Id = string> = I | SketchedVersion<I>;

/** One version of a document. */
export interface SketchedVersion<I extends Id = string> extends Identified<I> {
  /** The sketch of the version. */
  sketch: Sketch;
}

/** The part of a store that {@link dedupe} uses (`nearprint/store/sqlite` and others), whose ids are strings. */
export interface DocumentStore<I extends Id = string> {
  /** The id of the scheme of the store's sketches. */
  readonly scheme: string;
  /** Decides on each document in order, and keeps new and changed ones. */
  observe(docs: Iterable<IdentifiedDocument<I>>, options?: StoreObserveOptions): Promise<Observation<I>[]>;
  /** Decides on documents without keeping them. */
  peek(docs: Iterable<PeekedDocument<I>>, options?: StorePeekOptions): Promise<Outcome<I>[]>;
  /** Makes provisional versions permanent, and resolves to their number. */
  confirm(versions: Iterable<Version<I>>): Promise<number>;
  /** Discards provisional versions, and resolves to their number. */
  release(versions: Iterable<Version<I>>): Promise<number>;
}

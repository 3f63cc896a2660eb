// The options of decisions: thresholds and numbers of features as in src/dedupe, and times.
import { ArgumentError } from '../common/argument-error.js';
import type { Id, Text } from '../common/types.js';
import type { ScopeOptions } from '../sketch/scope.js';

/** The present time. */
export interface TimeOptions {
  /** Seconds since 1970. Default: the time of the machine. Documents that expire at this time or earlier do not exist. */
  now?: number | undefined;
}

/** The threshold. */
export interface ThresholdOptions {
  /**
   * The minimum resemblance (share of word pairs in common) of a near-duplicate, above 0 and at most 1. Default: 0.67. A pair
   * with a brief text needs at least 0.75. See {@link resemblance}.
   */
  minResemblance?: number | undefined;
}

/** The time for which documents are kept. */
export interface ExpiryOptions {
  /**
   * The number of seconds until the document expires, at least 0. Default: a new or changed document does not expire, and an
   * unchanged one keeps its expiry time. A duplicate is not kept, and does not renew the document it resembles.
   */
  expiresIn?: number | undefined;
}

/** The options of {@link Deduplicator.observe}. */
export interface ObserveOptions<I extends Id = Id> extends ThresholdOptions, ExpiryOptions, TimeOptions, ScopeOptions {
  /**
   * Returns the text of a kept document, or `undefined` if it is not available. With this option, the exact resemblance of
   * the texts decides, not the estimate:
   *
   * - Documents whose estimate lies at most three standard errors below the threshold are compared, in the order of their
   *   estimates, until one reaches it. At most 16 texts are read for a document. `resemblance` is then exact.
   * - If the returned text is not the kept version, because it has changed since, it counts as `undefined`, and the estimate
   *   decides. So the earlier version of the document's own id is compared by the estimate, unless its old text is returned.
   * - Equal sketches of different ids are compared too, since words can be chosen whose sketches are equal.
   *
   * Documents must be texts, not sketches. The function must not change the set. The exact resemblance protects against
   * forged sketches: an attacker can choose words that raise the estimate for a known text at will, but not the exact
   * resemblance.
   */
  textOf?: ((id: I) => Text | undefined) | undefined;
}

/** The options of {@link Deduplicator.peek}. */
export interface PeekOptions extends ThresholdOptions, TimeOptions, ScopeOptions {}

/** The options of {@link Deduplicator.query}. */
export interface QueryOptions extends ThresholdOptions, TimeOptions, ScopeOptions {
  /**
   * The threshold of {@link Deduplicator.observe}, or 0: then all documents that the search finds are hits, however different
   * they are.
   */
  minResemblance?: number | undefined;
  /** The maximum number of hits, 0 to 2^32 - 1 or `Infinity`. Default: 1. */
  limit?: number | undefined;
}

/** How a document is compared and kept. Times are in milliseconds; `expiresIn` and `lease` are NaN if they are not given. */
export interface Rule {
  minResemblance: number;
  now: number;
  expiresIn: number;
  lease: number;
}

/** Checks the options of a rule, which then has no lease. @internal */
export const checkRule = ({
  minResemblance,
  expiresIn,
  now,
}: ThresholdOptions & ExpiryOptions & TimeOptions): Rule => ({
  minResemblance: checkMinResemblance(minResemblance),
  now: checkTime(now),
  expiresIn: checkDuration(expiresIn),
  lease: Number.NaN,
});

/** The default threshold: the resemblance from which a document is a near-duplicate. */
export const MIN_RESEMBLANCE = 0.67;

/**
 * The number of different features below which a text is *short*: up to four words of a language written with spaces.
 *
 * A short text is a near-duplicate only of an equal text, with the same words, accents and symbols: one edited word changes more than a
 * third of its features.
 */
export const MIN_FEATURES = 8;

/** The number of different features below which a text is *brief*: up to about eight words. */
export const BRIEF_FEATURES = 16;

/** The smallest threshold for a pair with a brief text. */
export const MIN_BRIEF_RESEMBLANCE = 0.75;

/** Checks a threshold. @internal */
export function checkMinResemblance(value: unknown = MIN_RESEMBLANCE, argument = 'minResemblance'): number {
  if (typeof value === 'number' && value > 0 && value <= 1) return value;
  throw new ArgumentError(argument, 'a number above 0 and at most 1', value);
}

/** The largest time in seconds, in the year 5138. The present time in milliseconds is larger. */
const MAX_TIME = 1e11;

/** Returns a time in seconds as milliseconds, the unit of the module. */
export function checkTime(now: unknown): number {
  if (now === undefined) return Date.now();
  if (typeof now === 'number' && now >= 0 && now <= MAX_TIME) return Math.round(1000 * now);
  const hint = typeof now === 'number' && now > MAX_TIME ? ', not of milliseconds (Date.now() / 1000)' : '';
  throw new ArgumentError('now', `a number of seconds since 1970${hint}`, now);
}

/** Returns a duration in seconds as milliseconds, NaN for none. */
export function checkDuration(value: unknown, argument = 'expiresIn'): number {
  if (value === undefined) return Number.NaN;
  if (typeof value === 'number' && value >= 0) return Math.round(1000 * value);
  throw new ArgumentError(argument, 'a number of seconds of at least 0', value);
}

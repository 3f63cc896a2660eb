// The options of decisions: thresholds and numbers of features as in src/dedupe, and times.
import { ArgumentError } from '../common/argument-error.js';

/** How a document is compared and kept. Times are in milliseconds; `expiresIn` and `lease` are NaN if they are not given. */
export interface Rule {
  minResemblance: number;
  now: number;
  expiresIn: number;
  lease: number;
}

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

// The thresholds of near-duplicates, as in src/dedupe.
import { ArgumentError } from './argument-error.js';

/** The default threshold: the resemblance from which a document is a near-duplicate. */
export const MIN_RESEMBLANCE = 0.67;

/**
 * The number of different features below which a text is *short*: up to four words of a language written with spaces.
 *
 * A short text is a near-duplicate only of a text with equal normalised words: with so few features, one edited word changes
 * more than a third of them.
 */
export const MIN_FEATURES = 8;

/**
 * The number of different features below which a text that is not short is *brief*: up to about eight words. A brief text is
 * a near-duplicate only from {@link MIN_BRIEF_RESEMBLANCE} on.
 */
export const BRIEF_FEATURES = 16;

/** The smallest threshold for a pair with a brief text. A larger `minResemblance` applies unchanged. */
export const MIN_BRIEF_RESEMBLANCE = 0.75;

/** Checks a threshold. @internal */
export function checkMinResemblance(value: unknown = MIN_RESEMBLANCE, argument = 'minResemblance'): number {
  if (typeof value === 'number' && value > 0 && value <= 1) return value;
  throw new ArgumentError(argument, 'a number above 0 and at most 1', value);
}

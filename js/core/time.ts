// Times: the package uses seconds, and the module milliseconds.
import { ArgumentError } from './argument-error.js';

/** Returns a time in seconds as milliseconds. */
export function checkTime(now: unknown): number {
  if (now === undefined) return Date.now();
  if (typeof now === 'number' && now >= 0 && now <= 2 ** 43) return Math.round(1000 * now);
  throw new ArgumentError('now', 'a number of seconds since 1970', now);
}

/** Returns a duration in seconds as milliseconds, NaN for none. */
export function checkDuration(value: unknown, argument = 'expiresIn'): number {
  if (value === undefined) return Number.NaN;
  if (typeof value === 'number' && value >= 0) return Math.round(1000 * value);
  throw new ArgumentError(argument, 'a number of seconds of at least 0', value);
}

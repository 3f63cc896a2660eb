// The checks of the values of options. Each returns the value as commands use it, or throws an error that names the option.
import { checkWhole } from '../common/check.js';
import { alternatives } from '../common/types.js';
import { ArgumentError } from '../index.js';

/** Returns the value of an option as commands use it, or throws. */
export type Check<T> = (value: unknown, argument: string) => T;

/** Accepts any text. */
export const text: Check<string> = String;

/** Returns the name of a field. */
export function checkField(value: unknown, argument: string): string {
  if (value !== '') return String(value);
  throw new ArgumentError(argument, 'the name of a field', value);
}

/** Returns the names of fields, with commas in between. */
export function checkFields(value: unknown, argument: string): string {
  if (!String(value).split(',').includes('')) return String(value);
  throw new ArgumentError(argument, 'the name of a field, or several names with commas in between', value);
}

export const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (value: unknown, argument: string): Choice => {
    if (choices.includes(value as Choice)) return value as Choice;
    throw new ArgumentError(argument, alternatives(choices), value);
  };

/** Reads the value of an option as a number, if it is written as one, and checks it. */
export const number =
  <T>(check: Check<T>): Check<T> =>
  (value, argument) =>
    check(/^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(String(value)) ? Number(value) : value, argument);

export const between = (low: number, high: number): Check<number> =>
  number((value, argument) => checkWhole(value, argument, high, low));

/** Returns the path of a file, or `-` for standard input. */
export function checkPathOrStdin(value: unknown, argument: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ArgumentError(argument, 'the path of a file', value);
}

/** Returns the path of a file. */
export function checkPath(value: unknown, argument: string): string {
  if (value !== '-') return checkPathOrStdin(value, argument);
  throw new ArgumentError(argument, 'the path of a file', value);
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The maximum duration in days: the time at which a document expires is a valid date. */
const MAX_DAYS = 1_000_000;

/** Returns the seconds of a duration such as `30d`. */
export function checkTimeSpan(value: unknown, argument: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(String(value)) ?? [];
  const seconds = Number(number) * units[unit];
  if (seconds <= MAX_DAYS * units.d) return seconds;
  throw new ArgumentError(argument, `a number with a unit, s, m, h, d or w (such as 30d), at most ${MAX_DAYS}d`, value);
}

/** Returns a delimiter, one byte in UTF-8. */
export function checkDelimiter(value: unknown, argument: string): string {
  const delimiter = value === '\\t' ? '\t' : String(value);
  if (/^[\t -~]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new ArgumentError(argument, '\\t or a printable ASCII character other than "', value);
}

/** The maximum size of runs in `features`. */
const MAX_RUN = 64;

/** Returns the features that are named by a unit and the size of runs, such as `words3`. */
export function checkFeatures(value: unknown, argument: string): { words: number } | { chars: number } {
  const [, unit, digits] = /^(words|chars)([1-9]\d?)$/.exec(String(value)) ?? [];
  const size = Number(digits);
  if (size <= MAX_RUN) return unit === 'words' ? { words: size } : { chars: size };
  throw new ArgumentError(argument, `words or chars and a number from 1 to ${MAX_RUN} (such as words3)`, value);
}

/** Returns the quotation mark of a table: a character, or `none`. */
export function checkQuote(value: unknown, argument: string): string {
  if (value === 'none' || (typeof value === 'string' && /^[!-~]$/.test(value))) return value;
  throw new ArgumentError(argument, 'none or a printable ASCII character', value);
}

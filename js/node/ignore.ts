// The option --ignore: what matches a pattern is not compared.
import { ArgumentError } from '../index.js';

/** `^` and `$` match at the ends of lines, as in grep. */
const FLAGS = 'gmu';

/** Returns a pattern, a regular expression of JavaScript. */
export function checkPattern(value: unknown, argument: string): string {
  try {
    new RegExp(String(value), FLAGS);
  } catch (error) {
    const why = (error as Error).message.replace(/^Invalid regular expression: .*: /s, '');
    throw new ArgumentError(argument, `a regular expression of JavaScript (${why})`, value);
  }
  return String(value);
}

/**
 * Returns a function that replaces what matches the patterns by spaces, so that no words are joined. Each pattern is applied to
 * the result of the one before it. An empty match is left: `\d*` is the same as `\d+`.
 */
export function withoutMatches(patterns: readonly string[]): (text: string) => string {
  const expressions = patterns.map((pattern) => new RegExp(pattern, FLAGS));
  return (text) =>
    expressions.reduce((rest, expression) => rest.replace(expression, (match) => (match === '' ? '' : ' ')), text);
}

/** Returns patterns as the options of a shell's command line. */
export const ignoreOptions = (patterns: readonly string[]): string =>
  patterns.map((pattern) => `--ignore '${pattern.replaceAll("'", "'\\''")}'`).join(' ');

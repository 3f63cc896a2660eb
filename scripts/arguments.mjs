// The arguments of the scripts and benches.
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './run.mjs';

/** Returns whether Node runs the file with this URL itself, rather than another one that imports it. */
export const isMain = (url) => process.argv[1] === fileURLToPath(url);

/** Prints what is wrong with the arguments, and the usage, in one line. Ends the program with exit code 2. */
export function failWithUsage(reason, synopsis) {
  const program = relative(root, process.argv[1]).replaceAll(sep, '/');
  console.error(`nearprint: ${reason}; usage: ${`node ${program} ${synopsis}`.trimEnd()}`);
  process.exit(2);
}

/** Matches an option of a synopsis. */
const option = /\[--(?<name>[\w-]+)(?: (?<value>[A-Z]+))?(?<many> \.\.\.)?\]/g;

/** Matches a positional argument of a synopsis without options. */
const positional = /(?<bracket>\[)?(?<name>[A-Z]+)(?:=(?<standard>[^\]\s]+))?(?<many> \.\.\.)?\]?/g;

/** Arguments that do not match a synopsis. The message says why. */
class MismatchError extends Error {}

/** Returns the number that an argument must be. */
function toNumber(name, text) {
  if (text === '' || !(Number(text) >= 0))
    throw new MismatchError(`${name} must be a number of at least 0, got '${text}'`);
  return Number(text);
}

/** Returns what `parseArgs` finds. */
function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new MismatchError(error.message.split('. ')[0]); // The other sentences are advice.
  }
}

/**
 * Returns arguments by their names in lower case. The synopsis, which the usage prints, describes them:
 *
 *     FILE                     a required argument
 *     [FILE]                   an optional argument
 *     [FILE=PATH]              an optional argument with a default
 *     [ENGINE ...]             any number of arguments, as an array
 *     [--fix]                  an option
 *     [--folder DIR]           an option with a value
 *     [--collection NAME ...]  an option that can be repeated, as an array
 *
 * Values that are called N, and those whose default is a number, are numbers of at least 0.
 */
export function matchArguments(synopsis, args) {
  const described = Array.from(synopsis.matchAll(option), ({ groups }) => groups);
  const options = Object.fromEntries(
    described.map(({ name, value, many }) => [name, { type: value ? 'string' : 'boolean', multiple: Boolean(many) }]),
  );
  const { values, positionals } = parse(args, options);
  const given = { ...values };
  for (const { name, value } of described) {
    if (value === 'N' && name in given) given[name] = toNumber(`--${name}`, given[name]);
  }
  for (const { groups } of synopsis.replace(option, '').matchAll(positional)) {
    const { bracket, name, standard, many } = groups;
    if (!bracket && positionals.length === 0) throw new MismatchError(`${name} is missing`);
    const value = many ? positionals.splice(0) : (positionals.shift() ?? standard);
    const isNumber = name === 'N' || (standard !== undefined && !Number.isNaN(Number(standard)));
    if (value !== undefined) given[name.toLowerCase()] = isNumber ? toNumber(name, value) : value;
  }
  if (positionals.length > 0) throw new MismatchError(`unexpected argument '${positionals[0]}'`);
  return given;
}

/** Returns the arguments of the program, see {@link matchArguments}. Ends it with exit code 2 if they do not match. */
export function readArguments(synopsis) {
  try {
    return matchArguments(synopsis, process.argv.slice(2));
  } catch (error) {
    if (error instanceof MismatchError) return failWithUsage(error.message, synopsis);
    throw error;
  }
}

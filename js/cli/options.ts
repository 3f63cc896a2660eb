// The options of the commands: the parsing of a command line, and the settings that commands derive from it.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { MAX_SAMPLED } from '../calibrate/calibrate.js';
import { checkBits, checkWhole } from '../common/check.js';
import { nearestName } from '../common/nearest-name.js';
import { alternatives } from '../common/types.js';
import { checkMinResemblance } from '../dedupe/decision-options.js';
import { ArgumentError, type Deduplicator, Sketcher } from '../index.js';
import { codeOf, messageOf, reason, shorten, UserError } from '../node/errors.js';
import { DEFAULT_ID_FIELD } from '../node/fields.js';
import { checkPattern, optionsOf } from '../node/ignore.js';
import { checkThreads } from '../node/workers.js';
import { languages } from '../report/messages.js';
import { Fingerprinter } from '../simhash/fingerprinter.js';
import { checkEncoding } from './encoding.js';
import { checkExcluded } from './exclusion.js';
import { readRegularFile } from './file-system.js';

/** An error in the usage. The message refers to the help of the command, as for an `ArgumentError` of an option. */
export class UsageError extends UserError {}

type Check<T> = (value: unknown, argument: string) => T;

export const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (value: unknown, argument: string): Choice => {
    if (choices.includes(value as Choice)) return value as Choice;
    throw new ArgumentError(argument, alternatives(choices), value);
  };

/** Reads the value of an option as a number, if it is written as one, and checks it. */
const number =
  <T>(check: Check<T>): Check<T> =>
  (value, argument) =>
    check(/^-?(?:\d+\.?\d*|\.\d+)$/.test(String(value)) ? Number(value) : value, argument);

const between = (low: number, high: number): Check<number> =>
  number((value, argument) => checkWhole(value, argument, high, low));

/** Returns the path of a file, or `-` for standard input. */
function checkPathOrStdin(value: unknown, argument: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new ArgumentError(argument, 'the path of a file', value);
}

/** Returns the path of a file. */
function checkPath(value: unknown, argument: string): string {
  if (value !== '-') return checkPathOrStdin(value, argument);
  throw new ArgumentError(argument, 'the path of a file', value);
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The maximum duration in days: the time at which a document expires is a valid date. */
const MAX_DAYS = 1_000_000;

/** Returns the seconds of a duration such as `30d`. */
function checkDuration(value: unknown, argument: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(String(value)) ?? [];
  const seconds = Number(number) * units[unit];
  if (seconds <= MAX_DAYS * units.d) return seconds;
  throw new ArgumentError(argument, `a number with a unit, s, m, h, d or w (such as 30d), at most ${MAX_DAYS}d`, value);
}

/** Returns a delimiter, one byte in UTF-8. */
function checkDelimiter(value: unknown, argument: string): string {
  const delimiter = value === '\\t' ? '\t' : String(value);
  if (/^[\t -~]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new ArgumentError(argument, '\\t or a printable ASCII character other than "', value);
}

/** The maximum size of runs in `features`. */
const MAX_RUN = 64;

/** Returns the features that are named by a unit and the size of runs, such as `words3`. */
function checkFeatures(value: unknown, argument: string): { words: number } | { chars: number } {
  const [, unit, digits] = /^(words|chars)([1-9]\d?)$/.exec(String(value)) ?? [];
  const size = Number(digits);
  if (size <= MAX_RUN) return unit === 'words' ? { words: size } : { chars: size };
  throw new ArgumentError(argument, `words or chars and a number from 1 to ${MAX_RUN} (such as words3)`, value);
}

/** Returns the quotation mark of a table: a character, or `none`. */
function checkQuote(value: unknown, argument: string): string {
  if (value === 'none' || (typeof value === 'string' && /^[!-~]$/.test(value))) return value;
  throw new ArgumentError(argument, 'none or a printable ASCII character', value);
}

/** Each option: its letter, the name of its value in the help, what it does, and the check of its value. A flag has no value. */
export const options = {
  against: ['a', 'FILE', 'compare with documents, or an index that stays as it is', checkPath],
  'against-only': ['', '', 'do not compare the documents with each other'],
  annotate: ['', '', 'write all lines, with status, duplicateOf, resemblance'],
  bits: ['', 'N', 'width of the fingerprints: 32, 64 (default) or 128', number(checkBits)],
  checkpoint: ['', 'N', 'save the index every N seconds (default: 60)', between(0, 86_400)],
  count: ['c', '', 'write only the numbers of documents'],
  delimiter: ['', 'CHAR', 'the delimiter of a table (default: as in the header)', checkDelimiter],
  duplicates: ['v', '', 'write only what is dropped'],
  encoding: ['', 'NAME', 'such as windows-1251 (default: as declared, or UTF-8)', checkEncoding],
  exclude: ['', 'PATTERN', 'leave out files and folders that match', checkExcluded],
  expire: ['', 'TIME', 'forget documents of --index or --store after TIME: 30d', checkDuration],
  'fail-on-duplicates': ['', '', 'exit with code 1 if there are any'],
  features: ['', 'KIND', 'compare runs of N words or characters: words3, chars5', checkFeatures],
  'files-from': ['', 'FILE', 'read further paths from FILE, one in each line', checkPathOrStdin],
  format: ['f', 'FORMAT', 'jsonl, json, csv, tsv, lines, text or html'],
  help: ['h', '', 'print this text'],
  html: ['', '', 'texts are HTML pages (npm install parse5)'],
  'id-field': ['', 'NAME', 'the id (default: id); without one it is FILE:LINE'],
  ignore: ['', 'PATTERN', 'do not compare what matches a regular expression', checkPattern],
  ids: ['', 'FILE', 'delete the ids in FILE too, one in each line', checkPathOrStdin],
  index: ['i', 'FILE', 'compare with an index, and add what is written', checkPath],
  json: ['', '', 'print the figures as JSON'],
  'json-summary': ['', 'FILE', 'write the numbers of documents as JSON', checkPath],
  jsonl: ['', '', 'read JSON Lines (or CSV and TSV, by name), and print one result for each line'],
  keep: ['k', 'WHICH', 'of near-duplicates, keep the first (default) or longest', oneOf('first', 'longest')],
  'keep-bad': ['', '', 'keep documents without text as new (else bad lines)'],
  'keep-max': ['', 'FIELD', 'keep the largest number or latest date in a field'],
  'keep-min': ['', 'FIELD', 'keep the smallest number or earliest date'],
  'key-file': ['', 'FILE', 'the 16 bytes of a secret key for the scheme', checkPath],
  labels: [
    '',
    'FILE',
    'precision and recall by your verdicts: two ids and "same" (default) or "different" in a line, separated by tabs',
    checkPath,
  ],
  linkage: ['', 'WHICH', 'star (default): each member resembles the representative; single: chains of near-duplicates'],
  'min-resemblance': ['m', 'R', 'smallest share of word pairs in common (default 0.67)', number(checkMinResemblance)],
  null: ['0', '', 'end paths with NUL, for xargs -0'],
  quote: ['', 'CHAR', 'what quotes fields, or none (default for TSV)', checkQuote],
  quiet: ['q', '', 'no progress, no summary'],
  report: ['r', 'FILE', 'write a line of JSON for all that is dropped, and why', checkPath],
  'report-html': ['', 'FILE', 'write a report for people', checkPath],
  'report-language': ['', 'LANG', 'its language: en (default) or zh', oneOf(...languages)],
  sample: ['', 'N', 'compare at most N documents, at random (default 20000)', between(1, MAX_SAMPLED)],
  scheme: ['', 'ID', 'another scheme, such as v1:64:words2; with --sketch s1:chars5'],
  sketch: ['', '', 'print sketches instead, in hexadecimal'],
  'scope-field': ['', 'NAME', 'compare only documents with the same value in a field'],
  store: ['s', 'URL', 'like --index, in sqlite:FILE, postgres:// or redis://'],
  'text-field': ['t', 'NAME', 'the text (default: text); title,content.text joins two'],
  threads: ['j', 'N', 'worker threads (default: processors minus one)', number(checkThreads)],
} as const;

export type OptionName = keyof typeof options;

/** Words of other programs for options. */
const synonyms: Readonly<Record<string, OptionName>> = {
  '--threshold': 'min-resemblance',
  '--similarity': 'min-resemblance',
  '--charset': 'encoding',
  '--separator': 'delimiter',
  '--language': 'report-language',
};

type Spec<Name extends OptionName> = (typeof options)[Name];

/** Options that may be repeated. */
const repeatable: readonly string[] = ['against', 'exclude', 'ignore'];

type ValueOf<Name extends OptionName> = Name extends 'against' | 'exclude' | 'ignore'
  ? string[]
  : Spec<Name> extends readonly [string, string, string, Check<infer Value>]
    ? Value
    : Spec<Name>[1] extends ''
      ? boolean
      : string;

/** The values of a command line, and the arguments that are not options. */
export type Values = { readonly [Name in OptionName]?: ValueOf<Name> } & { readonly files: readonly string[] };

export function parse(command: string, names: readonly OptionName[], args: string[]): Values {
  const specs: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of names) {
    const [short, value] = options[name];
    const type = value === '' ? 'boolean' : 'string';
    specs[name] = { type, multiple: repeatable.includes(name), ...(short === '' ? {} : { short }) };
  }
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args, options: specs, allowPositionals: true });
  } catch (error) {
    const message = messageOf(error);
    const [, unknown] = /^Unknown option '(.*?)'(?:\.|$)/s.exec(message) ?? [];
    if (unknown === undefined) throw new UsageError(message.split(/\.\s/)[0]);
    const known = names.find((name) => name === synonyms[unknown]) ?? nearestName(unknown.replace(/^-+/, ''), names);
    const hint = known === undefined ? '' : ` (did you mean --${known}?)`;
    throw new UsageError(`${shorten(unknown, 40)} is not an option of ${command}${hint}`);
  }
  if (parsed.values.help) return { help: true, files: [] };
  const values = Object.entries(parsed.values).map(([name, value]) => {
    const [, , , check] = options[name as OptionName] as readonly [string, string, string, Check<unknown>?];
    if (check === undefined) return [name, value];
    const checked = (one: unknown) => check(one, `--${name}`);
    return [name, Array.isArray(value) ? value.map(checked) : checked(value)];
  });
  return { ...Object.fromEntries(values), files: parsed.positionals };
}

function keyOf({ 'key-file': path }: Values): Uint8Array | undefined {
  if (path === undefined) return undefined;
  let key: Uint8Array;
  try {
    key = readRegularFile(path);
  } catch (error) {
    throw new UserError(`--key-file ${error instanceof UserError ? error.message : `${path}: ${reason(error)}`}`);
  }
  if (key.length === 16) return key;
  throw new UserError(`--key-file must be a file of 16 bytes, got ${key.length}`);
}

/** How the documents of the input are read. */
export type Reading = ReturnType<typeof readingOf>;

export const readingOf = (values: Values) => ({
  textField: values['text-field'] ?? 'text',
  idField: values['id-field'] ?? DEFAULT_ID_FIELD,
  scopeField: values['scope-field'],
  html: values.html ?? false,
  keepBad: values['keep-bad'] ?? false,
  keepField: values['keep-max'] ?? values['keep-min'],
  ignore: values.ignore ?? [],
  key: keyOf(values),
  threads: values.threads,
});

/** Returns what `create` returns. An error about the scheme names the option. */
function withOptions<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    // The first use of the module reads its file.
    if (codeOf(error) !== undefined) throw new UserError(reason(error));
    if (!(error instanceof ArgumentError)) throw error;
    if (error.argument === 'key') throw new UserError(`--key-file must be ${error.requirement}`);
    throw new UsageError(`--${messageOf(error)}`);
  }
}

/** Returns the sketcher for options of the command line. */
export const sketcherOf = (values: Values): Sketcher =>
  withOptions(() => new Sketcher({ scheme: values.scheme, features: values.features, key: keyOf(values) }));

/** Returns the fingerprinter for options of the command line. */
export const fingerprinterOf = (values: Values): Fingerprinter =>
  withOptions(() => new Fingerprinter({ scheme: values.scheme, bits: values.bits, key: keyOf(values) }));

function checkScheme(path: string, index: Deduplicator, scheme: string): void {
  if (index.scheme === scheme) return;
  throw new UserError(`${path} must be of the scheme ${scheme}, got ${index.scheme}`);
}

/** Throws if the texts of an index were compared without other parts than the texts of this run. */
function checkIgnored(path: string, ignored: readonly string[], ignore: readonly string[]): void {
  const [was, is] = [ignored, ignore].map((patterns) => optionsOf(patterns) || 'no --ignore');
  if (was !== is)
    throw new UserError(`${path} was made with ${was}, and this run has ${is}: the patterns must be the same`);
}

/** An index of the command line. */
export interface SavedIndex {
  readonly index: Deduplicator;
  /** The patterns of --ignore with which its texts were compared. */
  readonly ignored: readonly string[];
}

/** Returns the id of the scheme of the sketches: of the options, or of the indexes if no option chooses features or a key. */
export function sketchScheme(values: Values, indexes: readonly (SavedIndex & { path: string })[] = []): string {
  const isGiven = values.features !== undefined || values['key-file'] !== undefined;
  const given = sketcherOf(values).id;
  const scheme = isGiven ? given : (indexes[0]?.index.scheme ?? given);
  for (const { path, index, ignored } of indexes) {
    checkScheme(path, index, scheme);
    checkIgnored(path, ignored, values.ignore ?? []);
  }
  return withOptions(() => new Sketcher({ scheme, key: keyOf(values) })).id;
}

const exclusions: readonly OptionName[][] = [
  ['keep', 'keep-max', 'keep-min'],
  ['store', 'index'],
  ['report-html', 'store'],
  ['against-only', 'index', 'store'],
  ['count', 'annotate'],
  ['count', 'duplicates'],
  ['null', 'annotate', 'count'],
  ['duplicates', 'index', 'store'],
  ['count', 'index', 'store'],
];

/** Options that need one of the others in their row. */
const needs: readonly (readonly [OptionName, ...OptionName[]])[] = [
  ['against-only', 'against'],
  ['expire', 'index', 'store'],
  ['checkpoint', 'index'],
  ['report-language', 'report-html'],
];

/** Throws for options that exclude each other, and for an option without one that it needs. */
export function checkCombination(values: Values): void {
  for (const names of exclusions) {
    const [first, second] = names.filter((name) => values[name] !== undefined);
    if (second === undefined) continue;
    const advice =
      ', which is for documents whose lines are written; --against compares with an index and leaves it unchanged';
    const isOutput = ['count', 'duplicates'].includes(first) && ['index', 'store'].includes(second);
    throw new UsageError(`--${first} cannot be combined with --${second}${isOutput ? advice : ''}`);
  }
  for (const [name, ...others] of needs) {
    if (values[name] === undefined || others.some((other) => values[other] !== undefined)) continue;
    throw new UsageError(`--${name} must be combined with ${alternatives(others.map((other) => `--${other}`))}`);
  }
}

// The options of the commands: what each is, the parsing of a command line, and which options go together.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { MAX_SAMPLED } from '../calibrate/calibrate.js';
import { checkBits } from '../common/check.js';
import { nearestName } from '../common/nearest-name.js';
import { alternatives } from '../common/types.js';
import { checkMinResemblance } from '../dedupe/decision-options.js';
import { messageOf, shorten, UserError } from '../node/errors.js';
import { checkPattern } from '../node/ignore.js';
import { checkThreads } from '../node/workers.js';
import { languages } from '../report/messages.js';
import { checkEncoding } from './encoding.js';
import { checkExcluded } from './exclusion.js';
import {
  between,
  type Check,
  checkDelimiter,
  checkFeatures,
  checkField,
  checkFields,
  checkPath,
  checkPathOrStdin,
  checkQuote,
  checkTimeSpan,
  number,
  oneOf,
  text,
} from './option-checks.js';

/** An error in the usage. The message refers to the help of the command, as for an `ArgumentError` of an option. */
export class UsageError extends UserError {}

/** An option: what it does, and its letter, if it has one. */
interface Described {
  readonly help: string;
  readonly letter: string | undefined;
}

/** An option without a value. */
interface Flag extends Described {
  readonly kind: 'flag';
}

/** An option with a value, or with several if it is repeated: its name in the help, and its check. */
interface Valued<Kind extends 'value' | 'list', T> extends Described {
  readonly kind: Kind;
  readonly valueName: string;
  readonly check: Check<T>;
}

const flag = (help: string, letter?: string): Flag => ({ kind: 'flag', help, letter });

const value = <T>(valueName: string, help: string, check: Check<T>, letter?: string): Valued<'value', T> => ({
  kind: 'value',
  valueName,
  help,
  check,
  letter,
});

const list = <T>(valueName: string, help: string, check: Check<T>, letter?: string): Valued<'list', T> => ({
  kind: 'list',
  valueName,
  help,
  check,
  letter,
});

/** The options of all commands by their names. */
export const options = {
  against: list('FILE', 'compare with documents, or an index that stays as it is', checkPath, 'a'),
  'against-only': flag('do not compare the documents with each other'),
  annotate: flag('write all lines, with status, duplicateOf, resemblance'),
  bits: value('N', 'width of the fingerprints: 32, 64 (default) or 128', number(checkBits)),
  checkpoint: value('N', 'save the index every N seconds (default: 60)', between(0, 86_400)),
  delimiter: value('CHAR', 'the delimiter of a table (default: as in the header)', checkDelimiter),
  duplicates: flag('write only what is dropped', 'v'),
  encoding: value('NAME', 'such as windows-1251 (default: as declared, or UTF-8)', checkEncoding),
  exclude: list('PATTERN', 'leave out files and folders that match', checkExcluded),
  expire: value('TIME', 'remove documents of --index or --store after 12h, 30d', checkTimeSpan),
  'fail-on-duplicates': flag('exit with code 1 if there are any'),
  features: value('KIND', 'compare runs of N words or characters: words3, chars5', checkFeatures),
  'files-from': value('FILE', 'read further paths from FILE, one in each line', checkPathOrStdin),
  format: value('FORMAT', 'jsonl, json, csv, tsv, lines, text or html', text, 'f'),
  help: flag('print this text', 'h'),
  html: flag('texts are HTML pages (npm install parse5)'),
  'id-field': value('NAME', 'the id (default: id); without one it is FILE:LINE', checkField),
  ignore: list('PATTERN', 'do not compare what matches a regular expression', checkPattern),
  index: value('FILE', 'compare with an index, and add what is written', checkPath, 'i'),
  json: flag('print the figures as JSON'),
  'json-summary': value('FILE', 'write the numbers of documents as JSON', checkPath),
  jsonl: flag('read JSON Lines (or CSV and TSV, by name), and print one result for each line'),
  keep: value('WHICH', 'of near-duplicates, keep the first (default) or longest', oneOf('first', 'longest'), 'k'),
  'keep-bad': flag('keep documents without text as new (else bad lines)'),
  'keep-max': value('FIELD', 'keep the largest number or latest date in a field', checkField),
  'keep-min': value('FIELD', 'keep the smallest number or earliest date', checkField),
  'key-file': value('FILE', 'the 16 bytes of a secret key for the scheme', checkPath),
  labels: value(
    'FILE',
    'print precision and recall by the pairs in FILE: in each line two ids and "same" (default) or "different", separated by tabs',
    checkPath,
  ),
  linkage: value(
    'WHICH',
    'star (default): each member resembles the representative; single: chains of near-duplicates',
    oneOf('star', 'single'),
  ),
  'min-resemblance': value(
    'R',
    'smallest share of word pairs in common (default 0.67)',
    number(checkMinResemblance),
    'm',
  ),
  null: flag('end paths with NUL, for xargs -0', '0'),
  quote: value('CHAR', 'the quotation mark, or none (default for TSV)', checkQuote),
  quiet: flag('no progress, no summary', 'q'),
  report: value('FILE', 'write a line of JSON for all that is dropped, and why', checkPath, 'r'),
  'report-html': value('FILE', 'write an HTML page with pairs and clusters', checkPath),
  'report-language': value('LANG', 'its language: en (default) or zh', oneOf(...languages)),
  sample: value('N', 'compare at most N documents, at random (default 20000)', between(1, MAX_SAMPLED)),
  scheme: value('ID', 'another scheme, such as v1:64:words2; with --sketch s1:chars5', text),
  sketch: flag('print sketches instead, in hexadecimal'),
  'scope-field': value('NAME', 'compare only documents with the same value in a field', checkField),
  store: value('URL', 'like --index, in sqlite:FILE, postgres:// or redis://', text, 's'),
  'text-field': value('NAME', 'the text (default: text); title,content.text joins two', checkFields, 't'),
  threads: value('N', 'worker threads (default: processors minus one)', number(checkThreads), 'j'),
};

export type OptionName = keyof typeof options;

/** Words of other programs for options. */
const synonyms: Readonly<Record<string, OptionName>> = {
  '--threshold': 'min-resemblance',
  '--similarity': 'min-resemblance',
  '--charset': 'encoding',
  '--separator': 'delimiter',
  '--language': 'report-language',
};

type ValueOf<Option> = Option extends Flag
  ? boolean
  : Option extends Valued<'value', infer T>
    ? T
    : Option extends Valued<'list', infer T>
      ? T[]
      : never;

/** The values of a command line, and the arguments that are not options. */
export type Values = { readonly [Name in OptionName]?: ValueOf<(typeof options)[Name]> } & {
  readonly files: readonly string[];
};

export function parse(command: string, names: readonly OptionName[], args: string[]): Values {
  const specs: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of names) {
    const { kind, letter } = options[name];
    const type = kind === 'flag' ? 'boolean' : 'string';
    specs[name] = { type, multiple: kind === 'list', ...(letter === undefined ? {} : { short: letter }) };
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
    const option = options[name as OptionName];
    if (option.kind === 'flag') return [name, value];
    const checked = (one: unknown) => option.check(one, `--${name}`);
    return [name, Array.isArray(value) ? value.map(checked) : checked(value)];
  });
  return { ...Object.fromEntries(values), files: parsed.positionals };
}

const exclusions: readonly OptionName[][] = [
  ['keep', 'keep-max', 'keep-min'],
  ['store', 'index'],
  ['report-html', 'store'],
  ['against-only', 'index', 'store'],
  ['null', 'annotate'],
  ['duplicates', 'index', 'store'],
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
    throw new UsageError(`--${first} cannot be combined with --${second}${first === 'duplicates' ? advice : ''}`);
  }
  for (const [name, ...others] of needs) {
    if (values[name] === undefined || others.some((other) => values[other] !== undefined)) continue;
    throw new UsageError(`--${name} must be combined with ${alternatives(others.map((other) => `--${other}`))}`);
  }
}

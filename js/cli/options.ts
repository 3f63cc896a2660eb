// The options of the commands, checked.
import { readFileSync } from 'node:fs';
import { MAX_EXPECTED, MAX_SAMPLED } from '../calibrate/calibrate.js';
import { checkBits, checkWhole } from '../core/check.js';
import { ArgumentError, Fingerprinter, MIN_RESEMBLANCE } from '../index.js';
import { UserError } from '../node/user-error.js';
import { checkThreads, defaultThreads } from '../node/workers.js';
import { type Language, languages } from '../report/messages.js';
import { type OptionName, UsageError, type Values } from './args.js';
import { escapeName, messageOf, reason } from './errors.js';
import type { Keep } from './rank.js';
import { type Format, formats } from './recognise.js';
import type { Selection } from './writer.js';

/** How the documents of the input are read. */
export interface ReadingOptions {
  textField: string;
  idField: string;
  html: boolean;
  key: Uint8Array | undefined;
  threads: number | undefined;
  defaultThreads: number;
}

/** Which files are read. */
export interface InputOptions {
  files: string[];
  /** The file with further paths. */
  filesFrom: string | undefined;
  format: Format | undefined;
  /** The delimiter of tables; undefined if it is to be recognised. */
  delimiter: string | undefined;
}

/** The options of the report for people. */
export interface ReportOptions {
  reportHtml: string | undefined;
  reportLanguage: Language;
  groupField: string | undefined;
}

const between = (low: number, high: number) => (value: unknown, name: string) => checkWhole(value, name, high, low);

function checkResemblance(value: unknown, name: string): number {
  if (typeof value === 'number' && value > 0 && value <= 1) return value;
  throw new ArgumentError(name, 'a number above 0 and at most 1', value);
}

/** The units of a duration in seconds. */
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Returns the seconds of a duration such as `30d`. */
function checkDuration(value: unknown, name: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(String(value)) ?? [];
  if (unit === undefined) {
    throw new ArgumentError(name, 'a number with a unit, s, m, h, d or w (such as 30d)', value);
  }
  return Number(number) * units[unit];
}

/** Returns the key of --key-file. */
function keyOf(values: Values): Uint8Array | undefined {
  const path = values.path('key-file');
  if (path === undefined) return undefined;
  let key: Uint8Array;
  try {
    key = readFileSync(path);
  } catch (error) {
    throw new UserError(`--key-file ${escapeName(path)}: ${reason(error)}`);
  }
  if (key.length === 16) return key;
  throw new UserError(`--key-file must be a file of 16 bytes, got ${key.length}`);
}

export const readingOf = (values: Values): ReadingOptions => ({
  textField: values.text('text-field') ?? 'text',
  idField: values.text('id-field') ?? 'id',
  html: values.flag('html'),
  key: keyOf(values),
  threads: values.number('threads', checkThreads),
  defaultThreads: defaultThreads(),
});

/** Returns the delimiter of --delimiter, one byte in UTF-8. */
function delimiterOf(values: Values): string | undefined {
  const value = values.text('delimiter');
  if (value === undefined) return undefined;
  const delimiter = value === '\\t' ? '\t' : value;
  if (/^[\t -~]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new UsageError(messageOf(new ArgumentError('--delimiter', 'an ASCII character other than ", or \\t', value)));
}

export const inputOf = (values: Values): InputOptions => ({
  files: values.files,
  filesFrom: values.path('files-from'),
  format: values.has('format') ? values.choice('format', formats) : undefined,
  delimiter: delimiterOf(values),
});

export const reportOf = (values: Values): ReportOptions => ({
  reportHtml: values.path('report-html'),
  reportLanguage: values.choice('report-language', languages),
  groupField: values.text('group-field'),
});

export const minResemblanceOf = (values: Values): number =>
  values.number('min-resemblance', checkResemblance) ?? MIN_RESEMBLANCE;

/** Returns the fingerprinter of --scheme and --bits. */
export function fingerprinterOf(values: Values): Fingerprinter {
  const bits = values.number('bits', checkBits);
  try {
    return new Fingerprinter({ scheme: values.text('scheme'), bits, key: keyOf(values) });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Returns the fingerprinter of a scheme that an index has. */
export function fingerprinterWith(scheme: string, key: Uint8Array | undefined): Fingerprinter {
  try {
    return new Fingerprinter({ scheme, key });
  } catch (error) {
    if (!(error instanceof ArgumentError && error.argument === 'key')) throw error;
    throw new UserError(`--key-file must be ${error.requirement}`);
  }
}

/** A set of documents with its file. */
interface IndexOfPath {
  path: string;
  index: { readonly scheme: string };
}

/** Returns the id of the scheme of sketches: of the options, or of the indexes if the options leave it open. */
export function sketchScheme(values: Values, indexes: readonly IndexOfPath[]): string {
  const isGiven = ['scheme', 'bits', 'key-file'].some((name) => values.has(name as OptionName));
  // A sketch has 64 bits.
  const given = fingerprinterOf(values).id.replace(/^v1:\d+/, 'v1:64');
  const scheme = isGiven ? given : (indexes[0]?.index.scheme ?? given);
  const other = indexes.find(({ index }) => index.scheme !== scheme);
  if (other === undefined) return fingerprinterWith(scheme, keyOf(values)).id;
  throw new UserError(`${other.path} must be of the scheme ${scheme}, got ${other.index.scheme}`);
}

/** The options of `dedupe`. */
export interface DedupeOptions extends InputOptions, ReportOptions {
  reading: ReadingOptions;
  minResemblance: number;
  keep: Keep;
  selection: Selection;
  annotate: boolean;
  count: boolean;
  jsonSummary: string | undefined;
  failOnDuplicates: boolean;
  report: string | undefined;
  against: string[];
  againstOnly: boolean;
  index: string | undefined;
  /** The time between two saves of the index in milliseconds. */
  checkpoint: number;
  store: string | undefined;
  /** In seconds. */
  expiresIn: number | undefined;
  /** Returns the id of the scheme, which must be the scheme of the indexes. */
  schemeOf(indexes: readonly IndexOfPath[]): string;
}

/** The options that do not go together. */
const exclusions: readonly OptionName[][] = [
  ['keep', 'keep-max', 'keep-min'],
  ['store', 'index'],
  ['report-html', 'store'],
  ['against-only', 'index'],
  ['against-only', 'store'],
  ['count', 'annotate'],
  ['count', 'duplicates'],
];

function keepOf(values: Values): Keep {
  for (const name of ['keep-max', 'keep-min'] as const) {
    const field = values.text(name);
    if (field !== undefined) return { option: `--${name}`, field };
  }
  return values.choice<'first' | 'longest'>('keep', ['first', 'longest']);
}

export function dedupeOptions(values: Values): DedupeOptions {
  for (const names of exclusions) values.exclude(...names);
  for (const output of ['duplicates', 'count'] as const) {
    for (const state of ['index', 'store'] as const) {
      if (!values.flag(output) || !values.has(state)) continue;
      throw new UsageError(
        `--${output} cannot be combined with --${state}, which is for documents whose lines are written; --against compares ` +
          'with an index and leaves it unchanged',
      );
    }
  }
  if (values.flag('against-only') && !values.has('against')) {
    throw new UsageError('--against-only must be combined with --against');
  }
  const lasting = values.has('index') || values.has('store');
  if (values.has('expire') && !lasting) throw new UsageError('--expire must be combined with --index or --store');
  const annotate = values.flag('annotate');
  const selection = values.flag('count') ? 'none' : values.flag('duplicates') ? 'dropped' : annotate ? 'all' : 'kept';
  const options: DedupeOptions = {
    ...inputOf(values),
    ...reportOf(values),
    reading: readingOf(values),
    minResemblance: minResemblanceOf(values),
    keep: keepOf(values),
    selection,
    annotate,
    count: values.flag('count'),
    jsonSummary: values.path('json-summary'),
    failOnDuplicates: values.flag('fail-on-duplicates'),
    report: values.path('report'),
    against: values.all('against'),
    againstOnly: values.flag('against-only'),
    index: values.path('index'),
    checkpoint: 1000 * (values.number('checkpoint', between(0, 86_400)) ?? 60),
    store: values.text('store'),
    expiresIn: values.number('expire', checkDuration),
    schemeOf: (indexes) => sketchScheme(values, indexes),
  };
  // Checked before any file is read.
  fingerprinterOf(values);
  return options;
}

/** The options of `clusters`. */
export interface ClustersOptions extends InputOptions {
  reading: ReadingOptions;
  scheme: string;
  minResemblance: number;
  linkage: 'star' | 'single';
  annotate: boolean;
}

export const clustersOptions = (values: Values): ClustersOptions => ({
  ...inputOf(values),
  reading: readingOf(values),
  scheme: sketchScheme(values, []),
  minResemblance: minResemblanceOf(values),
  linkage: values.choice<'star' | 'single'>('linkage', ['star', 'single']),
  annotate: values.flag('annotate'),
});

/** The options of `calibrate`. */
export interface CalibrateOptions extends InputOptions, ReportOptions {
  reading: ReadingOptions;
  scheme: string;
  labels: string | undefined;
  expect: number | undefined;
  sample: number | undefined;
  same: number | undefined;
  different: number | undefined;
  json: boolean;
}

export const calibrateOptions = (values: Values): CalibrateOptions => ({
  ...inputOf(values),
  ...reportOf(values),
  reading: readingOf(values),
  scheme: fingerprinterOf(values).id,
  labels: values.path('labels'),
  expect: values.number('expect', between(1, MAX_EXPECTED)),
  sample: values.number('sample', between(1, MAX_SAMPLED)),
  same: values.number('same', checkResemblance),
  different: values.number('different', checkResemblance),
  json: values.flag('json'),
});

/** Returns the number of hits of --limit. */
export const limitOf = (values: Values): number => values.number('limit', between(0, 2 ** 32 - 1)) ?? 1;

// The options of the commands, checked.
import { checkBits, checkWhole } from '../core/check.js';
import { alternatives } from '../core/types.js';
import { ArgumentError, type Deduplicator, Fingerprinter, MIN_RESEMBLANCE, type SchemeOptions } from '../index.js';
import { UserError } from '../node/user-error.js';
import { checkThreads, defaultThreads } from '../node/workers.js';
import { languages } from '../report/messages.js';
import { UsageError, type Values } from './args.js';
import { codeOf, messageOf, reason } from './errors.js';
import type { OptionName } from './help.js';
import { checkScheme, readRegularFile } from './index-file.js';
import { type Format, formats } from './recognise.js';

export const between = (low: number, high: number) => (value: unknown, name: string) =>
  checkWhole(value, name, high, low);

export function checkResemblance(value: unknown, name: string): number {
  if (typeof value === 'number' && value > 0 && value <= 1) return value;
  throw new ArgumentError(name, 'a number above 0 and at most 1', value);
}

/** The units of a duration in seconds. */
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Returns the seconds of a duration such as `30d`. */
export function checkDuration(value: unknown, name: string): number {
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
    key = readRegularFile(path);
  } catch (error) {
    throw new UserError(
      error instanceof UserError ? `--key-file ${error.message}` : `--key-file ${path}: ${reason(error)}`,
    );
  }
  if (key.length === 16) return key;
  throw new UserError(`--key-file must be a file of 16 bytes, got ${key.length}`);
}

/** Returns how the documents of the input are read. */
export const readingOf = (values: Values) => ({
  textField: values.text('text-field') ?? 'text',
  idField: values.text('id-field') ?? 'id',
  html: values.flag('html'),
  key: keyOf(values),
  threads: values.number('threads', checkThreads),
  defaultThreads: defaultThreads(),
});

/** Returns the delimiter of --delimiter, one byte in UTF-8; undefined if it is to be recognised. */
function delimiterOf(values: Values): string | undefined {
  const value = values.text('delimiter');
  if (value === undefined) return undefined;
  const delimiter = value === '\\t' ? '\t' : value;
  if (/^[\t -~]$/.test(delimiter) && delimiter !== '"') return delimiter;
  throw new UsageError(messageOf(new ArgumentError('--delimiter', 'an ASCII character other than ", or \\t', value)));
}

/** Returns which files are read. */
export const inputOf = (values: Values) => ({
  files: values.files,
  /** The file with further paths. */
  filesFrom: values.path('files-from'),
  format: values.has('format') ? values.choice<Format>('format', formats) : undefined,
  delimiter: delimiterOf(values),
});

export type InputOptions = ReturnType<typeof inputOf>;

/** Returns the options of the report for people. */
export const reportOf = (values: Values) => ({
  reportHtml: values.path('report-html'),
  reportLanguage: values.choice('report-language', languages),
  groupField: values.text('group-field'),
});

export type ReportOptions = ReturnType<typeof reportOf>;

export const minResemblanceOf = (values: Values): number =>
  values.number('min-resemblance', checkResemblance) ?? MIN_RESEMBLANCE;

/** Returns a fingerprinter. The options are of the command line, or the scheme is of an index. */
export function fingerprinterWith(options: SchemeOptions): Fingerprinter {
  try {
    return new Fingerprinter(options);
  } catch (error) {
    // The first use of the module reads its file.
    if (codeOf(error) !== undefined) throw new UserError(reason(error));
    if (!(error instanceof ArgumentError)) throw error;
    if (error.argument === 'key') throw new UserError(`--key-file must be ${error.requirement}`);
    throw new UsageError(`--${messageOf(error)}`);
  }
}

/** Returns the fingerprinter of --scheme, --bits and --key-file. */
export const fingerprinterOf = (values: Values): Fingerprinter =>
  fingerprinterWith({ scheme: values.text('scheme'), bits: values.number('bits', checkBits), key: keyOf(values) });

/** A set of documents with its file. */
export interface IndexOfPath {
  path: string;
  index: Deduplicator;
}

/** Returns the id of the scheme of sketches: of the options, or of the indexes if the options leave it open. */
export function sketchScheme(values: Values, indexes: readonly IndexOfPath[]): string {
  const isGiven = ['scheme', 'bits', 'key-file'].some((name) => values.has(name as OptionName));
  // A sketch has 64 bits.
  const given = fingerprinterOf(values).id.replace(/^v1:\d+/, 'v1:64');
  const scheme = isGiven ? given : (indexes[0]?.index.scheme ?? given);
  for (const { path, index } of indexes) checkScheme(path, index, scheme);
  return fingerprinterWith({ scheme, key: keyOf(values) }).id;
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

/** Options that need one of the others in their row. */
const needs: readonly (readonly [OptionName, ...OptionName[]])[] = [
  ['against-only', 'against'],
  ['expire', 'index', 'store'],
];

/** Refuses options that do not go together. */
export function checkCombination(values: Values): void {
  for (const names of exclusions) values.exclude(names);
  const advice =
    ', which is for documents whose lines are written; --against compares with an index and leaves it unchanged';
  for (const output of ['duplicates', 'count'] as const) {
    for (const state of ['index', 'store'] as const) values.exclude([output, state], advice);
  }
  for (const [name, ...others] of needs) {
    if (!values.has(name) || others.some((other) => values.has(other))) continue;
    throw new UsageError(`--${name} must be combined with ${alternatives(others.map((other) => `--${other}`))}`);
  }
}

// The settings that commands derive from their options.
import { alternatives } from '../core/types.js';
import { ArgumentError, type Deduplicator, Fingerprinter, type SchemeOptions } from '../index.js';
import { UserError } from '../node/user-error.js';
import { defaultThreads } from '../node/workers.js';
import { type OptionName, oneOf, UsageError, type Values } from './args.js';
import { codeOf, messageOf, reason } from './errors.js';
import { checkScheme, readRegularFile } from './index-file.js';
import { formats } from './recognise.js';

/** Returns the key of --key-file. */
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

/** Returns how the documents of the input are read. */
export const readingOf = (values: Values) => ({
  textField: values['text-field'] ?? 'text',
  idField: values['id-field'] ?? 'id',
  html: values.html ?? false,
  key: keyOf(values),
  threads: values.threads,
  defaultThreads: defaultThreads(),
});

/** Returns which files are read. */
export const inputOf = ({ files, 'files-from': filesFrom, format, delimiter }: Values) => ({
  files,
  /** The file with further paths. */
  filesFrom,
  format: format === undefined ? undefined : oneOf(...formats)(format, '--format'),
  /** Undefined if it is to be recognised. */
  delimiter,
});

export type InputOptions = ReturnType<typeof inputOf>;

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
  fingerprinterWith({ scheme: values.scheme, bits: values.bits, key: keyOf(values) });

/** A set of documents with its file. */
export interface IndexOfPath {
  path: string;
  index: Deduplicator;
}

/** Returns the id of the scheme of sketches: of the options, or of the indexes if the options leave it open. */
export function sketchScheme(values: Values, indexes: readonly IndexOfPath[]): string {
  const isGiven = (values.scheme ?? values.bits ?? values['key-file']) !== undefined;
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
  ['duplicates', 'index'],
  ['duplicates', 'store'],
  ['count', 'index'],
  ['count', 'store'],
];

/** Options that need one of the others in their row. */
const needs: readonly (readonly [OptionName, ...OptionName[]])[] = [
  ['against-only', 'against'],
  ['expire', 'index', 'store'],
];

/** Refuses options that do not go together. */
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

// How the documents of a run are read and sketched, by its options and by the indexes that it uses.
import { ArgumentError, type Deduplicator, Sketcher } from '../index.js';
import { codeOf, messageOf, reason, UserError } from '../node/errors.js';
import { DEFAULT_ID_FIELD } from '../node/fields.js';
import { ignoreOptions } from '../node/ignore.js';
import { Fingerprinter } from '../simhash/fingerprinter.js';
import { readRegularFile } from './file-system.js';
import { UsageError, type Values } from './options.js';

function readKey({ 'key-file': path }: Values): Uint8Array | undefined {
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
  key: readKey(values),
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
  withOptions(() => new Sketcher({ scheme: values.scheme, features: values.features, key: readKey(values) }));

/** Returns the fingerprinter for options of the command line. */
export const fingerprinterOf = (values: Values): Fingerprinter =>
  withOptions(() => new Fingerprinter({ scheme: values.scheme, bits: values.bits, key: readKey(values) }));

function checkScheme(path: string, index: Deduplicator, scheme: string): void {
  if (index.scheme === scheme) return;
  throw new UserError(`${path} must be of the scheme ${scheme}, got ${index.scheme}`);
}

/** Throws if the texts of an index were compared without other parts than the texts of this run. */
function checkIgnored(path: string, ignored: readonly string[], ignore: readonly string[]): void {
  const [was, is] = [ignored, ignore].map((patterns) => ignoreOptions(patterns) || 'no --ignore');
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
  return withOptions(() => new Sketcher({ scheme, key: readKey(values) })).id;
}

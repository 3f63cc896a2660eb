// The indexes and documents of --against, as one set that does not change.
import type { Versions } from '../decisions/versions.js';
import { Deduplicator, type Id, type Sketch } from '../index.js';
import { countOf } from '../node/errors.js';
import { headOf } from './file-head.js';
import { kindOf } from './glob.js';
import { openIndex } from './index-file.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { type Reading, sketchScheme, type Values } from './options.js';
import { readBatches } from './reader.js';

/**
 * Returns what a decision depends on in indexes that are searched together. If several have an id, the last one counts. `id` is
 * undefined for a document without an id.
 */
export function readAll(indexes: readonly Deduplicator[], document: Sketch, id: Id | undefined): Versions<Id> {
  const all = indexes.map((index) => ({ index, ...index.read(document, id) }));
  const isLast = (id: Id, index: Deduplicator) => indexes.findLast((other) => other.has(id)) === index;
  return {
    now: Date.now(),
    own: all.findLast(({ own }) => own.length > 0)?.own ?? [],
    candidates: all.flatMap(({ index, candidates }) => candidates.filter(({ id }) => isLast(id, index))),
  };
}

/** Returns whether a file is an index, by its first bytes. Others have documents; `openIndex` reports a missing file. */
const isIndex = (path: string): boolean =>
  kindOf(path) === undefined || headOf(path)?.toString('latin1', 0, 4) === 'Near';

/** Resolves to an index of the documents of a file. The last document with an id counts. */
async function indexOf(path: string, scheme: string, values: Values, reading: Reading, io: Io): Promise<Deduplicator> {
  const index = new Deduplicator({ scheme });
  const { 'files-from': _, ...others } = values;
  const { length } = io.passedOver;
  const inputs = await findInputs({ ...others, files: [path] }, io);
  for await (const { documents } of readBatches(inputs, { scheme, ...reading }, io)) {
    for (const { name, sketch } of documents) index.add(name, sketch);
  }
  io.note(`${path}: ${countOf(index.size, 'document')} to compare with`);
  // The numbers of the summary and the report are about the input.
  io.passedOver.length = length;
  io.startCounts();
  return index;
}

/** Resolves to the references of --against, and the scheme that they share with the run's own index. */
export async function openReferences(values: Values, own: Deduplicator | null, reading: Reading, io: Io) {
  const paths = values.against ?? [];
  const opened = new Map(paths.filter(isIndex).map((path) => [path, openIndex(path)]));
  const indexes = Array.from(opened, ([path, index]) => ({ path, index }));
  const { index: path } = values;
  const scheme = sketchScheme(values, path && own ? [...indexes, { path, index: own }] : indexes);
  for (const path of paths) {
    if (!opened.has(path)) opened.set(path, await indexOf(path, scheme, values, reading, io));
  }
  return { scheme, base: paths.map((path) => opened.get(path) as Deduplicator) };
}

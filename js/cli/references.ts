// The indexes and documents of --against, as one set that does not change.
import type { ResemblanceHit } from '../decisions/decision.js';
import type { Base, QueryOptions } from '../decisions/overlay.js';
import { byRank } from '../decisions/rule.js';
import { Deduplicator, type Id, type Sketch } from '../index.js';
import { kindOf } from './glob.js';
import { openIndex } from './index-file.js';
import { headOf } from './input-texts.js';
import { findInputs } from './inputs.js';
import { type Io, nothingNoticed } from './io.js';
import { inputOf, type readingOf, sketchScheme, type Values } from './options.js';
import { countOf } from './progress.js';
import { readBatches } from './reader.js';

type Reading = ReturnType<typeof readingOf>;

/** Indexes that are searched together: their salts differ, so they cannot be merged. An id that several have is of the last. */
export class References implements Base {
  readonly scheme: string;
  readonly #indexes: readonly Deduplicator[];

  constructor(scheme: string, indexes: readonly Deduplicator[]) {
    this.scheme = scheme;
    this.#indexes = indexes;
  }

  /** Whether there are no indexes. */
  get isEmpty(): boolean {
    return this.#indexes.length === 0;
  }

  get(id: Id): Sketch | undefined {
    return this.#indexes.findLast((index) => index.has(id))?.get(id);
  }

  query(document: Sketch, { minResemblance, limit }: QueryOptions): ResemblanceHit[] {
    return this.#indexes
      .flatMap((index) => {
        // All hits, since a later index may have the ids of the best ones.
        const hits = index.query(document, { minResemblance, limit: Infinity });
        return hits.filter(({ id }) => this.#indexes.findLast((other) => other.has(id)) === index);
      })
      .toSorted(byRank)
      .slice(0, limit);
  }
}

/** Returns whether a file is an index, by its first bytes. Others have documents; `openIndex` reports a missing file. */
const isIndex = (path: string): boolean =>
  kindOf(path) === undefined || headOf(path)?.toString('latin1', 0, 4) === 'Near';

/** Resolves to an index of the documents of a file. The last document with an id counts. */
async function indexOf(path: string, scheme: string, values: Values, reading: Reading, io: Io): Promise<Deduplicator> {
  const index = new Deduplicator({ scheme });
  const inputs = await findInputs({ ...inputOf(values), files: [path], filesFrom: undefined }, reading.html, io);
  for await (const { documents } of readBatches(inputs, { scheme, ...reading }, io)) {
    for (const { name, sketch } of documents) index.add(name, sketch);
  }
  io.note(`${path}: ${countOf(index.size, 'document')} to compare with`);
  // The counts of the summary are about the input.
  Object.assign(io.progress, { documents: 0, read: 0 });
  io.noticed = nothingNoticed();
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
  return {
    scheme,
    base: new References(
      scheme,
      paths.map((path) => opened.get(path) as Deduplicator),
    ),
  };
}

// The indexes and documents of --against. They do not change.
import type { Outcome } from '../dedupe/decision.js';
import { joinOutcomes } from '../dedupe/join-outcomes.js';
import { Deduplicator, type Id } from '../index.js';
import { countOf } from '../node/errors.js';
import type { Document } from './document.js';
import { headOf } from './file-head.js';
import { kindOf } from './glob.js';
import { openIndex } from './index-file.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { type Reading, sketchScheme, type Values } from './options.js';
import { type Original, withOriginal } from './original.js';
import { readBatches } from './reader.js';
import type { Selection } from './selection.js';

/** References are searched one after the other: their salts differ, so their keys do. */
export class References {
  readonly #sets: readonly { set: Deduplicator; originals: Map<Id, Original> }[];

  constructor(sets: readonly Deduplicator[]) {
    this.#sets = sets.map((set) => ({ set, originals: new Map() }));
  }

  /** Returns what the references decide on documents, undefined for a document that is new to all of them. */
  peek(documents: Selection, minResemblance: number): (Outcome<Original> | undefined)[] {
    const known = new Array<Outcome<Original> | undefined>(documents.count).fill(undefined);
    for (const { set, originals } of this.#sets) {
      const originalOf = (name: Id): Original => {
        const original = originals.get(name) ?? { key: undefined, name, place: undefined };
        originals.set(name, original);
        return original;
      };
      for (let at = 0; at < documents.count; at++) {
        const outcome = set.peek(documents.ids[at] ?? undefined, documents.sketchAt(at), { minResemblance });
        if (outcome.status === 'new') continue;
        const [before, found] = [known[at], withOriginal(outcome, originalOf)];
        known[at] = before === undefined ? found : joinOutcomes([before, found]);
      }
    }
    return known;
  }
}

/**
 * The maximum number of documents with one id that count as versions of it. Of further ones, the places are the ids: each set is
 * searched for each document.
 */
const MAX_VERSIONS = 16;

/** The documents of a file. A set has one document of each id, so those whose ids repeat are in several sets. */
class ReferenceFile {
  readonly sets: Deduplicator[] = [];
  readonly #scheme: string;

  constructor(scheme: string) {
    this.#scheme = scheme;
  }

  add({ name, place, sketch }: Document): void {
    for (let at = 0; at < MAX_VERSIONS; at++) {
      this.sets[at] ??= new Deduplicator({ scheme: this.#scheme });
      const kept = this.sets[at].get(name);
      if (kept === undefined) this.sets[at].add(name, sketch);
      if (kept === undefined || kept.equals(sketch)) return;
    }
    this.sets[MAX_VERSIONS - 1].add(place, sketch);
  }
}

/** Returns whether a file is an index, by its first bytes. Others have documents; `openIndex` reports a missing file. */
const isIndex = (path: string): boolean =>
  kindOf(path) === undefined || headOf(path)?.toString('latin1', 0, 4) === 'Near';

/** Resolves to sets of the documents of a file. */
async function readReference(path: string, scheme: string, values: Values, reading: Reading, io: Io) {
  const file = new ReferenceFile(scheme);
  const { 'files-from': _, ...others } = values;
  const { length } = io.passedOver;
  const inputs = await findInputs({ ...others, files: [path] }, io);
  for await (const batch of readBatches(inputs, { scheme, ...reading }, io)) {
    for (const document of batch.documents()) file.add(document);
  }
  io.note(`${path}: ${countOf(io.progress.documents, 'document')} to compare with`);
  // The numbers of the summary and the report are about the input.
  io.passedOver.length = length;
  io.startCounts();
  return file.sets;
}

/** Resolves to the references of --against, and the scheme that they share with the run's own index. */
export async function openReferences(values: Values, own: Deduplicator | null, reading: Reading, io: Io) {
  const paths = values.against ?? [];
  const opened = new Map(paths.filter(isIndex).map((path) => [path, [openIndex(path)]]));
  const indexes = Array.from(opened, ([path, [index]]) => ({ path, index }));
  const { index: path } = values;
  const scheme = sketchScheme(values, path && own ? [...indexes, { path, index: own }] : indexes);
  for (const path of paths) {
    if (!opened.has(path)) opened.set(path, await readReference(path, scheme, values, reading, io));
  }
  // A reference that is given twice is asked once.
  const sets = [...new Set(paths)].flatMap((path) => opened.get(path) as Deduplicator[]);
  return { scheme, references: new References(sets) };
}

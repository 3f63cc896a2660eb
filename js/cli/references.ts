// The indexes and documents of --against. They do not change.
import type { Outcome } from '../dedupe/decision.js';
import type { DocumentSet } from '../dedupe/document-set.js';
import { joinOutcomes } from '../dedupe/join-outcomes.js';
import { lastingId } from '../dedupe/lasting-id.js';
import { Deduplicator, type Id } from '../index.js';
import { countOf } from '../node/errors.js';
import type { Document } from './batch.js';
import { Decisions } from './decisions.js';
import { headOf } from './file-head.js';
import { findInputs } from './find-inputs.js';
import { fileKind, isPattern } from './glob.js';
import { openIndex } from './index-file.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import { KnownFiles } from './known-files.js';
import type { Values } from './options.js';
import type { Original } from './original.js';
import { readBatches } from './reader.js';
import { type Reading, type SavedIndex, sketchScheme } from './reading.js';
import type { Selection } from './selection.js';

/** References are searched one after the other: their salts differ, so their keys do. */
export class References {
  readonly #sets: readonly { set: DocumentSet; originals: Map<Id, Original> }[];

  constructor(sets: readonly Deduplicator[]) {
    this.#sets = sets.map(({ documents }) => ({ set: documents, originals: new Map() }));
  }

  /** Returns what the references decide on documents, undefined for a document that is new to all of them. */
  peek(documents: Selection, minResemblance: number): (Outcome<Original> | undefined)[] {
    const known = new Array<Outcome<Original> | undefined>(documents.count).fill(undefined);
    if (this.#sets.length === 0) return known;
    const ids = documents.ids.map((id, at) => id ?? lastingId(undefined, documents.sketchAt(at)));
    const { sketches, ends } = documents;
    const now = Date.now();
    for (const { set, originals } of this.#sets) {
      const originalOf = (name: Id): Original => {
        const original = originals.get(name) ?? { key: undefined, name, place: undefined };
        originals.set(name, original);
        return original;
      };
      const decisions = new Decisions(documents.count);
      const rows = set.peekAll({ ids, sketches, ends }, minResemblance, now);
      decisions.setRows(0, rows, (number) => originalOf(set.idOf(number)));
      for (let at = 0; at < documents.count; at++) {
        const found = decisions.statusAt(at) === 'new' ? undefined : decisions.outcomeAt(at);
        if (found === undefined) continue;
        const before = known[at];
        known[at] = before === undefined ? found : joinOutcomes([before, found]);
      }
    }
    return known;
  }
}

/** The maximum number of versions of an id, and so of sets of a file: a document is looked up in each of them. */
const MAX_VERSIONS = 16;

/**
 * The documents of a file. A log of a crawl has several versions of an id, and each counts as a version: a document that equals any of
 * them is unchanged, and one that equals none is changed. A set has one version of an id, so the second version of an id is in a
 * second set, which is made with the first id that repeats. Versions beyond {@link MAX_VERSIONS} are documents of their own, named by
 * their places.
 */
class ReferenceFile {
  /** Set n has version n of each id with more than n versions. */
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
  fileKind(path) === undefined ? !isPattern(path) : headOf(path)?.toString('latin1', 0, 4) === 'Near';

/** A file, a folder or a pattern of --against. `inputs` are its files with documents; undefined for an index. */
interface Reference {
  readonly path: string;
  readonly inputs: readonly Input[] | undefined;
}

/** The files that --against names, each once. */
export interface FoundReferences {
  readonly references: readonly Reference[];
  readonly files: KnownFiles;
}

/** Returns the paths of indexes and of files with documents. */
export const pathsOf = ({ references }: FoundReferences): string[] =>
  references.flatMap(({ path, inputs }) => inputs?.map((input) => input.path) ?? [path]);

/** Resolves to the files of --against. */
export async function findReferences(values: Values, io: Io): Promise<FoundReferences> {
  const { 'files-from': _, against = [], ...others } = values;
  const references: Reference[] = [];
  const files = new KnownFiles();
  const own = io.forOtherInput();
  for (const path of new Set(against)) {
    if (isIndex(path)) {
      if (!files.has(path)) references.push({ path, inputs: undefined });
      files.add(path);
      continue;
    }
    const inputs = await findInputs({ ...others, files: [path] }, own, files);
    for (const input of inputs) files.add(input.path);
    references.push({ path, inputs });
  }
  own.nameSkipped();
  for (const warning of own.exclusion?.warnings() ?? []) own.note(warning);
  return { references, files };
}

/** Resolves to sets of the documents of a reference. The numbers of the summary and the report are about the input, not about it. */
async function readReference(
  { path, inputs = [] }: Reference,
  scheme: string,
  reading: Reading,
  io: Io,
): Promise<Deduplicator[]> {
  const file = new ReferenceFile(scheme);
  const own = io.forOtherInput();
  try {
    for await (const batch of readBatches(inputs, { scheme, ...reading }, own)) {
      for (const document of batch.documents()) file.add(document);
    }
  } finally {
    own.reportRejected();
    own.nameSkipped();
    own.progress.clear();
  }
  own.note(`${path}: ${countOf(own.progress.documents, 'document')} to compare with`);
  return file.sets;
}

/** Resolves to the sets of references, and the scheme that they share with the run's own index. */
export async function openReferences(
  { references }: FoundReferences,
  values: Values,
  own: SavedIndex | null,
  reading: Reading,
  io: Io,
) {
  const opened = references.map((reference) => {
    const { path, inputs } = reference;
    return { reference, path, saved: inputs === undefined ? openIndex(path) : undefined };
  });
  const indexes = opened.flatMap(({ path, saved }) => (saved === undefined ? [] : [{ path, ...saved }]));
  const { index: path } = values;
  const scheme = sketchScheme(values, path && own ? [...indexes, { path, ...own }] : indexes);
  const sets: Deduplicator[] = [];
  for (const { reference, saved } of opened) {
    if (saved !== undefined) sets.push(saved.index);
    else sets.push(...(await readReference(reference, scheme, reading, io)));
  }
  return { scheme, references: new References(sets) };
}

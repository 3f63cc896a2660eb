// The option --report-html: collects the decisions of a run, and writes the report.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deduplicator, type Id, MIN_FEATURES } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import { reason, shorten, UserError } from '../node/errors.js';
import type { JsonObject } from '../node/fields.js';
import { textReader } from '../node/html.js';
import type { ReportText } from '../report/pairs.js';
import { reportHtml } from '../report/report.js';
import { EARLIER, groupOf, NONE, select } from '../report/select.js';
import { silentIo } from './chunks.js';
import type { Input } from './document.js';
import { canReadAgain } from './file-system.js';
import { readInput } from './input.js';
import type { Values } from './options.js';
import { Output } from './output.js';
import type { RepeatedIds } from './repeated-ids.js';
import type { Selection } from './selection.js';

const MAX_NAMED = 20;

/** Returns the names of files for a report, which names only some of many. */
export function namesOf(inputs: readonly Input[]): string[] {
  const names = inputs.slice(0, MAX_NAMED).map(({ name }) => name);
  if (inputs.length > MAX_NAMED) names.push('…');
  return names;
}

/** Yields the documents of files that are read a second time. An error of a file is passed to `fail`, and the rest continues. */
async function* readAgain(
  inputs: readonly Input[],
  reading: ReadSettings,
  fail: (name: string, error: unknown) => void,
): AsyncGenerator<{ name: string; place: string; text(): string }, void, undefined> {
  // After Ctrl+C too, so this signal is never aborted.
  const io = silentIo();
  for (const { copy, ...input } of inputs) {
    try {
      for await (const batch of readInput({ ...input, path: copy ?? input.path }, reading, io)) {
        const readText = await textReader({ isHtml: batch.isHtml, keepBad: reading.keepBad, ignore: reading.ignore });
        for (const { number, read } of batch.entries) {
          yield { name: input.name, place: batch.placeOf(number), text: () => readText(read().text).text };
        }
      }
    } catch (error) {
      fail(input.name, error);
    }
  }
}

/** Creates the file that --report-html names, if it is given. It shows the texts of some documents, which are read again. */
export function createReport(given: readonly Input[], values: Values, reading: ReadSettings, scheme: string) {
  const output = Output.create(values, 'report-html');
  if (output === undefined) return undefined;
  let folder: string | undefined;
  /** The files to read. While a pipe is read, its content is copied to a file, so that it can be read again. */
  const inputs = given.map((input, at): Input => {
    if (canReadAgain(input.path)) return input;
    folder ??= mkdtempSync(join(tmpdir(), 'nearprint-'));
    return { ...input, copy: join(folder, String(at)) };
  });
  const documents: { name: Id; place: string; group: string | undefined }[] = [];
  /** The decisions on them. */
  const lists = { nearest: [] as number[], resemblances: [] as number[], isDropped: [] as number[] };
  /** The kept documents by their positions. */
  const nearby = new Deduplicator<number>({ scheme });
  /** The positions of kept documents by their keys. */
  const kept = new Map<Id, number>();
  let short = 0;

  /** Adds a document, and returns its position. `name` is its id, or its place. */
  function add({ name, place, fields }: { name: Id; place: string; fields: JsonObject }): number {
    const group = groupOf(fields);
    return documents.push({ name, place, group: group && shorten(group) }) - 1;
  }

  /** Adds decided documents. A document that is unchanged since an earlier run is left out. */
  function take(decided: Selection): void {
    const { nearest, resemblances, isDropped } = lists;
    for (const document of decided) {
      const { outcome, key, sketch, name, place, batch, isKept } = document;
      const version = key === undefined ? undefined : kept.get(key);
      if (outcome === undefined || (outcome.status === 'unchanged' && version === undefined)) continue;
      const at = add({ name, place, fields: batch.fieldsOf(document) });
      if (sketch.isShort) short++;
      isDropped.push(Number(!isKept));
      if (!isKept) {
        const isDuplicate = outcome.status === 'duplicate';
        const original = isDuplicate ? outcome.duplicateOf.key : key;
        nearest.push((original === undefined ? undefined : kept.get(original)) ?? EARLIER);
        resemblances.push(isDuplicate ? outcome.resemblance : 1);
      } else {
        const [near] = nearby.query(sketch, { minResemblance: 0 });
        nearest.push(near?.id ?? NONE);
        resemblances.push(near?.resemblance ?? 0);
        // Later documents are not compared with this one.
        if (values['against-only']) continue;
        nearby.add(at, sketch);
        if (version !== undefined) nearby.delete(version);
        if (key !== undefined) kept.set(key, at);
      }
    }
  }

  /** Writes the report of everything that `take` received. Documents of ids that repeat are named by their places too. */
  const write = async (minResemblance: number, repeated: RepeatedIds): Promise<void> => {
    const hasGroups = documents.some(({ group }) => group !== undefined);
    const groups = hasGroups ? documents.map(({ group = '' }) => group) : undefined;
    const selection = select({ ...lists, groups });
    /** The positions of each place whose document is not read yet. A file may be given twice. */
    const wanted = new Map<string, number[]>();
    for (const at of selection.wanted) {
      const { place } = documents[at];
      wanted.set(place, [...(wanted.get(place) ?? []), at]);
    }
    const texts = new Map<number, ReportText>();
    let failure: string | undefined;
    const fail = (name: string, error: unknown) => {
      failure ??= `${name} cannot be read again: ${reason(error)}`;
    };
    for await (const { name, place, text } of readAgain(inputs, reading, fail)) {
      if (wanted.size === 0) break;
      try {
        for (const at of wanted.get(place) ?? []) {
          texts.set(at, { name: shorten(repeated.nameOf(documents[at])), text: text() });
        }
        wanted.delete(place);
      } catch (error) {
        fail(name, error);
      }
    }
    if (wanted.size > 0) throw new UserError(`--report-html: ${failure ?? 'the input has changed since it was read'}`);
    const names = namesOf(inputs);
    const data = { ...selection, scheme, short, few: MIN_FEATURES, minResemblance, texts, names };
    await output.write(reportHtml(data, values['report-language'] ?? 'en'));
    await output.close();
  };

  function close(): void {
    nearby.free();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }

  return { inputs, take, write, close };
}

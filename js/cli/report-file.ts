// The option --report-html: collects the decisions of a run, and writes the report.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deduplicator, type Id, MIN_FEATURES } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import { type JsonObject, memberAt } from '../node/fields.js';
import { textReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { groupOf } from '../report/group.js';
import { type ReportData, type ReportText, reportHtml } from '../report/report.js';
import { EARLIER, NONE, type Selection, select } from '../report/select.js';
import type { Values } from './args.js';
import type { InputIo } from './chunks.js';
import { isDocumentKept } from './decider.js';
import type { Document } from './document.js';
import { reason, shorten } from './errors.js';
import { type Input, readInput } from './input.js';
import { Output } from './output.js';

/** The decisions on documents, one element of each array for a document (report/select.ts). */
interface DecisionLists {
  /** The position of the nearest document kept before, or NONE or EARLIER. */
  nearest: number[];
  /** The resemblance to that document. */
  resemblances: number[];
  /** 1 if the document is dropped, else 0. */
  isDropped: number[];
}

/** A document of the run. */
interface ReportedDocument {
  /** Its id, or its place. */
  name: string;
  place: string;
  group: string | undefined;
}

/** The number of inputs that a report names. */
const MAX_NAMED = 20;

/** Returns whether a file can be read a second time: standard input and other pipes cannot. */
const isLasting = ({ path }: Input): boolean =>
  path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** The file that --report-html names, and where the texts of the documents are. It shows some, which are read again. */
export class ReportFile {
  /** The files to read: the content of a pipe is copied meanwhile. */
  readonly inputs: readonly Input[];
  readonly #output: Output;
  readonly #values: Values;
  readonly #reading: ReadSettings;
  /** The temporary folder of the copies. */
  #folder: string | undefined;
  readonly #documents: ReportedDocument[] = [];

  constructor(output: Output, inputs: readonly Input[], values: Values, reading: ReadSettings) {
    this.#output = output;
    this.#values = values;
    this.#reading = reading;
    this.inputs = inputs.map((input, at) => {
      if (isLasting(input)) return input;
      this.#folder ??= mkdtempSync(join(tmpdir(), 'nearprint-'));
      return { ...input, copy: join(this.#folder, String(at)) };
    });
  }

  /** Adds a document, and returns its position. `name` is its id, or its place. */
  add({ name, place, fields }: { name: Id; place: string; fields: JsonObject }): number {
    const field = this.#values['group-field'];
    const group = field === undefined ? groupOf(fields) : groupOf({ group: memberAt(fields, field) }, ['group']);
    return this.#documents.push({ name: shorten(String(name)), place, group: group && shorten(group) }) - 1;
  }

  /** Writes the report of decisions on all documents, or on those at `positions`. */
  async write(
    decisions: DecisionLists,
    others: Omit<ReportData, keyof Selection | 'texts' | 'names' | 'few'>,
    positions?: readonly number[],
  ): Promise<void> {
    const documents = positions?.map((at) => this.#documents[at]) ?? this.#documents;
    const hasGroups = documents.some(({ group }) => group !== undefined);
    const groups = hasGroups ? documents.map(({ group = '' }) => group) : undefined;
    const selection = select({ ...decisions, groups });
    /** The positions of each place whose document is not read yet. A file may be given twice. */
    const wanted = new Map<string, number[]>();
    for (const at of selection.wanted) {
      const { place } = documents[at];
      wanted.set(place, [...(wanted.get(place) ?? []), at]);
    }
    const texts = new Map<number, ReportText>();
    await this.#read(wanted, (at, text) => texts.set(at, { name: documents[at].name, text }));
    const names = this.inputs.slice(0, MAX_NAMED).map(({ name }) => name);
    if (this.inputs.length > MAX_NAMED) names.push('…');
    const data = { ...selection, ...others, texts, names, few: MIN_FEATURES };
    await this.#output.write(reportHtml(data, this.#values['report-language'] ?? 'en'));
    await this.#output.close();
  }

  /** Reads the documents at places, and calls `use` with their texts. */
  async #read(wanted: Map<string, number[]>, use: (at: number, text: string) => void): Promise<void> {
    // Read after Ctrl+C too, so the signal is another one.
    const io: InputIo = { signal: new AbortController().signal, onRead() {}, reject() {} };
    let failure: string | undefined;
    for (const { copy, ...input } of this.inputs) {
      if (wanted.size === 0) return;
      try {
        for await (const batch of readInput({ ...input, path: copy ?? input.path }, this.#reading, io)) {
          const readText = await textReader(batch.isHtml);
          for (const { number, read } of batch.records()) {
            const place = batch.placeOf(number);
            const positions = wanted.get(place);
            if (positions === undefined) continue;
            wanted.delete(place);
            const text = readText(read().text);
            for (const at of positions) use(at, text);
          }
          if (wanted.size === 0) return;
        }
      } catch (error) {
        // It matters only if the file had documents of the report.
        failure ??= `${input.name} cannot be read again: ${reason(error)}`;
      }
    }
    if (wanted.size > 0) throw new UserError(`--report-html: ${failure ?? 'the input has changed since it was read'}`);
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Creates the file of the options. Resolves to null without --report-html. */
export async function createReport(
  inputs: readonly Input[],
  values: Values,
  reading: ReadSettings,
  signal: AbortSignal,
): Promise<ReportFile | null> {
  const path = values['report-html'];
  if (path === undefined) return null;
  return new ReportFile(await Output.create(path, '--report-html', signal), inputs, values, reading);
}

/** The decisions of `dedupe`, for its report. */
export class Decisions {
  readonly #report: ReportFile;
  readonly #rule: { scheme: string; minResemblance: number };
  /** The kept documents of the run, by their positions. */
  readonly #near: Deduplicator<number>;
  /** The positions of kept documents, by their keys. */
  readonly #kept = new Map<Id, number>();
  readonly #lists: DecisionLists = { nearest: [], resemblances: [], isDropped: [] };
  #short = 0;

  constructor(report: ReportFile, scheme: string, minResemblance: number) {
    this.#report = report;
    this.#rule = { scheme, minResemblance };
    this.#near = new Deduplicator<number>({ scheme });
  }

  /** Adds documents in the order of the decisions. A document that is unchanged since an earlier run is left out. */
  take(documents: Iterable<Document>): void {
    const { nearest, resemblances, isDropped } = this.#lists;
    for (const document of documents) {
      const { outcome, sketch, name, place, batch } = document;
      const key = document.key as Id;
      if (outcome === undefined || (outcome.status === 'unchanged' && !this.#kept.has(key))) continue;
      const at = this.#report.add({ name, place, fields: batch.fieldsOf(document) });
      if (sketch.isShort) this.#short++;
      isDropped.push(Number(!isDocumentKept(document)));
      if (outcome.status === 'duplicate') {
        nearest.push(this.#kept.get(outcome.duplicateOf) ?? EARLIER);
        resemblances.push(outcome.resemblance);
      } else if (outcome.status === 'unchanged') {
        nearest.push(this.#kept.get(key) as number);
        resemblances.push(1);
      } else {
        const [near] = this.#near.query(sketch, { minResemblance: 0 });
        nearest.push(near?.id ?? NONE);
        resemblances.push(near?.resemblance ?? 0);
        this.#near.add(at, sketch);
        this.#kept.set(key, at);
      }
    }
  }

  write(): Promise<void> {
    return this.#report.write(this.#lists, { ...this.#rule, short: this.#short });
  }

  close(): void {
    this.#near.free();
    this.#report.close();
  }
}

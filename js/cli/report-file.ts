// The option --report-html: collects the decisions of a run, and writes the report.
import { Deduplicator, type Id, MIN_FEATURES } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import type { Language } from '../report/messages.js';
import { type ReportData, type ReportText, reportHtml } from '../report/report.js';
import { EARLIER, NONE, type Selection, select } from '../report/select.js';
import { isDocumentKept } from './decider.js';
import type { Document } from './document.js';
import type { Input } from './input.js';
import type { ReportOptions } from './options.js';
import { Output } from './output.js';
import { ReportTexts } from './report-texts.js';

/** The decisions on documents, one element of each array for a document (report/select.ts). */
interface DecisionLists {
  /** The position of the nearest document kept before, or NONE or EARLIER. */
  nearest: number[];
  /** The resemblance to that document. */
  resemblances: number[];
  /** 1 if the document is dropped, else 0. */
  isDropped: number[];
}

/** The number of inputs that a report names. */
const MAX_NAMED = 20;

/** The file that --report-html names. */
export class ReportFile {
  readonly #output: Output;
  readonly #language: Language;
  readonly #names: string[];
  readonly documents: ReportTexts;

  constructor(output: Output, inputs: readonly Input[], options: ReportOptions, reading: ReadSettings) {
    const names = inputs.map(({ name }) => name);
    this.#names = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), '…'] : names;
    this.#output = output;
    this.#language = options.reportLanguage;
    this.documents = new ReportTexts(inputs, reading, options.groupField);
  }

  /** Writes the report of decisions on the documents at `positions`. */
  async write(
    decisions: DecisionLists,
    positions: readonly number[],
    others: Omit<ReportData, keyof Selection | 'texts' | 'names' | 'few'>,
  ): Promise<void> {
    const selection = select({ ...decisions, groups: this.documents.groupsOf(positions) });
    const wanted = [...selection.wanted];
    const found = await this.documents.read(wanted.map((at) => positions[at]));
    const texts = new Map(wanted.map((at) => [at, found.get(positions[at]) as ReportText]));
    const data = { ...selection, ...others, texts, names: this.#names, few: MIN_FEATURES };
    await this.#output.write(reportHtml(data, this.#language));
    await this.#output.close();
  }

  close(): void {
    this.documents.close();
  }
}

/** Creates the file of the options. Resolves to null without --report-html. */
export async function createReport(
  inputs: readonly Input[],
  options: ReportOptions,
  reading: ReadSettings,
  signal: AbortSignal,
): Promise<ReportFile | null> {
  const { reportHtml: path } = options;
  if (path === undefined) return null;
  return new ReportFile(await Output.create(path, '--report-html', signal), inputs, options, reading);
}

/** The decisions of `dedupe`, for its report. */
export class Decisions {
  readonly #report: ReportFile;
  readonly #scheme: string;
  readonly #minResemblance: number;
  /** The kept documents of the run, by their positions. */
  readonly #near: Deduplicator<number>;
  /** The positions of kept documents, by their keys. */
  readonly #kept = new Map<Id, number>();
  readonly #lists: DecisionLists = { nearest: [], resemblances: [], isDropped: [] };
  #short = 0;

  constructor(report: ReportFile, scheme: string, minResemblance: number) {
    this.#report = report;
    this.#scheme = scheme;
    this.#minResemblance = minResemblance;
    this.#near = new Deduplicator<number>({ scheme });
  }

  /** Adds documents in the order of the decisions. A document that is unchanged since an earlier run is left out. */
  take(documents: Iterable<Document>): void {
    const { nearest, resemblances, isDropped } = this.#lists;
    for (const document of documents) {
      const { outcome, sketch, name, place, batch } = document;
      const key = document.key as Id;
      if (outcome === undefined || (outcome.status === 'unchanged' && !this.#kept.has(key))) continue;
      const at = this.#report.documents.length;
      this.#report.documents.add({ name, place, fields: batch.fieldsOf(document) });
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

  /** Writes the report. */
  async write(): Promise<void> {
    const others = { scheme: this.#scheme, minResemblance: this.#minResemblance, short: this.#short };
    await this.#report.write(this.#lists, [...this.#lists.nearest.keys()], others);
  }

  close(): void {
    this.#near.free();
    this.#report.close();
  }
}

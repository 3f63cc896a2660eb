// The option --report-html: collects the decisions of a run, and writes the report.
import { Deduplicator, type Id, MIN_FEATURES } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import type { Language } from '../report/messages.js';
import { type ReportData, type ReportText, reportHtml } from '../report/report.js';
import { EARLIER, NONE, type Selection, select } from '../report/select.js';
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

  private constructor(output: Output, language: Language, inputs: readonly Input[], documents: ReportTexts) {
    const names = inputs.map(({ name }) => name);
    this.#names = names.length > MAX_NAMED ? [...names.slice(0, MAX_NAMED), '…'] : names;
    this.#output = output;
    this.#language = language;
    this.documents = documents;
  }

  /** Resolves to null without the option. */
  static async create(
    inputs: readonly Input[],
    { reportHtml: path, reportLanguage, groupField }: ReportOptions,
    reading: ReadSettings,
    signal: AbortSignal,
  ): Promise<ReportFile | null> {
    if (path === undefined) return null;
    const output = await Output.create(path, '--report-html', signal);
    return new ReportFile(output, reportLanguage, inputs, new ReportTexts(inputs, reading, groupField));
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
    for (const document of documents) {
      const { outcome, sketch } = document;
      const key = document.key as Id;
      if (outcome === undefined || (outcome.status === 'unchanged' && !this.#kept.has(key))) continue;
      const at = this.#report.documents.length;
      const { name, place, batch } = document;
      this.#report.documents.add({ name, place, file: batch.file, fields: batch.fieldsOf(document) });
      if (sketch.isShort) this.#short++;
      if (outcome.status === 'duplicate') {
        this.#add(this.#kept.get(outcome.duplicateOf) ?? EARLIER, outcome.resemblance, true);
      } else if (outcome.status === 'unchanged') {
        this.#add(this.#kept.get(key) as number, 1, true);
      } else {
        const [near] = this.#near.query(sketch, { minResemblance: 0 });
        this.#add(near?.id ?? NONE, near?.resemblance ?? 0, false);
        this.#near.add(at, sketch);
        this.#kept.set(key, at);
      }
    }
  }

  #add(nearest: number, resemblance: number, isDropped: boolean): void {
    this.#lists.nearest.push(nearest);
    this.#lists.resemblances.push(resemblance);
    this.#lists.isDropped.push(Number(isDropped));
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

// Writes the output of dedupe: lines by their decisions, and the report of near-duplicates.
import type { Outcome } from '../decisions/decision.js';
import type { Id } from '../index.js';
import { type Decider, isDocumentKept } from './decider.js';
import type { Annotation, Document, Header } from './document.js';
import { WriteError } from './errors.js';
import { Output } from './output.js';

/** Which lines are written. */
export type Selection = 'kept' | 'dropped' | 'all' | 'none';

const selections: Readonly<Record<Selection, (document: Document) => boolean>> = {
  kept: isDocumentKept,
  dropped: (document) => !isDocumentKept(document),
  all: () => true,
  none: () => false,
};

/** The names that --annotate adds to documents. */
export const annotations = ['status', 'duplicateOf', 'resemblance'] as const;

/** Rounds a resemblance for output. */
export const rounded = (resemblance: number): number => Number(resemblance.toFixed(4));

/** Returns what --annotate adds to a document. */
function annotationOf(outcome: Outcome, nameOf: (key: Id) => Id): Annotation {
  const resemblance = 'resemblance' in outcome ? rounded(outcome.resemblance) : null;
  const duplicateOf = outcome.status === 'duplicate' ? nameOf(outcome.duplicateOf) : null;
  return [
    ['status', outcome.status],
    ['duplicateOf', duplicateOf],
    ['resemblance', resemblance],
  ];
}

/** Returns the lines of documents. Those that follow each other in their batch are one array. */
function linesOf(documents: readonly Document[]): Uint8Array[] {
  const all: { batch: Document['batch']; start: number; end: number }[] = [];
  for (const { batch, start, end } of documents) {
    const last = all.at(-1);
    if (last?.batch === batch && last.end === start) last.end = end;
    else all.push({ batch, start, end });
  }
  return all.map(({ batch, start, end }) => batch.bytes.subarray(start, end));
}

/** The numbers of documents by their decisions. */
export type Counts = Record<Outcome['status'], number>;

/** Writes documents in the order of the calls. A document whose line could not be written is forgotten: it is new to the next run. */
export class Writer {
  readonly #decider: Decider;
  readonly #report: Output | null;
  readonly #signal: AbortSignal;
  readonly #selects: (document: Document) => boolean;
  readonly #annotates: boolean;
  #header: Header | undefined;
  /** The number of written lines. */
  lines = 0;
  readonly counts: Counts = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };

  constructor(decider: Decider, report: Output | null, signal: AbortSignal, selection: Selection, annotates: boolean) {
    this.#decider = decider;
    this.#report = report;
    this.#signal = signal;
    this.#selects = selections[selection];
    this.#annotates = annotates;
  }

  /** Writes the header of a table, unless the output has it already. */
  async writeHeader(header: Header | undefined): Promise<void> {
    if (header === undefined || this.#header !== undefined) return;
    this.#header = header;
    const line = this.#annotates ? header.annotate(annotations) : header.bytes;
    if (this.#selects !== selections.none && !Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
  }

  /** Writes decided documents in the order of the input. Documents without a decision are skipped. */
  async write(all: readonly Document[]): Promise<void> {
    const documents = all.filter(({ outcome }) => outcome !== undefined);
    if (this.#signal.aborted) return this.#decider.forget(documents);
    const selected = documents.filter(this.#selects);
    const annotated = this.#annotates ? selected.map((document) => this.#annotate(document)) : null;
    let size = 0;
    const ends = selected.map(({ start, end }, at) => {
      size += annotated?.[at].length ?? end - start;
      return size;
    });
    try {
      await Output.stdout.writeLines(Buffer.concat(annotated ?? linesOf(selected), size), ends);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      const cut = ends.findIndex((end) => end > (error as WriteError).written);
      const unwritten = cut < 0 ? documents.length : documents.indexOf(selected[cut]);
      await this.#decider.forget(documents.slice(unwritten));
      await this.#record(documents.slice(0, unwritten), cut < 0 ? selected.length : cut);
      throw error;
    }
    await this.#record(documents, selected.length);
  }

  #annotate(document: Document): Buffer {
    return document.batch.annotate(
      document,
      annotationOf(document.outcome as Outcome, (key) => this.#decider.nameOf(key)),
    );
  }

  /** Counts documents that are written or dropped, writes the report of them, and confirms them. */
  async #record(documents: readonly Document[], lines: number): Promise<void> {
    this.lines += lines;
    const rows: string[] = [];
    for (const document of documents) {
      const outcome = document.outcome as Outcome;
      this.counts[outcome.status]++;
      if (this.#report === null || outcome.status !== 'duplicate') continue;
      const { resemblance, distance } = outcome;
      const duplicateOf = this.#decider.nameOf(outcome.duplicateOf);
      rows.push(`${JSON.stringify({ id: document.name, duplicateOf, resemblance: rounded(resemblance), distance })}\n`);
    }
    await this.#report?.writeLines(rows.join(''));
    if (this.#decider.needsSync) {
      Output.stdout.sync();
      this.#report?.sync();
    }
    await this.#decider.confirm(documents);
  }
}

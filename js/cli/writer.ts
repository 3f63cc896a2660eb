// Writes the output of dedupe: lines by their decisions, and the report of near-duplicates.
import type { Outcome } from '../decisions/decision.js';
import type { Values } from './args.js';
import { type Decider, isDocumentKept } from './decider.js';
import type { Document, Header } from './document.js';
import { WriteError } from './errors.js';
import { Output } from './output.js';

/** The names that --annotate adds to documents. */
const annotations = ['status', 'duplicateOf', 'resemblance'] as const;

/** Rounds a resemblance for output. */
export const rounded = (resemblance: number): number => Number(resemblance.toFixed(4));

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

/** Writes documents in the order of the calls. A document whose line could not be written is new to the next run. */
export class Writer {
  readonly #decider: Decider;
  readonly #report: Output | null;
  readonly #values: Values;
  readonly #signal: AbortSignal;
  #hasHeader = false;
  /** The number of written lines. */
  lines = 0;
  /** The numbers of documents by their decisions. */
  readonly counts: Record<Outcome['status'], number> = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };

  constructor(decider: Decider, report: Output | null, values: Values, signal: AbortSignal) {
    this.#decider = decider;
    this.#report = report;
    this.#values = values;
    this.#signal = signal;
  }

  /** Writes the header of a table, unless the output has it already. */
  async writeHeader(header: Header | undefined): Promise<void> {
    if (header === undefined || this.#hasHeader) return;
    this.#hasHeader = true;
    const line = this.#values.annotate ? header.annotate(annotations) : header.bytes;
    if (!this.#values.count && !Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
  }

  /** Returns whether the line of a document is written. */
  #selects(document: Document): boolean {
    const { count, duplicates, annotate } = this.#values;
    if (count) return false;
    return duplicates ? !isDocumentKept(document) : annotate || isDocumentKept(document);
  }

  /** Writes decided documents in the order of the input, and confirms them. Documents without a decision are skipped. */
  async write(all: readonly Document[]): Promise<void> {
    if (this.#signal.aborted) return;
    let documents = all.filter(({ outcome }) => outcome !== undefined);
    const selected = documents.filter((document) => this.#selects(document));
    const annotated = this.#values.annotate ? selected.map((document) => this.#annotate(document)) : undefined;
    let size = 0;
    const ends = selected.map(({ start, end }, at) => {
      size += annotated?.[at].length ?? end - start;
      return size;
    });
    let failure: WriteError | undefined;
    try {
      await Output.stdout.writeLines(Buffer.concat(annotated ?? linesOf(selected), size), ends);
      this.lines += selected.length;
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      failure = error;
      const cut = selected[ends.findIndex((end) => end > error.written)];
      documents = documents.slice(0, documents.indexOf(cut));
      this.lines += selected.indexOf(cut);
    }
    await this.#record(documents);
    if (failure !== undefined) throw failure;
  }

  #annotate(document: Document): Buffer {
    const outcome = document.outcome as Outcome;
    const values = [
      outcome.status,
      outcome.status === 'duplicate' ? this.#decider.nameOf(outcome.duplicateOf) : null,
      'resemblance' in outcome ? rounded(outcome.resemblance) : null,
    ];
    return document.batch.annotate(
      document,
      annotations.map((name, at) => [name, values[at]]),
    );
  }

  /** Counts documents that are written or dropped, writes the report of them, and confirms them. */
  async #record(documents: readonly Document[]): Promise<void> {
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

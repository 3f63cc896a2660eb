// Writes the output of dedupe: lines by their decisions, and the report of near-duplicates.
import type { Outcome } from '../decisions/decision.js';
import type { Values } from './args.js';
import { type Decider, isDocumentKept } from './decider.js';
import type { Document, Header } from './document.js';
import { WriteError } from './errors.js';
import type { Io } from './io.js';
import { Output, rounded } from './output.js';

/** The names that --annotate adds to documents. */
const annotations = ['status', 'duplicateOf', 'resemblance'] as const;

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

/** A run that writes documents. A document whose line is not written is new to the next run. */
export interface Writing {
  readonly values: Values;
  readonly io: Io;
  readonly decider: Decider;
  readonly report: Output | null;
  hasHeader: boolean;
  /** The number of written lines. */
  lines: number;
  /** The numbers of documents by their decisions. */
  readonly counts: Record<Outcome['status'], number>;
}

/** Writes the header of a table, unless the output has it already. */
export async function writeHeader(run: Writing, header: Header | undefined): Promise<void> {
  if (header === undefined || run.hasHeader) return;
  run.hasHeader = true;
  const line = run.values.annotate ? header.annotate(annotations) : header.bytes;
  if (!run.values.count && !Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
}

/** Returns whether the line of a document is written. */
function isSelected({ count, duplicates, annotate }: Values, document: Document): boolean {
  if (count) return false;
  return duplicates ? !isDocumentKept(document) : annotate || isDocumentKept(document);
}

/** Returns the line of a document with its decision. */
function annotatedLine(document: Document, decider: Decider): Buffer {
  const outcome = document.outcome as Outcome;
  const values = [
    outcome.status,
    outcome.status === 'duplicate' ? decider.nameOf(outcome.duplicateOf) : null,
    'resemblance' in outcome ? rounded(outcome.resemblance) : null,
  ];
  return document.batch.annotate(
    document,
    annotations.map((name, at) => [name, values[at]]),
  );
}

/** Writes decided documents in the order of the input, and confirms them. Documents without a decision are skipped. */
export async function write(run: Writing, all: readonly Document[]): Promise<void> {
  const { values, io, decider, report } = run;
  if (io.signal.aborted) return;
  let documents = all.filter(({ outcome }) => outcome !== undefined);
  const selected = documents.filter((document) => isSelected(values, document));
  const annotated = values.annotate ? selected.map((document) => annotatedLine(document, decider)) : undefined;
  let size = 0;
  const ends = selected.map(({ start, end }, at) => {
    size += annotated?.[at].length ?? end - start;
    return size;
  });
  let failure: WriteError | undefined;
  try {
    await Output.stdout.writeLines(Buffer.concat(annotated ?? linesOf(selected), size), ends);
    run.lines += selected.length;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    failure = error;
    const cut = ends.findIndex((end) => end > error.written);
    documents = documents.slice(0, documents.indexOf(selected[cut]));
    run.lines += cut;
  }
  const rows: string[] = [];
  for (const document of documents) {
    const outcome = document.outcome as Outcome;
    run.counts[outcome.status]++;
    if (report === null || outcome.status !== 'duplicate') continue;
    const { resemblance, distance } = outcome;
    const duplicateOf = decider.nameOf(outcome.duplicateOf);
    rows.push(`${JSON.stringify({ id: document.name, duplicateOf, resemblance: rounded(resemblance), distance })}\n`);
  }
  await report?.writeLines(rows.join(''));
  if (decider.needsSync) {
    Output.stdout.sync();
    report?.sync();
  }
  await decider.confirm(documents);
  if (failure !== undefined) throw failure;
}

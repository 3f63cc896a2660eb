// The command dedupe.
import type { Outcome } from '../decisions/decision.js';
import { Deduplicator, Fingerprinter, MIN_RESEMBLANCE } from '../index.js';
import { BadDocument } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { type Decider, isDocumentKept, MemoryDecider } from './decider.js';
import type { Document, Header } from './document.js';
import { WriteError } from './errors.js';
import { checkFiles } from './files.js';
import { IndexFile, openIndex } from './index-file.js';
import { type Input, OneShape } from './input.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { checkCombination, fingerprinterOf, inputOf, readingOf, sketchScheme, type Values } from './options.js';
import { Output, rounded, rowsOf } from './output.js';
import { count, countOf } from './progress.js';
import { byRank, rankOf } from './rank.js';
import { readBatches } from './reader.js';
import { References } from './references.js';
import { ReportFile } from './report-file.js';
import { filesOf, openStore, StoreDecider } from './store.js';

/** The number of documents that are decided or written at once when all are in memory. */
const SLICE = 4096;

/** Leases in seconds, for a decided line to be written. With `--keep`, all documents are decided before a line is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

/** The fields that --annotate adds. */
const annotations = ['status', 'duplicateOf', 'resemblance'] as const;

/** Returns the lines of documents. Adjacent lines of a batch are one array. */
function linesOf(documents: readonly Document[]): Uint8Array[] {
  const all: { batch: Document['batch']; start: number; end: number }[] = [];
  for (const { batch, start, end } of documents) {
    const last = all.at(-1);
    if (last?.batch === batch && last.end === start) last.end = end;
    else all.push({ batch, start, end });
  }
  return all.map(({ batch, start, end }) => batch.bytes.subarray(start, end));
}

/** A run of the command. */
interface Run {
  readonly decider: Decider;
  readonly scheme: string;
  /** The file of --index. */
  readonly file?: IndexFile | undefined;
  readonly values: Values;
  readonly reading: ReturnType<typeof readingOf>;
  readonly io: Io;
  /** The file of --report, and all outputs. */
  readonly report: Output | undefined;
  readonly outputs: readonly Output[];
  readonly reportFile: ReportFile | undefined;
  /** The number of written lines. */
  lines: number;
  /** The numbers of documents by their decisions. */
  readonly counts: Record<Outcome['status'], number>;
}

/** Returns the indexes of --against, and the scheme that they share with the run's own index. */
function openReferences(values: Values, own: Deduplicator | null) {
  const references = (values.against ?? []).map((path) => ({ path, index: openIndex(path) }));
  const { index: path } = values;
  const scheme = sketchScheme(values, path && own ? [...references, { path, index: own }] : references);
  const indexes = references.map(({ index }) => index);
  return { scheme, base: new References(scheme, indexes) };
}

type Opened = Pick<Run, 'decider' | 'scheme' | 'file'>;

/** Opens the decider, passes it to `use`, and closes it. */
async function withDecider(
  values: Values,
  key: Uint8Array | undefined,
  io: Io,
  use: (opened: Opened) => Promise<void>,
) {
  const { index: path, store: url, 'min-resemblance': minResemblance = MIN_RESEMBLANCE, expire: expiresIn } = values;
  const rule = { minResemblance, expiresIn };
  if (url !== undefined) {
    const { scheme, base } = openReferences(values, null);
    const { store, close } = await openStore(url, scheme);
    try {
      const lease = rankOf(values) === undefined ? LEASE : LONG_LEASE;
      await use({ decider: new StoreDecider(store, base, rule, lease, io), scheme });
    } finally {
      await close();
    }
    return;
  }
  const file = path === undefined ? undefined : new IndexFile(path, 1000 * (values.checkpoint ?? 60));
  try {
    if (file !== undefined && !(await file.acquire(io))) return;
    const saved = file?.load() ?? null;
    const { scheme, base } = openReferences(values, saved);
    const index = saved ?? new Deduplicator({ scheme });
    if (file !== undefined) file.index = index;
    const fingerprinter = new Fingerprinter({ scheme, key });
    const scope = { isLasting: file !== undefined, isWithin: !values['against-only'] };
    await use({ decider: new MemoryDecider(index, base, fingerprinter, rule, scope), scheme, file });
  } finally {
    file?.close();
  }
}

/** Writes the header of a table, unless the output has it already. */
async function writeHeader({ annotate, count }: Values, header: Header): Promise<void> {
  const line = annotate ? header.annotate(annotations) : header.bytes;
  if (!count && !Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
}

/** Returns whether the line of a document is written. */
function isSelected({ count, duplicates, annotate }: Values, document: Document): boolean {
  if (count) return false;
  return duplicates ? !isDocumentKept(document) : annotate || isDocumentKept(document);
}

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
async function write(run: Run, all: readonly Document[]): Promise<void> {
  const { values, io, decider, report, outputs } = run;
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
    if (report === undefined || outcome.status !== 'duplicate') continue;
    const { resemblance, distance } = outcome;
    const duplicateOf = decider.nameOf(outcome.duplicateOf);
    rows.push(`${JSON.stringify({ id: document.name, duplicateOf, resemblance: rounded(resemblance), distance })}\n`);
  }
  try {
    await report?.writeLines(rows.join(''));
  } finally {
    // Their lines are on the output even if writing the report has failed.
    await decider.confirm(documents, outputs);
  }
  if (failure !== undefined) throw failure;
}

/** Decides on documents in the order of their ranks, and writes them in the order of the input. */
async function handle(run: Run, ranked: readonly Document[], documents: readonly Document[]): Promise<void> {
  for (let at = 0; at < ranked.length; at += SLICE) {
    const slice = ranked.slice(at, at + SLICE);
    await run.decider.decide(slice);
    run.file?.reserveFor(slice.filter(isDocumentKept));
    run.reportFile?.take(slice, run.decider);
  }
  for (let at = 0; at < documents.length; at += SLICE) await write(run, documents.slice(at, at + SLICE));
}

async function handleAll(run: Run, inputs: readonly Input[]): Promise<void> {
  const { values, reading, io, scheme, file } = run;
  const rank = rankOf(values);
  const ranked: { document: Document; rank: number }[] = [];
  let header: Header | undefined;
  for await (const batch of readBatches(inputs, { scheme, ...reading }, io, new OneShape())) {
    const { documents } = batch;
    if (header === undefined && batch.header !== undefined) await writeHeader(values, batch.header);
    header ??= batch.header;
    if (rank === undefined) {
      await handle(run, documents, documents);
      // After a signal, some lines may be unwritten.
      if (file?.isDue && run.decider.unwritten.size === 0) file.save(run.outputs);
      continue;
    }
    for (const document of documents) {
      try {
        ranked.push({ document, rank: rank(document) });
      } catch (error) {
        if (!(error instanceof BadDocument)) throw error;
        io.reject(document.place, error.message);
      }
    }
  }
  // After an interrupt, the near-duplicate of the highest rank may be unread.
  if (rank === undefined || io.signal.aborted) return;
  await handle(
    run,
    byRank(ranked, values),
    ranked.map(({ document }) => document),
  );
}

/** Reads, decides and writes documents. Saves the index with the documents of written lines, unless a `UserError` occurs. */
async function runAll(run: Run, inputs: readonly Input[]): Promise<void> {
  let failure: unknown = null;
  try {
    await handleAll(run, inputs);
  } catch (error) {
    failure = error;
  }
  // Throws the first error, but a failed save takes precedence over a failed write.
  try {
    await run.decider.rollback();
    if (!(failure instanceof UserError)) run.file?.save(run.outputs);
    await run.report?.close();
    if (failure === null) await run.reportFile?.write({ minResemblance: run.decider.rule.minResemblance });
  } catch (error) {
    throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
  }
  if (failure !== null) throw failure;
}

/** Returns the numbers of documents, and a sentence that states them. */
function summaryOf({ counts, file, io }: Run) {
  const { duplicate: duplicates, ...others } = counts;
  const documents = duplicates + others.new + others.changed + others.unchanged;
  const parts = [
    io.signal.aborted && 'interrupted',
    `kept ${count(others.new + others.changed)} of ${countOf(documents, 'document')}`,
    io.rejected > 0 && countOf(io.rejected, 'bad line'),
    file && `${file.path} has ${countOf(file.index?.size ?? 0, 'document')}`,
    `${count(others.new)} new, ${count(others.changed)} changed, ${count(others.unchanged)} unchanged, ${countOf(duplicates, 'duplicate')}`,
    io.progress.elapsed,
  ];
  const sentence = parts.filter((part) => part).join('; ');
  return { summary: { documents, ...others, duplicates, badLines: io.rejected }, sentence };
}

export async function dedupe(values: Values, io: Io): Promise<void> {
  checkCombination(values);
  // Checked before any file is read.
  fingerprinterOf(values);
  const { index, store, against = [] } = values;
  const reading = readingOf(values);
  const inputs = await findInputs(inputOf(values), reading.html, io);
  checkFiles(inputs, values, { read: against, kept: index === undefined ? filesOf(store ?? '') : [index] });
  await withDecider(values, reading.key, io, async (opened) => {
    const report = await Output.create(values, 'report', io.signal);
    const outputs = [Output.stdout, ...(report === undefined ? [] : [report])];
    const reportFile = await ReportFile.create(inputs, values, reading, opened.scheme, io);
    const counts = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };
    const run = { ...opened, values, reading, io, report, outputs, reportFile, lines: 0, counts };
    try {
      await runAll(run, reportFile?.inputs ?? inputs);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(run.lines, 'line')} written`);
    } finally {
      reportFile?.close();
    }
    const { summary, sentence } = summaryOf(run);
    if (values.count) await Output.stdout.write(rowsOf(summary));
    const output = await Output.create(values, 'json-summary', io.signal);
    await output?.write(`${JSON.stringify(summary)}\n`);
    await output?.close();
    io.reportRejected();
    // If nothing was read because of an error, the error has been reported and the summary would add nothing.
    if (summary.documents > 0 || io.exitCode === 0) io.note(sentence);
    // Without a reference, an unchanged document is one that is repeated.
    const isAlone = index === undefined && store === undefined && against.length === 0;
    const hasDuplicates = summary.duplicates > 0 || (isAlone && summary.unchanged > 0);
    if (values['fail-on-duplicates'] && io.exitCode === 0 && hasDuplicates) io.exitCode = 1;
  });
}

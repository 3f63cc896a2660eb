// The command dedupe.
import { Deduplicator, Fingerprinter, MIN_RESEMBLANCE } from '../index.js';
import { UserError } from '../node/user-error.js';
import type { Values } from './args.js';
import { type Decider, isDocumentKept, MemoryDecider } from './decider.js';
import type { Document } from './document.js';
import { WriteError } from './errors.js';
import { checkFiles } from './files.js';
import { IndexFile, openIndex } from './index-file.js';
import { type Input, OneShape } from './input.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { checkCombination, fingerprinterOf, type IndexOfPath, inputOf, readingOf, sketchScheme } from './options.js';
import { Output, rowsOf } from './output.js';
import { count, countOf } from './progress.js';
import { rankingOf } from './rank.js';
import { readBatches } from './reader.js';
import { createReport, Decisions } from './report-file.js';
import { filesOf, openStore, StoreDecider } from './store.js';
import { Writer } from './writer.js';

/** The number of documents that are decided or written at once when all are in memory. */
const SLICE = 4096;

/** The seconds within which a decided line is written: of a batch, and if all documents are decided before the first is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

/** What decides, and its state. */
interface Decision {
  decider: Decider;
  scheme: string;
  /** The index file, and its documents. */
  file: IndexFile | null;
  index: Deduplicator | null;
}

/** A run of the command. */
interface Run extends Decision {
  values: Values;
  reading: ReturnType<typeof readingOf>;
  io: Io;
  report: Output | null;
  decisions: Decisions | null;
  writer: Writer;
}

/** Returns the documents of --against together, and the scheme that these and the run's own index have. */
function openReferences(values: Values, own: readonly IndexOfPath[]) {
  const references = (values.against ?? []).map((path) => ({ path, index: openIndex(path) }));
  const scheme = sketchScheme(values, [...references, ...own]);
  const [base, ...others] = references.map(({ index }): Deduplicator | undefined => index);
  for (const other of others as Deduplicator[]) {
    base?.merge(other);
    other.free();
  }
  return { scheme, base };
}

/** Runs the command with what decides, until it is closed. */
async function open(values: Values, key: Uint8Array | undefined, io: Io, use: (decision: Decision) => Promise<void>) {
  const { index: path, store: url, 'min-resemblance': minResemblance = MIN_RESEMBLANCE, expire: expiresIn } = values;
  const rule = { minResemblance, expiresIn };
  if (url !== undefined) {
    const { scheme, base = new Deduplicator({ scheme }) } = openReferences(values, []);
    const { store, close } = await openStore(url, { scheme });
    try {
      const lease = rankingOf(values, io) === null ? LEASE : LONG_LEASE;
      await use({ decider: new StoreDecider(store, base, rule, lease, io), scheme, file: null, index: null });
    } finally {
      await close();
    }
    return;
  }
  const file = path === undefined ? null : new IndexFile(path, 1000 * (values.checkpoint ?? 60));
  try {
    if (file !== null && !(await file.acquire(io))) return;
    const saved = file?.load() ?? null;
    const { scheme, base } = openReferences(values, file && saved ? [{ path: file.path, index: saved }] : []);
    const index = saved ?? new Deduplicator({ scheme, probes: base?.probes });
    const fingerprinter = new Fingerprinter({ scheme, key });
    const scope = { isLasting: file !== null, isWithin: !values['against-only'] };
    await use({ decider: new MemoryDecider(index, base, fingerprinter, rule, scope), scheme, file, index });
  } finally {
    file?.close();
  }
}

/** Decides on documents in the order of their ranks, and writes them in the order of the input. */
async function handle(run: Run, ranked: readonly Document[], documents: readonly Document[]): Promise<void> {
  for (let at = 0; at < ranked.length; at += SLICE) {
    const slice = ranked.slice(at, at + SLICE);
    await run.decider.decide(slice);
    run.file?.reserveFor(slice.filter(isDocumentKept));
    run.decisions?.take(slice);
  }
  for (let at = 0; at < documents.length; at += SLICE) await run.writer.write(documents.slice(at, at + SLICE));
}

/** Saves the index, if there is one. All its documents are written. */
function save({ file, index, report }: Run): void {
  if (index !== null) file?.save(index, [Output.stdout, ...(report === null ? [] : [report])]);
}

async function handleAll(run: Run, inputs: readonly Input[]): Promise<void> {
  const { values, reading, io, scheme, file, writer } = run;
  const ranking = rankingOf(values, io);
  for await (const batch of readBatches(inputs, { scheme, ...reading }, io, new OneShape())) {
    const { documents, header } = batch;
    await writer.writeHeader(header);
    if (ranking === null) await handle(run, documents, documents);
    else for (const document of documents) ranking.add(document);
    if (ranking === null && file?.isDue) save(run);
  }
  // After an interrupt, the highest of the near-duplicates may not have been read.
  if (ranking !== null && !io.signal.aborted) await handle(run, ranking.byRank(), ranking.documents);
}

/** Reads, decides and writes documents, and saves the index: after a failure too, since it has the written lines. */
async function runAll(run: Run, inputs: readonly Input[]): Promise<void> {
  let failure: unknown = null;
  try {
    await handleAll(run, inputs);
  } catch (error) {
    failure = error;
  }
  // The first of several errors is reported.
  try {
    await run.decider.rollback();
    if (!(failure instanceof UserError)) save(run);
    await run.report?.close();
    if (failure === null) await run.decisions?.write();
  } catch (error) {
    throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
  }
  if (failure !== null) throw failure;
}

/** Returns the numbers of documents. */
function summaryOf({ writer, io }: Run): Record<string, number> {
  const { duplicate, ...others } = writer.counts;
  const documents = duplicate + others.new + others.changed + others.unchanged;
  return { documents, ...others, duplicates: duplicate, badLines: io.rejected };
}

/** Returns the summary in a sentence. */
function sentenceOf(summary: Record<string, number>, { index, file, io }: Run): string {
  const { documents, badLines } = summary;
  const counts = ['new', 'changed', 'unchanged'].map((name) => `${count(summary[name])} ${name}`);
  const parts = [
    ...(io.signal.aborted ? ['interrupted'] : []),
    `kept ${count(summary.new + summary.changed)} of ${countOf(documents, 'document')}`,
    ...(badLines > 0 ? [countOf(badLines, 'bad line')] : []),
    ...(file === null || index === null ? [] : [`${file.path} has ${countOf(index.size, 'document')}`]),
    `${counts.join(', ')}, ${countOf(summary.duplicates, 'duplicate')}`,
    io.progress.elapsed,
  ];
  return parts.join('; ');
}

export async function dedupe(values: Values, io: Io): Promise<void> {
  checkCombination(values);
  // Checked before any file is read.
  fingerprinterOf(values);
  const { index, store, against = [], report: reportPath, 'json-summary': jsonSummary } = values;
  const reading = readingOf(values);
  const inputs = await findInputs(inputOf(values), reading.html, io);
  checkFiles(inputs, {
    read: against,
    kept: [...(index === undefined ? [] : [index]), ...(store === undefined ? [] : filesOf(store))],
    written: { '--report': reportPath, '--report-html': values['report-html'], '--json-summary': jsonSummary },
  });
  await open(values, reading.key, io, async (decision) => {
    const report = reportPath === undefined ? null : await Output.create(reportPath, '--report', io.signal);
    const reportFile = await createReport(inputs, values, reading, io.signal);
    const decisions = reportFile && new Decisions(reportFile, decision.scheme, decision.decider.rule.minResemblance);
    const writer = new Writer(decision.decider, report, values, io.signal);
    const run: Run = { ...decision, values, reading, io, report, decisions, writer };
    try {
      await runAll(run, reportFile?.inputs ?? inputs);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(writer.lines, 'line')} written`);
    } finally {
      decisions?.close();
    }
    const summary = summaryOf(run);
    if (values.count) await Output.stdout.write(rowsOf(summary));
    if (jsonSummary !== undefined) {
      const output = await Output.create(jsonSummary, '--json-summary', io.signal);
      await output.write(`${JSON.stringify(summary)}\n`);
      await output.close();
    }
    io.reportRejected();
    // A file that cannot be read is reported, and there is nothing to add.
    if (summary.documents > 0 || io.exitCode === 0) io.note(sentenceOf(summary, run));
    // Without a reference, an unchanged document is one that is repeated.
    const isAlone = index === undefined && store === undefined && against.length === 0;
    const hasDuplicates = summary.duplicates > 0 || (isAlone && summary.unchanged > 0);
    if (values['fail-on-duplicates'] && io.exitCode === 0 && hasDuplicates) io.exitCode = 1;
  });
}

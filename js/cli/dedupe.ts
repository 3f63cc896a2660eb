// The command dedupe: reads documents in batches, decides on them, and writes lines and reports.
import { count, countOf, UserError, WriteError } from '../node/errors.js';
import { whyUnread } from '../node/fields.js';
import type { Batch } from './batch.js';
import { Document } from './batch.js';
import { checkFiles } from './check-files.js';
import { findInputs } from './find-inputs.js';
import { HtmlReport } from './html-report.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import { type Opened, withDecider } from './open-decider.js';
import { filesOf } from './open-store.js';
import { checkCombination, type Values } from './options.js';
import { Output } from './output.js';
import { byRank, type RankedDocument, rankOf } from './rank.js';
import { OneShape } from './read-input.js';
import { readBatches } from './reader.js';
import { type Reading, readingOf, sketcherOf } from './reading.js';
import { findReferences, pathsOf } from './references.js';
import { RepeatedIds } from './repeated-ids.js';
import { badRow, repeatedRow, reportRows } from './report-rows.js';
import { annotatedLines, FIELDS, PLACE_FIELDS, selectedLines } from './selected-lines.js';
import { Selection } from './selection.js';
import type { Table } from './table.js';
import { Tally, unreadParts } from './tally.js';

/** The number of documents that are decided at once when all are in memory. */
const SLICE = 4096;

type Run = ReturnType<typeof startRun>;

/** Creates the outputs of a run. */
function startRun(opened: Opened, inputs: readonly Input[], values: Values, reading: Reading, io: Io) {
  const report = Output.create(values, 'report');
  const outputs = report === undefined ? [Output.stdout] : [Output.stdout, report];
  const htmlReport = HtmlReport.create(inputs, values, reading, opened.scheme);
  /** Rows of the report about what is not a line of a batch, which wait to be written. */
  const bad: string[] = [];
  if (report !== undefined) io.onReject = (place, message) => bad.push(badRow(place, message));
  if (report !== undefined) bad.push(...io.repeatedPaths.map(repeatedRow));
  return {
    ...opened,
    values,
    reading,
    io,
    report,
    outputs,
    htmlReport,
    bad,
    lines: 0,
    tally: new Tally(),
    /** Whether the rows of a table get the places of documents. An id may repeat after the header is written. */
    hasPlaceColumns: !opened.decider.hasIdentities,
    repeated: new RepeatedIds({ needsOtherText: opened.decider.hasIdentities }),
    inputs: htmlReport?.inputs ?? inputs,
  };
}

/** Writes the header of a table, unless the output has it already. */
async function writeHeader({ values: { annotate }, hasPlaceColumns }: Run, table: Table): Promise<void> {
  const names = hasPlaceColumns ? [...FIELDS, ...PLACE_FIELDS] : FIELDS;
  const line = annotate ? table.annotate(names) : table.bytes;
  if (!Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
}

function* firstDocuments(batch: Batch, count: number): Generator<Document, void, undefined> {
  for (let at = 0; at < count; at++) if (batch.decisions?.isDecided(at)) yield new Document(batch, at);
}

/** Writes the decided lines of a batch, and confirms their documents. */
async function write(run: Run, batch: Batch): Promise<void> {
  const { values, io, decider, report, outputs, tally, hasPlaceColumns } = run;
  if (io.signal.aborted) return;
  const { parts, ends, documents } = values.annotate
    ? annotatedLines(values, batch, hasPlaceColumns)
    : selectedLines(values, batch);
  /** The number of documents that are handled; undefined if all are. */
  let handled: number | undefined;
  let failure: WriteError | undefined;
  try {
    await Output.stdout.writeParts(parts, ends);
    run.lines += ends.length;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    failure = error;
    const cut = ends.findIndex((end) => end > error.written);
    // The documents before the first line that is not written.
    handled = documents[cut] - 1;
    run.lines += cut;
  }
  const count = handled ?? batch.count;
  tally.add(batch, count);
  try {
    await report?.writeLines(run.bad.splice(0).join('') + reportRows(batch, handled));
  } finally {
    // Their lines are on the output even if writing the report has failed.
    await decider.confirm(firstDocuments(batch, count), outputs);
  }
  if (failure !== undefined) throw failure;
}

/** Returns what ends a path of the output; undefined if paths are members of JSON. */
const pathEndOf = (values: Values): '\n' | '\0' | undefined =>
  values.annotate ? undefined : values.null ? '\0' : '\n';

/** Decides on documents. */
async function decide(run: Run, documents: Selection): Promise<void> {
  const decisions = await run.decider.decide(documents);
  documents.store(decisions);
  run.file?.reserveFor(decisions.keptKeys());
  run.htmlReport?.take(documents);
}

async function handleAll(run: Run): Promise<void> {
  const { values, reading, io, scheme, file, decider, repeated } = run;
  const rank = rankOf(values);
  const ranked: RankedDocument[] = [];
  const batches: Batch[] = [];
  let table: Table | undefined;
  for await (const batch of readBatches(run.inputs, { scheme, ...reading }, io, new OneShape(pathEndOf(values)))) {
    if (table === undefined && batch.table !== undefined) await writeHeader(run, batch.table);
    table ??= batch.table;
    const firstRepeated = repeated.add(batch);
    if (!decider.hasIdentities) batch.namedByPlaceFrom = firstRepeated;
    if (rank === undefined) {
      await decide(run, Selection.of(batch));
      await write(run, batch);
      if (run.htmlReport === undefined) batch.release();
      // After a signal, some lines may be unwritten.
      if (file?.isDue && !decider.hasUnwritten) file.save(run.outputs);
      continue;
    }
    batches.push(batch);
    for (const document of batch.documents()) {
      try {
        ranked.push({ document, rank: rank(document) });
      } catch (error) {
        io.reject(document.place, whyUnread(error));
      }
    }
  }
  // After an interrupt, the near-duplicate of the highest rank may be unread.
  if (rank === undefined || io.signal.aborted) return;
  // An original may come after its duplicate, so all documents are named alike.
  for (const batch of batches) if (!decider.hasIdentities && repeated.count > 0) batch.namedByPlaceFrom = 0;
  const documents = byRank(ranked, values);
  for (let from = 0; from < documents.length; from += SLICE) {
    await decide(run, Selection.gather(documents.slice(from, from + SLICE)));
  }
  for (const batch of batches) await write(run, batch);
}

/** Reads, decides and writes documents. Saves the index with the documents of written lines, unless a `UserError` occurs. */
async function runAll(run: Run): Promise<void> {
  let failure: unknown = null;
  try {
    await handleAll(run);
  } catch (error) {
    failure = error;
  }
  // Throws the first error, but a failed save takes precedence over a failed write.
  try {
    await run.decider.rollback();
    if (!(failure instanceof UserError)) run.file?.save(run.outputs);
    await run.report?.writeLines([...run.bad.splice(0), ...run.io.skipped.rows()].join(''));
    await run.report?.close();
    if (failure === null) await run.htmlReport?.write(run.decider.rule.minResemblance, run.repeated);
  } catch (error) {
    throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
  }
  if (failure !== null) throw failure;
}

function sentenceOf({ values, tally, repeated, file, io }: Run): string {
  const { documents, duplicates, new: added, changed, unchanged } = tally.summary(io, repeated);
  const counts = [
    changed > 0 && `${count(added)} new, ${count(changed)} changed`,
    unchanged > 0 && `${count(unchanged)} unchanged`,
    duplicates > 0 && countOf(duplicates, 'duplicate'),
  ];
  const parts = [
    io.signal.aborted && 'interrupted',
    `kept ${count(added + changed)} of ${countOf(documents, 'document')}`,
    counts.filter((part) => part).join(', '),
    ...unreadParts(io),
    file && `${file.path} has ${countOf(file.saved?.index.size ?? 0, 'document')}`,
    io.progress.elapsed,
    // The set has the documents whose lines are written, so the next run does not write them again.
    io.signal.aborted && (values.index ?? values.store) !== undefined && 'write the rest to another output file',
  ];
  return parts.filter((part) => part).join('; ');
}

export async function dedupeCommand(values: Values, io: Io): Promise<void> {
  checkCombination(values);
  // Checked before any file is read.
  sketcherOf(values);
  const { index, store } = values;
  const reading = readingOf(values);
  const references = await findReferences(values, io);
  const inputs = await findInputs(values, io, references.files);
  checkFiles(inputs, values, { read: pathsOf(references), kept: index === undefined ? filesOf(store ?? '') : [index] });
  await withDecider({ values, found: references, reading, io }, async (opened) => {
    const run = startRun(opened, inputs, values, reading, io);
    const { htmlReport, tally, repeated, decider } = run;
    try {
      await runAll(run);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(run.lines, 'line')} written`);
    } finally {
      htmlReport?.close();
    }
    const summary = tally.summary(io, repeated);
    const output = Output.create(values, 'json-summary');
    await output?.write(`${JSON.stringify(summary)}\n`);
    await output?.close();
    io.reportRejected();
    // If nothing was read because of an error, the error has been reported and the summary would add nothing.
    if (summary.documents > 0 || io.exitCode === 0) io.note(sentenceOf(run));
    for (const warning of tally.warnings(io, repeated, decider.hasIdentities)) io.note(warning);
    if (values['fail-on-duplicates'] && io.exitCode === 0 && summary.duplicates > 0) io.exitCode = 1;
  });
}

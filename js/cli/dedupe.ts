import { Deduplicator, MIN_RESEMBLANCE } from '../index.js';
import { count, countOf, jsonLine, oneLine, UserError, WriteError } from '../node/errors.js';
import { whyUnread } from '../node/fields.js';
import { ignoreOptions } from '../node/ignore.js';
import type { Decider } from './decider.js';
import { type Annotation, BadLine, type Batch, Document, type Input, type Line, type Table } from './document.js';
import { checkFiles } from './files.js';
import { IndexDecider } from './index-decider.js';
import { IndexFile } from './index-file.js';
import { OneShape } from './input.js';
import { findInputs } from './inputs.js';
import type { Io } from './io.js';
import { JoinedBuffer } from './joined-buffer.js';
import type { RepeatedPath } from './known-files.js';
import { checkCombination, type Values } from './options.js';
import { Output, rounded, rowsOf } from './output.js';
import { mayRepeatIds } from './place-columns.js';
import { byRank, type RankedDocument, rankOf } from './rank.js';
import { readBatches } from './reader.js';
import { type Reading, readingOf, sketcherOf } from './reading.js';
import { type FoundReferences, findReferences, openReferences } from './references.js';
import { RepeatedIds } from './repeated-ids.js';
import { createReport } from './report-file.js';
import { RunDecider } from './run-decider.js';
import { Selection } from './selection.js';
import { filesOf, openStore } from './store.js';
import { StoreDecider } from './store-decider.js';
import { Tally, unreadParts } from './tally.js';

/** The number of documents that are decided at once when all are in memory. */
const SLICE = 4096;

/** Leases in seconds, for a decided line to be written. With `--keep`, all documents are decided before a line is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

/** The names of the fields that --annotate adds, in this order, and of those that name documents by their places. */
const [FIELDS, PLACE_FIELDS] = [
  ['status', 'duplicateOf', 'resemblance'],
  ['place', 'duplicateOfPlace'],
];

interface Opened {
  readonly decider: Decider;
  readonly scheme: string;
  readonly file?: IndexFile | undefined;
}

/** Opens the decider, passes it to `use`, and closes it. */
async function withDecider(
  values: Values,
  found: FoundReferences,
  reading: Reading,
  io: Io,
  use: (opened: Opened) => Promise<void>,
) {
  const { index: path, store: url, 'min-resemblance': minResemblance = MIN_RESEMBLANCE, expire: expiresIn } = values;
  const rule = { minResemblance, expiresIn };
  if (url !== undefined) {
    const { scheme, references } = await openReferences(found, values, null, reading, io);
    const { store, close } = await openStore(url, {
      scheme,
      key: reading.key,
      preparation: ignoreOptions(reading.ignore) || undefined,
    });
    try {
      const lease = rankOf(values) === undefined ? LEASE : LONG_LEASE;
      await use({ decider: new StoreDecider(store, references, rule, lease, io), scheme });
    } finally {
      await close();
    }
    return;
  }
  if (path === undefined) {
    const { scheme, references } = await openReferences(found, values, null, reading, io);
    const own = values['against-only'] ? undefined : Deduplicator.numbered({ scheme });
    await use({ decider: new RunDecider(own, references, rule), scheme });
    return;
  }
  const file = new IndexFile(path, 1000 * (values.checkpoint ?? 60));
  try {
    if (!(await file.acquire(io))) return;
    const saved = file.load();
    const { scheme, references } = await openReferences(found, values, saved, reading, io);
    const index = saved?.index ?? new Deduplicator({ scheme });
    file.saved = { index, ignored: reading.ignore };
    await use({ decider: new IndexDecider(index, references, rule), scheme, file });
  } finally {
    file.close();
  }
}

type Run = Awaited<ReturnType<typeof startRun>>;

/** Creates the outputs of a run. */
async function startRun(opened: Opened, inputs: readonly Input[], values: Values, reading: Reading, io: Io) {
  const isTable = inputs.some(({ format }) => format === 'csv' || format === 'tsv');
  const hasPlaces = values.annotate === true && isTable && !opened.decider.hasIdentities;
  const report = Output.create(values, 'report');
  const outputs = report === undefined ? [Output.stdout] : [Output.stdout, report];
  const reportFile = createReport(inputs, values, reading, opened.scheme);
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
    reportFile,
    bad,
    joined: new JoinedBuffer(),
    lines: 0,
    tally: new Tally(),
    /** Whether the rows of a table get the places of documents. */
    hasPlaceColumns: hasPlaces && (await mayRepeatIds(inputs, reading, io)),
    repeated: new RepeatedIds({ needsOtherText: opened.decider.hasIdentities }),
    inputs: reportFile?.inputs ?? inputs,
  };
}

/** Writes the header of a table, unless the output has it already. */
async function writeHeader({ values: { annotate, count }, hasPlaceColumns }: Run, table: Table): Promise<void> {
  const names = hasPlaceColumns ? [...FIELDS, ...PLACE_FIELDS] : FIELDS;
  const line = annotate ? table.annotate(names) : table.bytes;
  if (!count && !Output.stdout.beginsWith(line)) await Output.stdout.writeLines(line);
}

/** Returns whether a document's line is written. --annotate writes all lines, and what is not a document as it is. */
function isSelected({ count, duplicates, annotate }: Values, { decisions }: Batch, at: number): boolean {
  if (count) return false;
  const isKept = decisions?.isKept(at) === true;
  return duplicates ? !isKept && decisions?.isDecided(at) === true : annotate || isKept;
}

/** Lines to be written: their bytes in parts, and the end of each line in the parts together. */
interface Selected {
  parts: Uint8Array[];
  ends: number[];
  /** The number of documents before the end of each line, and with it. */
  documents: number[];
}

/** Returns the selected lines of documents as they are. Adjacent lines are one part. */
function selectedLines(values: Values, batch: Batch): Selected {
  const selected: Selected = { parts: [], ends: [], documents: [] };
  const { rows, bytes } = batch;
  let [size, from, to] = [0, 0, 0];
  for (let at = 0; at < batch.count; at++) {
    if (!isSelected(values, batch, at)) continue;
    const [start, end] = [rows.startAt(at), rows.endAt(at)];
    if (start !== to) {
      if (to > from) selected.parts.push(bytes.subarray(from, to));
      from = start;
    }
    to = end;
    size += end - start;
    selected.ends.push(size);
    selected.documents.push(at + 1);
  }
  if (to > from) selected.parts.push(bytes.subarray(from, to));
  return selected;
}

/** Returns the selected lines with annotations. */
function annotatedLines(values: Values, batch: Batch, hasPlaceColumns: boolean): Selected {
  const selected: Selected = { parts: [], ends: [], documents: [] };
  let [size, documents] = [0, 0];
  for (const line of batch.lines()) {
    if (line instanceof Document) documents++;
    if (line instanceof Document ? !isSelected(values, batch, line.at) : values.duplicates) continue;
    const bytes = annotatedLine(line, hasPlaceColumns);
    size += bytes.length;
    selected.parts.push(bytes);
    selected.ends.push(size);
    selected.documents.push(documents);
  }
  return selected;
}

function annotatedLine(line: Line, hasPlaceColumns: boolean): Buffer {
  const outcome = line instanceof Document ? line.outcome : undefined;
  if (outcome === undefined) return line.batch.annotate(line, undefined);
  const { status } = outcome;
  const original = status === 'duplicate' ? outcome.duplicateOf : null;
  const resemblance = 'resemblance' in outcome ? rounded(outcome.resemblance) : null;
  const annotation: Annotation = { status, duplicateOf: original?.name ?? null, resemblance };
  const isNamedByPlace = line.batch.table === undefined ? (line as Document).isNamedByPlace : hasPlaceColumns;
  if (!isNamedByPlace) return line.batch.annotate(line, annotation);
  const places = { place: line.place, duplicateOfPlace: original?.place ?? null };
  return line.batch.annotate(line, { ...annotation, ...places });
}

const repeatedRow = ({ path, readAs, isReference }: RepeatedPath): string =>
  jsonLine({ id: path, status: isReference ? 'reference' : 'repeated', readAs });

const badRow = (place: string, message: string): string =>
  jsonLine({ id: place, status: 'bad', message: oneLine(message) });

/** Returns the row of the report for a line that is not written; '' for another one. */
function reportRow(line: Document | BadLine): string {
  if (line instanceof BadLine) return badRow(line.place, line.message);
  const { outcome, name: id, isNamedByPlace } = line;
  if (outcome === undefined || line.isKept) return '';
  const { status } = outcome;
  const place = isNamedByPlace ? line.place : undefined;
  if (status !== 'duplicate') return jsonLine({ id, status, place });
  const { duplicateOf: original } = outcome;
  const duplicateOfPlace = isNamedByPlace ? original.place : undefined;
  const resemblance = rounded(outcome.resemblance);
  return jsonLine({ id, status, duplicateOf: original.name, resemblance, place, duplicateOfPlace });
}

/** Returns the rows of the report for the first `count` documents of a batch and what is before them; all lines without `count`. */
function reportRows(batch: Batch, count = Number.POSITIVE_INFINITY): string {
  let rows = '';
  let documents = 0;
  for (const line of batch.lines()) {
    if (line instanceof Document && ++documents > count) break;
    rows += reportRow(line);
  }
  return rows;
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
    await Output.stdout.writeLines(run.joined.join(parts), ends);
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

/** Returns what ends a path of the output; undefined if paths are members of JSON, or are not written. */
const pathEndOf = (values: Values): '\n' | '\0' | undefined =>
  values.annotate || values.count ? undefined : values.null ? '\0' : '\n';

/** Decides on documents. */
async function decide(run: Run, documents: Selection): Promise<void> {
  const decisions = await run.decider.decide(documents);
  documents.store(decisions);
  run.file?.reserveFor(decisions.keptKeys());
  run.reportFile?.take(documents);
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
      if (run.reportFile === undefined) batch.release();
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
    const count = Math.min(SLICE, documents.length - from);
    await decide(
      run,
      Selection.gather(
        count,
        (at) => documents[from + at].batch,
        (at) => documents[from + at].at,
      ),
    );
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
    if (failure === null) await run.reportFile?.write(run.decider.rule.minResemblance, run.repeated);
  } catch (error) {
    throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
  }
  if (failure !== null) throw failure;
}

function sentenceOf({ tally, repeated, file, io }: Run): string {
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
  ];
  return parts.filter((part) => part).join('; ');
}

export async function dedupe(values: Values, io: Io): Promise<void> {
  checkCombination(values);
  // Checked before any file is read.
  sketcherOf(values);
  const { index, store, against = [] } = values;
  const reading = readingOf(values);
  const references = await findReferences(values, io);
  const inputs = await findInputs(values, io, references.files);
  checkFiles(inputs, values, { read: against, kept: index === undefined ? filesOf(store ?? '') : [index] });
  await withDecider(values, references, reading, io, async (opened) => {
    const run = await startRun(opened, inputs, values, reading, io);
    const { reportFile, tally, repeated, decider } = run;
    try {
      await runAll(run);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(run.lines, 'line')} written`);
    } finally {
      reportFile?.close();
    }
    const summary = tally.summary(io, repeated);
    if (values.count) await Output.stdout.write(rowsOf(summary));
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

import { Deduplicator, MIN_RESEMBLANCE } from '../index.js';
import { count, countOf, jsonLine, oneLine, UserError, WriteError } from '../node/errors.js';
import { BadDocument } from '../node/fields.js';
import { type Decider, isDocumentKept } from './decider.js';
import { type Annotation, Document, type Input, type Line, type Table } from './document.js';
import { checkFiles } from './files.js';
import { IndexDecider } from './index-decider.js';
import { IndexFile } from './index-file.js';
import { OneShape } from './input.js';
import { findInputs, passedOver } from './inputs.js';
import type { Io } from './io.js';
import { checkCombination, fingerprinterOf, type Reading, readingOf, type Values } from './options.js';
import { Output, rounded, rowsOf } from './output.js';
import { mayRepeatIds } from './place-columns.js';
import { byRank, rankOf } from './rank.js';
import { readBatches } from './reader.js';
import { openReferences } from './references.js';
import { RepeatedIds } from './repeated-ids.js';
import { createReport } from './report-file.js';
import { RunDecider } from './run-decider.js';
import { filesOf, openStore } from './store.js';
import { StoreDecider } from './store-decider.js';
import { Tally } from './tally.js';

/** The number of documents that are decided or written at once when all are in memory. */
const SLICE = 4096;

/** Leases in seconds, for a decided line to be written. With `--keep`, all documents are decided before a line is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

/** The names of the fields that --annotate adds, in this order, and of those that name documents by their places. */
const [FIELDS, PLACE_FIELDS] = [
  ['status', 'duplicateOf', 'resemblance'],
  ['place', 'duplicateOfPlace'],
];

/** Returns lines. Adjacent lines of a batch are one array. */
function linesOf(documents: readonly Line[]): Uint8Array[] {
  const all: { batch: Document['batch']; start: number; end: number }[] = [];
  for (const { batch, start, end } of documents) {
    const last = all.at(-1);
    if (last?.batch === batch && last.end === start) last.end = end;
    else all.push({ batch, start, end });
  }
  return all.map(({ batch, start, end }) => batch.bytes.subarray(start, end));
}

interface Opened {
  readonly decider: Decider;
  readonly scheme: string;
  readonly file?: IndexFile | undefined;
}

/** Opens the decider, passes it to `use`, and closes it. */
async function withDecider(values: Values, reading: Reading, io: Io, use: (opened: Opened) => Promise<void>) {
  const { index: path, store: url, 'min-resemblance': minResemblance = MIN_RESEMBLANCE, expire: expiresIn } = values;
  const rule = { minResemblance, expiresIn };
  if (url !== undefined) {
    const { scheme, references } = await openReferences(values, null, reading, io);
    const { store, close } = await openStore(url, { scheme, key: reading.key });
    try {
      const lease = rankOf(values) === undefined ? LEASE : LONG_LEASE;
      await use({ decider: new StoreDecider(store, references, rule, lease, io), scheme });
    } finally {
      await close();
    }
    return;
  }
  if (path === undefined) {
    const { scheme, references } = await openReferences(values, null, reading, io);
    const own = values['against-only'] ? undefined : Deduplicator.numbered({ scheme });
    await use({ decider: new RunDecider(own, references, rule), scheme });
    return;
  }
  const file = new IndexFile(path, 1000 * (values.checkpoint ?? 60));
  try {
    if (!(await file.acquire(io))) return;
    const saved = file.load();
    const { scheme, references } = await openReferences(values, saved, reading, io);
    file.index = saved ?? new Deduplicator({ scheme });
    await use({ decider: new IndexDecider(file.index, references, rule), scheme, file });
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
  /** Rows of the report about what is not a document, which wait to be written. */
  const bad: string[] = [];
  const reportBad = (place: string, message: string) =>
    bad.push(jsonLine({ id: place, status: 'bad', message: oneLine(message) }));
  if (report !== undefined) io.onReject = reportBad;
  for (const { path, files } of io.passedOver) reportBad(path, passedOver(files));
  return {
    ...opened,
    values,
    reading,
    io,
    report,
    outputs,
    reportFile,
    bad,
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

const outcomeOf = (line: Line) => (line instanceof Document ? line.outcome : undefined);

/** Returns whether a line is written. --annotate writes all, and bad lines as they are. */
function isSelected({ count, duplicates, annotate }: Values, line: Line): boolean {
  if (count) return false;
  const isKept = line instanceof Document && isDocumentKept(line);
  return duplicates ? !isKept && outcomeOf(line) !== undefined : annotate || isKept;
}

function annotatedLine(line: Line, hasPlaceColumns: boolean): Buffer {
  const outcome = outcomeOf(line);
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

/** Returns the row of the report for a document that is not written; undefined for another one. */
function reportRow(document: Document) {
  const { outcome, name: id, isNamedByPlace } = document;
  if (outcome === undefined || isDocumentKept(document)) return undefined;
  const { status } = outcome;
  const place = isNamedByPlace ? document.place : undefined;
  if (status !== 'duplicate') return { id, status, place };
  const { duplicateOf: original, distance } = outcome;
  const duplicateOfPlace = isNamedByPlace ? original.place : undefined;
  const resemblance = rounded(outcome.resemblance);
  return { id, status, duplicateOf: original.name, resemblance, distance, place, duplicateOfPlace };
}

/** Writes decided lines in the order of the input, and confirms their documents. */
async function write(run: Run, all: readonly Line[]): Promise<void> {
  const { values, io, decider, report, outputs, tally } = run;
  if (io.signal.aborted) return;
  let lines = all;
  const selected = lines.filter((line) => isSelected(values, line));
  const annotated = values.annotate ? selected.map((line) => annotatedLine(line, run.hasPlaceColumns)) : undefined;
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
    lines = lines.slice(0, lines.indexOf(selected[cut]));
    run.lines += cut;
  }
  const documents = lines.filter((line) => line instanceof Document && line.outcome !== undefined) as Document[];
  for (const document of documents) tally.add(document);
  try {
    if (report !== undefined) {
      const rows = documents.flatMap((document) => reportRow(document) ?? []);
      await report.writeLines(run.bad.splice(0).join('') + rows.map(jsonLine).join(''));
    }
  } finally {
    // Their lines are on the output even if writing the report has failed.
    await decider.confirm(documents, outputs);
  }
  if (failure !== undefined) throw failure;
}

/** Decides on documents in the order of their ranks, and writes them in the order of the input. */
async function handle(run: Run, ranked: readonly Document[], lines: readonly Line[]): Promise<void> {
  for (let at = 0; at < ranked.length; at += SLICE) {
    const slice = ranked.slice(at, at + SLICE);
    await run.decider.decide(slice);
    run.file?.reserveFor(slice.filter(isDocumentKept));
    run.reportFile?.take(slice);
  }
  for (let at = 0; at < lines.length; at += SLICE) await write(run, lines.slice(at, at + SLICE));
}

async function handleAll(run: Run): Promise<void> {
  const { values, reading, io, scheme, file, decider, repeated } = run;
  const rank = rankOf(values);
  const ranked: { document: Document; rank: number }[] = [];
  const all: Line[] = [];
  let table: Table | undefined;
  for await (const batch of readBatches(run.inputs, { scheme, ...reading }, io, new OneShape())) {
    if (table === undefined && batch.table !== undefined) await writeHeader(run, batch.table);
    table ??= batch.table;
    const { documents } = batch;
    for (const document of documents) {
      repeated.add(document);
      document.isNamedByPlace = !decider.hasIdentities && repeated.count > 0;
    }
    if (rank === undefined) {
      await handle(run, documents, batch.lines);
      // After a signal, some lines may be unwritten.
      if (file?.isDue && !decider.hasUnwritten) file.save(run.outputs);
      continue;
    }
    for (const line of batch.lines) {
      all.push(line);
      try {
        if (line instanceof Document) ranked.push({ document: line, rank: rank(line) });
      } catch (error) {
        if (!(error instanceof BadDocument)) throw error;
        io.reject(line.place, error.message);
      }
    }
  }
  // After an interrupt, the near-duplicate of the highest rank may be unread.
  if (rank === undefined || io.signal.aborted) return;
  // An original may come after its duplicate, so all documents are named alike.
  for (const { document } of ranked) document.isNamedByPlace = !decider.hasIdentities && repeated.count > 0;
  await handle(run, byRank(ranked, values), all);
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
    await run.report?.writeLines(run.bad.splice(0).join(''));
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
    io.rejected > 0 && countOf(io.rejected, 'bad line'),
    io.unread > 0 && `${countOf(io.unread, 'file')} with an error`,
    file && `${file.path} has ${countOf(file.index?.size ?? 0, 'document')}`,
    io.progress.elapsed,
  ];
  return parts.filter((part) => part).join('; ');
}

export async function dedupe(values: Values, io: Io): Promise<void> {
  checkCombination(values);
  // Checked before any file is read.
  fingerprinterOf(values);
  const { index, store, against = [] } = values;
  const reading = readingOf(values);
  const inputs = await findInputs(values, io);
  checkFiles(inputs, values, { read: against, kept: index === undefined ? filesOf(store ?? '') : [index] });
  await withDecider(values, reading, io, async (opened) => {
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

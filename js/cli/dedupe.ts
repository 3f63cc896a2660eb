// The command dedupe.
import { Deduplicator, Fingerprinter } from '../index.js';
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
import {
  between,
  checkCombination,
  checkDuration,
  fingerprinterOf,
  type IndexOfPath,
  inputOf,
  minResemblanceOf,
  readingOf,
  reportOf,
  sketchScheme,
} from './options.js';
import { Output, rowsOf } from './output.js';
import { count, countOf } from './progress.js';
import { keepOf, Ranking } from './rank.js';
import { readBatches } from './reader.js';
import { createReport, Decisions } from './report-file.js';
import { filesOf, openStore, StoreDecider } from './store.js';
import { type Selection, Writer } from './writer.js';

/** The number of documents that are decided or written at once when all are in memory. */
const SLICE = 4096;

/** The seconds within which a decided line is written: of a batch, and if all documents are decided before the first is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

function optionsOf(values: Values) {
  checkCombination(values);
  // Checked before any file is read.
  fingerprinterOf(values);
  const [annotate, isCount] = [values.flag('annotate'), values.flag('count')];
  const selection: Selection = isCount ? 'none' : values.flag('duplicates') ? 'dropped' : annotate ? 'all' : 'kept';
  return {
    input: inputOf(values),
    reporting: reportOf(values),
    reading: readingOf(values),
    /** Returns the id of the scheme, which must be the scheme of the indexes. */
    schemeOf: (indexes: readonly IndexOfPath[]) => sketchScheme(values, indexes),
    rule: { minResemblance: minResemblanceOf(values), expiresIn: values.number('expire', checkDuration) },
    keep: keepOf(values),
    selection,
    annotate,
    isCount,
    jsonSummary: values.path('json-summary'),
    failOnDuplicates: values.flag('fail-on-duplicates'),
    report: values.path('report'),
    against: values.all('against'),
    againstOnly: values.flag('against-only'),
    index: values.path('index'),
    store: values.text('store'),
    /** In milliseconds. */
    checkpoint: 1000 * (values.number('checkpoint', between(0, 86_400)) ?? 60),
  };
}

type Options = ReturnType<typeof optionsOf>;

/** The decider of a run, and its state. */
interface Run {
  decider: Decider;
  scheme: string;
  /** The index file, and its documents. */
  file: IndexFile | null;
  index: Deduplicator | null;
}

/** Returns the documents of --against together, and the scheme that these and the run's own index have. */
function openReferences({ against, schemeOf }: Options, own: readonly IndexOfPath[]) {
  const references = against.map((path) => ({ path, index: openIndex(path) }));
  const scheme = schemeOf([...references, ...own]);
  const [base, ...others] = references.map(({ index }): Deduplicator | undefined => index);
  for (const other of others as Deduplicator[]) {
    base?.merge(other);
    other.free();
  }
  return { scheme, base };
}

/** Runs the command with what decides, until it is closed. */
async function open(options: Options, io: Io, use: (run: Run) => Promise<void>): Promise<void> {
  const { index: path, store: url, rule } = options;
  if (url !== undefined) {
    const { scheme, base = new Deduplicator({ scheme }) } = openReferences(options, []);
    const { store, close } = await openStore(url, { scheme });
    try {
      const lease = options.keep === 'first' ? LEASE : LONG_LEASE;
      const decider = new StoreDecider(store, base, { ...rule, lease }, io);
      await use({ decider, scheme, file: null, index: null });
    } finally {
      await close();
    }
    return;
  }
  const file = path === undefined ? null : new IndexFile(path, options.checkpoint);
  try {
    if (file !== null && !(await file.acquire(io))) return;
    const saved = file?.load() ?? null;
    const { scheme, base } = openReferences(options, file && saved ? [{ path: file.path, index: saved }] : []);
    const index = saved ?? new Deduplicator({ scheme, probes: base?.probes });
    const fingerprinter = new Fingerprinter({ scheme, key: options.reading.key });
    const scope = { isLasting: file !== null, isWithin: !options.againstOnly };
    await use({ decider: new MemoryDecider(index, base, fingerprinter, rule, scope), scheme, file, index });
  } finally {
    file?.close();
  }
}

/** The work of one run. */
class Deduplication {
  readonly #run: Run;
  readonly #options: Options;
  readonly #io: Io;
  readonly #report: Output | null;
  readonly #decisions: Decisions | null;
  readonly writer: Writer;

  constructor(run: Run, options: Options, io: Io, report: Output | null, decisions: Decisions | null) {
    this.#run = run;
    this.#options = options;
    this.#io = io;
    this.#report = report;
    this.#decisions = decisions;
    this.writer = new Writer(run.decider, report, io.signal, options.selection, options.annotate);
  }

  /** Decides on documents in the order of their ranks, and writes them in the order of the input. */
  async #handle(ranked: readonly Document[], documents: readonly Document[]): Promise<void> {
    const { decider, file } = this.#run;
    // The documents before are written, or the writer has forgotten them.
    let from = 0;
    try {
      for (let at = 0; at < ranked.length; at += SLICE) {
        const slice = ranked.slice(at, at + SLICE);
        await decider.decide(slice);
        file?.reserveFor(slice.filter(isDocumentKept));
        this.#decisions?.take(slice);
      }
      while (from < documents.length) {
        const slice = documents.slice(from, from + SLICE);
        from += SLICE;
        await this.writer.write(slice);
      }
    } catch (error) {
      await decider.forget(documents.slice(from));
      throw error;
    }
  }

  /** Saves the index, if there is one. All its documents are written. */
  #save(): void {
    const { file, index } = this.#run;
    if (file === null || index === null) return;
    file.save(index, [Output.stdout, ...(this.#report === null ? [] : [this.#report])]);
  }

  async #handleAll(inputs: readonly Input[]): Promise<void> {
    const { scheme, file } = this.#run;
    const { keep, reading } = this.#options;
    const ranking = keep === 'first' ? null : new Ranking(keep, this.#io);
    for await (const { documents, header } of readBatches(inputs, { scheme, ...reading }, this.#io, new OneShape())) {
      await this.writer.writeHeader(header);
      if (ranking === null) await this.#handle(documents, documents);
      else for (const document of documents) ranking.add(document);
      if (ranking === null && file?.isDue) this.#save();
    }
    // After an interrupt, the highest of the near-duplicates may not have been read.
    if (ranking !== null && !this.#io.signal.aborted) await this.#handle(ranking.byRank(), ranking.documents);
  }

  /** Reads, decides and writes documents, and saves the index: after a failure too, since it has the written lines. */
  async run(inputs: readonly Input[]): Promise<void> {
    let failure: unknown = null;
    try {
      await this.#handleAll(inputs);
    } catch (error) {
      failure = error;
    }
    // The first of several errors is reported.
    try {
      if (!(failure instanceof UserError)) this.#save();
      await this.#report?.close();
      if (failure === null) await this.#decisions?.write();
    } catch (error) {
      throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
    }
    if (failure !== null) throw failure;
  }

  /** The numbers of documents. */
  get summary(): Record<string, number> {
    const { duplicate, ...others } = this.writer.counts;
    const documents = duplicate + others.new + others.changed + others.unchanged;
    return { documents, ...others, duplicates: duplicate, badLines: this.#io.rejected };
  }
}

/** Returns the summary in a sentence. */
function sentenceOf(summary: Record<string, number>, { index, file }: Run, io: Io): string {
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

/** Whether the input has a document twice. Without a reference, an unchanged document is one that is repeated. */
const hasDuplicates = ({ duplicates, unchanged }: Record<string, number>, { index, store, against }: Options) =>
  duplicates > 0 || (unchanged > 0 && index === undefined && store === undefined && against.length === 0);

export async function dedupe(values: Values, io: Io): Promise<void> {
  const options = optionsOf(values);
  const { index, store, report: reportPath, reporting, reading, rule, jsonSummary } = options;
  const inputs = await findInputs(options.input, reading.html, io);
  checkFiles(inputs, {
    read: options.against,
    kept: [...(index === undefined ? [] : [index]), ...(store === undefined ? [] : filesOf(store))],
    written: { '--report': reportPath, '--report-html': reporting.reportHtml, '--json-summary': jsonSummary },
  });
  await open(options, io, async (run) => {
    const report = reportPath === undefined ? null : await Output.create(reportPath, '--report', io.signal);
    const reportFile = await createReport(inputs, reporting, reading, io.signal);
    const decisions = reportFile && new Decisions(reportFile, run.scheme, rule.minResemblance);
    const work = new Deduplication(run, options, io, report, decisions);
    try {
      await work.run(reportFile?.documents.inputs ?? inputs);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(work.writer.lines, 'line')} written`);
    } finally {
      decisions?.close();
    }
    const { summary } = work;
    if (options.isCount) await Output.stdout.write(rowsOf(summary));
    if (jsonSummary !== undefined) {
      const output = await Output.create(jsonSummary, '--json-summary', io.signal);
      await output.write(`${JSON.stringify(summary)}\n`);
      await output.close();
    }
    io.reportRejected();
    // A file that cannot be read is reported, and there is nothing to add.
    if (summary.documents > 0 || io.exitCode === 0) io.note(sentenceOf(summary, run, io));
    if (options.failOnDuplicates && io.exitCode === 0 && hasDuplicates(summary, options)) io.exitCode = 1;
  });
}

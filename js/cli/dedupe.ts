// The command dedupe.
import { Deduplicator, Fingerprinter } from '../index.js';
import { UserError } from '../node/user-error.js';
import { type Decider, decideAgainst, decideBy, isDocumentKept } from './decider.js';
import type { Batch, Document } from './document.js';
import { WriteError } from './errors.js';
import { checkFiles } from './files.js';
import { IndexFile, openIndex } from './index-file.js';
import type { Input } from './input.js';
import type { Io } from './io.js';
import type { DedupeOptions } from './options.js';
import { Output } from './output.js';
import { count, countOf } from './progress.js';
import { Ranking } from './rank.js';
import { readBatches } from './reader.js';
import { Decisions, ReportFile } from './report-file.js';
import { OneShape } from './shape.js';
import { filesOf, openStore, StoreDecider } from './store.js';
import { Writer } from './writer.js';

/** The number of documents that are decided or written at once when all are in memory. */
const SLICE = 4096;

/** The seconds within which a decided line is written: of a batch, and if all documents are decided before the first is written. */
const LEASE = 300;
const LONG_LEASE = 6 * 3600;

/** The decider of a run, and its state. */
interface Run {
  decider: Decider;
  scheme: string;
  /** The index file, and its documents. */
  file: IndexFile | null;
  index: Deduplicator | null;
}

/** Returns the documents of several indexes together. */
function mergeIndexes(paths: readonly string[]): Deduplicator {
  const [first, ...others] = paths.map((path) => ({ path, index: openIndex(path) }));
  for (const { path, index } of others) {
    if (index.scheme !== first.index.scheme) {
      throw new UserError(
        `--against ${path} must be of the scheme of ${first.path}, ${first.index.scheme}, got ${index.scheme}`,
      );
    }
    first.index.merge(index);
    index.free();
  }
  return first.index;
}

/** Returns what decides by indexes and in memory. */
function inMemory(file: IndexFile | null, options: DedupeOptions): Run {
  const base = options.against.length > 0 ? mergeIndexes(options.against) : null;
  const index = file?.load() ?? null;
  const known = [
    ...(base === null ? [] : [{ path: options.against[0], index: base }]),
    ...(index === null || file === null ? [] : [{ path: file.path, index }]),
  ];
  const scheme = options.schemeOf(known);
  const { minResemblance, expiresIn } = options;
  const rule = { minResemblance, expiresIn };
  const fingerprinter = new Fingerprinter({ scheme, key: options.reading.key });
  const own = index ?? new Deduplicator({ scheme, probes: base?.probes });
  const isLasting = file !== null;
  const decider =
    base === null
      ? decideBy(own, fingerprinter, rule, isLasting)
      : decideAgainst(base, own, fingerprinter, rule, isLasting, !options.againstOnly);
  return { decider, scheme, file, index: own };
}

/** Runs the command with a store. */
async function withStore(url: string, options: DedupeOptions, io: Io, use: (run: Run) => Promise<void>): Promise<void> {
  const { against, keep, minResemblance, expiresIn } = options;
  const base = against.length > 0 ? mergeIndexes(against) : null;
  const scheme = options.schemeOf(base === null ? [] : [{ path: against[0], index: base }]);
  const { store, close } = await openStore(url, { scheme });
  try {
    const rule = { minResemblance, expiresIn, lease: keep === 'first' ? LEASE : LONG_LEASE };
    const decider = new StoreDecider(store, base ?? new Deduplicator({ scheme }), rule, io);
    await use({ decider, scheme, file: null, index: null });
  } finally {
    await close();
  }
}

/** Runs the command with what decides, until it is closed. */
async function open(options: DedupeOptions, io: Io, use: (run: Run) => Promise<void>): Promise<void> {
  const { index: path, store: url } = options;
  if (url !== undefined) return withStore(url, options, io, use);
  if (path === undefined) return use(inMemory(null, options));
  const file = new IndexFile(path, options.checkpoint);
  try {
    if (await file.acquire(io)) await use(inMemory(file, options));
  } finally {
    file.close();
  }
}

/** The work of one run. */
class Deduplication {
  readonly #run: Run;
  readonly #options: DedupeOptions;
  readonly #io: Io;
  readonly #report: Output | null;
  readonly #decisions: Decisions | null;
  readonly writer: Writer;

  constructor(run: Run, options: DedupeOptions, io: Io, report: Output | null, decisions: Decisions | null) {
    this.#run = run;
    this.#options = options;
    this.#io = io;
    this.#report = report;
    this.#decisions = decisions;
    this.writer = new Writer(run.decider, report, io.signal, options.selection, options.annotate);
  }

  /** Decides on documents in this order. */
  async #decide(documents: readonly Document[]): Promise<void> {
    try {
      await this.#run.decider.decide(documents);
      this.#run.file?.reserveFor(documents.filter(isDocumentKept));
      this.#decisions?.take(documents);
    } catch (error) {
      await this.#run.decider.forget(documents);
      throw error;
    }
  }

  /** Saves the index, if there is one. All its documents are written. */
  save(): void {
    const { file, index } = this.#run;
    if (file === null || index === null) return;
    file.save(index, [Output.stdout, ...(this.#report === null ? [] : [this.#report])]);
  }

  /** Keeps the first of near-duplicates: each batch is written at once. */
  async #keepFirst(batches: AsyncIterable<Batch>): Promise<void> {
    for await (const { documents, header } of batches) {
      await this.writer.writeHeader(header);
      await this.#decide(documents);
      await this.writer.write(documents);
      if (this.#run.file?.isDue) this.save();
    }
  }

  /** Keeps the highest of near-duplicates by a ranking. */
  async #keepByRank(batches: AsyncIterable<Batch>, ranking: Ranking): Promise<void> {
    for await (const { documents, header } of batches) {
      await this.writer.writeHeader(header);
      for (const document of documents) ranking.add(document);
    }
    // After an interrupt, the highest of the near-duplicates may not have been read.
    if (this.#io.signal.aborted) return;
    const ranked = ranking.byRank();
    const { documents } = ranking;
    try {
      for (let at = 0; at < ranked.length; at += SLICE) await this.#decide(ranked.slice(at, at + SLICE));
    } catch (error) {
      await this.#run.decider.forget(documents);
      throw error;
    }
    for (let at = 0; at < documents.length; at += SLICE) {
      try {
        await this.writer.write(documents.slice(at, at + SLICE));
      } catch (error) {
        await this.#run.decider.forget(documents.slice(at + SLICE));
        throw error;
      }
    }
  }

  /** Reads, decides and writes documents, and saves the index: after a failure too, since it has the written lines. */
  async run(inputs: readonly Input[]): Promise<void> {
    const { scheme } = this.#run;
    const { keep, reading } = this.#options;
    const batches = readBatches(inputs, { scheme, ...reading }, this.#io, new OneShape());
    let failure: unknown = null;
    try {
      if (keep === 'first') await this.#keepFirst(batches);
      else await this.#keepByRank(batches, new Ranking(keep, this.#io));
    } catch (error) {
      failure = error;
    }
    // The first of several errors is reported.
    try {
      if (!(failure instanceof UserError)) this.save();
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

async function writeSummary(path: string, summary: Record<string, number>, signal: AbortSignal): Promise<void> {
  const output = await Output.create(path, '--json-summary', signal);
  await output.write(`${JSON.stringify(summary)}\n`);
  await output.close();
}

/** Whether the input has a document twice. Without a reference, an unchanged document is one that is repeated. */
const hasDuplicates = ({ duplicates, unchanged }: Record<string, number>, { index, store, against }: DedupeOptions) =>
  duplicates > 0 || (unchanged > 0 && index === undefined && store === undefined && against.length === 0);

export async function dedupe(inputs: readonly Input[], options: DedupeOptions, io: Io): Promise<void> {
  const { index, store, report: reportPath, reportHtml, jsonSummary } = options;
  checkFiles(inputs, {
    read: options.against,
    kept: [...(index === undefined ? [] : [index]), ...(store === undefined ? [] : filesOf(store))],
    written: { '--report': reportPath, '--report-html': reportHtml, '--json-summary': jsonSummary },
  });
  await open(options, io, async (run) => {
    const report = reportPath === undefined ? null : await Output.create(reportPath, '--report', io.signal);
    const reportFile = await ReportFile.create(inputs, options, options.reading, io.signal);
    const decisions = reportFile && new Decisions(reportFile, run.scheme, options.minResemblance);
    const work = new Deduplication(run, options, io, report, decisions);
    try {
      await work.run(inputs);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      if (error.isClosedPipe) return;
      throw new UserError(`${error.message}; ${countOf(work.writer.lines, 'line')} written`);
    } finally {
      decisions?.close();
    }
    const { summary } = work;
    if (options.count)
      await Output.stdout.write(
        Object.entries(summary)
          .map((row) => `${row.join('\t')}\n`)
          .join(''),
      );
    if (jsonSummary !== undefined) await writeSummary(jsonSummary, summary, io.signal);
    io.reportRejected();
    // A file that cannot be read is reported, and there is nothing to add.
    if (summary.documents > 0 || io.exitCode === 0) io.note(sentenceOf(summary, run, io));
    if (options.failOnDuplicates && io.exitCode === 0 && hasDuplicates(summary, options)) io.exitCode = 1;
  });
}

// The command dedupe.
import { fstatSync, statSync } from 'node:fs';
import { UserError } from '../node/user-error.js';
import { WriteError } from './errors.js';
import { Output } from './output.js';
import { count } from './progress.js';
import { realPath } from './replace-file.js';
import { Decisions, ReportFile } from './report-file.js';
import { ByResemblance, openRule } from './rules.js';
import { firstId, IndexFile, originalId, storedId } from './snapshots.js';
import { openStore, StoreDecider } from './store.js';

/** The number of lines written at once when all are in memory. */
const SLICE = 4096;

/** Decides which documents are kept, in the order of the calls. */
class Decider {
  #rule;
  #io;
  /** The ids of this run's kept lines; null if the index was empty, so that it holds no others. */
  #kept;

  constructor(rule, io) {
    this.#rule = rule;
    this.#io = io;
    this.#kept = rule.state.size === 0 ? null : new Set();
  }

  async decideAll(documents) {
    for (const document of documents) this.#decide(document);
  }

  /** Sets `hit` on a near-duplicate and `stored`, its id in the index, on a kept document; neither on a bad line. */
  #decide(document) {
    const { id, summary } = document;
    document.hit = this.#rule.nearest(summary);
    if (document.hit !== undefined) return;
    const { state } = this.#rule;
    const stored = storedId(state, id);
    if (this.#kept === null ? stored !== firstId(id) : this.#kept.has(id)) {
      const text = `${JSON.stringify(id)} is also the id of an earlier kept line with another text`;
      this.#io.bad(document.name, document.line, text);
      return;
    }
    this.#kept?.add(id);
    document.stored = stored;
    this.#rule.keep(stored, summary);
  }
}

/** The lines of documents. Those that follow each other in their batch are one array. */
function pieces(documents) {
  const all = [];
  for (const { batch, start, end } of documents) {
    const last = all.at(-1);
    if (last?.batch === batch && last.end === start) last.end = end;
    else all.push({ batch, start, end });
  }
  return all.map(({ batch, start, end }) => batch.bytes.subarray(start, end));
}

/**
 * Writes kept lines and the report. A document that could not be written leaves the index: the next run finds it new.
 */
class Writer {
  #index;
  #report;
  #signal;
  #rowOf;
  kept = 0;
  dropped = 0;

  /** `rowOf` returns what the report says of a hit beside the ids. */
  constructor(index, report, signal, rowOf) {
    this.#index = index;
    this.#report = report;
    this.#rowOf = rowOf;
    this.#signal = signal;
  }

  /** Writes documents in the order of the input. */
  async write(documents) {
    if (this.#signal.aborted) return this.forget(documents);
    const lines = documents.filter(({ stored }) => stored !== undefined);
    try {
      await Output.stdout.writeLines(Buffer.concat(pieces(lines)));
    } catch (error) {
      let left = error.written;
      const cut = lines.findIndex(({ start, end }) => {
        left -= end - start;
        return left < 0;
      });
      const end = documents.indexOf(lines[cut]);
      this.forget(documents.slice(end));
      await this.#record(documents.slice(0, end));
      throw error;
    }
    await this.#record(documents);
  }

  async #record(documents) {
    const dropped = documents.filter(({ hit }) => hit !== undefined);
    this.kept += documents.filter(({ stored }) => stored !== undefined).length;
    this.dropped += dropped.length;
    const row = ({ id, hit }) => `${JSON.stringify({ id, duplicateOf: originalId(hit.id), ...this.#rowOf(hit) })}\n`;
    await this.#report?.writeLines(dropped.map(row).join(''));
  }

  forget(documents) {
    for (const { stored } of documents) if (stored !== undefined) this.#index.delete(stored);
  }
}

/** Refuses two files that are one: a report or standard output that is also an input or the index, for example. */
export function checkFiles(files, reports, index) {
  const statsOf = {
    output: () => fstatSync(1, { bigint: true }),
    file: (path) => statSync(path, { bigint: true, throwIfNoEntry: false }),
  };
  const named = (name, path) => ({ name, path: realPath(path), stats: statsOf.file(path) });
  const inputs = files.filter((path) => path !== '-').map((path) => named(path, path));
  const indexes = index === undefined ? [] : [named(index, index)];
  const isSame = (a, b) =>
    a.path === b.path ||
    (a.stats?.isFile() && b.stats?.isFile() && a.stats.dev === b.stats.dev && a.stats.ino === b.stats.ino);
  const check = (writer, others) => {
    const other = others.find((other) => isSame(writer, other));
    if (other !== undefined) throw new UserError(`${writer.name} would overwrite ${other.name}`);
  };
  const output = { name: 'standard output', path: null, stats: statsOf.output() };
  check(output, [...inputs, ...indexes]);
  const others = [...inputs, ...indexes, output];
  for (const [option, path] of Object.entries(reports)) {
    if (path === undefined) continue;
    const report = { ...named(path, path), name: `${option} ${path}` };
    check(report, others);
    others.push(report);
  }
}

async function keepFirst(batches, decider, writer, { make, decided, checkpoint }) {
  for await (const { documents } of batches) {
    try {
      await decider.decideAll(documents);
      make(documents);
      decided(documents);
    } catch (error) {
      writer.forget(documents);
      throw error;
    }
    await writer.write(documents);
    checkpoint();
  }
}

async function keepLongest(batches, decider, writer, { make, decided, signal }) {
  const all = [];
  for await (const { documents } of batches) for (const document of documents) all.push(document);
  // After an interrupt, the longest of the duplicates may not have been read.
  if (signal.aborted) return;
  try {
    const byLength = all.toSorted((a, b) => b.length - a.length);
    await decider.decideAll(byLength);
    make(all);
    decided(byLength);
  } catch (error) {
    writer.forget(all);
    throw error;
  }
  for (let at = 0; at < all.length; at += SLICE) {
    try {
      await writer.write(all.slice(at, at + SLICE));
    } catch (error) {
      writer.forget(all.slice(at + SLICE));
      throw error;
    }
  }
}

const countOf = (number, thing) => `${count(number)} ${thing}${number === 1 ? '' : 's'}`;

/** What decides, in a store. Lines that could not be written stay in it: the next run finds them new again. */
async function inStore(options, io) {
  const scheme = options.fingerprinter().id.replace(/^v1:\d+/, 'v1:64');
  const { minResemblance } = options;
  const { store, close } = await openStore(options.store, { scheme, minResemblance });
  return { decider: new StoreDecider(store, io), index: { delete() {} }, kind: ByResemblance, scheme, close };
}

/** What decides, in memory. `file` is the index file, or null. */
function inMemory(file, options, io) {
  const { rule, kind, scheme } = openRule(options, file?.load() ?? null, options.index);
  return { decider: new Decider(rule, io), index: rule.state, kind, scheme };
}

export async function dedupe(files, options, io) {
  const { index: path } = options;
  checkFiles(files, { '--report': options.report, '--report-html': options.reportHtml }, path);
  if (options.store !== undefined) {
    const decision = await inStore(options, io);
    try {
      await dedupeBy(decision, null, files, options, io);
    } finally {
      await decision.close();
    }
    return;
  }
  if (path === undefined) return dedupeBy(inMemory(null, options, io), null, files, options, io);
  const file = new IndexFile(path, options.checkpoint);
  try {
    if (await file.acquire(io)) await dedupeBy(inMemory(file, options, io), file, files, options, io);
  } finally {
    file.close();
  }
}

/** Runs the command. `file` is the index file, or null. */
async function dedupeBy({ decider, index, kind, scheme }, file, files, options, io) {
  const { index: path, report: reportPath, keep } = options;
  const report = reportPath === undefined ? null : Output.create(reportPath, '--report');

  const writer = new Writer(index, report, io.signal, kind.row);
  const batches = io.batches(files, { scheme, summary: kind.summary, ...options.reading });
  const save = () => file?.save(index, [Output.stdout, report]);
  if (options.reportHtml !== undefined && kind !== ByResemblance) {
    throw new UserError(`--report-html takes an index of sketches, but ${path} has fingerprints`);
  }
  const reportHtml = await ReportFile.create(files, options);
  const decisions = reportHtml && new Decisions(reportHtml, index);
  const hooks = {
    signal: io.signal,
    make: (documents) => file?.make(documents),
    decided: (documents) => decisions?.take(documents),
    // All documents of the index are written.
    checkpoint: () => file?.isDue && save(),
  };
  let failure = null;
  try {
    await (keep === 'first' ? keepFirst : keepLongest)(batches, decider, writer, hooks);
  } catch (error) {
    failure = error;
  }
  // The index is saved after a failure too: it has the lines that were written. The first of several errors is
  // reported.
  try {
    if (!(failure instanceof UserError)) save();
    await report?.close();
    if (failure === null) await decisions?.write();
  } catch (error) {
    throw failure === null || (failure instanceof WriteError && error instanceof UserError) ? error : failure;
  } finally {
    decisions?.close();
  }
  if (failure instanceof WriteError && failure.isClosedPipe) return;
  if (failure instanceof WriteError) throw new UserError(`${failure.message}; ${countOf(writer.kept, 'line')} written`);
  if (failure) throw failure;

  const parts = [
    ...(io.signal.aborted ? ['interrupted'] : []),
    `kept ${count(writer.kept)} of ${countOf(writer.kept + writer.dropped, 'document')}`,
    ...(io.badLines > 0 ? [`${countOf(io.badLines, 'bad line')}`] : []),
    ...(path === undefined ? [] : [`${path} has ${countOf(index.size, 'document')}`]),
    io.progress.elapsed,
  ];
  io.note(parts.join('; '));
}

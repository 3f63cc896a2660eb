// The command dedupe.
import { statSync } from 'node:fs';
import { UserError } from '../node/user-error.js';
import { Output, WriteError } from './output.js';
import { ByResemblance, openRule } from './rules.js';
import { anotherId, checkFolder, loadIndex, originalId, saveIndex } from './snapshots.js';
import { openStore, StoreDecider } from './store.js';

/** The number of lines written at once when all are in memory. */
const SLICE = 4096;

/** Decides which documents are kept, in the order of the calls. */
class Decider {
  #rule;
  #io;
  /** The ids of this run's kept lines. */
  #kept = new Set();

  constructor(rule, io) {
    this.#rule = rule;
    this.#io = io;
  }

  async decideAll(documents, name) {
    for (const document of documents) this.decide(document, document.name ?? name);
  }

  /** Sets `hit` on a near-duplicate and `stored`, its id in the index, on a kept document; neither on a bad line. */
  decide(document, name) {
    const { id, summary } = document;
    document.hit = this.#rule.nearest(summary);
    if (document.hit !== undefined) return;
    if (this.#kept.has(id)) {
      this.#io.bad(
        name,
        document.line,
        `${JSON.stringify(id)} is also the id of an earlier kept line with another text`,
      );
      return;
    }
    this.#kept.add(id);
    const { state } = this.#rule;
    document.stored = state.has(id) ? anotherId(state, id) : id;
    this.#rule.keep(document.stored, summary);
  }
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

  /** Writes documents, each with its line as `bytes`, in the order of the input. */
  async write(documents) {
    if (this.#signal.aborted) return this.forget(documents);
    const lines = documents.filter(({ stored }) => stored !== undefined);
    try {
      await Output.stdout.write(Buffer.concat(lines.map(({ bytes }) => bytes)));
    } catch (error) {
      let left = error.written;
      const cut = lines.findIndex(({ bytes }) => {
        left -= bytes.length;
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
    await this.#report?.write(dropped.map(row).join(''));
  }

  forget(documents) {
    for (const { stored } of documents) if (stored !== undefined) this.#index.delete(stored);
  }
}

/** Refuses a report that is also an input or the index: it is emptied before they are read. */
function checkReport(report, files, index) {
  const isSame = (path) => {
    const [a, b] = [path, report].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
    return a?.isFile() && b?.isFile() && a.dev === b.dev && a.ino === b.ino;
  };
  const other = [...files, ...(index === undefined ? [] : [index])].find((path) => path === report || isSame(path));
  if (other !== undefined) throw new UserError(`--report ${report} would overwrite ${other}`);
}

const lineOf = (bytes, { start, end }) => bytes.subarray(start, end);

async function keepFirst(batches, decider, writer) {
  for await (const { name, bytes, documents } of batches) {
    try {
      await decider.decideAll(documents, name);
      for (const document of documents) document.bytes = lineOf(bytes, document);
    } catch (error) {
      writer.forget(documents);
      throw error;
    }
    await writer.write(documents);
  }
}

async function keepLongest(batches, decider, writer, signal) {
  const all = [];
  for await (const { name, bytes, documents } of batches) {
    for (const document of documents) all.push({ ...document, name, bytes: lineOf(bytes, document) });
  }
  // After an interrupt, the longest of the duplicates may not have been read.
  if (signal.aborted) return;
  try {
    await decider.decideAll(all.toSorted((a, b) => b.length - a.length));
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

const count = (number, thing) => `${number.toLocaleString('en')} ${thing}${number === 1 ? '' : 's'}`;

/** What decides, in a store. Lines that could not be written stay in it: the next run finds them new again. */
async function inStore(options, io) {
  const scheme = options.fingerprinter().id.replace(/^v1:\d+/, 'v1:64');
  const { minResemblance } = options;
  const { store, close } = await openStore(options.store, { scheme, minResemblance });
  return { decider: new StoreDecider(store, io), index: { delete() {} }, kind: ByResemblance, scheme, close };
}

/** What decides, in memory. */
function inMemory(options, io) {
  const { index: path } = options;
  const loaded = path === undefined ? null : loadIndex(path);
  const { rule, kind, scheme } = openRule(options, loaded, path);
  if (path !== undefined) checkFolder(path);
  return { decider: new Decider(rule, io), index: rule.state, kind, scheme };
}

export async function dedupe(files, options, io) {
  const decision = options.store === undefined ? inMemory(options, io) : await inStore(options, io);
  try {
    await dedupeBy(decision, files, options, io);
  } finally {
    await decision.close?.();
  }
}

async function dedupeBy({ decider, index, kind, scheme }, files, options, io) {
  const { index: path, report: reportPath, keep } = options;
  if (reportPath !== undefined) checkReport(reportPath, files, path);
  const report = reportPath === undefined ? null : Output.create(reportPath, '--report');

  const writer = new Writer(index, report, io.signal, kind.row);
  const batches = io.batches(files, { scheme, summary: kind.summary, ...options.reading });
  let failure = null;
  try {
    await (keep === 'first' ? keepFirst : keepLongest)(batches, decider, writer, io.signal);
    await report?.close();
  } catch (error) {
    failure = error;
  }
  // The index is saved after a failure too: it has the lines that were written. The first of several errors is
  // reported.
  try {
    if (path !== undefined && !(failure instanceof UserError)) saveIndex(path, index);
  } catch (error) {
    throw failure === null || failure instanceof WriteError ? error : failure;
  }
  if (failure instanceof WriteError && failure.isClosedPipe) return;
  if (failure instanceof WriteError) throw new UserError(`${failure.message}; ${count(writer.kept, 'line')} written`);
  if (failure) throw failure;

  const parts = [
    ...(io.signal.aborted ? ['interrupted'] : []),
    `kept ${writer.kept.toLocaleString('en')} of ${count(writer.kept + writer.dropped, 'document')}`,
    ...(io.badLines > 0 ? [`${count(io.badLines, 'bad line')}`] : []),
    ...(path === undefined ? [] : [`${path} has ${count(index.size, 'document')}`]),
    io.progress.elapsed,
  ];
  io.note(parts.join('; '));
}

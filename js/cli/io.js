// Shared by the commands: messages, signals, progress, and the documents of many files.
import { compiled } from '../boot/file.js';
import { Fingerprinter } from '../index.js';
import { batchReader, LONG } from '../node/documents.js';
import { lineScanner } from '../node/lines.js';
import { inOrder, Workers } from '../node/workers.js';
import { documentsOf } from './document.js';
import { oneLine, reason } from './errors.js';
import { lineBatches, nameOf, totalSize } from './input.js';
import { Progress } from './progress.js';

/** Without --threads, threads start after this many bytes. */
const LARGE = 8 << 20;

/** What a thread reads first. */
const EMPTY = { name: '', line: 1, bytes: new Uint8Array() };

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export class Io {
  #controller = new AbortController();
  #quiet;
  /** The exit code of the process. */
  exitCode = 0;

  constructor({ quiet = false } = {}) {
    this.#quiet = quiet;
    this.progress = new Progress(process.stderr.isTTY && !quiet ? process.stderr : null);
    // Once: a second signal has its default action and ends the process.
    for (const name of Object.keys(exitCodes)) process.once(name, () => this.stop(exitCodes[name]));
    process.stderr.on('error', () => {});
  }

  /** Aborted when the command must end early. */
  get signal() {
    return this.#controller.signal;
  }

  stop(exitCode) {
    if (this.signal.aborted) return;
    this.exitCode = exitCode;
    this.#controller.abort();
  }

  onRead = (bytes) => {
    this.progress.read += bytes;
    this.progress.update();
  };

  #say(message) {
    this.progress.clear();
    process.stderr.write(`nearprint: ${oneLine(message)}\n`);
  }

  /** Reports an error in a part of the input. The command continues with the rest. */
  error(message) {
    if (this.exitCode === 0) this.exitCode = 2;
    this.#say(message);
  }

  badLines = 0;

  bad(name, line, message) {
    this.badLines++;
    this.error(`${name}:${line}: ${message}`);
  }

  /** Reports information, unless --quiet is given. */
  note(message) {
    if (!this.#quiet) this.#say(message);
  }

  /** Yields what `read` yields for each file. A file that cannot be read is reported, and the rest continues. */
  async *eachFile(paths, read) {
    for (const path of paths) {
      if (this.signal.aborted) return;
      if (path === '-' && process.stdin.isTTY) this.note('reading from the terminal until end of input (Ctrl+D)');
      try {
        yield* read(path);
      } catch (error) {
        // A programming error (TypeError, RangeError) is no error of the file.
        if (error.code === undefined && error.constructor !== Error) throw error;
        this.error(`${nameOf(path)}: ${reason(error)}`);
      }
    }
  }

  /**
   * Yields the documents of JSON Lines in batches, in the order of the input for any number of threads, and reports the
   * bad lines of each batch.
   */
  async *batches(paths, { scheme, threads, defaultThreads, ...settings }) {
    this.progress.total = totalSize(paths);
    const here = await batchReader(new Fingerprinter({ scheme }), settings, lineScanner(scheme, settings));
    const file = new URL('./cli-worker.js', import.meta.url);
    const most = threads ?? Math.max(1, defaultThreads);
    const workers = new Workers(most, file, { scheme, read: settings, module: compiled() });
    let size = 0;
    const work = async (batch) => {
      size += batch.bytes.length;
      if (threads === undefined ? defaultThreads > 0 && size >= LARGE : threads > 1) workers.start({ batch: EMPTY });
      // A thread reads a long line: its module has no index that a lack of memory could destroy.
      if (!workers.isUp && batch.bytes.length <= LONG) return here(batch);
      return workers.run({ batch }, [batch.bytes.buffer]);
    };
    const lines = this.eachFile(paths, (path) => lineBatches(path, this));
    try {
      for await (const read of inOrder(lines, work, 2 * most)) {
        const batch = documentsOf(read);
        for (const { line, message } of batch.bad) this.bad(batch.name, line, message);
        this.progress.documents += batch.documents.length;
        this.progress.update();
        yield batch;
        if (this.signal.aborted) return;
      }
    } finally {
      await workers.close();
    }
  }
}

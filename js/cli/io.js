// What the commands share: messages, signals, progress, and the documents of many files.
import { Fingerprinter } from '../index.js';
import { documentReader } from '../node/documents.js';
import { inOrder, Workers } from '../node/workers.js';
import { oneLine, reason } from './errors.js';
import { lineBatches, nameOf, totalSize } from './input.js';
import { Progress } from './progress.js';

/** So much is read before threads are started, unless they are asked for. */
const LARGE = 8 << 20;

const exitCodes = { SIGINT: 130, SIGTERM: 143 };

export class Io {
  #controller = new AbortController();
  #quiet;
  /** What the process ends with. */
  exitCode = 0;

  constructor({ quiet = false } = {}) {
    this.#quiet = quiet;
    this.progress = new Progress(process.stderr.isTTY && !quiet ? process.stderr : null);
    // Once: the second one ends the process at once, as it does by itself.
    for (const name of Object.keys(exitCodes)) process.once(name, () => this.stop(exitCodes[name]));
    process.stderr.on('error', () => {});
  }

  /** Aborted when the command is to end early. */
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

  /** Something is wrong with the input; the rest goes on. */
  error(message) {
    if (this.exitCode === 0) this.exitCode = 2;
    this.#say(message);
  }

  badLines = 0;

  bad(name, line, message) {
    this.badLines++;
    this.error(`${name}:${line}: ${message}`);
  }

  /** What is good to know, unless --quiet. */
  note(message) {
    if (!this.#quiet) this.#say(message);
  }

  /** Does something with each file, or with standard input. One that cannot be read is told of, and the rest goes on. */
  async *eachFile(paths, read) {
    for (const path of paths) {
      if (this.signal.aborted) return;
      if (path === '-' && process.stdin.isTTY) this.note('reading from the terminal, to the end of it (Ctrl+D)');
      try {
        yield* read(path);
      } catch (error) {
        // An error of ours is no error of the file.
        if (error.code === undefined && error.constructor !== Error) throw error;
        this.error(`${nameOf(path)}: ${reason(error)}`);
      }
    }
  }

  /**
   * The documents of JSON Lines, batch by batch and in order, whatever the number of threads. Bad lines are told of when
   * their batch comes.
   */
  async *batches(paths, { scheme, threads, defaultThreads, ...settings }) {
    this.progress.total = totalSize(paths);
    const here = await documentReader(new Fingerprinter({ scheme }), settings);
    const workers = new Workers(threads ?? defaultThreads, { scheme, read: settings });
    let size = 0;
    const work = async (batch) => {
      size += batch.bytes.length;
      if (threads === undefined ? defaultThreads === 1 || size < LARGE : threads === 1) return here(batch);
      return workers.run({ batch }, [batch.bytes.buffer]);
    };
    const lines = this.eachFile(paths, (path) => lineBatches(path, this));
    try {
      for await (const batch of inOrder(lines, work, 2 * (threads ?? defaultThreads))) {
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

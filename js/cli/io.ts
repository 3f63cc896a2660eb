// Shared by the commands: messages, signals, progress, and the documents of many files.
import { compiled } from '../boot/file.js';
import { Fingerprinter } from '../index.js';
import {
  batchReader,
  type LineBatch,
  MAX_SCANNED,
  type ReadBatch,
  type ReadSettings,
  type SummaryKind,
} from '../node/documents.js';
import { lineScanner } from '../node/lines.js';
import { inOrder, Workers } from '../node/workers.js';
import { type Batch, documentsOf } from './document.js';
import { codeOf, oneLine, reason } from './errors.js';
import { lineBatches, nameOf, totalSize } from './input.js';
import { Progress } from './progress.js';

/** Without --threads, threads start after this many bytes. */
const LARGE = 8 << 20;

/** The first batch of a thread, without lines. */
const EMPTY: LineBatch = { name: '', line: 1, bytes: new Uint8Array() };

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** How the documents of files are read. */
export interface BatchSettings<Kind extends SummaryKind = SummaryKind> extends ReadSettings<Kind> {
  /** The id of the scheme of the summaries. */
  scheme: string;
  /** The option --threads. */
  threads?: number;
  /** The number of threads for much input without the option; 0 for none. */
  defaultThreads: number;
}

/** The input and output of a command. */
export class Io {
  #controller = new AbortController();
  #quiet: boolean;
  readonly progress: Progress;
  /** The exit code of the process. */
  exitCode = 0;

  constructor({ quiet = false }: { quiet?: boolean } = {}) {
    this.#quiet = quiet;
    this.progress = new Progress(process.stderr.isTTY && !quiet ? process.stderr : null);
    // Once: a second signal has its default action and ends the process.
    for (const [name, exitCode] of Object.entries(exitCodes)) process.once(name, () => this.stop(exitCode));
    process.stderr.on('error', () => {});
  }

  /** Aborted when the command must end early. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the command early. */
  stop(exitCode: number): void {
    if (this.signal.aborted) return;
    this.exitCode = exitCode;
    this.#controller.abort();
  }

  /** Counts bytes that were read. */
  readonly onRead = (bytes: number): void => {
    this.progress.read += bytes;
    this.progress.update();
  };

  #say(message: string): void {
    this.progress.clear();
    process.stderr.write(`nearprint: ${oneLine(message)}\n`);
  }

  /** Reports an error in a part of the input. The command continues with the rest. */
  error(message: string): void {
    if (this.exitCode === 0) this.exitCode = 2;
    this.#say(message);
  }

  /** The number of bad lines. */
  badLines = 0;

  /** Reports a bad line of a file. */
  bad(name: string, line: number, message: string): void {
    this.badLines++;
    this.error(`${name}:${line}: ${message}`);
  }

  /** Reports information, unless --quiet is given. */
  note(message: string): void {
    if (!this.#quiet) this.#say(message);
  }

  /** Yields the results of `read` for each file. A file that cannot be read is reported, and the rest continues. */
  async *eachFile<Result>(
    paths: readonly string[],
    read: (path: string) => AsyncIterable<Result>,
  ): AsyncGenerator<Result, void, undefined> {
    for (const path of paths) {
      if (this.signal.aborted) return;
      if (path === '-' && process.stdin.isTTY) this.note('reading from the terminal until end of input (Ctrl+D)');
      try {
        yield* read(path);
      } catch (error) {
        // Programming errors (TypeError, RangeError) are not file errors.
        const isFileError = codeOf(error) !== undefined || (error as Error).constructor === Error;
        if (!isFileError) throw error;
        this.error(`${nameOf(path)}: ${reason(error)}`);
      }
    }
  }

  /**
   * Yields the documents of JSON Lines in batches, in the order of the input for any number of threads, and reports the
   * bad lines of each batch.
   */
  async *batches<Kind extends SummaryKind>(
    paths: readonly string[],
    { scheme, threads, defaultThreads, ...settings }: BatchSettings<Kind>,
  ): AsyncGenerator<Batch<Kind>, void, undefined> {
    this.progress.total = totalSize(paths);
    const here = await batchReader(new Fingerprinter({ scheme }), settings, lineScanner(scheme, settings));
    const file = new URL('./cli-worker.js', import.meta.url);
    const max = threads ?? Math.max(1, defaultThreads);
    const workers = new Workers<{ batch: LineBatch }, ReadBatch>(max, file, {
      scheme,
      read: settings,
      module: compiled(),
    });
    let size = 0;
    const work = async (batch: LineBatch): Promise<ReadBatch> => {
      size += batch.bytes.length;
      if (threads === undefined ? defaultThreads > 0 && size >= LARGE : threads > 1) workers.start({ batch: EMPTY });
      // A thread reads a long line: its module has no index that a lack of memory could destroy.
      if (!workers.isUp && batch.bytes.length <= MAX_SCANNED) return here(batch);
      return workers.run({ batch }, [batch.bytes.buffer]);
    };
    const lines = this.eachFile(paths, (path) => lineBatches(path, this));
    try {
      for await (const read of inOrder(lines, work, 2 * max)) {
        const batch = documentsOf<Kind>(read);
        for (const { line, message } of batch.badLines) this.bad(batch.name, line, message);
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

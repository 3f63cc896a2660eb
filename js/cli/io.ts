// The input of a command: reads the files one after the other, and collects messages and counts.
import { isatty } from 'node:tty';
import { countOf, shorten } from '../node/errors.js';
import { whyUnread } from '../node/fields.js';
import type { Exclusion } from './exclusion.js';
import { type RepeatedPath, repetitionWarnings } from './known-files.js';
import type { Progress } from './progress.js';
import { SkippedFiles, UnfitFile } from './skipped-files.js';
import type { Terminal } from './terminal.js';

/** The number of errors of documents and files that are shown, and the number of equal errors among them. */
const [MAX_REPORTED, MAX_ALIKE] = [10, 3];

/** The remarks of the summary on the documents that were read. */
export const nothingNoticed = () => ({
  hasScopes: false,
  hasIds: false,
  /** The names of the text fields of documents in JSON, if there are several. */
  textFields: new Set<string>(),
  /** The number of rows that quotation marks have probably joined to others, and the row with the most of them. */
  joinedRows: 0,
  longest: { place: '', rows: 0 },
  /** Documents without text that are kept, and the place of the first with the reason. */
  textless: { count: 0, first: '' },
  /** Pages of fewer than ten words, and other pages that are compared by less than a third of their words. */
  shortPages: { count: 0, first: '' },
  partialPages: { count: 0, first: '' },
});

export type Noticed = ReturnType<typeof nothingNoticed>;

export class Io {
  readonly #terminal: Terminal;
  readonly #reported = new Map<string, number>();
  #shown = 0;
  /** The number of errors that `reportRejected` has counted. */
  #counted = 0;
  readonly progress: Progress;
  /** The number of lines, rows and elements that are not documents. */
  rejected = 0;
  /** The number of files that were not read, or not to their ends, because of an error. */
  unread = 0;
  /** The files of folders and patterns that are not of a kind or shape that is read. */
  skipped = new SkippedFiles();
  /** The paths of the input that are not read, since their files are known under other paths. */
  readonly repeatedPaths: RepeatedPath[] = [];
  /** The files and folders that --exclude leaves out; undefined until the files of the input are found. */
  exclusion: Exclusion | undefined;
  readonly noticed: Noticed = nothingNoticed();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.progress = terminal.newProgress();
  }

  /** Returns the `Io` of another input of the same command, whose numbers are its own. */
  forOtherInput(): Io {
    return new Io(this.#terminal);
  }

  get signal(): AbortSignal {
    return this.#terminal.signal;
  }

  get exitCode(): number {
    return this.#terminal.exitCode;
  }

  set exitCode(code: number) {
    this.#terminal.exitCode = code;
  }

  readonly onRead = (bytes: number): void => {
    this.progress.read += bytes;
    this.progress.update();
  };

  #say(message: string): void {
    this.progress.clear();
    this.#terminal.say(message);
  }

  /** Reports an error in a part of the input. The command continues with the rest. */
  error(message: string): void {
    if (this.exitCode === 0) this.exitCode = 2;
    this.#say(message);
  }

  /** Receives what is not a document, except lines of a batch: the batch has them. */
  onReject: ((place: string, message: string) => void) | undefined;

  /** Reports what is not a document, and only counts it if there is much. `isInBatch` states that it is a line of a batch. */
  reject(place: string, message: string, isInBatch = false): void {
    if (!isInBatch) this.onReject?.(place, message);
    this.rejected++;
    this.#show(place, message);
  }

  /** Reports an error, and only counts it if there are many. */
  #show(place: string, message: string): void {
    if (this.exitCode === 0) this.exitCode = 2;
    const alike = this.#reported.get(message) ?? 0;
    if (this.#shown === MAX_REPORTED || alike === MAX_ALIKE) return;
    this.#reported.set(message, alike + 1);
    this.#shown++;
    this.#say(`${shorten(place)}: ${message}`);
  }

  /** Reports how many lines and files were only counted, once. */
  reportRejected(): void {
    const { rejected, unread } = this;
    if (this.#counted === rejected + unread || this.#shown === rejected + unread) return;
    this.#counted = rejected + unread;
    const parts = [
      rejected > 0 && countOf(rejected, 'bad line'),
      unread > 0 && `${countOf(unread, 'file')} with an error`,
    ];
    this.#say(`${parts.filter((part) => part).join(' and ')}, ${this.#shown} of them above`);
  }

  /** Returns sentences about paths that are not read. */
  pathWarnings(): string[] {
    return [...repetitionWarnings(this.repeatedPaths), ...(this.exclusion?.warnings() ?? [])];
  }

  /** Names the skipped files, and forgets them. */
  nameSkipped(): void {
    for (const message of this.skipped.messages()) this.note(message);
    this.skipped = new SkippedFiles();
  }

  /** Names the skipped files at the end of a run. That there was nothing else is an error. */
  reportSkipped(): void {
    const isAll = this.skipped.count > 0 && this.progress.documents === 0 && this.repeatedPaths.length === 0;
    this.nameSkipped();
    if (isAll && this.exitCode === 0) this.error('no document was read');
  }

  /** Reports information, unless --quiet is given. */
  note(message: string): void {
    this.progress.clear();
    this.#terminal.note(message);
  }

  /** Yields the results of `read` for each file. A file that cannot be read is reported, and the rest continues. */
  async *eachFile<File extends { readonly name: string; readonly isFound?: boolean }, Result>(
    files: readonly File[],
    read: (file: File) => AsyncIterable<Result>,
  ): AsyncGenerator<Result, void, undefined> {
    for (const file of files) {
      if (this.signal.aborted) return;
      if (file.name === 'stdin' && isatty(0)) this.note('reading from the terminal until end of input (Ctrl+D)');
      try {
        yield* read(file);
      } catch (error) {
        const why = whyUnread(error);
        if (this.signal.aborted) return;
        if (file.isFound && error instanceof UnfitFile) {
          this.skipped.add(file.name, why);
          continue;
        }
        this.unread++;
        this.onReject?.(file.name, why);
        this.#show(file.name, why);
      }
    }
  }
}

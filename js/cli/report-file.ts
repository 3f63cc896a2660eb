// The option --report-html: collects the decisions of a run, reads the texts to show again, and writes the report.
import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '../core/types.js';
import { Deduplicator, MIN_FEATURES } from '../index.js';
import type { ReadSettings } from '../node/documents.js';
import { htmlReader } from '../node/html.js';
import { UserError } from '../node/user-error.js';
import { groupOf } from '../report/group.js';
import { reportHtml } from '../report/report.js';
import { EARLIER, NONE, select } from '../report/select.js';
import type { Document } from './document.js';
import { reason } from './errors.js';
import { type LinesIo, lineBatches, nameOf } from './input.js';
import { Output } from './output.js';

/** A deduplicator with this threshold returns the nearest kept document, whatever its resemblance is. */
const MIN_THRESHOLD = Number.MIN_VALUE;

/** How the texts of lines are read. */
type TextSettings = Pick<ReadSettings, 'textField' | 'html'>;

/** The object of a good line, and its text. */
export interface ReadLine {
  object: Record<string, unknown>;
  text(): string;
}

/** Resolves to a function that reads the bytes of a good line. */
export async function lineReader({ textField, html }: TextSettings): Promise<(bytes: Uint8Array) => ReadLine> {
  const mainText: (text: string) => string = html ? await htmlReader() : (text) => text;
  return (bytes) => {
    const object: Record<string, unknown> = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(),
    );
    // The line was read as a document, so the field is a string.
    return { object, text: () => mainText(object[textField] as string) };
  };
}

/** Returns whether a file can be read a second time: standard input and other pipes cannot. */
const isLasting = (path: string): boolean =>
  path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;

/** The lines of pipes, in a temporary file: the report needs some of them again. */
class Spool {
  #folder: string | null = null;
  #lines = 0;
  /** The file; '' before the first line. */
  path = '';

  /** Adds a line and returns its number. */
  add(bytes: Uint8Array): number {
    if (this.#folder === null) {
      this.#folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
      this.path = join(this.#folder, 'lines');
      writeFileSync(this.path, '', { mode: 0o600 });
    }
    appendFileSync(this.path, bytes);
    return ++this.#lines;
  }

  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A document in the report. */
interface ReportText {
  name: string;
  text: string;
}

/** The documents of a run, and where the line of each is. */
class Lines {
  #files: Set<string>;
  /** The names of the files whose lines are in the spool. */
  #passing: Set<string>;
  #groupFields: string[] | undefined;
  #read: (bytes: Uint8Array) => ReadLine;
  #spool = new Spool();
  #ids: Id[] = [];
  #names: string[] = [];
  #numbers: number[] = [];
  #groups: string[] = [];
  #hasGroups = false;

  constructor(files: readonly string[], groupField: string | undefined, read: (bytes: Uint8Array) => ReadLine) {
    this.#files = new Set(files);
    this.#passing = new Set(files.filter((path) => !isLasting(path)).map(nameOf));
    this.#groupFields = groupField === undefined ? undefined : [groupField];
    this.#read = read;
  }

  get length(): number {
    return this.#ids.length;
  }

  add({ id, name, line, bytes }: Document): void {
    this.#ids.push(id);
    this.#names.push(name);
    this.#numbers.push(this.#passing.has(name) ? this.#spool.add(bytes) : line);
    const { object } = this.#read(bytes);
    const group = groupOf(object, this.#groupFields);
    this.#hasGroups ||= group !== undefined;
    this.#groups.push(group ?? '');
  }

  /** Returns the groups of the documents at positions; undefined if no document has one. */
  groupsOf(positions: readonly number[]): string[] | undefined {
    return this.#hasGroups ? positions.map((at) => this.#groups[at]) : undefined;
  }

  /** Resolves to the documents at positions. */
  async texts(positions: readonly number[]): Promise<Map<number, ReportText>> {
    /** For each file, the positions of each line. */
    const wanted = new Map<string, Map<number, number[]>>();
    for (const at of positions) {
      const name = this.#names[at];
      const ofFile = wanted.get(name) ?? new Map<number, number[]>();
      wanted.set(name, ofFile);
      const number = this.#numbers[at];
      ofFile.set(number, [...(ofFile.get(number) ?? []), at]);
    }
    const texts = new Map<number, ReportText>();
    for (const path of this.#files) {
      const name = nameOf(path);
      const ofFile = wanted.get(name);
      if (ofFile === undefined) continue;
      try {
        await this.#readFile(this.#passing.has(name) ? this.#spool.path : path, ofFile, texts);
      } catch (error) {
        throw new UserError(`--report-html: ${name} cannot be read again: ${reason(error)}`);
      }
    }
    if (positions.some((at) => !texts.has(at)))
      throw new UserError('--report-html: the input has changed since it was read');
    return texts;
  }

  async #readFile(
    path: string,
    wanted: ReadonlyMap<number, readonly number[]>,
    texts: Map<number, ReportText>,
  ): Promise<void> {
    // Written after Ctrl+C too, so the signal is another one.
    const io: LinesIo = { signal: new AbortController().signal, onRead() {}, bad() {} };
    for await (let { line, bytes } of lineBatches(path, io)) {
      for (let start = 0; start < bytes.length; line++) {
        const end = bytes.indexOf(10, start) + 1;
        for (const at of wanted.get(line) ?? []) {
          const text = this.#read(bytes.subarray(start, end)).text();
          texts.set(at, { name: String(this.#ids[at]), text });
        }
        start = end;
      }
    }
  }

  close(): void {
    this.#spool.remove();
  }
}

/** The options of a command for its report. */
interface ReportOptions {
  /** The path of the report. */
  reportHtml?: string;
  reportLanguage: string;
  groupField?: string;
  reading: TextSettings;
}

/** The decisions on documents, one element of each array for a document (report/select.ts). */
interface DecisionLists {
  /** The position of the nearest document kept before, or NONE or EARLIER. */
  nearest: number[];
  /** The resemblance to that document. */
  resemblances: number[];
  /** 1 if the document is dropped, else 0. */
  isDropped: number[];
}

/** The file that --report-html names. */
export class ReportFile {
  #output: Output;
  #language: string;
  #names: string[];
  readonly lines: Lines;

  constructor(files: readonly string[], output: Output, language: string, lines: Lines) {
    this.#names = files.map(nameOf);
    this.#output = output;
    this.#language = language;
    this.lines = lines;
  }

  /** Resolves to null without the option. */
  static async create(
    files: readonly string[],
    { reportHtml: path, reportLanguage, groupField, reading }: ReportOptions,
  ): Promise<ReportFile | null> {
    if (path === undefined) return null;
    const read = await lineReader(reading);
    const lines = new Lines(files, groupField, read);
    return new ReportFile(files, Output.create(path, '--report-html'), reportLanguage, lines);
  }

  /**
   * Writes the report of decisions. Their documents are the lines at `positions`. `others` are the further data of the
   * report (report/report.ts), without the selection and the texts.
   */
  async write(decisions: DecisionLists, positions: readonly number[], others: object): Promise<void> {
    const selection = select({ ...decisions, groups: this.lines.groupsOf(positions) });
    const wanted = [...selection.wanted];
    const found = await this.lines.texts(wanted.map((at) => positions[at]));
    const texts = new Map(wanted.map((at) => [at, found.get(positions[at])]));
    const data = { ...selection, ...others, texts, names: this.#names, few: MIN_FEATURES };
    await this.#output.write(reportHtml(data, this.#language));
    await this.#output.close();
  }

  close(): void {
    this.lines.close();
  }
}

/** The decisions of `dedupe`, for its report. */
export class Decisions {
  #report: ReportFile;
  #near: Deduplicator<number>;
  #rule: { scheme: string; minResemblance: number };
  /** The positions of kept documents, by their ids in the index. */
  #kept = new Map<Id, number>();
  #nearest: number[] = [];
  #resemblances: number[] = [];
  #isDropped: number[] = [];
  #short = 0;

  /** `rule` is the index that decides. */
  constructor(report: ReportFile, { scheme, minResemblance }: { scheme: string; minResemblance: number }) {
    this.#report = report;
    this.#rule = { scheme, minResemblance };
    this.#near = new Deduplicator({ scheme, minResemblance: MIN_THRESHOLD });
  }

  /** Adds documents in the order of the decisions. */
  take(documents: Iterable<Document<'sketch'>>): void {
    for (const document of documents) {
      const { hit, stored, summary: sketch } = document;
      if (hit === undefined && stored === undefined) continue;
      const at = this.#report.lines.length;
      this.#report.lines.add(document);
      if (sketch.isShort) this.#short++;
      this.#isDropped.push(hit === undefined ? 0 : 1);
      if (hit !== undefined) {
        this.#nearest.push(this.#kept.get(hit.id) ?? EARLIER);
        this.#resemblances.push(hit.resemblance);
        continue;
      }
      const near = this.#near.query(sketch);
      this.#nearest.push(near?.id ?? NONE);
      this.#resemblances.push(near?.resemblance ?? 0);
      this.#near.add(at, sketch);
      if (stored !== undefined) this.#kept.set(stored, at);
    }
  }

  /** Writes the report. */
  async write(): Promise<void> {
    const decisions = { nearest: this.#nearest, resemblances: this.#resemblances, isDropped: this.#isDropped };
    const others = { ...this.#rule, short: this.#short };
    await this.#report.write(decisions, [...decisions.nearest.keys()], others);
  }

  close(): void {
    this.#near.free();
    this.#report.close();
  }
}

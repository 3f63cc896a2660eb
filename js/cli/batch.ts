// Batches: parts of a file whose documents are read together. What a batch has refers to the batch, so its classes are here too.
import type { Outcome } from '../dedupe/decision.js';
import type { Id } from '../index.js';
import { DocumentRows, type LineSpan } from '../node/document-rows.js';
import { type JsonObject, readJson } from '../node/fields.js';
import type { BadRow, Job, JobResult, ReportedPage, TextlessRow } from '../node/job.js';
import { Sketch } from '../sketch/sketch.js';
import type { InputIo } from './chunks.js';
import type { Decisions } from './decisions.js';
import { readTexts } from './entry-texts.js';
import { type OpenFile, placeIn } from './input-file.js';
import type { Original } from './original.js';
import { noticePage } from './pages.js';
import type { Entry, Part } from './part.js';
import { returnBuffer } from './spare-buffers.js';
import type { Table } from './table.js';

/** The maximum size in bytes of the binary sketch of a short text. The sketch of a text with more features is larger. */
const MAX_SHORT = 128;

/** A line, a row, an element or a file of a batch. */
export class Line {
  readonly batch: Batch;
  readonly #span: LineSpan;

  constructor(batch: Batch, span: LineSpan) {
    this.batch = batch;
    this.#span = span;
  }

  /** The start and the end of its line in the bytes of the batch. */
  get start(): number {
    return this.#span.start;
  }

  get end(): number {
    return this.#span.end;
  }

  /** Its line, with the line feed. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  /** Its place in messages and reports: the file and its number. */
  get place(): string {
    return this.batch.placeOf(this.batch.first + this.#span.number);
  }
}

/** A line that is not a document. */
export class BadLine extends Line {
  /** The reason. */
  readonly message: string;

  constructor(batch: Batch, { message, ...span }: BadRow) {
    super(batch, span);
    this.message = message;
  }
}

/** A document, by its row in its batch. Made when it is needed: most are only decided and copied. */
export class Document extends Line {
  /** Its position among the documents of the batch. */
  readonly at: number;

  constructor(batch: Batch, at: number) {
    super(batch, batch.rows.spanAt(at));
    this.at = at;
  }

  get id(): Id | null {
    return this.batch.ids[this.at];
  }

  /** Its id, or its place if it has none. */
  get name(): Id {
    return this.id ?? this.place;
  }

  /** The length of the text in UTF-16 units. */
  get length(): number {
    return this.batch.rows.lengthAt(this.at);
  }

  get sketch(): Sketch {
    return this.batch.sketchAt(this.at);
  }

  /** Undefined before the decision. */
  get outcome(): Outcome<Original> | undefined {
    return this.batch.decisions?.outcomeAt(this.at);
  }

  /** Whether it is kept: new or changed. */
  get isKept(): boolean {
    return this.batch.decisions?.isKept(this.at) === true;
  }

  /** Its key in the set of kept documents; undefined if it is not decided, or is not kept under a key. */
  get key(): Id | undefined {
    return this.batch.decisions?.keys[this.at];
  }

  isSame({ batch, at }: Document): boolean {
    return batch === this.batch && at === this.at;
  }

  /** Whether its annotation and its row of the report name documents by place too, since an id occurs twice. */
  get isNamedByPlace(): boolean {
    return this.at >= this.batch.namedByPlaceFrom;
  }
}

/** A part of a file whose documents are read together. A job makes their rows, or the reader of `entries` their texts. */
export class Batch {
  readonly file: OpenFile;
  bytes: Uint8Array<ArrayBuffer>;
  /** The table that the documents are rows of. */
  readonly table: Table | undefined;
  /** The documents, in the order of the file. */
  rows: DocumentRows = DocumentRows.none;
  /** The bad lines, in the order of the file. */
  bad: readonly BadLine[] = [];
  /** The decisions on the documents, once they are made. */
  decisions: Decisions | undefined;
  /** The position of the first document that is named by its place too. */
  namedByPlaceFrom = Number.POSITIVE_INFINITY;
  /** For a reader without a job; empty after one. */
  entries: Iterable<Entry>;
  /** The number of the first line. */
  readonly first: number;
  #ids: readonly (Id | null)[] | undefined;
  /** The pages that are compared by a small part of their words. */
  #pages: readonly ReportedPage[] = [];
  /** The documents without text, which are kept. */
  #textless: readonly TextlessRow[] = [];
  /** The names of the text fields that the job has found. */
  #textFields: ReadonlySet<string> = new Set();
  /** The rows of a table by their numbers. */
  #entries: ReadonlyMap<number, Entry> | undefined;

  constructor(file: OpenFile, { bytes, first = 0, entries }: Part, table?: Table) {
    this.file = file;
    this.bytes = bytes;
    this.table = table;
    this.first = first;
    this.entries = entries;
  }

  /** The number of documents. */
  get count(): number {
    return this.rows.count;
  }

  /** The ids of the documents. */
  get ids(): readonly (Id | null)[] {
    this.#ids ??= this.rows.ids();
    return this.#ids;
  }

  sketchAt(at: number): Sketch {
    return Sketch.of(this.rows.sketches, this.rows.sketchStart(at), this.rows.sketchEnd(at));
  }

  /** Returns whether the text of a document has neither words nor symbols. The size decides for most. */
  isBlankAt(at: number): boolean {
    return this.rows.sketchEnd(at) - this.rows.sketchStart(at) <= MAX_SHORT && this.sketchAt(at).isBlank;
  }

  *documents(): Generator<Document, void, undefined> {
    for (let at = 0; at < this.count; at++) yield new Document(this, at);
  }

  /** Yields the documents and what is not a document, in the order of the file. */
  *lines(): Generator<Document | BadLine, void, undefined> {
    let next = 0;
    for (const document of this.documents()) {
      while (next < this.bad.length && this.bad[next].start < document.start) yield this.bad[next++];
      yield document;
    }
    yield* this.bad.slice(next);
  }

  get #isJson(): boolean {
    return this.file.format === 'jsonl' || this.file.format === 'json';
  }

  get isHtml(): boolean {
    return this.file.format === 'html' || this.file.settings.html;
  }

  /** Makes the rows by a job, whose buffer `run` may transfer to a thread. Called once. */
  async open(run: (job: Job) => Promise<JobResult>): Promise<void> {
    const { bytes, isHtml: html, entries: given, file } = this;
    this.entries = [];
    if (this.#isJson) {
      const result = await run({ bytes, html, encoding: file.encoding });
      this.bytes = result.bytes;
      this.#textFields = result.textFields;
      this.#take(result, result.bad);
      return;
    }
    const entries = [...given];
    const { bad, ...texts } = readTexts(entries, this.first);
    const result = await run({ ...texts, html });
    const allBad = [...bad, ...result.bad].sort((a, b) => a.start - b.start);
    this.#take(result, allBad);
    // The fields of rows may be needed again. Whole texts would take memory.
    if (this.table !== undefined) this.#entries = new Map(entries.map((entry) => [entry.start, entry]));
  }

  #take({ documents, pages, textless }: JobResult, bad: readonly BadRow[]): void {
    this.rows = new DocumentRows(documents);
    [this.#pages, this.#textless] = [pages, textless];
    this.bad = bad.map((row) => new BadLine(this, row));
  }

  /** Reports what is not a document, and counts documents without text, and pages that are compared by a small part of their words. */
  report(io: Pick<InputIo, 'reject' | 'noticed'>): void {
    for (const line of this.bad) io.reject(line.place, line.message, true);
    for (const { number, message } of this.#textless) {
      if (io.noticed.textless.count++ === 0)
        io.noticed.textless.first = `${this.placeOf(this.first + number)}: ${message}`;
    }
    for (const { number, words } of this.#pages) noticePage(io.noticed, this.placeOf(this.first + number), words);
    for (const name of this.#textFields) io.noticed.textFields.add(name);
  }

  /** Gives back the buffer of the bytes, which nothing may read any more. */
  release(): void {
    returnBuffer(this.bytes);
    this.bytes = new Uint8Array();
  }

  /** Returns the place of a line by its number in the file. */
  placeOf(number: number): string {
    return placeIn(this.file, number);
  }

  /** Returns the number of a document's line in the file. */
  numberAt(at: number): number {
    return this.first + this.rows.numberAt(at);
  }

  /** Returns the fields of a document. */
  fieldsOf({ start, bytes }: Document): JsonObject {
    if (!this.#isJson) return this.#entries?.get(start)?.read().fields ?? {};
    const { value } = readJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return typeof value === 'string' ? {} : value;
  }
}

export type Batches = AsyncGenerator<Batch, void, undefined>;

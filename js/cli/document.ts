// Documents, and the batches of the input that they are in.
import type { Outcome } from '../core/decision.js';
import { Sketch } from '../core/sketch.js';
import type { Format } from '../formats/names.js';
import type { Id } from '../index.js';
import { CELLS, isDamaged, type Job, KIND, type ReadSettings, type Result, UNREAD } from '../node/documents.js';
import { jsonLine } from '../node/errors.js';
import { BadDocument, type JsonObject, literalId, readObject, type TextDocument } from '../node/fields.js';
import { withMembers } from '../node/json.js';
import { joinTexts } from '../node/workers.js';
import type { InputIo } from './chunks.js';
import type { Original } from './original.js';

/** A line, a row, an element or a file of a batch. */
export class Line {
  readonly batch: Batch;
  /** Its number in the file: of its line, for example. */
  readonly number: number;
  /** The start and the end of its line in the bytes of the batch. */
  readonly start: number;
  readonly end: number;
  /** The reason why it is not a document; '' for a document. */
  readonly message: string;

  constructor(batch: Batch, number: number, start: number, end: number, message = '') {
    this.batch = batch;
    this.number = number;
    this.start = start;
    this.end = end;
    this.message = message;
  }

  /** Its line, with the line feed. A view made on demand: most lines are written together with their neighbours. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.batch.bytes.subarray(this.start, this.end);
  }

  get place(): string {
    return this.batch.placeOf(this.number);
  }
}

/** The maximum size in bytes of the binary sketch of a short text. The sketch of a text with more features is larger. */
const MAX_SHORT = 128;

export class Document extends Line {
  outcome: Outcome<Original> | undefined;
  /** Its key in the set of kept documents, once it is decided. */
  key: Id | undefined;
  /** Whether its annotation and its row of the report name documents by place too, since an id occurs twice. */
  isNamedByPlace = false;
  readonly id: Id | null;
  /** The length of the text in UTF-16 units. */
  readonly length: number;
  readonly sketch: Sketch;
  /** '' for none. */
  readonly scope: string;
  /** Whether the text has neither words nor symbols. */
  readonly isBlank: boolean;

  constructor(
    batch: Batch,
    id: Id | null,
    number: number,
    start: number,
    end: number,
    length: number,
    scope: string,
    [bytes, from = 0, to = bytes.length]: Parameters<typeof Sketch.of>,
  ) {
    super(batch, number, start, end);
    this.id = id;
    this.length = length;
    this.scope = scope;
    this.sketch = Sketch.of(bytes, from, to);
    // The size decides for most, and needs no copy of the bytes.
    this.isBlank = to - from <= MAX_SHORT && this.sketch.isBlank;
  }

  /** Its id, or its place if it has none. */
  get name(): Id {
    return this.id ?? this.place;
  }
}

/** The fields that --annotate adds to a document, in the order of the columns of a table. */
export type Annotation = Readonly<Record<string, string | number | null>>;

/** The table that documents are rows of, without their reader. */
export interface Table {
  /** Whether it has a column with ids. */
  readonly hasIds: boolean;
  /** The line of the header, with the byte-order mark and the line feed. */
  readonly bytes: Buffer;
  /** Returns the header with more columns. */
  annotate(names: readonly string[]): Buffer;
  /** Returns a row, which ends with a line end, with more fields. */
  append(row: Buffer, values: readonly (string | number | null)[]): Buffer;
}

/** A file or standard input, as an argument names it. */
export interface Input {
  /** `-` is standard input. */
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
  /** Undefined if it is to be recognised. */
  readonly format: Format | undefined;
  /** The delimiter of a table; undefined if it is to be recognised. */
  readonly delimiter?: string | undefined;
  /** The quotation mark of a table, or `none`; undefined for the default of the format. */
  readonly quote?: string | undefined;
  /** The encoding, as the user states it. */
  readonly encoding?: string | undefined;
  /** The path of a file that receives the unpacked content. */
  readonly copy?: string | undefined;
}

/** A file whose documents are read. */
export interface OpenFile extends Input {
  readonly format: Format;
  readonly settings: ReadSettings;
  readonly encoding: string;
  /** The byte-order mark of a file in UTF-8. */
  readonly mark: Buffer;
}

/** A line, row, element or file whose text is read without its sketch. */
export interface Entry {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** Reads the document; the text may be an HTML page. Throws a `BadDocument` if it is not a document. */
  read(): TextDocument;
}

/** Returns the place of a line, a row, an element or a file by its number. */
export function placeIn({ format, name }: Pick<OpenFile, 'format' | 'name'>, number: number): string {
  if (format === 'text' || format === 'html') return name;
  return format === 'json' ? `${name}[${number}]` : `${name}:${number}`;
}

/** Whole lines, or rows of a table. */
export interface Part {
  /** The lines as they are written. */
  bytes: Buffer<ArrayBuffer>;
  /** The number of the first line. Elements of an array count from 0, as `jq` does. */
  first?: number;
  /** The lines, rows or files, for a reader without a job. */
  entries: Iterable<Entry>;
  /** The bytes of the documents, if the lines are only names of files. */
  content?: Buffer;
}

/** Kinds of ids of a row of cells. wasm/lines/src/fields.rs has the same numbers. */
const [LITERAL, PLAIN, QUOTED] = [2, 3, 4];

/** Methods of `Buffer` that its declarations lack. They are faster than `toString` for a short string. */
interface Slices {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

const bufferOf = (bytes: Uint8Array<ArrayBuffer>): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

function readId(bytes: Slices, kind: number, start: number, end: number): Id | null {
  if (kind === LITERAL) return literalId(bytes.latin1Slice(start, end));
  if (kind === PLAIN) return bytes.latin1Slice(start, end);
  return kind === QUOTED ? JSON.parse(bytes.utf8Slice(start, end)) : null;
}

/** Reads texts for a job, and returns their ids too, or the reasons why they are not documents. */
function readTexts(entries: readonly Entry[]) {
  const texts: Buffer[] = [];
  const scopes: string[] = [];
  const known = entries.map(({ read }): Pick<TextDocument, 'id'> | { message: string } => {
    try {
      const { id, text, scope } = read();
      texts.push(Buffer.from(text));
      scopes.push(scope);
      return { id };
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      return { message: error.message };
    }
  });
  return { ...joinTexts(texts), scopes, known };
}

/** A part of a file whose documents are read together. A job makes their sketches, or the reader of `entries` their texts. */
export class Batch {
  readonly file: OpenFile;
  bytes: Uint8Array<ArrayBuffer>;
  /** The table that the documents are rows of. */
  readonly table: Table | undefined;
  /** The documents, and what is not one, in the order of the file. */
  readonly lines: Line[] = [];
  /** For a reader without a job; empty after one. */
  entries: Iterable<Entry>;
  readonly #first: number;
  /** Whether a document may contain U+FFFD. The job finds out for lines of JSON. */
  #isDamaged: boolean;
  /** The names of the text fields that the job has found. */
  #textFields: ReadonlySet<string> = new Set();
  /** The rows of a table by their numbers. */
  #rows: Map<number, Entry> | undefined;

  constructor(file: OpenFile, { bytes, first = 0, entries, content = bytes }: Part, table?: Table) {
    this.file = file;
    this.bytes = bytes;
    this.table = table;
    this.#first = first;
    this.entries = entries;
    this.#isDamaged = !this.#isJson && isDamaged(content);
  }

  get documents(): Document[] {
    return this.lines.filter((line) => line instanceof Document);
  }

  get #isJson(): boolean {
    return this.file.format === 'jsonl' || this.file.format === 'json';
  }

  get isHtml(): boolean {
    return this.file.format === 'html' || this.file.settings.html;
  }

  /** Makes the documents by a job, whose buffer `run` may transfer to a thread. Called once. */
  async open(run: (job: Job) => Promise<Result>): Promise<void> {
    const { bytes, isHtml: html, entries: given } = this;
    this.entries = [];
    if (this.#isJson) return this.#openLines(await run({ bytes, html, encoding: this.file.encoding }));
    const entries = [...given];
    const { known, ...texts } = readTexts(entries);
    const { others } = await run({ ...texts, html });
    let other = 0;
    for (const [at, { number, start, end }] of entries.entries()) {
      const read = known[at];
      this.#add('message' in read ? read : { ...others[other++], ...read }, number, start, end);
    }
    // The fields of rows may be needed again. Whole texts would take memory.
    if (this.table !== undefined) this.#rows = new Map(entries.map((entry) => [entry.number, entry]));
  }

  #openLines({ bytes, rows, sketches, others, isDamaged, textFields }: Result): void {
    this.#textFields = textFields;
    this.bytes = bytes;
    this.#isDamaged = isDamaged;
    const buffer = bufferOf(bytes) as Buffer & Slices;
    let other = 0;
    let from = 0;
    for (let at = 0; at < rows.length; at += CELLS) {
      const [number, start, end, kind] = [this.#first + rows[at], rows[at + 1], rows[at + 2], rows[at + KIND]];
      if (kind === UNREAD) {
        this.#add(others[other++], number, start, end);
        continue;
      }
      const id = readId(buffer, kind, rows[at + 4], rows[at + 5]);
      const scope = rows[at + 7] === rows[at + 8] ? '' : buffer.utf8Slice(rows[at + 7], rows[at + 8]);
      const sketch: Parameters<typeof Sketch.of> = [sketches, from, rows[at + 9]];
      this.lines.push(new Document(this, id, number, start, end, rows[at + 6], scope, sketch));
      from = rows[at + 9];
    }
  }

  /** Adds a document that the job has read, or a line that is not one. */
  #add(read: Result['others'][number], number: number, start: number, end: number): void {
    if (read.message !== undefined) {
      this.lines.push(new Line(this, number, start, end, read.message));
      return;
    }
    const { id, length, sketch, scope } = read;
    this.lines.push(new Document(this, id, number, start, end, length, scope, [sketch]));
  }

  /** Reports what is not a document, and counts documents with U+FFFD. */
  report(io: Pick<InputIo, 'reject' | 'noticed'>): void {
    for (const line of this.lines) if (line.message !== '') io.reject(line.place, line.message);
    for (const name of this.#textFields) io.noticed.textFields.add(name);
    if (!this.#isDamaged) return;
    const isWhole = ['text', 'html'].includes(this.file.format);
    io.noticed.damaged += this.documents.filter(({ bytes }) => isWhole || isDamaged(bufferOf(bytes))).length;
  }

  placeOf(number: number): string {
    return placeIn(this.file, number);
  }

  fieldsOf({ number, start, end }: Document): JsonObject {
    if (this.#isJson) return readObject(bufferOf(this.bytes).subarray(start, end)).fields;
    return this.#rows?.get(number)?.read().fields ?? {};
  }

  /** Returns a line with more fields. Without an annotation, which only documents have, it stays as it is. */
  annotate(line: Line, annotation: Annotation | undefined): Buffer {
    const { format } = this.file;
    const bytes = bufferOf(line.bytes);
    const isFile = format === 'text' || format === 'html';
    if (isFile || (format === 'lines' && annotation !== undefined)) {
      const text = isFile ? {} : { text: bytes.toString().replace(/\r?\n$/, '') };
      return Buffer.from(jsonLine({ id: line.place, ...text, ...annotation }));
    }
    if (annotation === undefined) return bytes;
    if (this.table !== undefined) return this.table.append(bytes, Object.values(annotation));
    // In Latin-1, each byte is a character, and stays as it is.
    const members = Object.entries(annotation).map(([name, value]): [string, string] => {
      return [name, Buffer.from(JSON.stringify(value)).toString('latin1')];
    });
    return Buffer.from(withMembers(bytes.toString('latin1'), new Map(members)), 'latin1');
  }
}

export type Batches = AsyncGenerator<Batch, void, undefined>;

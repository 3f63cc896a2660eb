// Documents that are rows of a table.
import { sketchOf } from '../core/sketch.js';
import type { Id, Sketch } from '../index.js';
import type { Job, ReadSettings, Result } from '../node/documents.js';
import { BadDocument, canonicalId, type JsonObject } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { type Annotation, Batch, Document, type Header, type Origin, type Piece, type TextRecord } from './document.js';
import { shorten } from './errors.js';
import type { Row, Rows } from './rows.js';

/** Returns the text of a field in Latin-1. */
const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

/** Returns the length of the line end of a row, which may be missing. */
const endLength = (row: Buffer): number =>
  (/\r\n$|[\r\n]$/.exec(row.toString('latin1', row.length - 2)) ?? [''])[0].length;

/** Returns a row with a line end. */
const ended = (row: Buffer): Buffer => (endLength(row) > 0 ? row : Buffer.concat([row, Buffer.from('\n')]));

/** A table and its columns. */
export class Table implements Header {
  readonly name: string;
  readonly columns: readonly string[];
  readonly bytes: Buffer;
  readonly settings: ReadSettings;
  readonly #delimiter: string;
  readonly #textColumns: readonly number[];
  readonly #idColumn: number;

  /** `bytes` is the line of the header. */
  constructor(name: string, header: Row, bytes: Buffer, delimiter: string, settings: ReadSettings) {
    this.name = name;
    this.columns = header.fields.map(decode);
    this.bytes = ended(bytes);
    this.settings = settings;
    this.#delimiter = delimiter;
    const { textField, idField } = settings;
    this.#idColumn = this.columns.indexOf(idField);
    this.#textColumns = textField.split(',').flatMap((field) => {
      const at = this.columns.indexOf(field);
      return at < 0 ? [] : at;
    });
    if (this.#textColumns.length > 0) return;
    const list = shorten(this.columns.map((column) => `"${column}"`).join(', '));
    throw new Error(`no column "${textField}" (--text-field); the columns are ${list}`);
  }

  annotate(names: readonly string[]): Buffer {
    const taken = names.find((name) => this.columns.includes(name));
    if (taken !== undefined) throw new UserError(`--annotate: ${this.name} has a column "${taken}" already`);
    return this.append(this.bytes, names);
  }

  /** Returns a row with more fields. */
  append(row: Buffer, values: readonly (string | number | null)[]): Buffer {
    const fields = values.map((value) => {
      const field = value === null ? '' : String(value);
      const isPlain = !/["\r\n]/.test(field) && !field.includes(this.#delimiter);
      return this.#delimiter + (isPlain ? field : `"${field.replaceAll('"', '""')}"`);
    });
    const end = row.length - endLength(row);
    return Buffer.concat([row.subarray(0, end), Buffer.from(fields.join('')), row.subarray(end)]);
  }

  /** Returns whether a row has a field for each column. */
  hasFieldsOf({ fields }: Row): boolean {
    return fields.length === this.columns.length;
  }

  /** Returns the message for a row without a field for each column. */
  lackOf(fields: readonly string[]): string {
    return `a row must have ${this.columns.length} fields, as the header has, got ${fields.length}`;
  }

  fieldsOf({ fields }: Row): JsonObject {
    return Object.fromEntries(fields.map((field, at) => [this.columns[at], decode(field)]));
  }

  /** Returns the text of a row. Throws a `BadDocument` for one without a field for each column. */
  textIn(fields: readonly string[]): string {
    if (fields.length !== this.columns.length) throw new BadDocument(this.lackOf(fields));
    return decode(this.textOf(fields));
  }

  /** Returns the text of a row in Latin-1. */
  textOf(fields: readonly string[]): string {
    const texts = this.#textColumns.map((at) => fields[at]);
    return texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n');
  }

  /** Returns the id of a row; null if it has none. */
  idOf({ fields }: Row): Id | null {
    const field = fields[this.#idColumn] ?? '';
    return field === '' ? null : canonicalId(decode(field));
  }

  /** Returns the place of the row that begins with a line. */
  placeOf(line: number): string {
    return `${this.name}:${line}`;
  }
}

class RowDocuments extends Batch {
  override readonly header: Table;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The rows of documents, by their lines. */
  readonly #rows = new Map<number, Row>();

  constructor(table: Table, bytes: Buffer<ArrayBuffer>) {
    super();
    this.header = table;
    this.bytes = bytes;
  }

  get file(): string {
    return this.header.name;
  }

  placeOf(number: number): string {
    return this.header.placeOf(number);
  }

  add(row: Row, length: number, sketch: Sketch): void {
    this.#rows.set(row.line, row);
    this.documents.push(new Document(this, this.header.idOf(row), row.line, row.start, row.end, length, sketch));
  }

  fieldsOf({ number }: Document): JsonObject {
    return this.header.fieldsOf(this.#rows.get(number) as Row);
  }

  annotate({ start, end }: Document, annotation: Annotation): Buffer {
    return this.header.append(
      this.bytes.subarray(start, end),
      annotation.map(([, value]) => value),
    );
  }
}

/** Rows that are read together. */
export class RowPiece implements Piece {
  readonly job: Job;
  readonly origin: Origin | undefined;
  readonly #table: Table;
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #rows: readonly Row[];

  constructor(table: Table, { bytes, rows }: Omit<Rows, 'position'>, origin?: Origin) {
    this.origin = origin;
    this.#table = table;
    this.#bytes = bytes;
    this.#rows = rows;
    const texts = rows.filter((row) => table.hasFieldsOf(row)).map((row) => table.textOf(row.fields));
    const job = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    const ends = texts.map((text) => {
      end += job.write(text, end, 'latin1');
      return end;
    });
    this.job = { bytes: job, ends, html: table.settings.html };
  }

  open({ others }: Result): Batch {
    const batch = new RowDocuments(this.#table, this.#bytes);
    let at = 0;
    for (const row of this.#rows) {
      if (!this.#table.hasFieldsOf(row)) {
        batch.reject(row.line, this.#table.lackOf(row.fields));
        continue;
      }
      const read = others[at++];
      if (read.message !== undefined) batch.reject(row.line, read.message);
      else batch.add(row, read.length, sketchOf(read.sketch));
    }
    return batch;
  }

  *records(): Generator<TextRecord, void, undefined> {
    const table = this.#table;
    for (const row of this.#rows) {
      yield {
        file: table.name,
        place: table.placeOf(row.line),
        read() {
          const text = table.textIn(row.fields);
          return { id: table.idOf(row), text, fields: table.fieldsOf(row) };
        },
      };
    }
  }
}

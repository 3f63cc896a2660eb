// Documents that are rows of a table.
import type { Id } from '../index.js';
import type { Job, Result, TextDocument } from '../node/documents.js';
import { BadDocument, canonicalId, type FieldNames, type JsonObject } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { type Annotation, Batch, type Document, type Header, jobOf, type Origin, type TextRecord } from './document.js';
import { shorten } from './errors.js';
import type { Row, Rows } from './rows.js';

/** Returns the text of a field in Latin-1. */
const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

/** A table and its columns. */
export class Table implements Header {
  readonly name: string;
  readonly columns: readonly string[];
  readonly bytes: Buffer;
  readonly #delimiter: string;
  readonly #textColumns: readonly number[];
  readonly #idColumn: number;

  /** `bytes` is the line of the header. */
  constructor(name: string, header: Row, bytes: Buffer, delimiter: string, { textField, idField }: FieldNames) {
    this.name = name;
    this.columns = header.fields.map(decode);
    this.bytes = bytes;
    this.#delimiter = delimiter;
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

  /** Returns a row, which ends with a line end, with more fields. */
  append(row: Buffer, values: readonly (string | number | null)[]): Buffer {
    const fields = values.map((value) => {
      const field = value === null ? '' : String(value);
      const isPlain = !/["\r\n]/.test(field) && !field.includes(this.#delimiter);
      return this.#delimiter + (isPlain ? field : `"${field.replaceAll('"', '""')}"`);
    });
    const end = row.length - (row.toString('latin1', row.length - 2) === '\r\n' ? 2 : 1);
    return Buffer.concat([row.subarray(0, end), Buffer.from(fields.join('')), row.subarray(end)]);
  }

  /** Returns the message for a row without a field for each column; undefined for another row. */
  lackOf({ length }: readonly string[]): string | undefined {
    const { columns } = this;
    if (length === columns.length) return undefined;
    return `a row must have ${columns.length} fields, as the header has, got ${length}`;
  }

  /** Reads a row. Throws a `BadDocument` for one without a field for each column. */
  read(fields: readonly string[]): TextDocument {
    const lack = this.lackOf(fields);
    if (lack !== undefined) throw new BadDocument(lack);
    return { id: this.idOf(fields), text: this.textOf(fields).toString(), fields: this.fieldsOf(fields) };
  }

  fieldsOf(fields: readonly string[]): JsonObject {
    return Object.fromEntries(fields.map((field, at) => [this.columns[at], decode(field)]));
  }

  /** Returns the text of a row in UTF-8. */
  textOf(fields: readonly string[]): Buffer {
    const texts = this.#textColumns.map((at) => fields[at]);
    return Buffer.from(texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n'), 'latin1');
  }

  /** Returns the id of a row; null if it has none. */
  idOf(fields: readonly string[]): Id | null {
    const field = fields[this.#idColumn] ?? '';
    return field === '' ? null : canonicalId(decode(field));
  }
}

/** Rows that are read together. */
export class RowBatch extends Batch {
  override readonly header: Table;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The rows by their lines, in order. */
  readonly #rows: ReadonlyMap<number, Row>;

  constructor(table: Table, { bytes, rows }: Rows, isHtml: boolean, origin?: Origin) {
    super(table.name, isHtml, origin);
    this.header = table;
    this.bytes = bytes;
    this.#rows = new Map(rows.map((row) => [row.line, row]));
  }

  takeJob(): Job {
    const { header } = this;
    const texts = Array.from(this.#rows.values(), ({ fields }) => {
      return header.lackOf(fields) === undefined ? header.textOf(fields) : Buffer.alloc(0);
    });
    return jobOf(texts, this.isHtml);
  }

  open({ others }: Result): void {
    let at = 0;
    for (const { fields, line, start, end } of this.#rows.values()) {
      const message = this.header.lackOf(fields);
      this.add(message === undefined ? others[at] : { message }, this.header.idOf(fields), line, start, end);
      at++;
    }
  }

  fieldsOf({ number }: Document): JsonObject {
    return this.header.fieldsOf((this.#rows.get(number) as Row).fields);
  }

  annotate({ start, end }: Document, annotation: Annotation): Buffer {
    const values = annotation.map(([, value]) => value);
    return this.header.append(this.bytes.subarray(start, end), values);
  }

  *records(): Generator<TextRecord, void, undefined> {
    for (const { fields, line } of this.#rows.values()) yield { number: line, read: () => this.header.read(fields) };
  }
}

// Documents that are rows of a table.
import type { Id } from '../index.js';
import type { Job, Result } from '../node/documents.js';
import { BadDocument, canonicalId, type JsonObject } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { joinTexts } from '../node/workers.js';
import { type Annotation, Batch, type Document, type OpenFile, type TextRecord } from './document.js';
import { shorten } from './errors.js';
import type { Row, Rows } from './rows.js';

/** Returns the text of a field in Latin-1. */
const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

export class Table {
  readonly columns: readonly string[];
  /** The line of the header, with its line feed. */
  readonly bytes: Buffer;
  readonly #file: OpenFile;
  readonly #delimiter: string;
  readonly #textColumns: readonly number[];
  readonly #idColumn: number;
  readonly #scopeColumn: number;

  constructor(file: OpenFile, header: Row, bytes: Buffer, delimiter: string) {
    const { textField, idField, scopeField } = file.settings;
    this.#file = file;
    this.columns = header.fields.map(decode);
    this.bytes = bytes;
    this.#delimiter = delimiter;
    this.#idColumn = this.columns.indexOf(idField);
    this.#textColumns = textField.split(',').flatMap((field) => {
      const at = this.columns.indexOf(field);
      return at < 0 ? [] : at;
    });
    this.#scopeColumn = scopeField === undefined ? -1 : this.columns.indexOf(scopeField);
    const hasText = this.#textColumns.length > 0;
    if (hasText && (scopeField === undefined || this.#scopeColumn >= 0)) return;
    const missing = hasText ? `"${scopeField}" (--scope-field)` : `"${textField}" (--text-field)`;
    const list = shorten(this.columns.map((column) => `"${column}"`).join(', '));
    throw new Error(`no column ${missing}; the columns are ${list}`);
  }

  /** Returns the line of the header with more columns. */
  annotate(names: readonly string[]): Buffer {
    const taken = names.find((name) => this.columns.includes(name));
    if (taken !== undefined) throw new UserError(`--annotate: ${this.#file.name} has a column "${taken}" already`);
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

  /** Returns the text of a row in UTF-8. Throws a `BadDocument` for one without a field for each column. */
  textIn(fields: readonly string[]): Buffer {
    const lack = this.lackOf(fields);
    if (lack !== undefined) throw new BadDocument(lack);
    const texts = this.#textColumns.map((at) => fields[at]);
    return Buffer.from(texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n'), 'latin1');
  }

  fieldsOf(fields: readonly string[]): JsonObject {
    return Object.fromEntries(fields.map((field, at) => [this.columns[at], decode(field)]));
  }

  /** Returns the id of a row; null if it has none. */
  idOf(fields: readonly string[]): Id | null {
    const field = fields[this.#idColumn] ?? '';
    return field === '' ? null : canonicalId(decode(field));
  }

  /** Returns the scope of a row; '' if it has none. */
  scopeOf(fields: readonly string[]): string {
    return decode(fields[this.#scopeColumn] ?? '');
  }
}

/** Rows that are read together. */
export class RowBatch extends Batch {
  override readonly header: Table;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The rows with a field for each column by their lines, in order. */
  readonly #rows = new Map<number, Row>();

  constructor(file: OpenFile, table: Table, { position, bytes, rows }: Rows) {
    super(file, position);
    this.header = table;
    this.bytes = bytes;
    for (const row of rows) {
      const message = table.lackOf(row.fields);
      if (message === undefined) this.#rows.set(row.line, row);
      else this.rejected.push({ number: row.line, message });
    }
  }

  takeJob(): Job {
    const rows = [...this.#rows.values()];
    const texts = joinTexts(rows.map(({ fields }) => this.header.textIn(fields)));
    const hasScopes = this.file.settings.scopeField !== undefined;
    const scopes = hasScopes ? rows.map(({ fields }) => this.header.scopeOf(fields)) : undefined;
    return { ...texts, scopes, html: this.isHtml };
  }

  open({ others }: Result): void {
    let at = 0;
    for (const { fields, line, start, end } of this.#rows.values()) {
      this.add(others[at++], this.header.idOf(fields), line, start, end);
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
    const { header } = this;
    for (const { fields, line } of this.#rows.values()) {
      const read = () => ({
        id: header.idOf(fields),
        text: `${header.textIn(fields)}`,
        scope: header.scopeOf(fields),
        fields: header.fieldsOf(fields),
      });
      yield { number: line, read };
    }
  }
}

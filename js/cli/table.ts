// Documents that are rows of a table.
import { isUtf8 } from 'node:buffer';
import { type Dialect, fieldsOf, RowEnds, withoutEnd } from '../formats/rows.js';
import type { TextDocument } from '../node/documents.js';
import { BadDocument, invalidBytes } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import { Batch, type Header, type OpenFile } from './document.js';
import { checkedText } from './encoding.js';
import { shorten } from './errors.js';
import type { Rows } from './rows.js';

const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

export class Table implements Header {
  readonly columns: readonly string[];
  readonly bytes: Buffer;
  readonly #file: OpenFile;
  readonly #dialect: Dialect;
  readonly #textColumns: readonly number[];
  readonly #idColumn: number;
  readonly #scopeColumn: number;

  constructor(file: OpenFile, header: Buffer, dialect: Dialect) {
    const { textField, idField, scopeField } = file.settings;
    if (!isUtf8(header)) throw new Error(`the header: ${invalidBytes(file.encoding)}`);
    this.#file = file;
    this.#dialect = dialect;
    this.columns = this.#fieldsOf(header).map(decode);
    this.bytes = Buffer.concat([file.mark, header]);
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

  annotate(names: readonly string[]): Buffer {
    const taken = names.find((name) => this.columns.includes(name));
    if (taken !== undefined) throw new UserError(`--annotate: ${this.#file.name} has a column "${taken}" already`);
    return this.append(this.bytes, names);
  }

  append(row: Buffer, values: readonly (string | number | null)[]): Buffer {
    const { delimiter, quote } = this.#dialect;
    const fields = values.map((value) => {
      const field = value === null ? '' : String(value);
      // Without quotes, no field can have a delimiter.
      if (quote === null) return delimiter + field.replaceAll(delimiter, ' ').replace(/[\r\n]/g, ' ');
      const isPlain = !/[\r\n]/.test(field) && !field.includes(delimiter) && !field.includes(quote);
      return delimiter + (isPlain ? field : quote + field.replaceAll(quote, quote + quote) + quote);
    });
    const end = row.length - (row.toString('latin1', row.length - 2) === '\r\n' ? 2 : 1);
    return Buffer.concat([row.subarray(0, end), Buffer.from(fields.join('')), row.subarray(end)]);
  }

  /** Returns the fields of a row in Latin-1. */
  #fieldsOf(row: Buffer): string[] {
    return fieldsOf(withoutEnd(row.toString('latin1')), this.#dialect);
  }

  /** Reads the row that bytes begin with. Throws a `BadDocument` as `read` does. */
  readFirst(bytes: Buffer): TextDocument {
    const [end] = new RowEnds(this.#dialect).endsIn(bytes.toString('latin1'));
    return this.read(bytes.subarray(0, end));
  }

  /** Reads a row. Throws a `BadDocument` for a row without a field for each column. */
  read(row: Buffer): TextDocument {
    const { columns } = this;
    const fields = this.#fieldsOf(row);
    if (fields.length !== columns.length)
      throw new BadDocument(`a row must have ${columns.length} fields, as the header has, got ${fields.length}`);
    const texts = this.#textColumns.map((at) => fields[at]);
    const id = fields[this.#idColumn] ?? '';
    return {
      id: id === '' ? null : decode(id),
      text: decode(texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n')),
      scope: decode(fields[this.#scopeColumn] ?? ''),
      get fields() {
        return Object.fromEntries(fields.map((field, at) => [columns[at], decode(field)]));
      },
    };
  }

  batchOf({ bytes, position, rows }: Rows): Batch {
    const isValid = isUtf8(bytes);
    const entries = rows.map(({ line, start, end }) => {
      const read = () => {
        const row = bytes.subarray(start, end);
        if (!isValid) checkedText(row, this.#file);
        return this.read(row);
      };
      return { number: line, start, end, read };
    });
    return new Batch(this.#file, { bytes, position, first: 0, entries }, this);
  }
}

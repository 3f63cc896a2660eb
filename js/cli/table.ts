// The table of a file: its columns, and what is read from a row or added to it.
import { isUtf8 } from 'node:buffer';
import { type Dialect, fieldsOf, joinedRows, withoutEnd } from '../formats/rows.js';
import type { LineSpan } from '../node/document-rows.js';
import { shorten, UserError } from '../node/errors.js';
import { BadDocument, DEFAULT_ID_FIELD, invalidBytes, type TextDocument } from '../node/fields.js';
import type { ReadSettings } from '../node/job.js';
import { checkedText } from './encoding.js';
import type { OpenFile } from './input-file.js';
import type { Entry } from './part.js';
import { UnfitFile } from './skipped-files.js';

/** The end of a message about a table that is read without quotation marks. */
const READS_QUOTED = `--quote '"' reads fields in quotation marks`;

/** Returns the form of a short value, such as a number or a date: its letters and digits are replaced. */
const shapeOf = (value: string): string => value.replace(/\d+/g, '0').replace(/[a-z\x80-\xff]+/gi, 'a');

const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

/** Throws if the header is not valid UTF-8, or if its rows end with carriage returns alone: all rows would then be in it. */
function checkHeader(header: Buffer, { quote }: Dialect, encoding: string): void {
  if (!isUtf8(header)) throw new Error(`the header: ${invalidBytes(encoding)}`);
  // The even parts are outside quotation marks.
  const parts = quote === null ? [header.toString('latin1')] : header.toString('latin1').split(quote);
  if (parts.some((part, at) => at % 2 === 0 && /\r(?![\r\n])/.test(part)))
    throw new Error("the rows end with carriage returns alone; tr '\\r' '\\n' makes line feeds of them");
}

/**
 * Throws if a column that an option names is missing, or if two columns have its name. A table without the text is an
 * `UnfitFile`.
 */
function checkColumns(columns: readonly string[], settings: ReadSettings, { quote }: Dialect): void {
  const { textField, idField, scopeField, keepField } = settings;
  const needed = textField.split(',').map((name) => [name, '--text-field']);
  if (scopeField !== undefined) needed.push([scopeField, '--scope-field']);
  if (idField !== DEFAULT_ID_FIELD) needed.push([idField, '--id-field']);
  const missing = needed.find(([name]) => !columns.includes(name));
  if (missing !== undefined) {
    const list = shorten(columns.map((column) => `"${column}"`).join(', '));
    const isQuoted = quote === null && columns.some((column) => /^".*"$/.test(column));
    const advice = isQuoted ? `; ${READS_QUOTED}` : '';
    const isOther = missing[1] === '--text-field' && !isQuoted;
    const message = `no column "${missing[0]}" (${missing[1]}); the columns are ${list}${advice}`;
    throw isOther ? new UnfitFile(message) : new Error(message);
  }
  const used = [...needed, [idField, '--id-field'], [keepField, '--keep-max, --keep-min']];
  const twice = used.find(([name]) => name !== undefined && columns.indexOf(name) !== columns.lastIndexOf(name));
  if (twice !== undefined) throw new Error(`two columns are named "${twice[0]}" (${twice[1]}): rename one of them`);
}

export class Table {
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** The line of the header, with the byte-order mark and the line feed. */
  readonly bytes: Buffer;
  readonly #file: OpenFile;
  readonly #dialect: Dialect;
  readonly #idColumn: number;
  readonly #scopeColumn: number;
  readonly #textColumns: readonly number[];
  /** The columns without the text. */
  readonly #otherColumns: readonly number[];

  /** `header` is a line with its line end. */
  constructor(file: OpenFile, header: Buffer, dialect: Dialect) {
    [this.#file, this.#dialect] = [file, dialect];
    checkHeader(header, dialect, file.encoding);
    this.columns = this.#cellsOf(header).map(decode);
    checkColumns(this.columns, file.settings, dialect);
    this.bytes = Buffer.concat([file.start, header]);
    const { textField, idField, scopeField } = file.settings;
    this.#idColumn = this.columns.indexOf(idField);
    this.#scopeColumn = scopeField === undefined ? -1 : this.columns.indexOf(scopeField);
    this.#textColumns = textField.split(',').map((field) => this.columns.indexOf(field));
    this.#otherColumns = [...this.columns.keys()].filter((at) => !this.#textColumns.includes(at));
  }

  /** Returns the fields of a row in Latin-1. */
  #cellsOf(row: Buffer): string[] {
    return fieldsOf(withoutEnd(row.toString('latin1')), this.#dialect);
  }

  /** Returns the header with more columns. */
  annotate(names: readonly string[]): Buffer {
    const taken = names.find((name) => this.columns.includes(name));
    if (taken !== undefined) throw new UserError(`--annotate: ${this.#file.name} has a column "${taken}" already`);
    return this.append(this.bytes, names);
  }

  /** Returns a row, which ends with a line end, with more fields. */
  append(row: Buffer, values: readonly (string | number | null)[]): Buffer {
    const { delimiter, quote } = this.#dialect;
    const fields = values.map((value) => {
      const field = String(value ?? '');
      // Without quotes, no field can have a delimiter.
      if (quote === null) return delimiter + field.replaceAll(delimiter, ' ').replace(/[\r\n]/g, ' ');
      const isPlain = !/[\r\n]/.test(field) && !field.includes(delimiter) && !field.includes(quote);
      return delimiter + (isPlain ? field : quote + field.replaceAll(quote, quote + quote) + quote);
    });
    const end = row.length - (row.toString('latin1', row.length - 2) === '\r\n' ? 2 : 1);
    return Buffer.concat([row.subarray(0, end), Buffer.from(fields.join('')), row.subarray(end)]);
  }

  /** Returns what a row with another number of fields probably has, for a message; '' if it has nothing special. */
  #adviceFor(row: Buffer): string {
    const { quote } = this.#dialect;
    if (quote === null) return row.includes('"') ? `; ${READS_QUOTED}` : '';
    const escaped = `\\${quote}`;
    return row.includes(escaped)
      ? `; it has ${escaped}, and in CSV, ${quote}${quote} is a quotation mark within quotation marks: sed 's/\\\\${quote}/${quote}${quote}/g' replaces them`
      : '';
  }

  /** Reads a row. Throws a `BadDocument` for a row without a field for each column. */
  #read(row: Buffer): TextDocument {
    const { columns } = this;
    const cells = this.#cellsOf(row);
    if (cells.length !== columns.length)
      throw new BadDocument(
        `a row must have ${columns.length} fields, as the header has, got ${cells.length}${this.#adviceFor(row)}`,
      );
    const texts = this.#textColumns.map((at) => cells[at]);
    const id = cells[this.#idColumn] ?? '';
    return {
      id: id === '' ? null : decode(id),
      text: decode(texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n')),
      scope: decode(cells[this.#scopeColumn] ?? ''),
      get fields() {
        return Object.fromEntries(cells.map((cell, at) => [columns[at], decode(cell)]));
      },
    };
  }

  /** Returns the entry of a row. `isValid` states that all of `bytes` is valid UTF-8, so the row is not checked. */
  entryOf(bytes: Buffer, { number, start, end }: LineSpan, isValid: boolean): Entry {
    const read = () => {
      const row = bytes.subarray(start, end);
      if (!isValid) checkedText(row, this.#file.encoding);
      return this.#read(row);
    };
    return { number, start, end, read };
  }

  /** Returns the number of rows that a stray quotation mark has probably joined to a row of several lines. */
  joinedTo(row: Buffer): number {
    const own = this.#cellsOf(row);
    const shapes = this.#otherColumns.map((at) => ({ at, shape: shapeOf(own[at] ?? '') }));
    const isAlike = (line: readonly string[]) => shapes.every(({ at, shape }) => shapeOf(line[at]) === shape);
    return joinedRows(row.toString('latin1'), this.#dialect, this.columns.length, isAlike);
  }
}

// Documents that are rows of a table.
import { isUtf8 } from 'node:buffer';
import { type Dialect, fieldsOf, joinedRows, RowEnds, withoutEnd } from '../formats/rows.js';
import { LINE_FEED } from '../node/documents.js';
import { shorten, UserError } from '../node/errors.js';
import { BadDocument, DEFAULT_ID_FIELD, type TextDocument } from '../node/fields.js';
import { invalidBytes } from '../node/wrong-bytes.js';
import { countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';
import { Batch, type Batches, type Entry, type OpenFile } from './document.js';
import { checkedText } from './encoding.js';
import type { Chunks } from './streams.js';

/** The end of a message about a row without an end. */
const rest = 'the rest of the file is not read (if quotation marks are plain characters in it: --quote none)';

/** The end of a message about a table that is read without quotation marks. */
const READS_QUOTED = `--quote '"' reads fields in quotation marks`;

/** Returns the form of a short value, such as a number or a date: its letters and digits are replaced. */
const shapeOf = (value: string): string => value.replace(/\d+/g, '0').replace(/[a-z\x80-\xff]+/gi, 'a');

/** More fields of a row would take too much memory. */
const MAX_FIELDS = 1_000_000;

const decode = (field: string): string => Buffer.from(field, 'latin1').toString();

type OpenTable = ReturnType<typeof openTable>;

/** Returns the table of a header, a line with its line end. */
function openTable(file: OpenFile, header: Buffer, dialect: Dialect) {
  const { textField, idField, scopeField, keepField } = file.settings;
  const { delimiter, quote } = dialect;
  if (!isUtf8(header)) throw new Error(`the header: ${invalidBytes(file.encoding, header)}`);
  // Else all rows would be in the header. The even parts are outside quotation marks.
  const parts = quote === null ? [header.toString('latin1')] : header.toString('latin1').split(quote);
  if (parts.some((part, at) => at % 2 === 0 && /\r(?![\r\n])/.test(part)))
    throw new Error("the rows end with carriage returns alone; tr '\\r' '\\n' makes line feeds of them");

  /** Returns the fields of a row in Latin-1. */
  const cellsOf = (row: Buffer): string[] => fieldsOf(withoutEnd(row.toString('latin1')), dialect);

  const columns = cellsOf(header).map(decode);
  const isQuoted = quote === null && columns.some((column) => /^".*"$/.test(column));
  const idColumn = columns.indexOf(idField);
  const scopeColumn = scopeField === undefined ? -1 : columns.indexOf(scopeField);
  const textNames = textField.split(',');
  const textColumns = textNames.map((field) => columns.indexOf(field));
  const needed = textNames.map((name) => [name, '--text-field']);
  if (scopeField !== undefined) needed.push([scopeField, '--scope-field']);
  if (idField !== DEFAULT_ID_FIELD) needed.push([idField, '--id-field']);
  const missing = needed.find(([name]) => !columns.includes(name));
  if (missing !== undefined) {
    const list = shorten(columns.map((column) => `"${column}"`).join(', '));
    const advice = isQuoted ? `; ${READS_QUOTED}` : '';
    throw new Error(`no column "${missing[0]}" (${missing[1]}); the columns are ${list}${advice}`);
  }
  const used = [...needed, [idField, '--id-field'], [keepField, '--keep-max, --keep-min']];
  const twice = used.find(([name]) => name !== undefined && columns.indexOf(name) !== columns.lastIndexOf(name));
  if (twice !== undefined) throw new Error(`two columns are named "${twice[0]}" (${twice[1]}): rename one of them`);

  const bytes = Buffer.concat([file.start, header]);

  function annotate(names: readonly string[]): Buffer {
    const taken = names.find((name) => columns.includes(name));
    if (taken !== undefined) throw new UserError(`--annotate: ${file.name} has a column "${taken}" already`);
    return append(bytes, names);
  }

  function append(row: Buffer, values: readonly (string | number | null)[]): Buffer {
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
  function adviceFor(row: Buffer): string {
    if (quote === null) return row.includes('"') ? `; ${READS_QUOTED}` : '';
    const escaped = `\\${quote}`;
    return row.includes(escaped)
      ? `; it has ${escaped}, and in CSV, ${quote}${quote} is a quotation mark within quotation marks: sed 's/\\\\${quote}/${quote}${quote}/g' replaces them`
      : '';
  }

  /** Reads a row. Throws a `BadDocument` for a row without a field for each column. */
  function read(row: Buffer): TextDocument {
    const cells = cellsOf(row);
    if (cells.length !== columns.length)
      throw new BadDocument(
        `a row must have ${columns.length} fields, as the header has, got ${cells.length}${adviceFor(row)}`,
      );
    const texts = textColumns.map((at) => cells[at]);
    const id = cells[idColumn] ?? '';
    return {
      id: id === '' ? null : decode(id),
      text: decode(texts.length === 1 ? texts[0] : texts.filter((text) => text !== '').join('\n')),
      scope: decode(cells[scopeColumn] ?? ''),
      get fields() {
        return Object.fromEntries(cells.map((cell, at) => [columns[at], decode(cell)]));
      },
    };
  }

  /** Returns the entry of a row. `isValid` states that all of `bytes` is valid UTF-8, so the row is not checked. */
  function entryOf(bytes: Buffer, isValid: boolean, number: number, start: number, end: number): Entry {
    const readRow = () => {
      const row = bytes.subarray(start, end);
      if (!isValid) checkedText(row, file, bytes);
      return read(row);
    };
    return { number, start, end, read: readRow };
  }

  const others = columns.flatMap((_, at) => (textColumns.includes(at) ? [] : [at]));

  /** Returns the number of rows that a stray quotation mark has probably joined to a row of several lines. */
  function joinedTo(row: Buffer): number {
    const [own, text] = [cellsOf(row), row.toString('latin1')];
    const isAlike = (line: readonly string[]) => others.every((at) => shapeOf(line[at]) === shapeOf(own[at] ?? ''));
    return joinedRows(text, dialect, columns.length, isAlike);
  }

  return { columns, hasIds: idColumn >= 0, bytes, annotate, append, entryOf, joinedTo };
}

const isBlank = (row: Buffer): boolean => row.length === 1 || (row.length === 2 && row[0] === 13);

/** Yields the rows of a file in batches as they arrive, without blank lines. `accept` receives the table before its rows. */
export async function* rowBatches(
  file: OpenFile,
  dialect: Dialect,
  content: Chunks,
  io: InputIo,
  accept: (table: OpenTable) => void,
): Batches {
  const rowEnds = new RowEnds(dialect);
  let table: OpenTable | undefined;
  /** The start of a row whose end has not been read, its length, and its line. */
  let held: Buffer[] = [];
  let [size, line] = [0, 1 + countOf(file.start, LINE_FEED)];

  const batch = (chunk: Buffer, ends: readonly number[]): Batch => {
    const last = ends.at(-1) as number;
    const bytes = Buffer.concat([...held, chunk.subarray(0, last)]);
    const isValid = isUtf8(bytes);
    const entries: Entry[] = [];
    let start = 0;
    for (const each of ends) {
      const end = size + each;
      const row = bytes.subarray(start, end);
      const feeds = countOf(row, LINE_FEED);
      if (!isBlank(row)) {
        if (table !== undefined) entries.push(table.entryOf(bytes, isValid, line, start, end));
        else {
          table = openTable(file, row, dialect);
          accept(table);
        }
        const joined = feeds > 1 ? table.joinedTo(row) : 0;
        io.noticed.joinedRows += joined;
        if (joined > io.noticed.longest.rows) io.noticed.longest = { place: `${file.name}:${line}`, rows: joined };
      }
      line += feeds;
      start = end;
    }
    const lines = new Batch(file, { bytes, entries }, table);
    [held, size] = [[chunk.subarray(last)], chunk.length - last];
    return lines;
  };

  for await (const chunk of content) {
    const ends = rowEnds.endsIn(chunk.toString('latin1'));
    if (ends.length > 0) yield batch(chunk, ends);
    else {
      held.push(chunk);
      size += chunk.length;
    }
    if (size <= MAX_DOCUMENT && rowEnds.fields <= MAX_FIELDS) continue;
    const limit = size > MAX_DOCUMENT ? `${MAX_DOCUMENT >> 20} MiB` : '1,000,000 delimiters';
    io.reject(`${file.name}:${line}`, `a row of more than ${limit}; ${rest}`);
    return;
  }
  // After a signal, the last row is incomplete.
  if (io.signal.aborted || size === 0) return;
  if (rowEnds.isQuoted) io.reject(`${file.name}:${line}`, `the row has no closing quotation mark; ${rest}`);
  else yield batch(Buffer.of(LINE_FEED), [1]);
}

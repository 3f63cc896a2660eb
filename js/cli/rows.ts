// The rows of CSV and TSV. The parser is csv-parse; its fields are Latin-1, so that each byte is a character.
import { type Info, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { BadDocument } from '../node/fields.js';
import { type Chunks, countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';
import { attempt } from './file-system.js';

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** The end of a message about a row without an end. */
const rest = 'the rest of the file is not read (if quotation marks are plain characters in it: --quote none)';

/** More delimiters in a row would take too much memory. */
const MAX_DELIMITERS = 1_000_000;

export interface Row {
  /** The number of its first line. */
  line: number;
  /** Its bytes in the bytes of the batch, with the line feed if it has one. */
  start: number;
  end: number;
  /** In Latin-1. */
  fields: string[];
}

/** Whole rows of a file. */
export interface Rows {
  /** The position of the first byte in the content. */
  position: number;
  bytes: Buffer<ArrayBuffer>;
  rows: Row[];
}

/** How a table is written. */
export interface Dialect {
  delimiter: string;
  /** Null if quotation marks are plain characters. */
  quote: string | null;
}

/** Returns the delimiter that the header of a table, which its first bytes begin with, has most often. */
export function delimiterOf(head: Buffer): string {
  const [line] = head.toString('latin1').split(/[\r\n]/, 1);
  const names = line.replace(/"(?:[^"]|"")*"/g, '');
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, times: names.split(delimiter).length }));
  return counted.reduce((best, each) => (each.times > best.times ? each : best)).delimiter;
}

/** The parser of csv-parse without its stream, which would copy each row to queues. The declarations of the package lack it. */
interface Api {
  info: Info;
  /** Parses the next bytes, or the end. Returns an error. */
  parse(bytes: Buffer | undefined, isEnd: boolean, push: (fields: string[]) => void, stop: () => void): unknown;
}

const optionsOf = ({ delimiter, quote }: Dialect): Options => ({
  delimiter,
  quote,
  escape: quote ?? '"',
  encoding: 'latin1',
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  // A quotation mark within a field is a character, unless the field begins with one.
  relax_quotes: true,
  skip_empty_lines: true,
});

/** Returns a function that parses the next bytes, or the end without them. `push` receives rows, and their ends in the file. */
function parserOf(dialect: Dialect, push: (fields: string[], end: number) => void) {
  const { api } = new Parser(optionsOf(dialect)) as unknown as { api: Api };
  return (bytes?: Buffer): unknown => {
    // For a row with another number of fields, the library creates an error and ignores it. Its stack trace would take time.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    const add = (fields: string[]) => push(fields, api.info.bytes);
    const error = api.parse(bytes, bytes === undefined, add, () => {});
    Error.stackTraceLimit = limit;
    return error;
  };
}

/** Returns the fields of the row that bytes begin with, in Latin-1. Throws a `BadDocument` for other bytes. */
export function firstRow(bytes: Buffer, dialect: Dialect): string[] {
  // `parse` throws if the last field has no closing quotation mark.
  const [fields] = attempt(() => parse(bytes, { ...optionsOf(dialect), to: 1 })) ?? [];
  if (fields === undefined) throw new BadDocument('no row');
  return fields;
}

/** Yields the rows of a file as they arrive, without blank lines. The first is the header. Each ends with a line end. */
export async function* rowsOf(
  content: Chunks,
  dialect: Dialect,
  name: string,
  io: InputIo,
): AsyncGenerator<Rows, void, undefined> {
  /** The start of a row whose end has not been read, where it is in the file, and in which line. */
  let held: Buffer[] = [];
  let [position, line, size, delimiters] = [0, 1, 0, 0];
  /** The fields of rows, and their ends in the file. */
  let found: { fields: string[]; end: number }[] = [];
  const parseNext = parserOf(dialect, (fields, end) => found.push({ fields, end }));

  /** Returns the rows that are found. */
  const take = (): Rows => {
    const bytes = Buffer.concat(held);
    let at = 0;
    const rows = found.map(({ fields, end }): Row => {
      // Blank lines before the row.
      for (; bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN; at++) if (bytes[at] === LINE_FEED) line++;
      const row = { line, start: at, end: end - position, fields };
      at = row.end;
      const feeds = countOf(bytes.subarray(row.start, at), LINE_FEED);
      line += feeds;
      io.noticed.rows++;
      io.noticed.quotedBreaks += feeds - 1;
      return row;
    });
    found = [];
    held = [bytes.subarray(at)];
    [size, delimiters] = [bytes.length - at, 0];
    position += at;
    return { position: position - at, bytes: bytes.subarray(0, at), rows };
  };

  for await (const chunk of content) {
    held.push(chunk);
    size += chunk.length;
    const error = parseNext(chunk);
    if (error !== undefined) throw error;
    if (found.length > 0) {
      yield take();
      continue;
    }
    delimiters += countOf(chunk, dialect.delimiter.charCodeAt(0));
    if (size > MAX_DOCUMENT || delimiters > MAX_DELIMITERS) {
      const limit = size > MAX_DOCUMENT ? `${MAX_DOCUMENT >> 20} MiB` : '1,000,000 delimiters';
      io.reject(`${name}:${line}`, `a row of more than ${limit}; ${rest}`);
      return;
    }
  }
  // After a signal, the last row is incomplete.
  if (io.signal.aborted) return;
  const end = Buffer.of(LINE_FEED);
  if (size > 0 && held.at(-1)?.at(-1) !== LINE_FEED) {
    held.push(end);
    parseNext(end);
  }
  if (parseNext() !== undefined) {
    io.reject(`${name}:${line}`, `the row has no closing quotation mark; ${rest}`);
  } else if (found.length > 0) yield take();
}

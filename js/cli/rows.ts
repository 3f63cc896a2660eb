// The rows of CSV and TSV. The parser is csv-parse; its fields are Latin-1, so that each byte is a character.
import { type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { BadDocument } from '../node/fields.js';
import { type Chunks, countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** More delimiters in a row would take too much memory. */
const MAX_DELIMITERS = 1_000_000;

/** A row. */
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

/** Collects rows with their ends. The hook of the library for this, `on_record`, takes as long as parsing. */
class RowParser extends Parser {
  /** The fields of rows, and the end of each in the file. */
  found: { fields: string[]; end: number }[] = [];

  override push(fields: string[] | null): boolean {
    if (fields === null) return super.push(null);
    this.found.push({ fields, end: this.info.bytes });
    return true;
  }

  /** Parses the next bytes. */
  async parse(bytes: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      // The library makes an error of each row with another number of fields, to pass over it.
      const limit = Error.stackTraceLimit;
      Error.stackTraceLimit = 0;
      this.write(bytes, (error) => (error ? reject(error) : resolve()));
      Error.stackTraceLimit = limit;
    });
  }

  /** Parses the last row. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.once('error', reject);
      this.end(resolve);
    });
  }
}

/** How a table is written. */
export interface Dialect {
  delimiter: string;
  /** Whether lines end with a carriage return alone, as in Mac OS 9. */
  isClassicMac: boolean;
}

/** Returns the dialect of a table by its first bytes: the delimiter is the one that the header has most often. */
export function dialectOf(head: Buffer): Dialect {
  const [line] = head.toString('latin1').split(/[\r\n]/, 1);
  const names = line.replace(/"(?:[^"]|"")*"/g, '');
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, times: names.split(delimiter).length }));
  const { delimiter } = counted.reduce((best, each) => (each.times > best.times ? each : best));
  return { delimiter, isClassicMac: !head.includes(LINE_FEED) && head.includes(CARRIAGE_RETURN) };
}

const optionsOf = ({ delimiter, isClassicMac }: Dialect): Options => ({
  delimiter,
  encoding: 'latin1',
  record_delimiter: isClassicMac ? ['\r'] : ['\r\n', '\n'],
  relax_column_count: true,
  // A quotation mark within a field is a character, unless the field begins with one.
  relax_quotes: true,
  skip_empty_lines: true,
});

/** Returns the fields of the row that bytes begin with, in Latin-1. Throws a `BadDocument` if there is none. */
export function firstRow(bytes: Buffer, dialect: Dialect): string[] {
  try {
    const [fields] = parse(bytes, { ...optionsOf(dialect), to: 1 });
    if (fields !== undefined) return fields;
  } catch {
    // Its last field has no second quotation mark.
  }
  throw new BadDocument('no row');
}

/** Yields the rows of a file as they arrive, without blank lines. The header is the first. Each ends with a line end. `name` names the file in messages. */
export async function* rowsOf(
  content: Chunks,
  dialect: Dialect,
  name: string,
  io: InputIo,
): AsyncGenerator<Rows, void, undefined> {
  const { delimiter } = dialect;
  const feed = dialect.isClassicMac ? CARRIAGE_RETURN : LINE_FEED;
  const parser = new RowParser(optionsOf(dialect));
  /** The start of a row whose end has not been read, where it is in the file, and in which line. */
  let held: Buffer[] = [];
  let [position, line, size, delimiters] = [0, 1, 0, 0];

  /** Returns the rows that are found. */
  const take = (): Rows => {
    const bytes = Buffer.concat(held);
    const rows: Row[] = [];
    let at = 0;
    for (const { fields, end } of parser.found) {
      // Blank lines before the row.
      for (; bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN; at++) if (bytes[at] === feed) line++;
      const to = end - position;
      rows.push({ line, start: at, end: to, fields });
      line += countOf(bytes.subarray(at, to), feed);
      at = to;
    }
    parser.found = [];
    held = [bytes.subarray(at)];
    [size, delimiters] = [bytes.length - at, 0];
    position += at;
    return { position: position - at, bytes: bytes.subarray(0, at), rows };
  };

  for await (const chunk of content) {
    held.push(chunk);
    size += chunk.length;
    await parser.parse(chunk);
    if (parser.found.length > 0) {
      yield take();
      continue;
    }
    delimiters += countOf(chunk, delimiter.charCodeAt(0));
    if (size > MAX_DOCUMENT || delimiters > MAX_DELIMITERS) {
      const limit = size > MAX_DOCUMENT ? `${MAX_DOCUMENT >> 20} MiB` : '1,000,000 delimiters';
      io.reject(
        `${name}:${line}`,
        `a row of more than ${limit}, perhaps for lack of a quotation mark; the rest of the file is not read`,
      );
      return;
    }
  }
  // After a signal, the last row is incomplete.
  if (io.signal.aborted) return;
  try {
    await parser.finish();
  } catch {
    io.reject(`${name}:${line}`, 'the row has no second quotation mark; the rest of the file is not read');
    return;
  }
  if (parser.found.length === 0) return;
  const found = take();
  const { bytes, rows } = found;
  const last = rows[rows.length - 1];
  const isEnded = bytes[last.end - 1] === feed;
  if (!isEnded) last.end++;
  yield { ...found, bytes: isEnded ? bytes : Buffer.concat([bytes, Buffer.of(feed)]) };
}

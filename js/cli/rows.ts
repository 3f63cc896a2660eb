// The rows of the tables of the input.
import { type Dialect, RowEnds } from '../formats/rows.js';
import { type Chunks, countOf, type InputIo, MAX_DOCUMENT } from './chunks.js';

const LINE_FEED = 10;

/** The end of a message about a row without an end. */
const rest = 'the rest of the file is not read (if quotation marks are plain characters in it: --quote none)';

/** More fields of a row would take too much memory. */
const MAX_FIELDS = 1_000_000;

export interface Row {
  line: number;
  /** Its bytes in the bytes of the batch, with the line end. */
  start: number;
  end: number;
}

export interface Rows {
  /** The position of the first byte in the content. */
  position: number;
  bytes: Buffer<ArrayBuffer>;
  rows: Row[];
}

/** Returns whether the bytes of a row are only a line end. */
const isBlank = (bytes: Buffer, start: number, end: number): boolean =>
  end - start === 1 || (end - start === 2 && bytes[start] === 13);

/** Yields the rows of a file as they arrive, without blank lines. The first is the header. Each ends with a line end. */
export async function* rowsOf(
  content: Chunks,
  dialect: Dialect,
  name: string,
  io: InputIo,
): AsyncGenerator<Rows, void, undefined> {
  const rowEnds = new RowEnds(dialect);
  /** The start of a row whose end has not been read, its length, where it is in the file, and in which line. */
  let held: Buffer[] = [];
  let [size, position, line] = [0, 0, 1];
  let isHeader = true;

  const take = (chunk: Buffer, ends: readonly number[]): Rows => {
    const last = ends.at(-1) as number;
    const bytes = Buffer.concat([...held, chunk.subarray(0, last)]);
    const rows: Row[] = [];
    let start = 0;
    for (const each of ends) {
      const end = size + each;
      const feeds = countOf(bytes.subarray(start, end), LINE_FEED);
      if (!isBlank(bytes, start, end)) {
        rows.push({ line, start, end });
        if (!isHeader) io.noticed.rows++;
        isHeader = false;
        io.noticed.quotedBreaks += feeds - 1;
        if (feeds - 1 > io.noticed.longest.breaks) io.noticed.longest = { place: `${name}:${line}`, breaks: feeds - 1 };
      }
      line += feeds;
      start = end;
    }
    const from = position;
    position += bytes.length;
    [held, size] = [[chunk.subarray(last)], chunk.length - last];
    return { position: from, bytes, rows };
  };

  for await (const chunk of content) {
    const ends = rowEnds.endsIn(chunk.toString('latin1'));
    if (ends.length > 0) yield take(chunk, ends);
    else {
      held.push(chunk);
      size += chunk.length;
    }
    if (size <= MAX_DOCUMENT && rowEnds.fields <= MAX_FIELDS) continue;
    const limit = size > MAX_DOCUMENT ? `${MAX_DOCUMENT >> 20} MiB` : '1,000,000 delimiters';
    io.reject(`${name}:${line}`, `a row of more than ${limit}; ${rest}`);
    return;
  }
  // After a signal, the last row is incomplete.
  if (io.signal.aborted || size === 0) return;
  if (rowEnds.isQuoted) io.reject(`${name}:${line}`, `the row has no closing quotation mark; ${rest}`);
  else yield take(Buffer.of(LINE_FEED), [1]);
}

// The rows of a table in batches.
import { isUtf8 } from 'node:buffer';
import { type Dialect, RowEnds } from '../formats/rows.js';
import { LINE_FEED } from '../node/lines.js';
import { Batch, type Batches } from './batch.js';
import { countBytes, type InputIo, MAX_DOCUMENT } from './chunks.js';
import type { OpenFile } from './input-file.js';
import type { Entry } from './part.js';
import type { Chunks } from './streams.js';
import { Table } from './table.js';

/** The end of a message about a row without an end. */
const rest = 'the rest of the file is not read (if quotation marks are plain characters in it: --quote none)';

/** More fields of a row would take too much memory. */
const MAX_FIELDS = 1_000_000;

const isBlank = (row: Buffer): boolean => row.length === 1 || (row.length === 2 && row[0] === 13);

/** Yields the rows of a file in batches as they arrive, without blank lines. `accept` receives the table before its rows. */
export async function* rowBatches(
  file: OpenFile,
  dialect: Dialect,
  content: Chunks,
  io: InputIo,
  accept: (table: Table) => void,
): Batches {
  const rowEnds = new RowEnds(dialect);
  let table: Table | undefined;
  /** The start of a row whose end has not been read, its length, and its line. */
  let held: Buffer[] = [];
  let [size, line] = [0, 1 + countBytes(file.start, LINE_FEED)];

  const batch = (chunk: Buffer, ends: readonly number[]): Batch => {
    const last = ends.at(-1) as number;
    const bytes = Buffer.concat([...held, chunk.subarray(0, last)]);
    const isValid = isUtf8(bytes);
    const entries: Entry[] = [];
    let start = 0;
    for (const each of ends) {
      const end = size + each;
      const row = bytes.subarray(start, end);
      const feeds = countBytes(row, LINE_FEED);
      if (!isBlank(row)) {
        if (table !== undefined) entries.push(table.entryOf(bytes, { number: line, start, end }, isValid));
        else {
          table = new Table(file, row, dialect);
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

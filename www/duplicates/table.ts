// The rows of CSV and TSV.
import { type Dialect, delimiterOf, fieldsOf, RowEnds, separatorLine, withoutEnd } from '../../js/formats/rows.js';
import { Slices } from './slices.js';

/** A part of a source that can be a text. */
export interface Entry {
  /** The number of its line, of its first line, or of its element. */
  line: number;
  /** Its source. */
  raw: string;
  /** Its text, or its fields. */
  fields: string | Readonly<Record<string, unknown>>;
}

export interface Entries {
  entries: Entry[];
  /** The numbers of invalid lines. */
  broken: number[];
  /** The first row of a table, after the line that states the delimiter. */
  header?: string | undefined;
  /** The line after which the rest of the source was not read. */
  end?: number | undefined;
  /** The number of rows of a table, and of line breaks inside their quotation marks. */
  quoted?: { rows: number; breaks: number };
}

/** Characters that are read at once. */
const PART = 1 << 16;

/** The limit for the fields of one row: each takes memory. */
const MAX_FIELDS = 1_000_000;

/** Returns how a table is written. In TSV, as IANA defines it, quotation marks are plain characters. */
export function dialectOf(source: string): Dialect {
  const start = source.slice(0, PART).trimStart();
  const delimiter = separatorLine(start)?.delimiter ?? delimiterOf(start);
  return { delimiter, quote: delimiter === '\t' ? null : '"' };
}

/** Reads a table. The first row has the names of its columns. `progress` receives the share that is read. */
export async function readTable(source: string, progress: (share: number) => void): Promise<Entries> {
  const entries: Entry[] = [];
  const broken: number[] = [];
  const dialect = dialectOf(source);
  const rowEnds = new RowEnds(dialect);
  const slices = new Slices();
  let header: string | undefined;
  let names: string[] = [];
  // A byte-order mark is not part of the first name.
  const mark = Number(source.startsWith('\ufeff'));
  const separator = separatorLine(source.slice(mark, PART))?.line ?? '';
  const first = mark + separator.length;
  let [rows, breaks, start, line] = [0, 0, first, separator === '' ? 1 : 2];
  const add = (end: number) => {
    const raw = withoutEnd(source.slice(start, end));
    const inside = raw.split('\n').length - 1;
    const record = raw === '' ? [] : fieldsOf(raw, dialect);
    if (header === undefined && raw !== '') [header, names] = [separator + raw, record];
    else if (raw !== '') {
      rows++;
      breaks += inside;
      if (record.length !== names.length) broken.push(line);
      else entries.push({ line, raw, fields: Object.fromEntries(names.map((name, at) => [name, record[at]])) });
    }
    line += inside + 1;
    start = end;
  };
  let isWhole = true;
  for (let at = first; at < source.length && isWhole; at += PART) {
    for (const end of rowEnds.endsIn(source.slice(at, at + PART))) add(at + end);
    isWhole = rowEnds.fields <= MAX_FIELDS;
    await slices.next(() => progress(at / source.length));
  }
  isWhole &&= !rowEnds.isQuoted;
  if (isWhole && start < source.length) add(source.length);
  const end = isWhole ? undefined : (entries.at(-1)?.line ?? 1);
  return { entries, broken, header, end, quoted: { rows, breaks } };
}

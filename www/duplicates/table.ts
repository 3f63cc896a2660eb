// The rows of CSV and TSV, by csv-parse, which is loaded for the first table.
import type { Entries, Entry } from './entries.js';
import { delimiterOf } from './format.js';
import { Slices } from './slices.js';

/** Characters that are parsed at once. */
const PART = 1 << 13;

/** The number of characters within which the header must end, so that its delimiter is found. */
const HEADER = 1 << 16;

/** The limit for the delimiters of one row: each field takes memory. */
const MAX_DELIMITERS = 1_000_000;

/** Yields a text in parts that do not separate surrogates. */
function* partsOf(source: string): Generator<string> {
  for (let at = 0; at < source.length; ) {
    let end = at + PART;
    if (/[\ud800-\udbff]/.test(source.charAt(end - 1))) end++;
    yield source.slice(at, end);
    at = end;
  }
}

/** Reads a table. The first row has the names of its columns. `progress` receives the share that is read. */
export async function readTable(source: string, progress: (share: number) => void): Promise<Entries> {
  const { Parser } = await import('#csv');
  const entries: Entry[] = [];
  const broken: number[] = [];
  let header = '';
  let names: string[] | undefined;
  class Rows extends Parser {
    override push(row: Parameters<InstanceType<typeof Parser>['push']>[0]): boolean {
      if (row === null) return super.push(null);
      const raw = row.raw.replace(/^[\r\n]+|[\r\n]+$/g, '');
      if (names === undefined) {
        [header, names] = [raw, row.record];
        return true;
      }
      const { length } = names;
      const line = this.info.lines - (raw.split('\n').length - 1);
      if (row.record.length !== length) broken.push(line);
      else {
        const fields = Object.fromEntries(names.map((name, at) => [name, row.record[at]]));
        entries.push({ line, raw, fields });
      }
      return true;
    }
  }
  const [firstLine] = /[^\r\n]+/.exec(source.slice(0, HEADER)) ?? [''];
  const delimiter = delimiterOf(firstLine.replace(/"[^"]*"/g, ''));
  const isClassicMac = source.includes('\r') && !source.includes('\n');
  const parser = new Rows({
    delimiter,
    record_delimiter: isClassicMac ? ['\r'] : ['\r\n', '\n'],
    bom: true,
    raw: true,
    relax_column_count: true,
    // A quotation mark within a field is a character, unless the field begins with one.
    relax_quotes: true,
    skip_empty_lines: true,
  });
  let failed = false;
  parser.once('error', () => {
    failed = true; // A row has no second quotation mark.
  });
  const slices = new Slices();
  let [read, found, open] = [0, 0, 0];
  for (const part of partsOf(source)) {
    await new Promise<void>((resolve) => parser.write(part, () => resolve()));
    read += part.length;
    open = entries.length === found ? open + part.split(delimiter).length - 1 : 0;
    found = entries.length;
    if (failed || open > MAX_DELIMITERS) break;
    await slices.next(() => progress(read / source.length));
  }
  if (!failed && open <= MAX_DELIMITERS) {
    await new Promise<void>((resolve) => {
      parser.once('error', () => resolve());
      parser.end(resolve);
    });
  }
  const isCut = failed || open > MAX_DELIMITERS;
  return { entries, broken, header, ...(isCut ? { end: entries.at(-1)?.line ?? 1 } : {}) };
}

// The rows of CSV (RFC 4180) and TSV, as spreadsheets write them. Characters can be bytes in Latin-1.

export interface Dialect {
  delimiter: string;
  /** Null if quotation marks are plain characters. */
  quote: string | null;
}

/** Returns the delimiter that the header of a table, which a text begins with, has most often. */
export function delimiterOf(text: string): string {
  const [line] = text.split(/[\r\n]/, 1);
  const names = line.replace(/"(?:[^"]|"")*"/g, '');
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, times: names.split(delimiter).length }));
  return counted.reduce((best, each) => (each.times > best.times ? each : best)).delimiter;
}

/** Returns the first line of a table if Excel reads the delimiter from it, as in `sep=;`, and that delimiter. */
export function separatorLine(text: string): { line: string; delimiter: string } | undefined {
  const [line, delimiter] = /^"?sep=([\t -~])"?\r?\n/i.exec(text) ?? [];
  return line === undefined ? undefined : { line, delimiter };
}

/**
 * Returns the number of lines of a row, after the first one, that are probably rows of their own, which a stray quotation mark has
 * joined: at least half of them have `columns` fields, with values like the row's own where `isAlike` says so. A text of several
 * lines in quotation marks has others.
 */
export function joinedRows(
  row: string,
  dialect: Dialect,
  columns: number,
  isAlike: (line: readonly string[]) => boolean,
): number {
  if (columns < 2) return 0;
  const [, ...lines] = withoutEnd(row).split('\n');
  const joined = lines.filter((line) => {
    const fields = fieldsOf(withoutEnd(line), dialect);
    return fields.length === columns && isAlike(fields);
  }).length;
  return 2 * joined >= lines.length ? joined : 0;
}

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Where a row is read: at the start of a field, in it, in its quotation marks, after a mark within, or after that and a return. */
const [START, PLAIN, QUOTED, MARK, RETURN] = [0, 1, 2, 3, 4];

/**
 * Finds the ends of rows in a text that arrives in parts. A field that begins with a quotation mark ends with one that a
 * delimiter or a line end follows. If something else follows, the marks were plain characters, and the field ends as others do.
 */
export class RowEnds {
  readonly #delimiter: number;
  readonly #quote: number;
  #state = START;
  /** The number of fields of the row without an end. */
  fields = 0;

  constructor({ delimiter, quote }: Dialect) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#quote = quote === null ? -1 : quote.charCodeAt(0);
  }

  /** Whether the text so far ends inside quotation marks. */
  get isQuoted(): boolean {
    return this.#state === QUOTED;
  }

  /** Returns the positions in the next part that are after the line feed of a row. */
  endsIn(part: string): number[] {
    const ends: number[] = [];
    let [state, fields] = [this.#state, this.fields];
    for (let at = 0; at < part.length; at++) {
      const unit = part.charCodeAt(at);
      if (state === QUOTED) {
        if (unit === this.#quote) state = MARK;
      } else if (unit === LINE_FEED) {
        ends.push(at + 1);
        [state, fields] = [START, 0];
      } else if (state === MARK && unit === CARRIAGE_RETURN) state = RETURN;
      else if (unit === this.#delimiter) {
        state = START;
        fields++;
      } else if (unit === this.#quote && (state === START || state === MARK)) state = QUOTED;
      else state = PLAIN;
    }
    [this.#state, this.fields] = [state, fields];
    return ends;
  }
}

export const withoutEnd = (row: string): string => row.replace(/\r?\n$/, '');

export function fieldsOf(row: string, { delimiter, quote }: Dialect): string[] {
  const fields: string[] = [];
  for (let at = 0; at <= row.length; ) {
    let [field, from] = ['', at];
    if (quote !== null && row.startsWith(quote, at)) {
      // Its parts between doubled quotation marks.
      let [part, mark] = [at + 1, row.indexOf(quote, at + 1)];
      while (mark >= 0 && row.startsWith(quote, mark + 1)) {
        field += row.slice(part, mark + 1);
        part = mark + 2;
        mark = row.indexOf(quote, part);
      }
      const end = mark < 0 ? row.length : mark;
      field += row.slice(part, end);
      from = mark < 0 ? end : mark + 1;
      const isClosed = mark >= 0 && (from === row.length || row.startsWith(delimiter, from));
      if (!isClosed) [field, from] = [quote + field, end];
    }
    const next = row.indexOf(delimiter, from);
    const end = next < 0 ? row.length : next;
    fields.push(field + row.slice(from, end));
    at = end + 1;
  }
  return fields;
}

// The options --keep longest, --keep-max and --keep-min: which of several near-duplicates is kept.
import { statSync } from 'node:fs';
import { parseMailDate } from '../formats/mail-date.js';
import { isWholeFile } from '../formats/names.js';
import { shorten, UserError } from '../node/errors.js';
import { BadDocument, memberAt } from '../node/fields.js';
import type { Document } from './batch.js';
import { attempt } from './file-system.js';
import type { Values } from './options.js';
import { systemPath } from './path.js';

/** A date in ISO 8601, as ECMAScript reads it, also with a space instead of the `T`: the date, the time, and the zone. */
const DATE =
  /^([+-]?\d{4,6}-\d\d(?:-\d\d)?)(?:(?<=-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns the time of a date in ISO 8601 or of a mail; undefined for another text. */
function timeOf(text: string): number | undefined {
  const [, day, time, zone = 'Z'] = DATE.exec(text) ?? [];
  if (day === undefined) return parseMailDate(text);
  // ECMAScript reads a time without a zone as local time, whose hours are not in order when a clock is put forward.
  const zoned = time === undefined ? day : `${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`;
  const number = Date.parse(zoned);
  return Number.isNaN(number) ? undefined : number;
}

/** Returns a number, or the time of a date; undefined for another value. */
function rankableOf(value: unknown): { kind: 'a number' | 'a date'; value: number } | undefined {
  if (typeof value === 'number') return { kind: 'a number', value };
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { kind: 'a number', value: Number(text) };
  const time = timeOf(text);
  return time === undefined ? undefined : { kind: 'a date', value: time };
}

/** Returns what the system knows about a file; undefined for standard input and other pipes, which have no time and size. */
function statsOf(path: string) {
  const stats = path === '-' ? undefined : attempt(() => statSync(systemPath(path)));
  return stats?.isFile() ? stats : undefined;
}

/** The properties of a file, which rank it in place of fields. */
const fileFields: Readonly<Record<string, (path: string) => Rank>> = {
  mtime: (path) => statsOf(path)?.mtimeMs,
  size: (path) => statsOf(path)?.size,
  path: (path) => path,
};

const optionOf = (values: Values) => (['keep-max', 'keep-min'] as const).find((name) => values[name] !== undefined);

/** The value by which documents are sorted. A document without a rank comes last. */
type Rank = number | string | undefined;

/** Returns the rank of a document by the options. Undefined if the first one is kept. */
export function rankOf(values: Values): ((document: Document) => Rank) | undefined {
  const option = optionOf(values);
  if (option === undefined) return values.keep === 'longest' ? ({ length }) => length : undefined;
  const field = values[option] as string;
  /** The kind of the first value. Numbers and dates are not compared: 2024 is a number, and less than any date. */
  let first: { kind: string; place: string } | undefined;
  return (document) => {
    const { batch } = document;
    const { format, path } = batch.file;
    if (isWholeFile(format)) {
      return Object.hasOwn(fileFields, field) ? fileFields[field](path) : undefined;
    }
    const value = memberAt(batch.fieldsOf(document), field) ?? null;
    if (value === null || value === '') return undefined;
    const read = rankableOf(value);
    if (read !== undefined) {
      first ??= { kind: read.kind, place: document.place };
      if (read.kind === first.kind) return read.value;
    }
    const needed = read && first ? `${first.kind}, as in ${first.place}` : 'a number or a date (ISO 8601 or RFC 5322)';
    const got = shorten(JSON.stringify(value), 80);
    throw new BadDocument(`"${field}" (--${option}) must be ${needed}, got ${got}`);
  };
}

export interface RankedDocument {
  document: Document;
  rank: Rank;
}

/** Returns documents by rank, the one to keep first, ties in the order of the input. */
export function byRank(ranked: readonly RankedDocument[], values: Values): Document[] {
  const option = optionOf(values);
  if (option && ranked.length > 0 && ranked.every(({ rank }) => rank === undefined)) {
    const [{ document }] = ranked;
    const advice = isWholeFile(document.batch.file.format) ? `; files have ${Object.keys(fileFields).join(', ')}` : '';
    throw new UserError(`--${option} ${values[option]}: no document has this field${advice}`);
  }
  const sign = option === 'keep-min' ? -1 : 1;
  const compare = (a: Rank, b: Rank): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return a === b ? 0 : a > b ? -sign : sign;
  };
  return ranked.toSorted((a, b) => compare(a.rank, b.rank)).map(({ document }) => document);
}

// The options --keep longest, --keep-max and --keep-min: which of several near-duplicates is kept.
import { shorten, UserError } from '../node/errors.js';
import { BadDocument, memberAt } from '../node/fields.js';
import type { Document } from './document.js';
import type { Values } from './options.js';

/** A date in ISO 8601, as ECMAScript reads it, also with a space instead of the `T`: the date, the time, and the zone. */
const DATE =
  /^([+-]?\d{4,6}-\d\d(?:-\d\d)?)(?:(?<=-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

/** Returns a number, or the time of a date; undefined for another value. */
function toNumber(value: unknown): { kind: 'a number' | 'a date in ISO 8601'; number: number } | undefined {
  if (typeof value === 'number') return { kind: 'a number', number: value };
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return { kind: 'a number', number: Number(text) };
  const [, day, time, zone = 'Z'] = DATE.exec(text) ?? [];
  if (day === undefined) return undefined;
  // ECMAScript reads a time without a zone as local time, whose hours are not in order when a clock is put forward.
  const zoned = time === undefined ? day : `${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`;
  const number = Date.parse(zoned);
  return Number.isNaN(number) ? undefined : { kind: 'a date in ISO 8601', number };
}

const optionOf = (values: Values) => (['keep-max', 'keep-min'] as const).find((name) => values[name] !== undefined);

/** Returns the rank of a document by the options: the largest is kept. Undefined if the first one is kept. */
export function rankOf(values: Values): ((document: Document) => number) | undefined {
  const option = optionOf(values);
  if (option === undefined) return values.keep === 'longest' ? ({ length }) => length : undefined;
  const field = values[option] as string;
  /** The kind of the first value. Numbers and dates are not compared: 2024 is a number, and less than any date. */
  let first: { kind: string; place: string } | undefined;
  return (document) => {
    const value = memberAt(document.batch.fieldsOf(document), field) ?? null;
    if (value === null || value === '') return Number.NEGATIVE_INFINITY;
    const read = toNumber(value);
    if (read !== undefined) {
      first ??= { kind: read.kind, place: document.place };
      if (read.kind === first.kind) return option === 'keep-max' ? read.number : -read.number;
    }
    const needed = read && first ? `${first.kind}, as in ${first.place}` : 'a number or a date in ISO 8601';
    const got = shorten(JSON.stringify(value), 80);
    throw new BadDocument(`"${field}" (--${option}) must be ${needed}, got ${got}`);
  };
}

export interface RankedDocument {
  document: Document;
  rank: number;
}

/** Returns documents by rank, the largest first, ties in the order of the input. A document without the field comes last. */
export function byRank(ranked: readonly RankedDocument[], values: Values): Document[] {
  const option = optionOf(values);
  if (option && ranked.length > 0 && ranked.every(({ rank }) => rank === Number.NEGATIVE_INFINITY)) {
    throw new UserError(`--${option} ${values[option]}: no document has this field`);
  }
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ document }) => document);
}

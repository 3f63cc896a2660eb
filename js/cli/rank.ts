// The options --keep longest, --keep-max and --keep-min: which of several near-duplicates is kept.
import { shorten, UserError } from '../node/errors.js';
import { BadDocument, memberAt } from '../node/fields.js';
import type { Document } from './document.js';
import type { Values } from './options.js';

/** A date in ISO 8601, as ECMAScript reads it, also with a space instead of the `T`. */
const DATE = /^[+-]?\d{4,6}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Returns a number or a date as a number; undefined for another value. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (!DATE.test(text)) return undefined;
  const time = Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(time) ? undefined : time;
}

const optionOf = (values: Values) => (['keep-max', 'keep-min'] as const).find((name) => values[name] !== undefined);

/** Returns the rank of a document by the options: the largest is kept. Undefined if the first one is kept. */
export function rankOf(values: Values): ((document: Document) => number) | undefined {
  const option = optionOf(values);
  if (option === undefined) return values.keep === 'longest' ? ({ length }) => length : undefined;
  const field = values[option] as string;
  return (document) => {
    const value = memberAt(document.batch.fieldsOf(document), field) ?? null;
    if (value === null || value === '') return Number.NEGATIVE_INFINITY;
    const number = toNumber(value);
    if (number !== undefined) return option === 'keep-max' ? number : -number;
    const got = shorten(JSON.stringify(value), 80);
    throw new BadDocument(`"${field}" (--${option}) must be a number or a date in ISO 8601, got ${got}`);
  };
}

/** Returns documents by rank, the largest first, ties in the order of the input. A document without the field comes last. */
export function byRank(ranked: readonly { document: Document; rank: number }[], values: Values): Document[] {
  const option = optionOf(values);
  if (option && ranked.length > 0 && ranked.every(({ rank }) => rank === Number.NEGATIVE_INFINITY)) {
    throw new UserError(`--${option} ${values[option]}: no document has this field`);
  }
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ document }) => document);
}

// The options --keep longest, --keep-max and --keep-min: which of several near-duplicates is kept.
import { BadDocument, memberAt } from '../node/fields.js';
import { UserError } from '../node/user-error.js';
import type { Document } from './document.js';
import { shorten } from './errors.js';
import type { Io } from './io.js';
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

/** Whether another document than the first of several near-duplicates may be kept. */
export const isRanked = ({ keep, 'keep-max': max, 'keep-min': min }: Values): boolean =>
  keep === 'longest' || (max ?? min) !== undefined;

/** Orders documents by their lengths, or by the values of a field. */
export class Ranking {
  readonly #io: Pick<Io, 'reject'>;
  readonly #option: 'keep-max' | 'keep-min';
  readonly #field: string | undefined;
  readonly #ranked: { document: Document; rank: number }[] = [];
  #hasField = false;

  constructor(values: Values, io: Pick<Io, 'reject'>) {
    this.#io = io;
    this.#option = values['keep-max'] === undefined ? 'keep-min' : 'keep-max';
    this.#field = values[this.#option];
  }

  /** Adds a document. One whose field is neither a number nor a date is reported. */
  add(document: Document): void {
    try {
      this.#ranked.push({ document, rank: this.#rankOf(document) });
    } catch (error) {
      if (!(error instanceof BadDocument)) throw error;
      this.#io.reject(document.place, error.message);
    }
  }

  #rankOf(document: Document): number {
    const field = this.#field;
    if (field === undefined) return document.length;
    const value = memberAt(document.batch.fieldsOf(document), field) ?? null;
    if (value === null || value === '') return Number.NEGATIVE_INFINITY;
    const number = toNumber(value);
    if (number === undefined) {
      const got = shorten(JSON.stringify(value), 80);
      throw new BadDocument(`"${field}" (--${this.#option}) must be a number or a date in ISO 8601, got ${got}`);
    }
    this.#hasField = true;
    return this.#option === 'keep-max' ? number : -number;
  }

  /** The documents in the order of the input. */
  get documents(): Document[] {
    return this.#ranked.map(({ document }) => document);
  }

  /** Returns the documents by rank, the largest first, of equal ones the first. A document without the field comes last. */
  byRank(): Document[] {
    if (this.#field !== undefined && !this.#hasField && this.#ranked.length > 0) {
      throw new UserError(`--${this.#option} ${this.#field}: no document has this field`);
    }
    return this.#ranked.toSorted((a, b) => b.rank - a.rank).map(({ document }) => document);
  }
}

// The tables of a store in SQLite, and its statements: for SQLite, a Durable Object and D1. Every statement returns rows, so
// that every driver runs all of them in the same way.
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { joinParts, partsOf } from './record.js';
import { metadataOf, type Settings } from './settings.js';
import { onesOf } from './sqlite-ones.js';
import type { Page, StoreDocument, Version, VersionState } from './versions.js';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** A statement with its values. */
export type Command = readonly [statement: string, values: readonly Value[]];

/** The expressions of the four blocks. The fingerprint is in two halves, since JavaScript rounds 64-bit integers. */
const blocks = ['high >> 16', 'high & 65535', 'low >> 16', 'low & 65535'];

/** The number of expired versions that a change removes. */
const MAX_PRUNED = 1000;

/** The number of rows that `page` returns. */
const PAGE = 1000;

/** Larger than all numbers and times. */
const NEVER = Number.MAX_SAFE_INTEGER;

const state = 'until, expires, resemblance, distance';
const content = 'id, high, low, words, minhash';
const columns = `number, ${content}, ${state}`;

/** The time at which a version ends: the lease of a provisional version counts, and not its expiry time. */
const end = 'coalesce(until, expires)';

const isLive = (version: string, now: string): string =>
  `coalesce(${version}.until, ${version}.expires, ${NEVER}) > ${now}`;

/** The condition that a version `d` is live, and of another id. Takes the time and the id. */
const isOther = `${isLive('d', '?')} AND d.id IS NOT ?`;

const quote = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`);

/** Returns the statements that create the tables. */
export function schemaOf(settings: Settings): string[] {
  const { name } = settings;
  const values = Object.values(metadataOf(settings)).map(quote).join(', ');
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_store (name TEXT PRIMARY KEY, scheme TEXT, layout INTEGER, blocks TEXT)`,
    `INSERT INTO ${name}_store (name, scheme, layout, blocks) SELECT ${values} ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${name}_store)`,
    `CREATE TABLE IF NOT EXISTS ${name}_documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of addition
  id TEXT NOT NULL, -- with at most one kept and one provisional version
  until INTEGER, -- the end of the lease of a provisional version, in milliseconds since 1970; NULL for a kept version
  expires INTEGER, -- in milliseconds since 1970; NULL for never
  high INTEGER NOT NULL, -- the fingerprint
  low INTEGER NOT NULL,
  words BLOB NOT NULL, -- the hash of the words (8 bytes)
  minhash BLOB, -- 64 bytes; NULL for a short text
  resemblance REAL, -- of a provisional version that is changed: to the kept version
  distance INTEGER
)`,
    // With the fingerprint, so that a search reads only the rows of candidates.
    ...blocks.map(
      (block, at) =>
        `CREATE INDEX IF NOT EXISTS ${name}_block${at} ON ${name}_documents (${block}, number, high, low) ` +
        'WHERE minhash IS NOT NULL',
    ),
    `CREATE INDEX IF NOT EXISTS ${name}_id ON ${name}_documents (id)`,
    `CREATE INDEX IF NOT EXISTS ${name}_words ON ${name}_documents (words)`,
    `CREATE INDEX IF NOT EXISTS ${name}_end ON ${name}_documents (${end}) WHERE ${end} IS NOT NULL`,
  ];
}

/** Returns the versions of a bucket, for a `FROM` clause. */
const bucketOf = (name: string, at: number, value: string): string =>
  `${name}_documents AS d INDEXED BY ${name}_block${at} WHERE d.minhash IS NOT NULL AND (d.${blocks[at]}) = ${value}`;

/** Returns the statement for the first versions that are equal to a document, live or not. */
const equalOf = (name: string, words: string, high: string, low: string, most: string): string =>
  `SELECT d.* FROM ${name}_documents AS d INDEXED BY ${name}_words ` +
  `WHERE d.words = ${words} AND d.high = ${high} AND d.low = ${low} ORDER BY d.number LIMIT ${most}`;

/**
 * Returns the statement that finds the candidates for a document, which js/stores/bounds.ts bounds. It reads the buckets from
 * their indexes, so that only candidates are read from the table.
 */
function searchOf(name: string): string {
  const table = `${name}_documents`;
  const all = blocks.map((_, at) => at);
  const input = (column: string) => `(SELECT ${column} FROM input)`;
  /** A live version, and not one of the document's own. */
  const isOther = `${isLive('d', input('now'))} AND d.number NOT IN own`;
  /** The version of a bucket at an offset. */
  const versionAt = (at: number, offset: number) =>
    `(SELECT d.number FROM ${bucketOf(name, at, 'probed.value')} ORDER BY d.number LIMIT 1 OFFSET ${offset})`;
  /** The first version of a bucket that is not read. */
  const cut = (at: number) =>
    `coalesce((SELECT d.number FROM (SELECT d.* FROM ${bucketOf(name, at, 'probed.value')} ORDER BY d.number ` +
    `LIMIT ${MAX_PASSED + MAX_READ}) AS d WHERE ${isOther} LIMIT 1 OFFSET ${MAX_READ}), ${versionAt(at, MAX_PASSED + MAX_READ)}, ${NEVER})`;
  const ones = onesOf('x', 'y');
  return `WITH input (high, low, words, now, own, probes, most) AS MATERIALIZED (
  SELECT ?, ?, ?, ?, ?, ?, ?
), own (number) AS MATERIALIZED (
  SELECT number FROM ${table} WHERE id = (SELECT own FROM input)
), ${all
    .map(
      // Almost all buckets are smaller than the bound. The index shows it, without the rows that say what is live.
      (at) => `probe${at} (value, cut) AS MATERIALIZED (
  SELECT probed.value,
    CASE WHEN ${versionAt(at, MAX_READ)} IS NULL THEN ${NEVER} ELSE ${cut(at)} END
  FROM input CROSS JOIN json_each(input.probes, '$[${at}]') AS probed
)`,
    )
    .join(', ')},
-- x and y are the bits in which the fingerprints differ: SQLite has no exclusive or.
read (number, x, y) AS MATERIALIZED (
  ${all
    .map(
      (at) =>
        'SELECT d.number, (d.high | input.high) - (d.high & input.high), (d.low | input.low) - (d.low & input.low) ' +
        `FROM input CROSS JOIN probe${at} CROSS JOIN ${bucketOf(name, at, `probe${at}.value`)} AND d.number < probe${at}.cut`,
    )
    .join('\n  UNION ALL ')}
), near (number, distance) AS MATERIALIZED (
  SELECT DISTINCT number, ${ones} FROM read WHERE ${ones} <= ${MAX_DISTANCE}
), nearest (number) AS MATERIALIZED (
  SELECT number FROM near CROSS JOIN ${table} AS d USING (number) WHERE ${isOther}
  ORDER BY near.distance, number LIMIT ${MAX_VERIFIED}
), equal (number) AS MATERIALIZED (
  SELECT number FROM (${equalOf(name, input('words'), input('high'), input('low'), `${MAX_PASSED} + ${input('most')}`)}) AS d
  WHERE ${isOther} LIMIT ${input('most')}
)
SELECT ${columns} FROM ${table} WHERE number IN (SELECT number FROM nearest UNION ALL SELECT number FROM equal)`;
}

const valuesOfState = ({ until, expires, resemblance, distance }: VersionState): Value[] => [
  until,
  expires,
  resemblance,
  distance,
];

/** Returns a statement that fails unless a condition holds: the function `json` refuses invalid JSON. */
const guard = (condition: string): string => `SELECT json(CASE WHEN ${condition} THEN 'null' ELSE 'changed' END)`;

/** The columns that a bucket is read for. */
export interface BucketRow {
  number: number;
  high: number;
  low: number;
}

/** The columns of a version. */
export interface Row extends VersionState {
  number: number;
  id: string;
  high: unknown;
  low: unknown;
  words: unknown;
  minhash: unknown;
}

export const versionOf = (row: Row): Version => ({
  ...row,
  // Only if it is used: a version whose record is damaged can be removed.
  get record() {
    return joinParts(row);
  },
});

/** Where a page begins. */
export interface Position {
  /** The number of the last version of the page before. */
  after: number;
  /** The number of the last version when the first page was read. */
  last: number | null;
}

/** Returns the page of rows. */
export const pageOf = (rows: readonly (Row & { hasOther: number; last: number })[]): Page => ({
  rows: rows.map((row) => ({ id: row.id, record: joinParts(row), hasOther: row.hasOther !== 0 })),
  next: rows.length < PAGE ? undefined : { after: rows[PAGE - 1].number, last: rows[0].last },
});

/** The commands of a store. Times are in milliseconds. */
export class Commands {
  readonly #name: string;
  readonly #table: string;

  constructor({ name }: Settings) {
    this.#name = name;
    this.#table = `${name}_documents`;
  }

  get metadata(): Command {
    return [`SELECT name, scheme, layout, blocks FROM ${this.#name}_store`, []];
  }

  get last(): Command {
    return [`SELECT coalesce(max(number), 0) AS last FROM ${this.#table}`, []];
  }

  /** Returns the candidates for a document: live versions of other ids than `except`. */
  search({ record, probes }: StoreDocument, limit: number, now: number, except?: string): Command {
    const { high, low, words } = partsOf(record);
    const values = [high, low, words, now, except ?? null, JSON.stringify(probes), Math.min(limit, 2 ** 32)];
    return [searchOf(this.#name), values];
  }

  /**
   * Returns the versions of some buckets of a block, live or not: up to one more than a search reads of a bucket. With fewer,
   * a search reads all of them.
   */
  buckets(block: number, values: readonly number[]): Command {
    const bucket = bucketOf(this.#name, block, 'probed.value');
    const statement = `SELECT d.number, d.high, d.low FROM json_each(?) AS probed CROSS JOIN ${bucket} LIMIT ${MAX_READ + 1}`;
    return [statement, [JSON.stringify(values)]];
  }

  /** Returns the live versions that a search reads from a bucket, of other ids than `except`. */
  firstOf(block: number, value: number, now: number, except?: string): Command {
    const first = `SELECT d.* FROM ${bucketOf(this.#name, block, '?')} ORDER BY d.number LIMIT ${MAX_PASSED + MAX_READ}`;
    const statement = `SELECT number, high, low FROM (${first}) AS d WHERE ${isOther} LIMIT ${MAX_READ}`;
    return [statement, [value, now, except ?? null]];
  }

  /** Returns the live versions with some numbers, of other ids than `except`. */
  others(numbers: readonly number[], now: number, except?: string): Command {
    const given = 'SELECT value FROM json_each(?)';
    const statement = `SELECT ${columns} FROM ${this.#table} AS d WHERE number IN (${given}) AND ${isOther}`;
    return [statement, [JSON.stringify(numbers), now, except ?? null]];
  }

  /** Returns the first live versions that are equal to a document, of other ids than `except`. */
  equal({ record }: StoreDocument, limit: number, now: number, except?: string): Command {
    const { high, low, words } = partsOf(record);
    const most = Math.min(limit, 2 ** 32);
    const first = equalOf(this.#name, '?', '?', '?', `${MAX_PASSED} + ?`);
    const statement = `SELECT ${columns} FROM (${first}) AS d WHERE ${isOther} LIMIT ?`;
    return [statement, [words, high, low, most, now, except ?? null, most]];
  }

  /** Returns the live versions of an id. */
  own(id: string, now: number): Command {
    return [`SELECT ${columns} FROM ${this.#table} AS d WHERE id = ? AND ${isLive('d', '?')}`, [id, now]];
  }

  insert({ id, record, ...changed }: Omit<Version, 'number'>): Command {
    const { high, low, words, minhash } = partsOf(record);
    return [
      `INSERT INTO ${this.#table} (${content}, ${state}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
      [id, high, low, words, minhash, ...valuesOfState(changed)],
    ];
  }

  update({ number }: Version, changed: VersionState): Command {
    const statement = `UPDATE ${this.#table} SET (${state}) = (?, ?, ?, ?) WHERE number = ? RETURNING number`;
    return [statement, [...valuesOfState(changed), number]];
  }

  remove({ number }: Version): Command {
    return [`DELETE FROM ${this.#table} WHERE number = ? RETURNING number`, [number]];
  }

  /** Removes all versions of ids, and returns those that were live. */
  removeAll(ids: readonly string[], now: number): Command {
    const statement = `DELETE FROM ${this.#table} WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, ${isLive(this.#table, '?')} AS isLive`;
    return [statement, [JSON.stringify(ids), now]];
  }

  /** Fails if the live versions of an id are not those that were read. */
  guardOwn(id: string, own: readonly Row[], now: number): Command {
    const [statement, values] = this.own(id, now);
    const parts = "number || ' ' || coalesce(until, '') || ' ' || coalesce(expires, '')";
    const all = `SELECT coalesce(group_concat(part), '') FROM (SELECT ${parts} AS part FROM (${statement}) ORDER BY number)`;
    const sorted = [...own].sort((a, b) => a.number - b.number);
    const expected = sorted.map(({ number, until, expires }) => `${number} ${until ?? ''} ${expires ?? ''}`).join();
    return [guard(`(${all}) = ?`), [...values, expected]];
  }

  /** Fails if a candidate has been removed, or a version above `last` added that a search would read. */
  guardCandidates(
    { id, record, probes }: StoreDocument,
    candidates: readonly Row[],
    last: number,
    now: number,
  ): Command {
    const { high, low, words } = partsOf(record);
    const left = `SELECT count(*) FROM ${this.#table} AS d WHERE number IN (SELECT value FROM json_each(candidates))`;
    const isNew = 'd.number > last AND d.id <> input.id';
    const probed = blocks.map(
      (_, at) =>
        `SELECT 1 FROM input CROSS JOIN json_each(probes, '$[${at}]') AS probed CROSS JOIN ` +
        `${bucketOf(this.#name, at, 'probed.value')} AND ${isNew}`,
    );
    const equal =
      `SELECT 1 FROM input CROSS JOIN ${this.#table} AS d INDEXED BY ${this.#name}_words ` +
      `WHERE d.words = input.words AND d.high = input.high AND d.low = input.low AND ${isNew}`;
    const holds = [
      `(${left} AND ${isLive('d', 'now')}) = count`,
      ...[...probed, equal].map((each) => `NOT EXISTS (${each})`),
    ];
    const input =
      'WITH input (id, high, low, words, probes, candidates, count, last, now) AS (SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const numbers = candidates.map(({ number }) => number);
    return [
      `${input} ${guard(holds.join(' AND '))} FROM input`,
      [id, high, low, words, JSON.stringify(probes), JSON.stringify(numbers), numbers.length, last, now],
    ];
  }

  /** Removes some versions that have ended, and returns their ids. */
  prune(now: number): Command {
    const ended = `SELECT number FROM ${this.#table} WHERE ${end} <= ? ORDER BY ${end} LIMIT ${MAX_PRUNED}`;
    return [`DELETE FROM ${this.#table} WHERE number IN (${ended}) RETURNING id`, [now]];
  }

  /** Returns how many of some ids have no version. */
  countGone(ids: readonly string[]): Command {
    const has = `EXISTS (SELECT 1 FROM ${this.#table} WHERE id = given.value)`;
    return [
      `SELECT count(*) AS count FROM json_each(?) AS given WHERE NOT ${has}`,
      [JSON.stringify([...new Set(ids)])],
    ];
  }

  count(now: number): Command {
    const shown = this.#isShown('?');
    return [`SELECT count(*) AS count FROM ${this.#table} AS d WHERE ${shown}`, [now, now]];
  }

  /** Returns the versions of `Store.page` after a position, and whether the id has another. */
  page({ after, last }: Position = { after: 0, last: null }, now: number): Command {
    const other = `SELECT 1 FROM ${this.#table} AS other WHERE other.id = d.id AND other.number <> d.number`;
    const statement =
      `WITH input (last) AS MATERIALIZED (SELECT coalesce(?, (SELECT max(number) FROM ${this.#table}))) ` +
      `SELECT number, ${content}, EXISTS (${other}) AS hasOther, last FROM input CROSS JOIN ${this.#table} AS d ` +
      `WHERE number > ? AND number <= last AND ${this.#isShown('?')} ORDER BY number LIMIT ${PAGE}`;
    return [statement, [last, after, now, now]];
  }

  /** The condition that a version is live, and if it is provisional, that its id has no kept one. Takes the time twice. */
  #isShown(now: string): string {
    const kept = `SELECT 1 FROM ${this.#table} AS kept WHERE kept.id = d.id AND kept.until IS NULL`;
    return `${isLive('d', now)} AND (d.until IS NULL OR NOT EXISTS (${kept} AND ${isLive('kept', now)}))`;
  }
}

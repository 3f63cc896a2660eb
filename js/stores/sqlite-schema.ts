// The tables of a store in SQLite, and parts of its statements: for SQLite, a Durable Object and D1. Every statement returns
// rows, so drivers can run all statements in the same way.
import { joinParts } from './record.js';
import { metadataOf, type Settings } from './settings.js';
import type { Version, VersionState } from './versions.js';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

export type Command = readonly [statement: string, values: readonly Value[]];

/** The expressions of the four blocks. The fingerprint is in two halves, since JavaScript rounds 64-bit integers. */
export const blocks = ['high >> 16', 'high & 65535', 'low >> 16', 'low & 65535'];

/** Larger than all numbers and times. */
export const NEVER = Number.MAX_SAFE_INTEGER;

export const state = 'until, expires, resemblance, distance';
export const content = 'id, high, low, words, minhash';
export const columns = `number, ${content}, ${state}`;

/** The time at which a version ends: a provisional one with its lease, a kept one at its expiry time. */
export const end = 'coalesce(until, expires)';

export const isLive = (version: string, now: string): string =>
  `coalesce(${version}.until, ${version}.expires, ${NEVER}) > ${now}`;

/** The condition that a version is live and has another id. Its parameters are the time and the id. */
export const isOther = (version: string): string => `${isLive(version, '?')} AND ${version}.id IS NOT ?`;

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
    // The index includes the fingerprint, so that a search reads only the rows of candidates.
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
export const bucketOf = (name: string, at: number, value: string): string =>
  `${name}_documents AS d INDEXED BY ${name}_block${at} WHERE d.minhash IS NOT NULL AND (d.${blocks[at]}) = ${value}`;

/** Returns the statement for the first versions that are equal to a document, live or not. */
export const equalOf = (name: string, words: string, high: string, low: string, most: string): string =>
  `SELECT d.* FROM ${name}_documents AS d INDEXED BY ${name}_words ` +
  `WHERE d.words = ${words} AND d.high = ${high} AND d.low = ${low} ORDER BY d.number LIMIT ${most}`;

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
  number: row.number,
  id: row.id,
  record: joinParts(row),
  until: row.until,
  expires: row.expires,
  resemblance: row.resemblance,
  distance: row.distance,
});

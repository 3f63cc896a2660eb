// The tables of a store in SQLite, and its statements: for SQLite, a Durable Object and D1. Every statement returns rows, so
// drivers can run all statements in the same way.
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { joinParts, type RecordParts } from './record.js';
import { metadataOf, type Settings } from './settings.js';
import { end, input, isLive } from './sql-store.js';
import { nibbles, pairs, total } from './sqlite-ones.js';
import type { Version, VersionState } from './versions.js';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

export type Command = readonly [statement: string, values: readonly Value[]];

/** The maximum number of ended versions that a change removes. */
const MAX_PRUNED = 1000;

/** The expressions of the four blocks. The fingerprint is in two halves, since JavaScript rounds 64-bit integers. */
export const blocks = ['high >> 16', 'high & 65535', 'low >> 16', 'low & 65535'];

export const state = 'until, expires, resemblance, distance';
export const content = 'id, high, low, words, minhash';
const columns = `number, ${content}, ${state}`;

/** Returns the statements that create the tables. */
export function schemaOf(settings: Settings): string[] {
  const { name, scheme, layout, ...metadata } = metadataOf(settings);
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_store (name TEXT PRIMARY KEY, scheme TEXT, layout INTEGER, blocks TEXT)`,
    `INSERT INTO ${name}_store (name, scheme, layout, blocks) SELECT '${name}', '${scheme}', ${layout}, '${metadata.blocks}' ` +
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

/** The columns of a version. */
export interface Row extends VersionState, Record<keyof RecordParts, unknown> {
  number: number;
  id: string;
}

export const versionOf = (row: Row): Version => ({ ...row, record: joinParts(row) });

/** Returns the command for the live versions of an id, in the order of addition. */
export const ownOf = (name: string, id: string, now: number): Command => [
  `SELECT ${columns} FROM ${name}_documents AS d WHERE id = ? AND ${isLive('d', '?')} ORDER BY number`,
  [id, now],
];

/** Returns the command that removes some ended versions. Its rows are their ids. */
export function pruneOf(name: string, now: number): Command {
  const ended = `SELECT number FROM ${name}_documents WHERE ${end} <= ? ORDER BY ${end} LIMIT ${MAX_PRUNED}`;
  return [`DELETE FROM ${name}_documents WHERE number IN (${ended}) RETURNING id`, [now]];
}

/** Returns the part of a statement after `FROM` that selects the versions of a probed bucket. */
const bucketOf = (name: string, at: number): string =>
  `${name}_documents AS d INDEXED BY ${name}_block${at} WHERE d.minhash IS NOT NULL AND (d.${blocks[at]}) = probed.value`;

/** Returns the statement for the versions of the probed buckets of a block, up to one more than a search reads of one. */
export const bucketsOf = (name: string, at: number): string =>
  `SELECT d.number, d.high, d.low FROM json_each(?) AS probed CROSS JOIN ${bucketOf(name, at)} LIMIT ${MAX_READ + 1}`;

/** Returns the command for the versions with given numbers that are live and have another id than `except`. */
export const liveOf = (name: string, numbers: Iterable<number>, now: number, except: string | undefined): Command => [
  `SELECT ${columns} FROM ${name}_documents AS d WHERE number IN (SELECT value FROM json_each(?)) AND ` +
    `${isLive('d', '?')} AND id IS NOT ?`,
  [JSON.stringify([...numbers]), now, except ?? null],
];

/**
 * Returns the statement that finds the candidates for a document, within the bounds of js/stores/bounds.ts. It reads the
 * buckets from their indexes, and only candidates from the table. Its parameters are the columns of `input`; versions of
 * the id `own` are left out. A version may be in two rows.
 */
export function searchOf(name: string): string {
  const table = `${name}_documents`;
  const isOther = (version: string) => `${isLive(version, input('now'))} AND ${version}.id IS NOT ${input('own')}`;
  const reads = blocks.map((_, at) => {
    const bucket = bucketOf(name, at);
    const from = `input CROSS JOIN json_each(input.probes${at}) AS probed CROSS JOIN ${bucket}`;
    // x and y are the bits in which the fingerprints differ: SQLite has no exclusive or.
    const read =
      'SELECT d.number, (d.high | input.high) - (d.high & input.high) AS x, (d.low | input.low) - (d.low & input.low) AS y ' +
      `FROM ${from}`;
    const isFlooded = `(SELECT count(*) FROM first${at}) > ${MAX_READ}`;
    /** The number of the first version of a bucket that a search does not read. */
    const cut =
      `coalesce((SELECT number FROM (SELECT d.* FROM ${bucket} ORDER BY d.number LIMIT ${MAX_PASSED + MAX_READ}) AS found ` +
      `WHERE ${isOther('found')} LIMIT 1 OFFSET ${MAX_READ}), ` +
      `(SELECT d.number FROM ${bucket} ORDER BY d.number LIMIT 1 OFFSET ${MAX_PASSED + MAX_READ}), ${Number.MAX_SAFE_INTEGER})`;
    // The probed buckets of a block together almost always have fewer versions than the bound of one bucket.
    return `first${at} AS MATERIALIZED (
  ${read} LIMIT ${MAX_READ + 1}
), read${at} AS (
  SELECT * FROM first${at} WHERE NOT ${isFlooded}
  UNION ALL ${read} AND ${isFlooded} AND d.number < ${cut}
)`;
  });
  // Without a limit, a subquery may become a part of the query around it, or lose its order.
  const distances =
    `SELECT number, ${total('bits')} AS distance FROM (SELECT number, ${nibbles('x')} + ${nibbles('y')} AS bits FROM ` +
    `(SELECT number, ${pairs('x')} AS x, ${pairs('y')} AS y FROM read LIMIT -1) LIMIT -1) LIMIT -1`;
  return `WITH input (high, low, words, now, own, most, probes0, probes1, probes2, probes3) AS MATERIALIZED (
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
), ${reads.join(', ')}, read AS (
  ${blocks.map((_, at) => `SELECT * FROM read${at}`).join(' UNION ALL ')} -- D1 takes a union of five
), near AS MATERIALIZED (
  SELECT DISTINCT * FROM (${distances}) WHERE distance <= ${MAX_DISTANCE} ORDER BY distance, number LIMIT -1
)
SELECT * FROM (
  SELECT ${columns.replaceAll(/\w+/g, 'd.$&')} FROM near CROSS JOIN ${table} AS d USING (number) WHERE ${isOther('d')} LIMIT ${MAX_VERIFIED}
) UNION ALL SELECT * FROM (
  SELECT ${columns} FROM (
    SELECT d.* FROM ${table} AS d INDEXED BY ${name}_words
    WHERE d.words = ${input('words')} AND d.high = ${input('high')} AND d.low = ${input('low')}
    ORDER BY d.number LIMIT ${MAX_PASSED} + ${input('most')}
  ) AS found WHERE ${isOther('found')} LIMIT ${input('most')}
)`;
}

// The tables of a store in SQLite, a Durable Object and D1, and all statements on them.
//
// A version is a row of NAME_documents, and a row of NAME_keys for each key that it is filed under: of its id, and of its text.
// The keys are also in the row of the version, so that its removal finds them. Both tables change in one transaction.
import { KEY_BYTES } from './candidates.js';
import { PAGE } from './engine.js';
import { LAYOUT, type Settings } from './settings.js';

/** A value of a statement. */
export type SqlValue = string | number | Uint8Array | null;

/** A statement, and its values. */
export type Command = readonly [statement: string, ...values: SqlValue[]];

/** The statements on the tables of a store. */
export type Statements = ReturnType<typeof statementsOf>;

interface Tables {
  documents: string;
  keys: string;
  store: string;
}

const tablesOf = (name: string): Tables => ({
  documents: `${name}_documents`,
  keys: `${name}_keys`,
  store: `${name}_store`,
});

/** The name of the constraint that `check` violates. */
const constraintOf = (name: string): string => `${name}_unchanged`;

/** The time in milliseconds since 1970 by the database's own clock. */
const clock = "CAST(round(1000 * unixepoch('subsec')) AS INTEGER)";

/** A bound time, or the clock if that is NULL. */
const time = `coalesce(?, ${clock})`;

/** Returns whether the message of an error is the refusal of `check`. */
export const isRefusal = (message: string, name: string): boolean =>
  message.includes(`CHECK constraint failed: ${constraintOf(name)}`);

/** Returns whether the message of an error states that a table of the store is missing. */
export const isMissing = (message: string, name: string): boolean => message.includes(`no such table: ${name}_`);

/** Returns the conditions that the table of documents and the table of keys have no rows. */
const emptyOf = ({ documents, keys }: Tables): [string, string] => [
  `(SELECT max(number) FROM ${documents}) IS NULL`,
  `(SELECT max(key) FROM ${keys}) IS NULL`,
];

/** Returns the statements that create a store, unless it exists. If metadata alone is lost, they do not write another salt. */
export function schemaOf({ name, storedScheme }: Settings): string[] {
  const tables = tablesOf(name);
  const { documents, keys, store } = tables;
  const isNew = [`NOT EXISTS (SELECT 1 FROM ${store})`, ...emptyOf(tables)].join(' AND ');
  return [
    `CREATE TABLE IF NOT EXISTS ${documents} (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of addition
  id TEXT NOT NULL, -- with at most two versions
  value BLOB NOT NULL, -- the version
  ends INTEGER, -- in milliseconds since 1970; NULL for never
  keys BLOB NOT NULL -- those that the version is filed under, ${KEY_BYTES} bytes each
)`,
    `CREATE INDEX IF NOT EXISTS ${name}_end ON ${documents} (ends) WHERE ends IS NOT NULL`,
    `CREATE TABLE IF NOT EXISTS ${keys} (key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID`,
    `CREATE TABLE IF NOT EXISTS ${store} (
  scheme TEXT NOT NULL,
  layout INTEGER NOT NULL,
  salt TEXT NOT NULL, -- of the keys
  CONSTRAINT ${constraintOf(name)} CHECK (layout > 0) -- violated by a write whose conditions do not hold
)`,
    `INSERT INTO ${store} (scheme, layout, salt) SELECT '${storedScheme}', ${LAYOUT}, lower(hex(randomblob(8))) WHERE ${isNew}`,
  ];
}

/** Returns the statements on the tables of a store. Lists of values are JSON. */
export function statementsOf(name: string) {
  const tables = tablesOf(name);
  const { documents, keys, store } = tables;
  const [hasNoDocuments, hasNoKeys] = emptyOf(tables);
  const equal =
    `SELECT count(*) FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.number = q.value ->> 0 ` +
    'WHERE lower(hex(d.value)) = q.value ->> 1';
  const added = `SELECT 1 FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value AND k.number > ?`;
  const last = `coalesce(?, (SELECT max(number) FROM ${documents}))`;
  return {
    /** Returns the metadata, and whether one of the other tables is empty and the other one is not. */
    metadata: `SELECT scheme, layout, salt, (${hasNoDocuments}) <> (${hasNoKeys}) AS isPartial FROM ${store}`,
    /** Of the local engine, which reads and decides within a transaction. */
    local: {
      salt: `SELECT salt FROM ${store}`,
      /** Returns the versions of the id with a key. */
      own: `SELECT d.* FROM ${keys} AS k CROSS JOIN ${documents} AS d ON d.number = k.number WHERE k.key = ? AND d.id = ?`,
      /**
       * Returns, for each key of a list under which there are versions, its index, the number of versions, and the numbers of those
       * that end after a time. The versions of an id are left out.
       */
      search:
        'SELECT q.key AS keyIndex, count(*) AS count, json_group_array(k.number) FILTER (WHERE ends IS NULL OR ends > ?) AS live ' +
        `FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value CROSS JOIN ${documents} AS d ON d.number = k.number ` +
        'WHERE d.id IS NOT ? GROUP BY keyIndex',
      /** Returns the versions under a key that have ended, except the versions of an id. */
      endedUnder:
        `SELECT d.number FROM ${keys} AS k CROSS JOIN ${documents} AS d ON d.number = k.number ` +
        'WHERE k.key = ? AND d.ends <= ? AND d.id IS NOT ?',
      /** Returns the versions with some numbers, in this order. */
      versions: `SELECT d.* FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.number = q.value`,
    },
    /** Of D1, which decides between two batches. */
    remote: {
      /** Returns the time, and the state that `check` compares: the salt and the last number. */
      state: `SELECT ${clock} AS now, salt, coalesce((SELECT max(number) FROM ${documents}), 0) AS last FROM ${store}`,
      /** Returns the versions under some keys, in the order of addition, each with the keys under which it was found. */
      under:
        `SELECT d.*, json_group_array(k.key) AS found FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value ` +
        `CROSS JOIN ${documents} AS d ON d.number = k.number GROUP BY d.number ORDER BY d.number`,
      /**
       * Fails with an error of `isRefusal` unless some versions have these numbers and values, no version after a number is under some keys of
       * the store with a salt, and it is before a time, if there is one.
       */
      check:
        `INSERT INTO ${store} (scheme, layout, salt) SELECT '', 0, '' ` +
        `WHERE (${equal}) <> ? OR EXISTS (${added}) OR (SELECT salt FROM ${store}) IS NOT ? OR ? <= ${clock}`,
    },
    insert: (count: number) =>
      `INSERT INTO ${documents} (id, value, ends, keys) VALUES ${'(?, ?, ?, ?), '.repeat(count - 1)}(?, ?, ?, ?)`,
    /**
     * Files the last versions under lists of keys, one for each version. The first value is their count - 1, by which the first of their
     * numbers is below the largest one. With OR FAIL, SQLite copies no pages for the case that a row after
     * the first one fails: the transaction is then undone.
     */
    file:
      `INSERT OR FAIL INTO ${keys} (key, number) SELECT v.value, (SELECT max(number) FROM ${documents}) - ? + q.key ` +
      'FROM json_each(?) AS q CROSS JOIN json_each(q.value) AS v',
    update: `UPDATE ${documents} SET value = ?, ends = ? WHERE number = ?`,
    /** Removes rows of the table of keys: pairs of a key and the number of a version. */
    unfile: `DELETE FROM ${keys} WHERE (key, number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
    /** Removes the versions with some numbers. */
    remove: `DELETE FROM ${documents} WHERE number IN (SELECT value FROM json_each(?))`,
    count: `SELECT count(DISTINCT id) AS count FROM ${documents} WHERE ends IS NULL OR ends > ${time}`,
    /** Returns a page of versions after a number, without those after the last number of the first page. */
    page:
      `SELECT number, id, ${last} AS last FROM ${documents} WHERE number > ? AND number <= ${last} ` +
      `ORDER BY number LIMIT ${PAGE}`,
    /** Returns a page of versions that have ended. */
    ended: `SELECT number, id FROM ${documents} WHERE ends <= ${time} ORDER BY ends LIMIT ${PAGE}`,
  };
}

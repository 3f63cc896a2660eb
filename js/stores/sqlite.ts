/**
 * A store in an SQLite database, which several processes of one machine may open.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../common/argument-error.js';
import { sqliteAdvice } from './advice.js';
import { decideLocally } from './decide-locally.js';
import { EngineStore } from './engine-store.js';
import { checkSettings } from './settings.js';
import { type SqliteConnection, SqliteEngine } from './sqlite-engine.js';
import { fileCheck } from './sqlite-file.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of `DatabaseSync` (node:sqlite) or `Database` (better-sqlite3, bun:sqlite) that the store uses. */
export interface SqliteDatabase {
  /** Runs statements. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): { all(...values: never[]): unknown[]; run(...values: never[]): unknown };
}

/** A statement of a client. `reader` of better-sqlite3: whether it returns rows. */
type Statement = Record<string, (...values: unknown[]) => unknown[]> & { reader?: boolean };

/** The members by which clients name their file: a method of node:sqlite, `filename` of bun:sqlite, `name` of better-sqlite3. */
interface NamedDatabase extends SqliteDatabase {
  location?(): string | null;
  filename?: string;
  name?: string;
}

/** Returns the name of a database's file, as the client was given it or has opened it. */
function nameOf(database: NamedDatabase): string | null | undefined {
  return database.location?.() ?? database.filename ?? database.name;
}

/** Returns whether a name is a path: a URI has a scheme, which is longer than the letter of a drive. */
const isPath = (name: string | null | undefined): boolean => typeof name === 'string' && !/^\w{2,}:/.test(name);

function connectionOf(database: SqliteDatabase): SqliteConnection {
  const prepared = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const statement = database.prepare(text) as unknown as Statement;
    // Rows are objects of numbers, whatever the options of the connection.
    for (const method of ['safeIntegers', 'setReadBigInts', 'setReturnArrays']) statement[method]?.(false);
    prepared.set(text, statement);
    return statement;
  };
  const rows = (text: string, ...values: unknown[]) => {
    const statement = prepared.get(text) ?? prepare(text);
    if (statement.reader !== false) return statement.all(...values);
    statement.run(...values);
    return [];
  };
  const checkFile = fileCheck(() => {
    const databases = rows('PRAGMA database_list') as { name: string; file: string | null }[];
    const path = databases.find(({ name }) => name === 'main')?.file ?? '';
    return { path, isOpened: isPath(nameOf(database)) };
  });
  return {
    rows,
    transaction(isWriting, body) {
      checkFile();
      // A savepoint to read, since the caller may have begun a transaction.
      const [begin, end, undo] = isWriting
        ? ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
        : ['SAVEPOINT nearprint_read', 'RELEASE nearprint_read', 'RELEASE nearprint_read'];
      rows(begin);
      try {
        const result = body();
        rows(end);
        return result;
      } catch (error) {
        // This statement fails if the error, such as a full disk, has already rolled the transaction back.
        try {
          rows(undo);
        } catch {}
        throw error;
      }
    },
  };
}

/**
 * Returns the store in an SQLite database. The tables are created at the first call.
 *
 * Processes exclude each other by transactions. With `PRAGMA journal_mode = WAL`, readers do not wait. better-sqlite3 then also needs
 * `PRAGMA synchronous = FULL`: otherwise a power cut can lose the latest calls. With a rollback journal, the default, it can lose the
 * last call unless `synchronous` is `EXTRA`.
 *
 * @example
 * ```js
 * const store = sqliteStore(new Database('seen.db'));
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `database` is not a database, or an option is wrong
 */
export function sqliteStore(database: SqliteDatabase, options?: StoreOptions): Store {
  const { prepare, exec } = (database ?? {}) as Partial<SqliteDatabase>;
  if (typeof prepare !== 'function' || typeof exec !== 'function') {
    throw new ArgumentError('database', 'a database of node:sqlite, better-sqlite3 or bun:sqlite', database);
  }
  const settings = checkSettings(options);
  return new EngineStore(new SqliteEngine(connectionOf(database), settings), settings, decideLocally, sqliteAdvice);
}

/**
 * A store in an SQLite database, which several processes of one machine may open.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../core/argument-error.js';
import { sqliteAdvice } from './advice.js';
import { EngineStore } from './engine-store.js';
import { checkSettings } from './settings.js';
import { type SqliteConnection, SqliteEngine } from './sqlite-engine.js';
import type { Store, StoreOptions } from './store.js';
import { whenFree } from './when-free.js';

export type * from './store.js';

/** The members of `DatabaseSync` (node:sqlite) or `Database` (better-sqlite3, bun:sqlite) that the store uses. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: never[]): unknown[]; run(...values: never[]): unknown };
}

type Statement = Record<string, (...values: unknown[]) => unknown[]>;

function connectionOf(database: SqliteDatabase): SqliteConnection {
  const prepared = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const statement = database.prepare(text) as unknown as Statement;
    // Rows are objects of numbers, whatever the options of the connection.
    for (const method of ['safeIntegers', 'setReadBigInts', 'setReturnArrays']) statement[method]?.(false);
    prepared.set(text, statement);
    return statement;
  };
  const run = (text: string, ...values: unknown[]) => (prepared.get(text) ?? prepare(text)).run(...values);
  return {
    rows: (text, ...values) => (prepared.get(text) ?? prepare(text)).all(...values),
    run,
    script: (statements) => database.exec(statements),
    whenFree,
    transaction(isWriting, body) {
      // A savepoint to read, since the caller may have begun a transaction.
      const [begin, end, undo] = isWriting
        ? ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
        : ['SAVEPOINT nearprint_read', 'RELEASE nearprint_read', 'RELEASE nearprint_read'];
      run(begin);
      try {
        const result = body();
        run(end);
        return result;
      } catch (error) {
        // This statement fails if the error, such as a full disk, has already rolled the transaction back.
        try {
          run(undo);
        } catch {}
        throw error;
      }
    },
  };
}

/**
 * Returns the store in an SQLite database. The tables are created at the first call.
 *
 * Processes exclude each other by transactions. With `PRAGMA journal_mode = WAL`, readers do not wait.
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
  return new EngineStore(new SqliteEngine(connectionOf(database), settings), settings, sqliteAdvice);
}

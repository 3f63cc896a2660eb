import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** What the store uses of `DatabaseSync` (node:sqlite), `Database` (better-sqlite3) or `Database` (bun:sqlite). */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...values: never[]): unknown[] };
}

/**
 * A store in an SQLite database, which several processes of one machine may open.
 *
 * @example
 * ```js
 * const store = sqliteStore(new Database('seen.db'));
 * const [{ duplicateOf }] = await store.addIfNew([{ id: url, sketch: sketch(text) }]);
 * ```
 */
export function sqliteStore(database: SqliteDatabase, options?: StoreOptions): Store;

import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** What the store uses of `Pool` or `Client` (pg), `sql` (postgres.js) or `PGlite`. */
export type PostgresClient =
  | { query(sql: string, values?: never[]): Promise<{ rows: unknown[] }> }
  // biome-ignore lint/suspicious/noExplicitAny: the pending query of postgres.js
  | { unsafe(sql: string, values?: never[]): any };

/**
 * A store in PostgreSQL 14 or later, for the processes of many machines. Give it a pool: calls that run at once then use
 * several connections. A client must not be in a transaction.
 *
 * @example
 * ```js
 * const store = postgresStore(new pg.Pool({ connectionString }));
 * const [{ duplicateOf }] = await store.addIfNew([{ id: url, sketch: sketch(text) }]);
 * ```
 */
export function postgresStore(client: PostgresClient, options?: StoreOptions): Store;

/**
 * A store in PostgreSQL 14 or later, for the processes of many machines.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../common/argument-error.js';
import { postgresAdvice } from './advice.js';
import { decideRemotely } from './decide-remotely.js';
import { EngineStore } from './engine-store.js';
import { PostgresEngine, type RunQuery } from './postgres-engine.js';
import { checkSettings } from './settings.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of `Pool` or `Client` (pg), `sql` (postgres.js) or `PGlite` that the store uses. */
export type PostgresClient = QueryClient | UnsafeClient;

/** The members of a `Pool` or `Client` of pg, or of `PGlite`, that the store uses. */
export interface QueryClient {
  /** Runs a statement. */
  query(sql: string, values?: never[]): Promise<{ rows: unknown[] }>;
}

/** The members of `sql` of postgres.js that the store uses. */
export interface UnsafeClient {
  /** Runs a statement. */
  // biome-ignore lint/suspicious/noExplicitAny: the pending query of postgres.js
  unsafe(sql: string, values?: never[]): any;
}

/** The methods of the clients that the store uses: `unsafe` of postgres.js, `query` of the others, `exec` of PGlite. */
interface Methods {
  unsafe<T>(
    statement: string,
    values?: readonly string[],
    options?: { prepare: boolean },
  ): Promise<T[]> & { simple(): Promise<T[]> };
  query<T>(statement: string, values?: readonly string[]): Promise<{ rows: T[] }>;
  exec(statements: string): Promise<never[]>;
}

/** Returns a function that runs statements with a client. */
function runnerOf(client: PostgresClient): RunQuery {
  const { unsafe, query, exec } = (client ?? {}) as Partial<Methods>;
  const methods = client as unknown as Methods;
  if (typeof unsafe === 'function') {
    return (statement, values) =>
      values === undefined
        ? methods.unsafe<never>(statement).simple()
        : methods.unsafe(statement, values, { prepare: true });
  }
  if (typeof query !== 'function') {
    throw new ArgumentError('client', 'a pool or client of pg, postgres.js or PGlite', client);
  }
  return async (statement, values) =>
    values === undefined && typeof exec === 'function'
      ? methods.exec(`BEGIN; ${statement} COMMIT;`)
      : (await methods.query<never>(statement, values)).rows;
}

/**
 * Returns the store in a PostgreSQL database. The tables and functions are created at the first call.
 *
 * With a pool, calls that run at once use several connections. A client must not be in a transaction: the store's locks
 * would be held until its end.
 *
 * @example
 * ```js
 * const store = postgresStore(new pg.Pool({ connectionString }));
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `client` is not a pool or a client, or an option is wrong
 */
export function postgresStore(client: PostgresClient, options?: StoreOptions): Store {
  const settings = checkSettings(options);
  return new EngineStore(new PostgresEngine(runnerOf(client), settings), settings, decideRemotely, postgresAdvice);
}

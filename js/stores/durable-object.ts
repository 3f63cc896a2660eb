/**
 * A store in a Durable Object with SQLite storage.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../common/argument-error.js';
import { durableObjectAdvice } from './advice.js';
import { decideLocally } from './decide-locally.js';
import { EngineStore } from './engine-store.js';
import { checkSettings } from './settings.js';
import { SqliteEngine } from './sqlite-engine.js';
import type { SqlValue } from './sqlite-sql.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of a Durable Object's storage that the store uses. */
export interface DurableObjectStorage {
  /** Runs a statement. */
  sql: { exec(query: string, ...values: never[]): { toArray(): unknown[] } };
  /** Runs a function in a transaction. */
  transactionSync<T>(change: () => T): T;
}

/** Converts a value for the storage: bytes to ArrayBuffer. */
const toStorable = (value: SqlValue) => (value instanceof Uint8Array ? value.slice().buffer : value);

/**
 * Returns a store in the storage of a Durable Object of `new_sqlite_classes`. The tables are created at the first call.
 *
 * @example
 * ```js
 * const store = durableObjectStore(ctx.storage);
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `storage` is not the storage of a Durable Object with SQLite, or an option is wrong
 */
export function durableObjectStore(storage: DurableObjectStorage, options?: StoreOptions): Store {
  const { sql, transactionSync } = (storage ?? {}) as Partial<DurableObjectStorage>;
  if (typeof transactionSync !== 'function' || typeof sql?.exec !== 'function') {
    throw new ArgumentError('storage', 'the storage of a Durable Object with SQLite (new_sqlite_classes)', storage);
  }
  const settings = checkSettings(options);
  const engine = new SqliteEngine(
    {
      rows: (statement, ...values) => storage.sql.exec(statement, ...(values.map(toStorable) as never[])).toArray(),
      transaction: (isWriting, body) => (isWriting ? storage.transactionSync(body) : body()),
    },
    settings,
  );
  return new EngineStore(engine, settings, decideLocally, durableObjectAdvice);
}

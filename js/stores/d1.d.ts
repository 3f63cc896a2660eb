import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** What the store uses of a `D1Database`. */
export interface D1Binding {
  prepare(sql: string): { bind(...values: never[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/**
 * A store in a D1 database, for Workers. A statement has at most 20 bound parameters.
 *
 * @example
 * ```js
 * const store = d1Store(env.DB);
 * const [{ duplicateOf }] = await store.addIfNew([{ id: url, sketch: sketch(text) }]);
 * ```
 */
export function d1Store(database: D1Binding, options?: StoreOptions): Store;

import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** What the store uses of a `DurableObjectStorage`. */
export interface ObjectStorage {
  transactionSync<T>(closure: () => T): T;
  sql: { exec(statement: string, ...values: never[]): { toArray(): unknown[] } };
}

/**
 * A store in a Durable Object, whose class is one of `new_sqlite_classes`. Call it in the object with `ctx.storage`.
 *
 * @example
 * ```js
 * const store = durableObjectStore(ctx.storage);
 * const [{ duplicateOf }] = await store.addIfNew([{ id: url, sketch: sketch(text) }]);
 * ```
 */
export function durableObjectStore(storage: ObjectStorage, options?: StoreOptions): Store;

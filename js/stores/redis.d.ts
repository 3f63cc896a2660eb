import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** What the store uses of a connected client or cluster of `redis` (5 or later), or one of `ioredis`. */
export type RedisClient =
  // biome-ignore lint/suspicious/noExplicitAny: the clients type their commands in different ways
  { callBuffer(command: string, ...values: any[]): Promise<any> } | { sendCommand(...values: any[]): Promise<any> };

/**
 * A store in Redis 7, Valkey, or one node of a Cluster, for the processes of many machines. What survives a crash is what
 * Redis has written: with `appendfsync everysec` the last second may be lost, with `always` nothing.
 *
 * @example
 * ```js
 * const store = redisStore(await createClient({ url }).connect());
 * const [{ duplicateOf }] = await store.addIfNew([{ id: url, sketch: sketch(text) }]);
 * ```
 */
export function redisStore(client: RedisClient, options?: StoreOptions): Store;

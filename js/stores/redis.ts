/**
 * A store in Redis 7 or Valkey, on one node or in a Cluster.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../common/argument-error.js';
import { bytesOfHex, hexOf } from '../common/hex.js';
import { redisAdvice } from './advice.js';
import { decideRemotely } from './decide-remotely.js';
import { EngineStore } from './engine-store.js';
import { type Connection, RedisEngine, type ScriptValue } from './redis-engine.js';
import { inHex } from './redis-scripts.js';
import { checkSettings } from './settings.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** A connected client or cluster of `redis` (5 or later) or `ioredis`, or a client of `@upstash/redis`. */
export type RedisClient = IoredisClient | NodeRedisClient | UpstashClient;

// biome-ignore-start lint/suspicious/noExplicitAny: the clients type their commands in different ways
/** The members of a client of `ioredis` that the store uses. */
export interface IoredisClient {
  /** Runs a script, and returns bytes. */
  evalBuffer(...values: any[]): Promise<any>;
  /** Runs a script by its hash, and returns bytes. */
  evalshaBuffer(...values: any[]): Promise<any>;
}

/** The members of a client of `redis` that the store uses. */
export interface NodeRedisClient {
  /** Sends a command. */
  sendCommand(...values: any[]): Promise<any>;
}

/** The members of a client of `@upstash/redis` that the store uses. */
export interface UpstashClient {
  /** Runs a script. */
  eval(...values: any[]): Promise<any>;
  /** Runs a script by its hash. */
  evalsha(...values: any[]): Promise<any>;
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** Converts bytes: clients with a socket accept only Buffers. */
declare const Buffer: { from(buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array };

/** Returns the connection of a client that sends bytes. `send` receives a key, by which a Cluster finds the node. */
const binaryConnection = (send: (key: string, command: readonly ScriptValue[]) => Promise<unknown>): Connection => ({
  formOf: (script) => script,
  evaluate: (command, script, keys, values) =>
    send(keys[0], [
      command,
      script,
      String(keys.length),
      ...keys,
      ...values.map((value) =>
        typeof value === 'string' ? value : Buffer.from(value.buffer, value.byteOffset, value.length),
      ),
    ]),
});

function decodeReply(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(decodeReply);
  return typeof reply === 'string' ? bytesOfHex(reply.slice(1)) : reply;
}

/**
 * Returns the connection of a client over HTTP. Its strings are UTF-8, so all values are hexadecimal. By default it parses
 * strings of a reply as JSON; a leading letter prevents that.
 */
const httpConnection = (
  client: Record<'eval' | 'evalsha', (script: string, keys: readonly string[], values: string[]) => Promise<unknown>>,
): Connection => ({
  formOf: inHex,
  async evaluate(command, script, keys, values) {
    const hex = values.map((value) => hexOf(typeof value === 'string' ? new TextEncoder().encode(value) : value));
    return decodeReply(await client[command](script, keys, hex));
  },
});

function connectionOf(client: RedisClient): Connection {
  const has = (method: string): boolean => typeof Object(client)[method] === 'function';
  const calls = client as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
  // ioredis, a single node or a Cluster. Its `callBuffer` fails with `enableAutoPipelining`.
  if (has('evalshaBuffer')) return binaryConnection((_, [command, ...rest]) => calls[`${command}Buffer`](...rest));
  if (!has('sendCommand')) {
    if (has('evalsha') && has('eval')) return httpConnection(client as Parameters<typeof httpConnection>[0]);
    throw new ArgumentError('client', 'a client or cluster of redis or ioredis, or a client of @upstash/redis', client);
  }
  // node-redis: the first arguments of a Cluster are the key and whether the command only reads.
  const blobs = 36;
  const options = { typeMapping: { [blobs]: Buffer } };
  return binaryConnection(
    has('nodeClient') || has('getSlotRandomNode')
      ? (key, command) => calls.sendCommand(key, false, command, options)
      : (_, command) => calls.sendCommand(command, options),
  );
}

/**
 * Returns the store in Redis 7, Valkey, or one node of a Cluster, for processes on many machines.
 *
 * A crash of the server may lose the last second of changes with `appendfsync everysec`, and nothing with `always`. The
 * policy `maxmemory-policy` must be `noeviction` or one of `volatile-*`, so that Redis removes no keys of the store.
 *
 * @example
 * ```js
 * const store = redisStore(await createClient({ url }).connect());
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `client` is not a client of Redis, or an option is wrong
 */
export function redisStore(client: RedisClient, options?: StoreOptions): Store {
  const connection = connectionOf(client);
  const settings = checkSettings(options);
  return new EngineStore(new RedisEngine(connection, settings), settings, decideRemotely, redisAdvice);
}

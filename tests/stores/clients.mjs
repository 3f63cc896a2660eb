// Opens stores by URL, with each of the clients that they take. Only what a URL needs is imported: Bun and other versions of
// Node run this file too.

/** The database of PGlite in the memory of this process: it is slow to open. */
let pglite;

/** Each opens a client: `{ client, close }`. */
const drivers = {
  async 'better-sqlite3'(path) {
    const { default: Database } = await import('better-sqlite3');
    const client = new Database(path);
    client.pragma('journal_mode = WAL');
    return { client, close: () => client.close() };
  },
  async 'better-sqlite3-bigint'(path) {
    const { client, close } = await drivers['better-sqlite3'](path);
    return { client: client.defaultSafeIntegers(), close };
  },
  async 'node-sqlite'(path) {
    const { DatabaseSync } = await import('node:sqlite');
    const client = new DatabaseSync(path);
    return { client, close: () => client.close() };
  },
  async 'node-sqlite-bigint-arrays'(path) {
    const { DatabaseSync } = await import('node:sqlite');
    const client = new DatabaseSync(path, { readBigInts: true, returnArrays: true });
    return { client, close: () => client.close() };
  },
  async 'bun-sqlite'(path) {
    const { Database } = await import('bun:sqlite');
    const client = new Database(path);
    return { client, close: () => client.close() };
  },
  async pg(url, { max = 2 } = {}) {
    const { default: pg } = await import('pg');
    const client = new pg.Pool({ connectionString: `postgres:${url}`, max });
    client.on('error', () => {}); // of idle connections, when the server is killed
    return { client, close: () => client.end() };
  },
  async 'pg-binary'(url) {
    const { default: pg } = await import('pg');
    const client = new pg.Pool({ connectionString: `postgres:${url}`, binary: true });
    return { client, close: () => client.end() };
  },
  async 'postgres.js-camel'(url) {
    const { default: postgres } = await import('postgres');
    return drivers['postgres.js'](url, {}, { transform: postgres.camel });
  },
  async 'postgres.js-pascal'(url) {
    const { default: postgres } = await import('postgres');
    return drivers['postgres.js'](url, {}, { transform: postgres.pascal });
  },
  async 'postgres.js'(url, { max = 2 } = {}, options = {}) {
    const { default: postgres } = await import('postgres');
    const client = postgres(`postgres:${url}`, { max, onnotice() {}, ...options });
    return { client, close: () => client.end() };
  },
  'postgres.js-unprepared': (url, options) => drivers['postgres.js'](url, options, { prepare: false }),
  async pglite() {
    const { PGlite } = await import('@electric-sql/pglite');
    pglite ??= new PGlite();
    return { client: pglite, close() {} };
  },
  redis: async (url) => drivers['node-redis'](url, await import('redis')),
  /** The oldest version that a store supports. */
  'redis-5': async (url) => drivers['node-redis'](url, await import('redis-5')),
  async 'node-redis'(url, { createClient }) {
    const client = createClient({ url: `redis:${url}`, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  async upstash(url) {
    const { Redis } = await import('@upstash/redis');
    const { bridge } = await import('./bridge.mjs');
    const { url: address, close } = await bridge(`redis:${url}`);
    return { client: new Redis({ url: address, token: 'token', retry: { retries: 0 } }), close };
  },
  async 'redis-cluster'(url) {
    const { createCluster } = await import('redis');
    const client = createCluster({ rootNodes: [{ url: `redis:${url}` }] });
    client.on('error', () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  async ioredis(url) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis(`redis:${url}`, { retryStrategy: null, maxRetriesPerRequest: 0 });
    client.on('error', () => {});
    return { client, close: () => client.disconnect() };
  },
  async 'ioredis-pipelined'(url) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis(`redis:${url}`, { enableAutoPipelining: true, keyPrefix: 'app:' });
    return { client, close: () => client.disconnect() };
  },
  async 'ioredis-cluster'(url) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis.Cluster([`redis:${url}`]);
    return { client, close: () => client.disconnect() };
  },
  async 'ioredis-pipelined-cluster'(url) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis.Cluster([`redis:${url}`], { enableAutoPipelining: true });
    return { client, close: () => client.disconnect() };
  },
};

const importStore = {
  sqlite: async () => (await import('nearprint/store/sqlite')).sqliteStore,
  postgres: async () => (await import('nearprint/store/postgres')).postgresStore,
  redis: async () => (await import('nearprint/store/redis')).redisStore,
};

/** The kind of store that takes the client of a driver. */
const kindOf = (driver) => (/sqlite/.test(driver) ? 'sqlite' : /^(?:pg|postgres)/.test(driver) ? 'postgres' : 'redis');

/** Returns the client by which a store has the time of `now()`, in seconds. */
async function onClock(kind, client, now) {
  if (kind === 'postgres') return (await import('./clock-postgres.mjs')).withClock(client, now);
  if (kind === 'redis') return (await import('./clock-redis.mjs')).withClock(client, () => 1000 * now());
  Date.now = () => 1000 * now();
  return client;
}

/**
 * Opens the store of a URL `DRIVER:...`. Returns `{ client, store, close }`. `max` is the number of connections to PostgreSQL. The
 * time of the store is `now()` in seconds; without it, the time of the engine. `change(kind, client)` returns the client of the store.
 */
export async function open(url, { max, ...options } = {}, now = undefined, change = (_, client) => client) {
  const [, driver, rest] = /^([\w.-]+):(.*)$/.exec(url);
  const { client, close } = await drivers[driver](rest, { max });
  const kind = kindOf(driver);
  const create = await importStore[kind]();
  const changed = now === undefined ? change(kind, client) : await onClock(kind, client, now);
  return { client, store: create(changed, options), close };
}

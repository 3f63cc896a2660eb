// Opens stores by URL, with each of the clients that they take.
import { postgresStore } from 'nearprint/store/postgres';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';

const opened = {
  async 'better-sqlite3:'(path, options) {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(path);
    database.pragma('journal_mode = WAL');
    return { client: database, store: sqliteStore(database, options), close: () => database.close() };
  },
  async 'node-sqlite:'(path, options) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(path);
    return { client: database, store: sqliteStore(database, options), close: () => database.close() };
  },
  async 'bun-sqlite:'(path, options) {
    const { Database } = await import('bun:sqlite');
    const database = new Database(path);
    return { client: database, store: sqliteStore(database, options), close: () => database.close() };
  },
  async 'pg:'(url, options) {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: `postgres:${url}`, max: options?.max ?? 2 });
    pool.on('error', () => {}); // of idle connections, when the server is killed
    const { max, ...others } = options ?? {};
    return { client: pool, store: postgresStore(pool, others), close: () => pool.end() };
  },
  async 'postgres.js:'(url, options) {
    const { default: postgres } = await import('postgres');
    const sql = postgres(`postgres:${url}`, { max: 2, onnotice() {} });
    return { client: sql, store: postgresStore(sql, options), close: () => sql.end() };
  },
  async 'pglite:'(_, options) {
    const { PGlite } = await import('@electric-sql/pglite');
    const database = new PGlite();
    return { client: database, store: postgresStore(database, options), close: () => database.close() };
  },
  async 'redis:'(url, options) {
    const { createClient } = await import('redis');
    const client = createClient({ url: `redis:${url}`, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { client, store: redisStore(client, options), close: () => client.destroy() };
  },
  async 'redis-cluster:'(url, options) {
    const { createCluster } = await import('redis');
    const client = createCluster({ rootNodes: [{ url: `redis:${url}` }] });
    client.on('error', () => {});
    await client.connect();
    return { client, store: redisStore(client, options), close: () => client.destroy() };
  },
  async 'ioredis-cluster:'(url, options) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis.Cluster([`redis:${url}`]);
    return { client, store: redisStore(client, options), close: () => client.disconnect() };
  },
  async 'ioredis:'(url, options) {
    const { default: Redis } = await import('ioredis');
    const client = new Redis(`redis:${url}`, { retryStrategy: null, maxRetriesPerRequest: 0 });
    client.on('error', () => {});
    return { client, store: redisStore(client, options), close: () => client.disconnect() };
  },
};

/** Returns `{ client, store, close }`. */
export function open(url, options) {
  const kind = url.slice(0, url.indexOf(':') + 1);
  return opened[kind](url.slice(kind.length), options);
}

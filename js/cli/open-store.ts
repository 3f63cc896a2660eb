// Opens the store of the option --store.
import { codeOf, messageOf, UserError } from '../node/errors.js';
import { importPackage } from '../node/packages.js';
import type { PostgresClient } from '../stores/postgres.js';
import type { RedisClient } from '../stores/redis.js';
import type { StoreOptions } from '../stores/settings.js';
import { type SqliteDatabase, sqliteStore } from '../stores/sqlite.js';
import { retryWhileBusy } from '../stores/sqlite-engine.js';
import type { Store } from '../stores/store.js';
import { attempt } from './file-system.js';

interface OpenStore {
  store: Store;
  close(): void | Promise<void>;
}

type Sqlite = SqliteDatabase & { close(): void };
type SqliteClass = new (path: string) => Sqlite;
type Listening = { on(event: 'error', listener: () => void): unknown };
type Pool = PostgresClient & Listening & { end(): Promise<void> };
type Postgres = { default: { Pool: new (options: { connectionString: string }) => Pool } };
type Client = RedisClient & Listening & { connect(): Promise<unknown>; destroy(): void };
type Redis = { createClient(options: { url: string; socket: { reconnectStrategy: false } }): Client };

const pathOf = (url: string): string => url.slice('sqlite:'.length);

type StoreSettings = Pick<StoreOptions, 'scheme' | 'key' | 'preparation'>;

const openers: Readonly<Record<string, (url: string, settings: StoreSettings) => Promise<OpenStore>>> = {
  async sqlite(url, settings) {
    const builtIn = process.getBuiltinModule?.('node:sqlite') as { DatabaseSync: SqliteClass } | undefined;
    const Database =
      builtIn?.DatabaseSync ??
      (await importPackage<{ default: SqliteClass }>('better-sqlite3', 'before Node 22.13, --store sqlite:FILE'))
        .default;
    const client = new Database(pathOf(url));
    // Another run may create the database meanwhile. In this mode, better-sqlite3 would not wait for the disk at the end of a call.
    await retryWhileBusy(() => client.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'));
    return { store: sqliteStore(client, settings), close: () => client.close() };
  },
  async postgres(url, settings) {
    const { default: pg } = await importPackage<Postgres>('pg', '--store postgres://...');
    const { postgresStore } = await import('../stores/postgres.js');
    const client = new pg.Pool({ connectionString: url });
    // The error of an idle connection: the next call reports it.
    client.on('error', () => {});
    return { store: postgresStore(client, settings), close: () => client.end() };
  },
  async redis(url, settings) {
    const { createClient } = await importPackage<Redis>('redis', '--store redis://...');
    const { redisStore } = await import('../stores/redis.js');
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { store: redisStore(client, settings), close: () => client.destroy() };
  },
};

const schemeOf = (url: string): string => url.slice(0, Math.max(0, url.indexOf(':')));

/** Returns the files of a URL: of an SQLite database. */
export const filesOf = (url: string): string[] =>
  schemeOf(url) === 'sqlite' ? ['', '-wal', '-shm'].map((suffix) => pathOf(url) + suffix) : [];

/** Returns the scheme, the host and the database of a URL, without user and password. */
function describeUrl(url: string): string {
  const scheme = schemeOf(url);
  if (scheme === 'sqlite') return url;
  const { host, pathname = '@' } = attempt(() => new URL(url)) ?? {};
  // If a password contains a `/`, the parsed host is a part of the password.
  if (!pathname.includes('@')) return `${scheme}://${host}${pathname}`;
  return scheme === '' ? 'a text without a scheme' : `${scheme}:`;
}

export async function openStore(url: string, settings: StoreSettings): Promise<OpenStore> {
  const kind = schemeOf(url)
    .replace(/^postgresql$/, 'postgres')
    .replace(/^rediss$/, 'redis');
  // SQLite would keep a database without a name in memory.
  if (!Object.hasOwn(openers, kind) || url === 'sqlite:') {
    throw new UserError(`--store must be sqlite:FILE, postgres://... or redis://..., got ${describeUrl(url)}`);
  }
  let opened: OpenStore | undefined;
  try {
    opened = await openers[kind](url, settings);
    // The first call opens the store. `count` would read all of it.
    await opened.store.get('');
    return opened;
  } catch (error) {
    await opened?.close();
    if (error instanceof UserError) throw error;
    const message = (messageOf(error) || codeOf(error) || 'it cannot be opened').replaceAll(url, describeUrl(url));
    throw new UserError(`--store ${describeUrl(url)}: ${message}`);
  }
}

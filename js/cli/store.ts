// The option --store: the kept documents in a store that other processes use too.
import { ArgumentError, type Id } from '../index.js';
import { canonicalId } from '../node/fields.js';
import { importPackage } from '../node/packages.js';
import { UserError } from '../node/user-error.js';
import { checkId } from '../stores/ids.js';
import type { PostgresClient } from '../stores/postgres.js';
import type { RedisClient } from '../stores/redis.js';
import { type SqliteDatabase, sqliteStore } from '../stores/sqlite.js';
import type { Store } from '../stores/store.js';
import { type Decider, isDocumentKept, Keys, type RuleOptions } from './decider.js';
import type { Document } from './document.js';
import { codeOf, messageOf } from './errors.js';
import type { Io } from './io.js';

/** A store and the end of its connection. */
interface OpenStore {
  store: Store;
  close(): void | Promise<void>;
}

interface StoreSettings {
  scheme: string;
}

/** The parts of the drivers that are used. */
type Sqlite = SqliteDatabase & { close(): void };
type SqliteClass = new (path: string) => Sqlite;
type Listening = { on(event: 'error', listener: () => void): unknown };
type Pool = PostgresClient & Listening & { end(): Promise<void> };
type Postgres = { default: { Pool: new (options: { connectionString: string }) => Pool } };
type Client = RedisClient & Listening & { connect(): Promise<unknown>; destroy(): void };
type Redis = { createClient(options: { url: string; socket: { reconnectStrategy: false } }): Client };

/** Each opens a URL. */
const kinds: Readonly<Record<string, (url: string, settings: StoreSettings) => Promise<OpenStore>>> = {
  async sqlite(url, settings) {
    const isBuiltIn = process.getBuiltinModule?.('node:sqlite') !== undefined;
    const Database = isBuiltIn
      ? (await importPackage<{ DatabaseSync: SqliteClass }>('node:sqlite', '--store sqlite:')).DatabaseSync
      : (await importPackage<{ default: SqliteClass }>('better-sqlite3', '--store sqlite: (before Node 22.13)'))
          .default;
    const client = new Database(pathOf(url));
    client.exec('PRAGMA journal_mode = WAL');
    return { store: sqliteStore(client, settings), close: () => client.close() };
  },
  async postgres(url, settings) {
    const { default: pg } = await importPackage<Postgres>('pg', '--store postgres:');
    const { postgresStore } = await import('../stores/postgres.js');
    const client = new pg.Pool({ connectionString: url });
    // The error of an idle connection: the next call reports it.
    client.on('error', () => {});
    return { store: postgresStore(client, settings), close: () => client.end() };
  },
  async redis(url, settings) {
    const { createClient } = await importPackage<Redis>('redis', '--store redis:');
    const { redisStore } = await import('../stores/redis.js');
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    return { store: redisStore(client, settings), close: () => client.destroy() };
  },
};
const schemes: Readonly<Record<string, keyof typeof kinds>> = {
  sqlite: 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
  redis: 'redis',
  rediss: 'redis',
};

const schemeOf = (url: string): string => url.slice(0, Math.max(0, url.indexOf(':')));

const pathOf = (url: string): string => url.slice('sqlite:'.length);

/** Returns the files of a URL: of an SQLite database. */
export const filesOf = (url: string): string[] =>
  schemeOf(url) === 'sqlite' ? ['', '-wal', '-shm'].map((suffix) => pathOf(url) + suffix) : [];

/** Returns the scheme, the host and the database of a URL, without user and password. */
export function describeUrl(url: string): string {
  const scheme = schemeOf(url);
  if (scheme === 'sqlite') return url;
  try {
    const { host, pathname } = new URL(url);
    // After a `/` in a password, what is taken for the host is a part of the password.
    if (!pathname.includes('@')) return `${scheme}://${host}${pathname}`;
  } catch {
    // The message says what is wrong.
  }
  return scheme === '' ? 'a text without a scheme' : `${scheme}:`;
}

/** Opens the store of a URL. */
export async function openStore(url: string, settings: StoreSettings): Promise<OpenStore> {
  const scheme = schemeOf(url);
  if (!Object.hasOwn(schemes, scheme)) {
    throw new UserError(`--store must be sqlite:FILE, postgres://... or redis://..., got ${describeUrl(url)}`);
  }
  let opened: OpenStore | undefined;
  try {
    opened = await kinds[schemes[scheme]](url, settings);
    await opened.store.count();
    return opened;
  } catch (error) {
    await opened?.close();
    if (error instanceof UserError) throw error;
    const message = (messageOf(error) || codeOf(error) || 'it cannot be opened').replaceAll(url, describeUrl(url));
    throw new UserError(`--store ${describeUrl(url)}: ${message}`);
  }
}

/** The version of a document in a store. */
const versionOf = ({ key, sketch }: Document) => ({ id: key as string, sketch });

/** Decides by a store. A document is kept provisionally until its line is written. */
export class StoreDecider implements Decider {
  readonly needsSync = true;
  readonly #store: Store;
  readonly #rule: RuleOptions;
  readonly #lease: number;
  readonly #io: Pick<Io, 'reject'>;
  readonly #keys = new Keys(true);

  /** `lease` is the number of seconds within which the lines of decided documents are written. */
  constructor(store: Store, rule: RuleOptions, lease: number, io: Pick<Io, 'reject'>) {
    this.#store = store;
    this.#rule = rule;
    this.#lease = lease;
    this.#io = io;
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    const valid: Document[] = [];
    for (const document of documents) {
      try {
        document.key = checkId(String(this.#keys.keyOf(document)), 'the id, with --store,');
        valid.push(document);
      } catch (error) {
        this.#io.reject(document.place, messageOf(error));
      }
    }
    const outcomes = await this.#call((store) =>
      store.observe(valid.map(versionOf), { ...this.#rule, lease: this.#lease }),
    );
    for (const [at, document] of valid.entries()) {
      document.outcome = outcomes[at];
      if (isDocumentKept(document)) this.#keys.note(document);
    }
  }

  nameOf(key: Id): Id {
    return canonicalId(String(this.#keys.nameOf(key)));
  }

  async confirm(documents: Iterable<Document>): Promise<void> {
    const kept = Array.from(documents).filter(isDocumentKept);
    // Of several versions of a document, the last one is kept.
    const versions = Array.from(new Map(kept.map((document) => [document.key, document])).values(), versionOf);
    await this.#call(async (store) => {
      const confirmed = await store.confirm(versions);
      // A lease has ended before the line was written, or a later version of the document is released.
      if (confirmed < versions.length) await store.observe(versions, this.#rule);
    });
  }

  async forget(documents: Iterable<Document>): Promise<void> {
    const versions = Array.from(documents).filter(isDocumentKept).map(versionOf);
    // Otherwise they are discarded when their leases end.
    await this.#store.release(versions).catch(() => {});
  }

  async #call<T>(call: (store: Store) => Promise<T>): Promise<T> {
    try {
      return await call(this.#store);
    } catch (error) {
      if (error instanceof TypeError && !(error instanceof ArgumentError)) throw error;
      throw new UserError(`--store: ${messageOf(error)}`);
    }
  }
}

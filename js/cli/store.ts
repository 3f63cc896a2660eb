// The option --store: the kept documents in a store that other processes use too.
import { outcomeOf, similarityOf } from '../decisions/rule.js';
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

/** The documents that are kept provisionally, by their keys, in the order of their decisions. */
class Pending {
  readonly #documents = new Map<Id, Document[]>();

  add(document: Document): void {
    const key = document.key as Id;
    const others = this.#documents.get(key);
    if (others === undefined) this.#documents.set(key, [document]);
    else others.push(document);
  }

  /** Returns the last document of a key. */
  latest(key: Id): Document | undefined {
    return this.#documents.get(key)?.at(-1);
  }

  delete(document: Document): void {
    const key = document.key as Id;
    const left = this.#documents.get(key)?.filter((other) => other !== document) ?? [];
    if (left.length > 0) this.#documents.set(key, left);
    else this.#documents.delete(key);
  }
}

/** Decides by a store. A document is kept provisionally until its line is written. */
export class StoreDecider implements Decider {
  readonly needsSync = true;
  readonly #store: Store;
  readonly #rule: RuleOptions;
  readonly #lease: number;
  readonly #io: Pick<Io, 'reject'>;
  readonly #keys = new Keys(true);
  readonly #pending = new Pending();
  /** Documents that have replaced a provisional one of this run. */
  readonly #again = new Set<Document>();

  /** `lease` is the number of seconds within which the lines of decided documents are written. */
  constructor(store: Store, rule: RuleOptions, lease: number, io: Pick<Io, 'reject'>) {
    this.#store = store;
    this.#rule = rule;
    this.#lease = lease;
    this.#io = io;
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    let next = new Map<Id, Document>();
    for (const document of documents) {
      try {
        document.key = checkId(String(this.#keys.keyOf(document)), 'the id, with --store,');
      } catch (error) {
        this.#io.reject(document.place, messageOf(error));
        continue;
      }
      if (next.has(document.key)) {
        await this.#observe([...next.values()]);
        next = new Map();
      }
      const before = this.#pending.latest(document.key);
      if (before === undefined) {
        next.set(document.key, document);
        continue;
      }
      await this.#observe([...next.values()]);
      next = new Map();
      await this.#observeAgain(document, before);
    }
    await this.#observe([...next.values()]);
  }

  #note(document: Document): void {
    if (!isDocumentKept(document)) return;
    this.#pending.add(document);
    this.#keys.note(document);
  }

  /** Decides on documents whose ids differ. */
  async #observe(documents: readonly Document[]): Promise<void> {
    if (documents.length === 0) return;
    const options = { ...this.#rule, lease: this.#lease };
    const outcomes = await this.#call((store) => store.observe(documents.map(versionOf), options));
    for (const [at, document] of documents.entries()) {
      document.outcome = outcomes[at];
      this.#note(document);
    }
  }

  /**
   * Decides on a document whose id another one of this run has. A store decides by the version before that one, since
   * the line of that one may never be written.
   */
  async #observeAgain(document: Document, before: Document): Promise<void> {
    const { sketch } = document;
    if (before.sketch.equals(sketch)) {
      document.outcome = { status: 'unchanged' };
      return;
    }
    const { minResemblance } = this.#rule;
    const hits = await this.#call((store) => store.query(sketch, { minResemblance, limit: 2 }));
    const other = hits.find(({ id }) => id !== document.key);
    document.outcome = outcomeOf(similarityOf(before.sketch, sketch), other);
    if (!isDocumentKept(document)) return;
    await this.#call((store) => store.observe([versionOf(document)], { ...this.#rule, lease: this.#lease }));
    this.#again.add(document);
    this.#note(document);
  }

  nameOf(key: Id): Id {
    return canonicalId(String(this.#keys.nameOf(key)));
  }

  async confirm(documents: Iterable<Document>): Promise<void> {
    const written = Array.from(documents).filter(isDocumentKept);
    // Of several versions of a document, the last one is kept.
    const latest = written.filter((document) => this.#pending.latest(document.key as Id) === document);
    const [again, first] = [true, false].map((isAgain) =>
      latest.filter((document) => this.#again.has(document) === isAgain).map(versionOf),
    );
    const { expiresIn } = this.#rule;
    await this.#call(async (store) => {
      const confirmed = await store.confirm(first);
      // A lease has ended before the line was written, or a later version of the document is released.
      if (confirmed < first.length) await store.observe(first, this.#rule);
      if (again.length > 0) await store.add(again, { expiresIn });
    });
    this.#remove(written);
  }

  async forget(documents: Iterable<Document>): Promise<void> {
    const forgotten = Array.from(documents).filter(isDocumentKept);
    this.#remove(forgotten);
    // Otherwise they are discarded when their leases end.
    await this.#store.release(forgotten.map(versionOf)).catch(() => {});
  }

  #remove(documents: readonly Document[]): void {
    for (const document of documents) {
      this.#pending.delete(document);
      this.#again.delete(document);
    }
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

// The option --store: the kept documents in a store that other processes use too.
import { isKept, type Outcome } from '../core/decision.js';
import { decideBy, joined, outcomeOf, type Versions } from '../decisions/versions.js';
import {
  ArgumentError,
  type Deduplicator,
  hitsOf,
  type Id,
  type IdentifiedDocument,
  isProvisional,
  recordOf,
  type Sketch,
} from '../index.js';
import { codeOf, messageOf, UserError } from '../node/errors.js';
import { importPackage } from '../node/packages.js';
import type { PostgresClient } from '../stores/postgres.js';
import type { RedisClient } from '../stores/redis.js';
import { checkId, type Settings } from '../stores/settings.js';
import { type SqliteDatabase, sqliteStore } from '../stores/sqlite.js';
import { whenFree } from '../stores/sqlite-engine.js';
import type { Store } from '../stores/store.js';
import { Decider, type RuleOptions } from './decider.js';
import type { Document } from './document.js';
import { attempt } from './file-system.js';
import type { Io } from './io.js';
import type { Output } from './output.js';
import { readAll } from './references.js';

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

type StoreSettings = Omit<Settings, 'name'>;

const openers: Readonly<Record<string, (url: string, settings: StoreSettings) => Promise<OpenStore>>> = {
  async sqlite(url, settings) {
    const isBuiltIn = process.getBuiltinModule?.('node:sqlite') !== undefined;
    const Database = isBuiltIn
      ? (await importPackage<{ DatabaseSync: SqliteClass }>('node:sqlite', '--store sqlite:')).DatabaseSync
      : (await importPackage<{ default: SqliteClass }>('better-sqlite3', '--store sqlite: (before Node 22.13)'))
          .default;
    const client = new Database(pathOf(url));
    // Another run may create the database meanwhile.
    await whenFree(() => client.exec('PRAGMA journal_mode = WAL'));
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

const versionOf = ({ key, sketch }: Document) => ({ id: key as string, sketch });

/**
 * Decides by a store, and by a set in memory that it does not change. Keeps a document provisionally until its line is written.
 *
 * The store decides on documents in batches. A document that concerns the set in memory, or whose id has a version whose line may
 * never be written, is decided by the versions of both.
 */
export class StoreDecider extends Decider {
  readonly #store: Store;
  readonly #base: readonly Deduplicator[];
  readonly #lease: number;
  readonly #io: Pick<Io, 'reject'>;
  /** Documents that the store will decide on, by their keys. */
  #next = new Map<Id, Document>();

  /** `lease` is the number of seconds within which the lines of decided documents are written. */
  constructor(store: Store, base: readonly Deduplicator[], rule: RuleOptions, lease: number, io: Pick<Io, 'reject'>) {
    super(rule, true);
    [this.#store, this.#base, this.#lease, this.#io] = [store, base, lease, io];
  }

  async decide(documents: Iterable<Document>): Promise<void> {
    for (const document of documents) {
      if (this.decideNameless(document)) continue;
      const id = this.keyOf(document);
      let key: string;
      try {
        key = checkId(String(id), 'the id, with --store,');
      } catch (error) {
        this.#io.reject(document.place, messageOf(error));
        continue;
      }
      document.key = key;
      if (this.#next.has(key)) await this.#observeNext();
      const lower = readAll(this.#base, document.sketch, id);
      if (await this.#isForStore(key, document.sketch, lower)) {
        this.#next.set(key, document);
        continue;
      }
      await this.#observeNext();
      document.outcome = await this.#observeOver(key, document, lower);
      this.note(document);
    }
    await this.#observeNext();
  }

  /** Returns whether the store alone decides on a document. */
  async #isForStore(key: string, sketch: Sketch, { own, candidates, now }: Versions<Id>): Promise<boolean> {
    if (this.unwritten.has(key)) return false;
    const values = candidates.map(({ value }) => value);
    if (own.length === 0 && hitsOf(sketch, values, this.rule.minResemblance, now).length === 0) return true;
    // Unchanged, or kept provisionally by a run that was killed: the line is not written yet.
    return (await this.#find(key))?.equals(sketch) === true;
  }

  #find(id: Id): Promise<Sketch | undefined> | undefined {
    // The set in memory may have ids that the store does not take.
    const key = attempt(() => checkId(String(id)));
    return key === undefined ? undefined : this.#call((store) => store.get(key));
  }

  /** Decides as the set in memory would if it had the documents of the store. */
  async #observeOver(key: string, document: Document, lower: Versions<Id>): Promise<Outcome> {
    const { sketch } = document;
    const { minResemblance, expiresIn } = this.rule;
    const found = await this.#call((store) => store.read(sketch, key));
    // A version of this run whose line is not written yet counts as kept.
    const own = this.unwritten.has(key) ? found.own.filter(isProvisional).map(recordOf) : found.own;
    const hidden = new Set<Id>();
    for (const { id } of lower.candidates) if ((await this.#find(id)) !== undefined) hidden.add(id);
    const versions = joined(lower, { ...found, own }, (id) => hidden.has(id));
    const options = { minResemblance, expiresIn: Number.NaN, lease: Number.NaN };
    const decided = decideBy<Id>(sketch, versions, options);
    // Near-duplicates are in the store already.
    if (isKept(decided)) await this.#observe([{ id: key, sketch }], 1);
    else if (decided.status === 'unchanged' && found.own.length > 0 && expiresIn !== undefined)
      await this.#observe([{ id: key, sketch }]);
    return outcomeOf(decided, versions);
  }

  #observe(versions: IdentifiedDocument<string>[], minResemblance = this.rule.minResemblance): Promise<Outcome[]> {
    const { expiresIn } = this.rule;
    return this.#call((store) => store.observe(versions, { minResemblance, expiresIn, lease: this.#lease }));
  }

  /** Lets the store decide on the documents that wait for it. Their ids differ. */
  async #observeNext(): Promise<void> {
    const documents = [...this.#next.values()];
    if (documents.length === 0) return;
    this.#next = new Map();
    const outcomes = await this.#observe(documents.map(versionOf));
    for (const [at, document] of documents.entries()) {
      document.outcome = outcomes[at];
      this.note(document);
    }
  }

  async confirm(documents: readonly Document[], outputs: readonly Output[]): Promise<void> {
    for (const output of outputs) output.sync();
    const versions = this.settle(documents).map(versionOf);
    await this.#call(async (store) => {
      // The lease of a version has ended before its line was written, or the store had an equal document of another id.
      if ((await store.confirm(versions)) < versions.length) await this.#add(versions);
    });
  }

  #add(versions: readonly IdentifiedDocument<string>[]): Promise<void> {
    return this.#store.add(versions, { expiresIn: this.rule.expiresIn });
  }

  async rollback(): Promise<void> {
    const versions = [...this.unwritten.values()];
    try {
      await this.#store.release(versions.map(({ last }) => versionOf(last)));
      const written = versions.flatMap(({ last, before }) =>
        before?.sketch === undefined ? [] : { id: last.key as string, sketch: before.sketch },
      );
      await this.#add(written);
    } catch {
      // Versions that are not released are discarded when their leases end.
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

// A store in SQLite whose transactions wait for JavaScript: a database of this machine, or the storage of a Durable Object.
// Every change is one transaction that excludes all others, so that one client at a time searches and adds.
import { asyncDispose } from '../core/dispose.js';
import { popcount } from '../core/hamming.js';
import type { Observation } from '../decisions/decision.js';
import type { ResemblanceHit } from '../index.js';
import type { Advice } from './advice.js';
import { MAX_DISTANCE, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { partsOf, type StoredRecord } from './record.js';
import {
  type BucketRow,
  type CandidateRow,
  type Command,
  Commands,
  candidateOf,
  countRemoved,
  ignoreNoTables,
  type Position,
  pageOf,
  scriptOf,
  type VersionRow,
  versionOf,
} from './sqlite-schema.js';
import {
  type Metadata,
  type ObserveRule,
  type Page,
  type QueryRule,
  type Settings,
  type Settlement,
  Store,
  type StoreDocument,
  type StoreVersion,
} from './store.js';
import {
  add,
  hitsOf,
  nearestFirst,
  observe,
  pairOf,
  settle,
  type Version,
  type VersionState,
  type Versions,
} from './versions.js';

/** The maximum number of documents in a transaction, which costs a wait for the disk. */
const BATCH = 256;

/** The time after which a transaction takes no further document, in milliseconds: others wait for it. */
const MAX_TRANSACTION = 200;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  run(command: Command): unknown[];
  /** Runs several statements. */
  script(statements: string): unknown;
  /** Runs a call that changes nothing, and whose statements see the same state. */
  read<T>(read: () => T): T | Promise<T>;
  /** Runs a call as one transaction, which excludes all others. */
  transaction<T>(change: () => T): T | Promise<T>;
  /** Frees the prepared statements. */
  free(): void;
}

/**
 * Returns how many documents the next transaction has after one was undone by an error: those before the document at which it
 * occurred, or half of them if it occurred at the end.
 */
const beforeError = (count: number, done: number): number => (done < count ? done : count >> 1);

/** Returns the next items of an iterator, up to a number. */
function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  for (let next = items.next(); !next.done; next = items.next()) {
    taken.push(next.value);
    if (taken.length === count) break;
  }
  return taken;
}

class SqliteVersions implements Versions {
  readonly #connection: SqliteConnection;
  readonly #commands: Commands;
  readonly #scheme: string;
  readonly now: number;

  constructor(connection: SqliteConnection, commands: Commands, scheme: string, now: number) {
    this.#connection = connection;
    this.#commands = commands;
    this.#scheme = scheme;
    this.now = now;
  }

  own(id: string): Version[] {
    return (this.#connection.run(this.#commands.own(id, this.now)) as VersionRow[]).map(versionOf);
  }

  search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[] {
    const { near, hasAll } = this.#near(document, except);
    const verified = new Map<number, CandidateRow>();
    const left = nearestFirst(near, (number) => number);
    for (let some = take(left, MAX_VERIFIED); some.length > 0; some = take(left, MAX_VERIFIED)) {
      const rows = this.#rows<CandidateRow>(this.#commands.others(some, this.now, except));
      const found = new Map(rows.map((row) => [row.number, row]));
      for (const number of some) {
        const row = found.get(number);
        if (row !== undefined && verified.size < MAX_VERIFIED) verified.set(number, row);
      }
      if (verified.size === MAX_VERIFIED) break;
    }
    if (!hasAll || near.size > MAX_VERIFIED) {
      for (const row of this.#rows<CandidateRow>(this.#commands.equal(document, rule.limit, this.now, except)))
        verified.set(row.number, row);
    }
    return hitsOf(document, [...verified.values()].map(candidateOf), rule, this.#scheme);
  }

  /**
   * Returns the distances of the versions in the probed buckets that are near a document, and whether no bucket has more
   * versions than are read. If so, the equal versions are among them, unless the text is short.
   */
  #near({ record, probes }: StoreDocument, except?: string): { near: Map<number, number>; hasAll: boolean } {
    const { high, low } = partsOf(record);
    const near = new Map<number, number>();
    let hasAll = probes[0].length > 0;
    const read = (rows: readonly BucketRow[]) => {
      for (const { number, high: otherHigh, low: otherLow } of rows) {
        const distance = popcount(otherHigh ^ high) + popcount(otherLow ^ low);
        if (distance <= MAX_DISTANCE) near.set(number, distance);
      }
    };
    for (const [block, values] of probes.entries()) {
      if (values.length === 0) break;
      const rows = this.#rows<BucketRow>(this.#commands.buckets(block, values));
      if (rows.length <= MAX_READ) {
        read(rows);
        continue;
      }
      hasAll = false;
      for (const value of values) {
        const bucket = this.#rows<BucketRow>(this.#commands.buckets(block, [value]));
        if (bucket.length <= MAX_READ) read(bucket);
        else read(this.#rows<BucketRow>(this.#commands.firstOf(block, value, this.now, except)));
      }
    }
    return { near, hasAll };
  }

  #rows<T>(command: Command): T[] {
    return this.#connection.run(command) as T[];
  }

  insert(version: Omit<Version, 'number'>): void {
    this.#connection.run(this.#commands.insert(version));
  }

  update(version: Version, state: VersionState): void {
    this.#connection.run(this.#commands.update(version, state));
  }

  remove(version: Version): void {
    this.#connection.run(this.#commands.remove(version));
  }
}

export class SqliteStore extends Store {
  readonly #connection: SqliteConnection;
  readonly #commands: Commands;

  constructor(connection: SqliteConnection, settings: Settings, advice: Advice) {
    super(settings, BATCH, advice);
    this.#connection = connection;
    this.#commands = new Commands(settings);
  }

  schema(): string {
    return scriptOf(this.settings);
  }

  /** The versions that are live now. */
  #versions(): SqliteVersions {
    return new SqliteVersions(this.#connection, this.#commands, this.scheme, Date.now());
  }

  #rows<T>(command: Command): T[] {
    return this.#connection.run(command) as T[];
  }

  /** Runs a change as one transaction, which first removes some versions that have ended. */
  async #change<T>(change: (versions: SqliteVersions) => T): Promise<T> {
    return this.#connection.transaction(() => {
      const versions = this.#versions();
      this.#rows(this.#commands.prune(versions.now));
      return change(versions);
    });
  }

  protected async readMetadata(): Promise<Metadata | undefined> {
    return this.#connection.read(() => {
      try {
        return this.#rows<Metadata>(this.#commands.metadata)[0];
      } catch (error) {
        return ignoreNoTables(error);
      }
    });
  }

  protected async create(): Promise<void> {
    await this.#connection.transaction(() => this.#connection.script(this.schema()));
  }

  protected async observeFirst(documents: StoreDocument[], rule: ObserveRule): Promise<Observation<string>[]> {
    let decisions: Observation<string>[] = [];
    try {
      return await this.#change((versions) => {
        const end = performance.now() + MAX_TRANSACTION;
        decisions = [];
        for (const document of documents) {
          decisions.push(observe(versions, document, rule, this.scheme));
          if (performance.now() > end) break;
        }
        return decisions;
      });
    } catch (error) {
      const count = beforeError(documents.length, decisions.length);
      if (count === 0) throw error;
      return this.observeFirst(documents.slice(0, count), rule);
    }
  }

  protected settle(given: StoreVersion[], settlement: Settlement): Promise<number> {
    return this.#change((versions) => given.filter((version) => settle(versions, version, settlement)).length);
  }

  protected async put(documents: StoreDocument[], expiresIn: number | undefined): Promise<void> {
    let added = 0;
    try {
      await this.#change((versions) => {
        added = 0;
        for (const document of documents) {
          add(versions, document, expiresIn);
          added++;
        }
      });
    } catch (error) {
      const count = beforeError(documents.length, added);
      if (count === 0) throw error;
      await this.put(documents.slice(0, count), expiresIn);
      await this.put(documents.slice(count), expiresIn);
    }
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    return this.#connection.read(() => this.#versions().search(document, rule));
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const { kept, pending } = pairOf(await this.#connection.read(() => this.#versions().own(id)));
    return (kept ?? pending)?.record;
  }

  protected remove(ids: string[]): Promise<number> {
    return this.#change(({ now }) => countRemoved(this.#rows(this.#commands.removeAll(ids, now))));
  }

  protected async removeExpired(): Promise<number> {
    const now = Date.now();
    let count = 0;
    for (let isLast = false; !isLast; ) {
      count += await this.#connection.transaction(() => {
        const ids = this.#rows<{ id: string }>(this.#commands.prune(now)).map(({ id }) => id);
        isLast = ids.length === 0;
        return this.#rows<{ count: number }>(this.#commands.countGone(ids))[0].count;
      });
    }
    return count;
  }

  protected async countIds(): Promise<number> {
    return this.#connection.read(() => this.#rows<{ count: number }>(this.#commands.count(Date.now()))[0].count);
  }

  protected async page(position: unknown): Promise<Page> {
    return this.#connection.read(() => pageOf(this.#rows(this.#commands.page(position as Position, Date.now()))));
  }

  override async [asyncDispose](): Promise<void> {
    this.#connection.free();
  }
}

// A store in SQLite whose transactions wait for JavaScript: a database of this machine, or the storage of a Durable Object.
// Every change is one transaction that excludes all others, so that one client at a time searches and adds.
import { popcount } from '../core/hamming.js';
import type { ResemblanceHit } from '../index.js';
import type { Advice } from './advice.js';
import { MAX_DISTANCE, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { HEAD, partsOf } from './record.js';
import type { Settings } from './settings.js';
import { TableStore, versionsIn } from './sqlite-base.js';
import { bucketsOf, type Command, liveOf, ownOf, pruneOf, type Row } from './sqlite-schema.js';
import {
  apply,
  bestOf,
  type Change,
  type Found,
  type Item,
  MAX_EQUAL,
  type QueryRule,
  type Result,
  type StoreDocument,
} from './versions.js';
import { isBusy } from './when-free.js';

/** The time in milliseconds after which a transaction accepts no further document, since others wait for it. */
const MAX_TRANSACTION = 200;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  run(command: Command): unknown[];
  /** Runs several statements. */
  script(statements: string): unknown;
  /** Runs a call, and repeats it while another process has the lock. */
  whenFree<T>(call: () => T): Promise<T>;
  /** Runs a call that only reads. All its statements see the same state. */
  read<T>(read: () => T): T;
  /** Runs a call as one transaction, which excludes all others. */
  transaction<T>(change: () => T): T;
}

type BucketRow = Record<'number' | 'high' | 'low', number>;

export class SqliteStore extends TableStore {
  readonly #connection: SqliteConnection;
  readonly #buckets = [0, 1, 2, 3].map((at) => bucketsOf(this.name, at));

  constructor(connection: SqliteConnection, settings: Settings, advice: Advice) {
    super(settings, advice);
    this.#connection = connection;
  }

  protected rows<T>(command: Command): Promise<T[]> {
    return this.#connection.whenFree(() => this.#connection.run(command) as T[]);
  }

  #transaction<T>(change: () => T): Promise<T> {
    return this.#connection.whenFree(() => this.#connection.transaction(change));
  }

  protected override async create(): Promise<void> {
    await this.#transaction(() => this.#connection.script(this.schema()));
  }

  #versions(now: number) {
    return versionsIn(this.table, now, {
      run: (command) => this.#connection.run(command),
      own: (id) => this.#connection.run(ownOf(this.name, id, now)) as Row[],
      candidates: (document, limit, except) => this.#candidates(document, limit, now, except),
    });
  }

  /**
   * Returns the versions that a search verifies. The probed buckets of a block rarely have more versions than a search reads
   * of one bucket. Without such a block, short statements are faster than the statement of `candidatesOf`.
   */
  #candidates(document: StoreDocument, limit: number, now: number, except: string | undefined): Row[] {
    const run = (command: Command) => this.#connection.run(command) as Row[];
    const { high, low } = partsOf(document.record);
    const near = new Set<number>();
    let isFlooded = document.record.length === HEAD;
    for (let at = 0; at < 4 && !isFlooded; at++) {
      const rows = run([this.#buckets[at], [JSON.stringify(document.probes[at])]]) as BucketRow[];
      for (const row of rows) {
        if (popcount(row.high ^ high) + popcount(row.low ^ low) <= MAX_DISTANCE) near.add(row.number);
      }
      isFlooded = rows.length > MAX_READ || near.size > MAX_VERIFIED;
    }
    if (isFlooded) return run(this.candidatesOf(document, limit, now, except));
    return near.size === 0 ? [] : run(liveOf(this.name, near, now, except));
  }

  protected search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    return this.#connection.whenFree(() =>
      this.#connection.read(() => {
        const now = Date.now();
        return bestOf(document, this.#versions(now).candidates(document, rule.limit), rule, now);
      }),
    );
  }

  protected override readVersions(document: StoreDocument, id: string | undefined): Promise<Found> {
    return this.#connection.whenFree(() =>
      this.#connection.read(() => {
        const now = Date.now();
        const versions = this.#versions(now);
        const own = id === undefined ? [] : versions.own(id);
        return { now, own, candidates: versions.candidates(document, MAX_EQUAL, id) };
      }),
    );
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    if (change.kind === 'remove') return this.remove(items);
    let results: Result[] = [];
    try {
      return await this.#transaction(() => {
        const now = Date.now();
        const versions = this.#versions(now);
        const end = performance.now() + MAX_TRANSACTION;
        results = [];
        this.#connection.run(pruneOf(this.name, now));
        for (const item of items) {
          results.push(apply(versions, change, item));
          if (performance.now() > end) break;
        }
        return results;
      });
    } catch (error) {
      // The transaction was rolled back. Retry with the items before the failed one; if the commit failed, with half of them.
      // No number of items helps while another connection has the lock.
      const count = results.length < items.length ? results.length : items.length >> 1;
      if (count === 0 || isBusy(error)) throw error;
      return this.change(change, items.slice(0, count));
    }
  }
}

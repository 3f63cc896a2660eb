// A store in SQLite whose transactions wait for JavaScript: a database of this machine, or the storage of a Durable Object.
// Every change is one transaction that excludes all others, so that one client at a time searches and adds.
import { asyncDispose } from '../core/dispose.js';
import { popcount } from '../core/hamming.js';
import type { ResemblanceHit } from '../index.js';
import type { Advice } from './advice.js';
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { partsOf } from './record.js';
import type { Settings } from './settings.js';
import { ownOf, pruneOf, SqlStore, SqlVersions } from './sql-store.js';
import { blocks, bucketOf, type Command, columns, equalOf, isOther, type Row, versionOf } from './sqlite-schema.js';
import {
  apply,
  type Change,
  hitsOf,
  type Item,
  nearestFirst,
  type QueryRule,
  type Result,
  type StoreDocument,
  type Version,
} from './versions.js';

/** The time in milliseconds after which a transaction accepts no further document, since others wait for it. */
const MAX_TRANSACTION = 200;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  run(command: Command): unknown[];
  /** Creates a store by several statements. */
  script(statements: string): unknown;
  /** Runs a call that only reads. All its statements see the same state. */
  read<T>(read: () => T): T | Promise<T>;
  /** Runs a call as one transaction, which excludes all others. */
  transaction<T>(change: () => T): T | Promise<T>;
  /** Frees the prepared statements. */
  free(): void;
}

/** The columns that are read from a bucket. */
interface BucketRow {
  number: number;
  high: number;
  low: number;
}

/** Returns the next items of an iterator, up to a number. */
function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  for (let next = items.next(); !next.done; next = items.next()) {
    taken.push(next.value);
    if (taken.length === count) break;
  }
  return taken;
}

/** Returns the statements of a search. They are long, so each store builds them once. */
function statementsOf(name: string) {
  const equal = equalOf(name, '?', '?', '?', `${MAX_PASSED} + ?`);
  const first = (at: number) => `${bucketOf(name, at, '?')} ORDER BY d.number LIMIT ${MAX_PASSED + MAX_READ}`;
  return {
    /** The versions of some buckets of a block, live or not, up to one more than the bound, which almost no block reaches. */
    buckets: blocks.map(
      (_, at) =>
        'SELECT d.number, d.high, d.low FROM json_each(?) AS probed CROSS JOIN ' +
        `${bucketOf(name, at, 'probed.value')} LIMIT ${MAX_READ + 1}`,
    ),
    /** The live versions of one bucket, up to the bound. */
    firstOf: blocks.map(
      (_, at) =>
        `SELECT number, high, low FROM (SELECT d.* FROM ${first(at)}) AS found ` +
        `WHERE ${isOther('found')} LIMIT ${MAX_READ}`,
    ),
    /** The versions with given numbers that are live. */
    live:
      `SELECT ${columns} FROM ${name}_documents AS d WHERE number IN (SELECT value FROM json_each(?)) ` +
      `AND ${isOther('d')}`,
    equal: `SELECT ${columns} FROM (${equal}) AS found WHERE ${isOther('found')} LIMIT ?`,
  };
}

class SqliteVersions extends SqlVersions {
  readonly #connection: SqliteConnection;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(connection: SqliteConnection, name: string, statements: ReturnType<typeof statementsOf>) {
    super(name, Date.now());
    this.#connection = connection;
    this.#statements = statements;
  }

  run<T>(command: Command): T[] {
    return this.#connection.run(command) as T[];
  }

  own(id: string): Version[] {
    return this.run<Row>(ownOf(this.name, id, this.now)).map(versionOf);
  }

  search(document: StoreDocument, rule: QueryRule, except: string | null = null): ResemblanceHit<string>[] {
    const { near, hasAll } = this.#near(document, except);
    const verified: Row[] = [];
    const left = nearestFirst(near, (number) => number);
    while (verified.length < MAX_VERIFIED) {
      const numbers = take(left, MAX_VERIFIED);
      if (numbers.length === 0) break;
      const rows = this.run<Row>([this.#statements.live, [JSON.stringify(numbers), this.now, except]]);
      const found = new Map(rows.map((row) => [row.number, row]));
      const live = numbers.map((number) => found.get(number)).filter((row) => row !== undefined);
      verified.push(...live.slice(0, MAX_VERIFIED - verified.length));
    }
    if (!hasAll || near.size > MAX_VERIFIED) {
      const { words, high, low } = partsOf(document.record);
      const most = Math.min(rule.limit, 2 ** 32);
      verified.push(...this.run<Row>([this.#statements.equal, [words, high, low, most, this.now, except, most]]));
    }
    return hitsOf(document, verified.map(versionOf), rule);
  }

  /**
   * Returns the distances of the versions in the probed buckets that are near a document. `hasAll` states that no bucket
   * exceeded the bound: equal versions are then among them, unless the text is short.
   */
  #near({ record, probes }: StoreDocument, except: string | null): { near: Map<number, number>; hasAll: boolean } {
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
      const all = this.#statements.buckets[block];
      const rows = this.run<BucketRow>([all, [JSON.stringify(values)]]);
      if (rows.length <= MAX_READ) {
        read(rows);
        continue;
      }
      hasAll = false;
      for (const value of values) {
        const bucket = this.run<BucketRow>([all, [JSON.stringify([value])]]);
        if (bucket.length <= MAX_READ) read(bucket);
        else read(this.run<BucketRow>([this.#statements.firstOf[block], [value, this.now, except]]));
      }
    }
    return { near, hasAll };
  }
}

export class SqliteStore extends SqlStore {
  readonly #connection: SqliteConnection;

  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(connection: SqliteConnection, settings: Settings, advice: Advice) {
    super(settings, advice);
    this.#connection = connection;
    this.#statements = statementsOf(settings.name);
  }

  #versions(): SqliteVersions {
    return new SqliteVersions(this.#connection, this.name, this.#statements);
  }

  protected async rows<T>(command: Command): Promise<T[]> {
    return this.#connection.read(() => this.#connection.run(command) as T[]);
  }

  protected override async create(): Promise<void> {
    await this.#connection.transaction(() => this.#connection.script(this.schema()));
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    if (change.kind === 'remove') return this.remove(items);
    let results: Result[] = [];
    try {
      return await this.#connection.transaction(() => {
        const versions = this.#versions();
        const end = performance.now() + MAX_TRANSACTION;
        results = [];
        versions.run(pruneOf(this.name, versions.now));
        for (const item of items) {
          results.push(apply(versions, change, item));
          if (performance.now() > end) break;
        }
        return results;
      });
    } catch (error) {
      // The transaction was rolled back. Retry with the items before the one that failed, or with half of them if the commit
      // failed.
      const count = results.length < items.length ? results.length : items.length >> 1;
      if (count === 0) throw error;
      return this.change(change, items.slice(0, count));
    }
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    return this.#connection.read(() => this.#versions().search(document, rule));
  }

  override async [asyncDispose](): Promise<void> {
    this.#connection.free();
  }
}

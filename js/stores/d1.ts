/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. So one batch reads all that a decision depends on, and
// another one changes the store, if nothing of that has changed meanwhile. Otherwise the call is repeated.
import { ArgumentError } from '../core/argument-error.js';
import type { ResemblanceHit } from '../index.js';
import { d1Advice } from './advice.js';
import { areEqual, blocksOf, type StoredRecord } from './record.js';
import { checkSettings, type Settings } from './settings.js';
import { SqlStore, SqlVersions } from './sql-store.js';
import { type Command, type Commands, type Row, schemaOf, versionOf } from './sqlite-schema.js';
import type { Store, StoreOptions } from './store.js';
import {
  apply,
  type Change,
  hitsOf,
  type Item,
  type QueryRule,
  type Result,
  type StoreDocument,
  type Version,
} from './versions.js';

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  prepare(query: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** The maximum number of documents in a batch. */
const BATCH = 10;

/** How often a call is repeated that others get ahead of. */
const MAX_ATTEMPTS = 100;

/** Returns whether a guard has failed: it then passes invalid JSON to SQLite, which undoes the batch. */
const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** Whether a search for a document may find a version of another one. */
const isProbed = ({ probes, record }: StoreDocument, other: StoredRecord): boolean =>
  areEqual(record, other) || blocksOf(other).some((value, block) => probes[block].includes(value));

/** The versions that one batch has read for an item, and the changes that follow from them. */
class Snapshot extends SqlVersions {
  readonly changes: Command[] = [];
  /** The document of the search, if there was one. */
  #found: StoreDocument | undefined;
  readonly #own: Row[];
  readonly #candidates: Row[];

  constructor(commands: Commands, now: number, own: Row[], candidates: Row[]) {
    super(commands, now);
    this.#own = own;
    this.#candidates = candidates;
  }

  own(): Version[] {
    return this.#own.map(versionOf);
  }

  search(document: StoreDocument, rule: QueryRule): ResemblanceHit<string>[] {
    this.#found = document;
    return hitsOf(document, this.#candidates.map(versionOf), rule);
  }

  protected run(command: Command): void {
    this.changes.push(command);
  }

  /** Returns the statements that fail if what the decision on `id` depends on has changed. */
  guards(id: string, last: number): Command[] {
    const guards = [this.commands.guardOwn(id, this.#own, this.now)];
    if (this.#found !== undefined) {
      guards.push(this.commands.guardCandidates(this.#found, this.#candidates, last, this.now));
    }
    return guards;
  }
}

class D1Store extends SqlStore {
  readonly #database: D1Database;

  constructor(database: D1Database, settings: Settings) {
    super(settings, d1Advice);
    this.#database = database;
  }

  /** Runs statements as one transaction, and returns the rows of each. */
  async #send(commands: readonly Command[]): Promise<unknown[][]> {
    const prepared = commands.map(([statement, values]) => this.#database.prepare(statement).bind(...values));
    return (await this.#database.batch(prepared as never[])).map(({ results }) => results);
  }

  protected async rows<T>(command: Command): Promise<T[]> {
    return (await this.#send([command]))[0] as T[];
  }

  protected async create(): Promise<void> {
    await this.#send(schemaOf(this.settings).map((statement) => [statement, []]));
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const rows = await this.rows<Row>(this.commands.search(document, rule.limit, Date.now()));
    return hitsOf(document, rows.map(versionOf), rule);
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    if (change.kind === 'remove') return this.#remove(items);
    for (let attempt = 1; ; attempt++) {
      const { results, statements } = await this.#decide(change, items.slice(0, BATCH));
      try {
        if (statements.length > 0) await this.#send(statements);
        return results;
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === MAX_ATTEMPTS) {
          throw new Error('nearprint: other clients change the same documents at once: repeat the call', {
            cause: error,
          });
        }
      }
    }
  }

  /**
   * Decides on the first items, at least one. Returns the results, and the statements that make the changes. Decisions that
   * depend on a change of this call wait for the next one.
   */
  async #decide(change: Change, items: readonly Item[]): Promise<{ results: Result[]; statements: Command[] }> {
    const { commands } = this;
    const now = Date.now();
    const reads = items.flatMap((item) => {
      const search = change.kind === 'observe' && commands.search(item as StoreDocument, 1, now, item.id);
      return search ? [commands.own(item.id, now), search] : [commands.own(item.id, now)];
    });
    const [[last], ...read] = (await this.#send([commands.last, ...reads])) as [[{ last: number }], ...Row[][]];
    const results: Result[] = [];
    const guards: Command[] = [];
    const changes: Command[] = [];
    const changed: Item[] = [];
    for (const item of items) {
      const [own, candidates = []] = read.splice(0, reads.length / items.length);
      const dependsOn = ({ id, record }: Item) =>
        id === item.id ||
        candidates.some((candidate) => candidate.id === id) ||
        (change.kind === 'observe' && isProbed(item as StoreDocument, record as StoredRecord));
      if (changed.some(dependsOn)) break;
      const snapshot = new Snapshot(commands, now, own, candidates);
      try {
        results.push(apply(snapshot, change, item));
      } catch (error) {
        // The items before it are changed, and the next call throws.
        if (results.length === 0) throw error;
        break;
      }
      guards.push(...snapshot.guards(item.id, last.last));
      changes.push(...snapshot.changes);
      if (snapshot.changes.length > 0) changed.push(item);
    }
    return { results, statements: changes.length > 0 ? [...guards, commands.prune(now), ...changes] : [] };
  }

  async #remove(items: readonly Item[]): Promise<boolean[]> {
    const ids = items.map(({ id }) => id);
    const rows = await this.rows<{ id: string; isLive: number }>(this.commands.removeAll(ids, Date.now()));
    const removed = new Set(rows.filter(({ isLive }) => isLive !== 0).map(({ id }) => id));
    return ids.map((id) => removed.delete(id));
  }
}

/**
 * Returns the store in a D1 database. The tables are created at the first call.
 *
 * @example
 * ```js
 * const store = d1Store(env.DATABASE);
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `database` is not a binding of D1, or an option is wrong
 */
export function d1Store(database: D1Database, options?: StoreOptions): Store {
  const { batch, prepare } = (database ?? {}) as Partial<D1Database>;
  if (typeof batch !== 'function' || typeof prepare !== 'function') {
    throw new ArgumentError('database', 'a binding of D1', database);
  }
  return new D1Store(database, checkSettings(options));
}

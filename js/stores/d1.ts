/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. So one batch reads everything that a decision depends on,
// and a second one changes the store, unless any of it has changed in the meantime. In that case the call is repeated.
import { ArgumentError } from '../core/argument-error.js';
import type { ResemblanceHit } from '../index.js';
import { d1Advice } from './advice.js';
import { areEqual, blocksOf, partsOf, type StoredRecord } from './record.js';
import { checkSettings, type Settings } from './settings.js';
import { isLive } from './sql-store.js';
import { TableStore, versionsIn } from './sqlite-base.js';
import { blocks, type Command, ownOf, pruneOf, type Row, schemaOf, versionOf } from './sqlite-schema.js';
import type { Store, StoreOptions } from './store.js';
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

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  prepare(query: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** The maximum number of documents in a batch. */
const BATCH = 10;

/** The maximum number of attempts of a call that conflicts with others. */
const MAX_ATTEMPTS = 100;

/** Returns whether a guard has failed: it then passes invalid JSON to SQLite, which undoes the batch. */
const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** Returns whether a search for a document may find a version with another record. */
const isProbed = ({ probes, record }: StoreDocument, other: StoredRecord): boolean =>
  areEqual(record, other) || blocksOf(other).some((value, block) => probes[block].includes(value));

/** Returns a statement that fails unless a condition holds: the function `json` refuses invalid JSON. */
const guard = (condition: string): string => `SELECT json(CASE WHEN ${condition} THEN 'null' ELSE 'changed' END)`;

/** Returns a statement that fails if the live versions of an id have changed since they were read. */
function guardOwn(name: string, id: string, now: number, own: readonly Row[]): Command {
  const [statement, values] = ownOf(name, id, now);
  const expected = JSON.stringify(own.map(({ number, until, expires }) => [number, until, expires]));
  const found = `SELECT json_group_array(json_array(number, until, expires)) FROM (${statement})`;
  return [guard(`(${found}) = ?`), [...values, expected]];
}

/** Returns a statement that fails if a candidate is gone, or if a version after `last` exists that a search would read. */
function guardCandidates(
  name: string,
  { id, record, probes }: StoreDocument,
  now: number,
  candidates: readonly Row[],
  last: number,
): Command {
  const { high, low, words } = partsOf(record);
  const table = `${name}_documents`;
  const left = `SELECT count(*) FROM ${table} AS d WHERE number IN (SELECT value FROM json_each(candidates))`;
  const probed = blocks.map((block, at) => `${block} IN (SELECT value FROM json_each(probes, '$[${at}]'))`);
  const added =
    `SELECT 1 FROM ${table} AS d WHERE d.number > last AND d.id <> input.id ` +
    `AND ((d.high, d.low, d.words) = (input.high, input.low, input.words) OR minhash IS NOT NULL AND (${probed.join(' OR ')}))`;
  const input =
    'WITH input (id, high, low, words, probes, candidates, count, last, now) AS (SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?)';
  const numbers = [...new Set(candidates.map(({ number }) => number))];
  return [
    `${input} ${guard(`(${left} AND ${isLive('d', 'now')}) = count AND NOT EXISTS (${added})`)} FROM input`,
    [id, high, low, words, JSON.stringify(probes), JSON.stringify(numbers), numbers.length, last, now],
  ];
}

class D1Store extends TableStore {
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

  protected override async create(): Promise<void> {
    await this.#send(schemaOf(this.settings).map((statement) => [statement, []]));
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const now = Date.now();
    const rows = await this.rows<Row>(this.candidatesOf(document, rule.limit, now));
    return bestOf(document, rows.map(versionOf), rule, now);
  }

  protected override async readVersions(document: StoreDocument, id: string | undefined): Promise<Found> {
    const now = Date.now();
    const reads = [ownOf(this.name, id ?? '', now), this.candidatesOf(document, MAX_EQUAL, now, id)];
    const [own, candidates] = (await this.#send(reads)) as Row[][];
    return { now, own: id === undefined ? [] : own.map(versionOf), candidates: candidates.map(versionOf) };
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    if (change.kind === 'remove') return this.remove(items);
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
   * Decides on the first items, at least one. Returns the results and the statements that apply them. An item whose decision
   * depends on a change of this call is left to the next call.
   */
  async #decide(change: Change, items: readonly Item[]): Promise<{ results: Result[]; statements: Command[] }> {
    const { name } = this;
    const now = Date.now();
    const isObserved = change.kind === 'observe';
    const most = change.known === undefined ? 1 : MAX_EQUAL;
    const reads = items.flatMap((item) => {
      const own = ownOf(name, item.id, now);
      return isObserved ? [own, this.candidatesOf(item as StoreDocument, most, now, item.id)] : [own];
    });
    const lastOf: Command = [`SELECT coalesce(max(number), 0) AS last FROM ${name}_documents`, []];
    const [[{ last }], ...read] = (await this.#send([lastOf, ...reads])) as [[{ last: number }], ...Row[][]];
    const results: Result[] = [];
    const guards: Command[] = [];
    const changes: Command[] = [];
    const changed: Item[] = [];
    for (const item of items) {
      const [own, candidates = []] = read.splice(0, reads.length / items.length);
      const dependsOn = ({ id, record }: Item) =>
        id === item.id ||
        candidates.some((candidate) => candidate.id === id) ||
        (isObserved && isProbed(item as StoreDocument, record as StoredRecord));
      if (changed.some(dependsOn)) break;
      let isSearched = false;
      const before = changes.length;
      const versions = versionsIn(this.table, now, {
        own: () => own,
        candidates() {
          isSearched = true;
          return candidates;
        },
        run: (command) => changes.push(command),
      });
      try {
        results.push(apply(versions, change, item));
      } catch (error) {
        // The items before the failed one are changed now; the next call throws.
        if (results.length === 0) throw error;
        changes.length = before;
        break;
      }
      guards.push(guardOwn(name, item.id, now, own));
      if (isSearched) guards.push(guardCandidates(name, item as StoreDocument, now, candidates, last));
      if (changes.length > before) changed.push(item);
    }
    return { results, statements: changes.length > 0 ? [...guards, pruneOf(name, now), ...changes] : [] };
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

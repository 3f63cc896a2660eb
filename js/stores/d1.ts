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
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { areEqual, blocksOf, partsOf, type StoredRecord } from './record.js';
import { checkSettings, type Settings } from './settings.js';
import { ownOf, pruneOf, SqlStore, SqlVersions } from './sql-store.js';
import { onesOf } from './sqlite-ones.js';
import {
  blocks,
  bucketOf,
  type Command,
  columns,
  equalOf,
  isLive,
  NEVER,
  type Row,
  schemaOf,
  versionOf,
} from './sqlite-schema.js';
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

/** The maximum number of attempts of a call that conflicts with others. */
const MAX_ATTEMPTS = 100;

/** Returns whether a guard has failed: it then passes invalid JSON to SQLite, which undoes the batch. */
const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** Returns whether a search for a document may find a version with another record. */
const isProbed = ({ probes, record }: StoreDocument, other: StoredRecord): boolean =>
  areEqual(record, other) || blocksOf(other).some((value, block) => probes[block].includes(value));

/**
 * Returns the statement that finds the candidates for a document, within the bounds of js/stores/bounds.ts. It reads the
 * buckets from their indexes, and only candidates from the table.
 */
function searchOf(name: string): string {
  const table = `${name}_documents`;
  const all = blocks.map((_, at) => at);
  const input = (column: string) => `(SELECT ${column} FROM input)`;
  /** The condition that a version is live and does not belong to the document's own id. */
  const isOther = `${isLive('d', input('now'))} AND d.number NOT IN own`;
  /** Selects the version of a bucket at an offset. */
  const versionAt = (at: number, offset: number) =>
    `(SELECT d.number FROM ${bucketOf(name, at, 'probed.value')} ORDER BY d.number LIMIT 1 OFFSET ${offset})`;
  /** Selects the first version of a bucket that is not read. */
  const cut = (at: number) =>
    `coalesce((SELECT d.number FROM (SELECT d.* FROM ${bucketOf(name, at, 'probed.value')} ORDER BY d.number ` +
    `LIMIT ${MAX_PASSED + MAX_READ}) AS d WHERE ${isOther} LIMIT 1 OFFSET ${MAX_READ}), ${versionAt(at, MAX_PASSED + MAX_READ)}, ${NEVER})`;
  const ones = onesOf('x', 'y');
  return `WITH input (high, low, words, now, own, probes, most) AS MATERIALIZED (
  SELECT ?, ?, ?, ?, ?, ?, ?
), own (number) AS MATERIALIZED (
  SELECT number FROM ${table} WHERE id = (SELECT own FROM input)
), ${all
    .map(
      // Almost all buckets are smaller than the bound. The index alone shows this; which versions are live is in the rows.
      (at) => `probe${at} (value, cut) AS MATERIALIZED (
  SELECT probed.value,
    CASE WHEN ${versionAt(at, MAX_READ)} IS NULL THEN ${NEVER} ELSE ${cut(at)} END
  FROM input CROSS JOIN json_each(input.probes, '$[${at}]') AS probed
)`,
    )
    .join(', ')},
-- x and y are the bits in which the fingerprints differ: SQLite has no exclusive or.
read (number, x, y) AS MATERIALIZED (
  ${all
    .map(
      (at) =>
        'SELECT d.number, (d.high | input.high) - (d.high & input.high), (d.low | input.low) - (d.low & input.low) ' +
        `FROM input CROSS JOIN probe${at} CROSS JOIN ${bucketOf(name, at, `probe${at}.value`)} AND d.number < probe${at}.cut`,
    )
    .join('\n  UNION ALL ')}
), near (number, distance) AS MATERIALIZED (
  SELECT DISTINCT number, ${ones} FROM read WHERE ${ones} <= ${MAX_DISTANCE}
), nearest (number) AS MATERIALIZED (
  SELECT number FROM near CROSS JOIN ${table} AS d USING (number) WHERE ${isOther}
  ORDER BY near.distance, number LIMIT ${MAX_VERIFIED}
), equal (number) AS MATERIALIZED (
  SELECT number FROM (${equalOf(name, input('words'), input('high'), input('low'), `${MAX_PASSED} + ${input('most')}`)}) AS d
  WHERE ${isOther} LIMIT ${input('most')}
)
SELECT ${columns} FROM ${table} WHERE number IN (SELECT number FROM nearest UNION ALL SELECT number FROM equal)`;
}

/** Returns the command for the candidates for a document: live versions of other ids than `except`. */
function candidatesOf(
  name: string,
  { record, probes }: StoreDocument,
  limit: number,
  now: number,
  except?: string,
): Command {
  const { high, low, words } = partsOf(record);
  const values = [high, low, words, now, except ?? null, JSON.stringify(probes), Math.min(limit, 2 ** 32)];
  return [searchOf(name), values];
}

/** Returns a statement that fails unless a condition holds: the function `json` refuses invalid JSON. */
const guard = (condition: string): string => `SELECT json(CASE WHEN ${condition} THEN 'null' ELSE 'changed' END)`;

/** The versions that a batch has read for an item, and the changes that follow from them. */
class Snapshot extends SqlVersions {
  readonly changes: Command[] = [];
  /** The document of the search, if there was one. */
  #found: StoreDocument | undefined;
  readonly #own: Row[];
  readonly #candidates: Row[];

  constructor(name: string, now: number, own: Row[], candidates: Row[]) {
    super(name, now);
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

  /** Returns the statements that fail if anything that the decision on an id depends on has changed. */
  guards(id: string, last: number): Command[] {
    const guards = [this.#guardOwn(id)];
    if (this.#found !== undefined) guards.push(this.#guardCandidates(this.#found, last));
    return guards;
  }

  /** Returns a statement that fails if the live versions of an id have changed since they were read. */
  #guardOwn(id: string): Command {
    const [statement, values] = ownOf(this.name, id, this.now);
    const parts = "number || ' ' || coalesce(until, '') || ' ' || coalesce(expires, '')";
    const all = `SELECT coalesce(group_concat(part), '') FROM (SELECT ${parts} AS part FROM (${statement}) ORDER BY number)`;
    const sorted = [...this.#own].sort((a, b) => a.number - b.number);
    const expected = sorted.map(({ number, until, expires }) => `${number} ${until ?? ''} ${expires ?? ''}`).join();
    return [guard(`(${all}) = ?`), [...values, expected]];
  }

  /** Returns a statement that fails if a candidate was removed, or a version after `last` added that a search would read. */
  #guardCandidates({ id, record, probes }: StoreDocument, last: number): Command {
    const { high, low, words } = partsOf(record);
    const table = `${this.name}_documents`;
    const left = `SELECT count(*) FROM ${table} AS d WHERE number IN (SELECT value FROM json_each(candidates))`;
    const probed = blocks.map((block, at) => `${block} IN (SELECT value FROM json_each(probes, '$[${at}]'))`);
    const added =
      `SELECT 1 FROM ${table} AS d WHERE d.number > last AND d.id <> input.id ` +
      `AND ((d.high, d.low, d.words) = (input.high, input.low, input.words) OR minhash IS NOT NULL AND (${probed.join(' OR ')}))`;
    const input =
      'WITH input (id, high, low, words, probes, candidates, count, last, now) AS (SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const numbers = this.#candidates.map(({ number }) => number);
    return [
      `${input} ${guard(`(${left} AND ${isLive('d', 'now')}) = count AND NOT EXISTS (${added})`)} FROM input`,
      [id, high, low, words, JSON.stringify(probes), JSON.stringify(numbers), numbers.length, last, this.now],
    ];
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

  protected override async create(): Promise<void> {
    await this.#send(schemaOf(this.settings).map((statement) => [statement, []]));
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const rows = await this.rows<Row>(candidatesOf(this.name, document, rule.limit, Date.now()));
    return hitsOf(document, rows.map(versionOf), rule);
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
   * Decides on the first items, at least one. Returns the results, and the statements that make the changes. A decision that
   * depends on a change of this call is left to the next call.
   */
  async #decide(change: Change, items: readonly Item[]): Promise<{ results: Result[]; statements: Command[] }> {
    const { name } = this;
    const now = Date.now();
    const isSearched = change.kind === 'observe';
    const reads = items.flatMap((item) => {
      const own = ownOf(name, item.id, now);
      return isSearched ? [own, candidatesOf(name, item as StoreDocument, 1, now, item.id)] : [own];
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
        (isSearched && isProbed(item as StoreDocument, record as StoredRecord));
      if (changed.some(dependsOn)) break;
      const snapshot = new Snapshot(name, now, own, candidates);
      try {
        results.push(apply(snapshot, change, item));
      } catch (error) {
        // The items before the failed one are changed now; the next call throws.
        if (results.length === 0) throw error;
        break;
      }
      guards.push(...snapshot.guards(item.id, last));
      changes.push(...snapshot.changes);
      if (snapshot.changes.length > 0) changed.push(item);
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

/**
 * A store in PostgreSQL 14 or later, for the processes of many machines.
 *
 * @packageDocumentation
 */

import { ArgumentError } from '../core/argument-error.js';
import { bytesOfHex, hexOf } from '../core/hex.js';
import type { Observation, Outcome } from '../decisions/decision.js';
import type { ResemblanceHit } from '../index.js';
import { postgresAdvice } from './advice.js';
import { clock, schemaOf } from './postgres-schema.js';
import { damagedRecord, HEAD, type StoredRecord, WITH_MINHASH } from './record.js';
import { checkSettings, type FoundMetadata, type Settings } from './settings.js';
import { isLive, type Position, SqlStore } from './sql-store.js';
import type { Store, StoreOptions } from './store.js';
import type { Change, Item, QueryRule, Result, StoreDocument } from './versions.js';

export type * from './store.js';

/** The members of `Pool` or `Client` (pg), `sql` (postgres.js) or `PGlite` that the store uses. */
export type PostgresClient =
  | { query(sql: string, values?: never[]): Promise<{ rows: unknown[] }> }
  // biome-ignore lint/suspicious/noExplicitAny: the pending query of postgres.js
  | { unsafe(sql: string, values?: never[]): any };

/**
 * The maximum number of ids that a transaction changes. It holds five locks for each id, and up to ten if there are earlier
 * versions. One observation holds four times `probes` locks.
 */
const BATCH = 50;

type Values = readonly (string | null)[];

/** Runs a statement with values, or several statements without, and returns the rows. */
type Run = <T>(statement: string, values?: Values) => Promise<T[]>;

/** The outcome of an observation. `again` asks for a repetition: a version has ended meanwhile. */
interface OutcomeRow {
  status: Outcome['status'] | 'again';
  duplicateOf: string;
  /** A text, since pg with the option `binary` parses floating-point numbers wrongly. */
  resemblance: string;
  distance: number;
}

/** Returns an array of texts as PostgreSQL writes it. */
const arrayOf = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)).join()}}`;

const textOf = (value: string | number | undefined): string | null => (value === undefined ? null : String(value));

/** Returns the parts of a record as texts, which every driver passes alike. */
function textsOf(record: StoredRecord): [fingerprint: string, words: string, minhash: string | null] {
  const view = new DataView(record.buffer, record.byteOffset);
  const minhash = record.length === HEAD ? null : `x${hexOf(record.subarray(HEAD))}`;
  return [String(view.getBigInt64(0, true)), String(view.getBigInt64(8, true)), minhash];
}

function recordOf({ id, record: hex }: { id: string; record: string }): StoredRecord {
  const record = bytesOfHex(hex);
  if (record.length !== HEAD && record.length !== WITH_MINHASH) throw damagedRecord(id);
  for (const at of [0, 8]) record.subarray(at, at + 8).reverse();
  return record;
}

/** The methods of the clients that the store uses: `unsafe` of postgres.js, `query` of the others, `exec` of PGlite. */
interface Methods {
  unsafe<T>(
    statement: string,
    values?: Values,
    options?: { prepare: boolean },
  ): Promise<T[]> & { simple(): Promise<T[]> };
  query<T>(statement: string, values?: Values): Promise<{ rows: T[] }>;
  exec(statements: string): Promise<never[]>;
}

class PostgresStore extends SqlStore {
  protected readonly decidesOnServer = true;
  readonly #run: Run;
  /** The record in hexadecimal form, with big-endian integers. The binary form of a bit string begins with its length. */
  protected readonly content =
    "d.id, encode(int8send(d.fingerprint) || int8send(d.words) || coalesce(substring(bit_send(d.minhash) FROM 5), ''), " +
    "'hex') AS record";

  protected readonly recordOf = recordOf;

  constructor(run: Run, settings: Settings) {
    super(settings, postgresAdvice);
    this.#run = run;
  }

  override schema(): string {
    return schemaOf(this.settings);
  }

  /** Runs the function `search` or `observe`: the parameters of both begin alike. Returns some columns of its rows. */
  async #compare<T>(columns: string, name: string, except: string | null, document: StoreDocument, ...rest: Values) {
    const { record, probes } = document;
    const values = [except, ...textsOf(record), `{${probes.flat().join()}}`, ...rest];
    const types = ['text', 'bigint', 'bigint', 'bit(512)', 'bigint[]', 'float8', 'bigint', 'bigint'];
    const call = `${this.name}_${name}(${values.map((_, at) => `$${at + 1}::text::${types[at]}`)})`;
    try {
      return await this.#run<T>(`SELECT ${columns}, resemblance::text, distance FROM ${call}`, values);
    } catch (error) {
      // An operation on bit strings of different lengths.
      if ((error as { code?: unknown }).code !== '22026') throw error;
      const wrong = `SELECT id FROM ${this.table} WHERE length(minhash) <> 512 LIMIT 1`;
      const [damaged] = await this.#run<{ id: string }>(wrong, []);
      throw damaged === undefined ? error : damagedRecord(damaged.id, error);
    }
  }

  protected select<T>(statement: string, position?: Position): Promise<T[]> {
    const values = `${clock}, $1::text::bigint, $2::text::bigint`;
    return this.#run(
      `WITH input (now, after, last) AS MATERIALIZED (SELECT ${values}) ${statement}`,
      position?.map(String) ?? [null, null],
    );
  }

  protected override async readMetadata(): Promise<FoundMetadata> {
    // A backup may lack the functions. A failed statement would abort a transaction of the caller.
    const parts = `to_regclass('${this.name}_store'), to_regclass('${this.table}'), to_regproc('${this.name}_observe')`;
    const [{ exists }] = await this.#run<{ exists: boolean }>(`SELECT num_nulls(${parts}) = 0 AS exists`, []);
    return exists ? super.readMetadata() : undefined;
  }

  protected override async create(): Promise<void> {
    await this.#run(this.schema());
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    if (change.kind === 'observe') return [await this.#observe(items[0] as StoreDocument, change)];
    // The items of a statement have different ids.
    const batch = new Map<string, Item>();
    for (const item of items) {
      if (batch.size === BATCH || batch.has(item.id)) break;
      batch.set(item.id, item);
    }
    const parts = Array.from(batch.values(), ({ record }) => (record ? textsOf(record) : [null, null, null]));
    const statement =
      `SELECT id FROM ${this.name}_change($1::text, $2::text::text[], $3::text::bigint[], $4::text::bigint[], ` +
      '$5::text::bit(512)[], $6::text::bigint) AS affected (id)';
    const rows = await this.#run<{ id: string }>(statement, [
      change.kind,
      arrayOf([...batch.keys()]),
      ...[0, 1, 2].map((at) => arrayOf(parts.map((texts) => texts[at]))),
      textOf(change.expiresIn),
    ]);
    const affected = new Set(rows.map(({ id }) => id));
    return Array.from(batch.keys(), (id) => affected.has(id));
  }

  async #observe(document: StoreDocument, { minResemblance, lease, expiresIn }: Change): Promise<Observation<string>> {
    const { id } = document;
    const rule = [String(minResemblance), textOf(lease), textOf(expiresIn)];
    for (;;) {
      // With `transform`, postgres.js changes names that contain `_`.
      const columns = 'status, duplicate_of AS "duplicateOf"';
      const [row] = await this.#compare<OutcomeRow>(columns, 'observe', id, document, ...rule);
      const { status, duplicateOf, distance } = row;
      const resemblance = Number(row.resemblance);
      if (status === 'duplicate') return { id, status, duplicateOf, resemblance, distance };
      if (status === 'changed') return { id, status, resemblance, distance };
      if (status !== 'again') return { id, status };
    }
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const { minResemblance, limit } = rule;
    const values = [String(minResemblance), String(limit)];
    const hits = new Map<string, ResemblanceHit<string>>();
    for (const hit of await this.#compare<OutcomeRow & { id: string }>('id', 'search', null, document, ...values)) {
      const { id, resemblance, distance } = hit;
      if (hits.size === limit) break;
      if (id !== null && !hits.has(id)) hits.set(id, { id, resemblance: Number(resemblance), distance });
    }
    return [...hits.values()];
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const [row] = await this.#run<{ id: string; record: string }>(
      `SELECT ${this.content} FROM ${this.table} AS d WHERE d.id = $1::text AND ${isLive('d', clock)} ORDER BY until IS NOT NULL LIMIT 1`,
      [id],
    );
    return row && recordOf(row);
  }

  protected async removeExpired(): Promise<number> {
    for (let count = 0; ; ) {
      const statement = `SELECT removed, gone FROM ${this.name}_prune()`;
      const [{ removed, gone }] = await this.#run<{ removed: number; gone: number }>(statement, []);
      count += gone;
      if (removed === 0) return count;
    }
  }
}

/** Returns a function that runs statements with a client. */
function runnerOf(client: PostgresClient): Run {
  const { unsafe, query, exec } = (client ?? {}) as Partial<Methods>;
  const methods = client as unknown as Methods;
  if (typeof unsafe === 'function') {
    return (statement, values) =>
      values === undefined
        ? methods.unsafe<never>(statement).simple()
        : methods.unsafe(statement, values, { prepare: true });
  }
  if (typeof query !== 'function') {
    throw new ArgumentError('client', 'a pool or client of pg, postgres.js or PGlite', client);
  }
  return async (statement, values) =>
    values === undefined && typeof exec === 'function'
      ? methods.exec(`BEGIN; ${statement} COMMIT;`)
      : (await methods.query<never>(statement, values)).rows;
}

/**
 * Returns the store in a PostgreSQL database. The tables and functions are created at the first call.
 *
 * With a pool, calls that run at once use several connections. A client must not be in a transaction: the store's locks
 * would be held until its end.
 *
 * @example
 * ```js
 * const store = postgresStore(new pg.Pool({ connectionString }));
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `client` is not a pool or a client, or an option is wrong
 */
export const postgresStore = (client: PostgresClient, options?: StoreOptions): Store =>
  new PostgresStore(runnerOf(client), checkSettings(options));

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
import { clock, isLive, schemaOf } from './postgres-schema.js';
import { damagedRecord, HEAD, type StoredRecord } from './record.js';
import { checkSettings, type FoundMetadata, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';
import type { Change, Item, Page, QueryRule, Result, StoreDocument } from './versions.js';

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

/** The number of documents in a page. */
const PAGE = 1000;

/** The code of an operation on bit strings of different lengths. */
const WRONG_LENGTH = '22026';

/** The columns of a record. The binary form of a bit string begins with its length. */
const content =
  "d.id, d.fingerprint::text, d.words::text, encode(substring(bit_send(d.minhash) FROM 5), 'hex') AS minhash";

const now = `WITH input AS MATERIALIZED (SELECT ${clock} AS now)`;

type Values = readonly (string | null)[];

/** Runs a statement with values, or several statements without, and returns the rows. */
type Run = (statement: string, values?: Values) => Promise<unknown[]>;

/** The columns of a record, as texts, which every driver returns alike. */
interface RecordRow {
  id: string;
  fingerprint: string;
  words: string;
  /** Hexadecimal; null for a short text. */
  minhash: string | null;
}

/** `after` is the number of the version. */
interface PageRow extends RecordRow, Position {
  hasOther: boolean;
}

/** The outcome of an observation. `again` asks for a repetition: a version has ended meanwhile. */
interface OutcomeRow {
  status: Outcome['status'] | 'again';
  duplicateOf: string;
  resemblance: number;
  distance: number;
}

/** Where a page begins, as texts. */
interface Position {
  /** The number of the last version of the page before. */
  after: string;
  /** The number of the last version when the first page was read. */
  last: string;
}

/** Returns an array of texts as PostgreSQL writes it. */
const arrayOf = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)).join()}}`;

const durationOf = (milliseconds: number | undefined): string | null =>
  milliseconds === undefined ? null : String(milliseconds);

/** Returns the parts of a record as texts, which every driver passes alike. */
function textsOf(record: StoredRecord): [fingerprint: string, words: string, minhash: string | null] {
  const view = new DataView(record.buffer, record.byteOffset);
  const minhash = record.length === HEAD ? null : `x${hexOf(record.subarray(HEAD))}`;
  return [String(view.getBigInt64(0, true)), String(view.getBigInt64(8, true)), minhash];
}

function recordOf({ id, fingerprint, words, minhash }: RecordRow): StoredRecord {
  const hex = minhash ?? '';
  if (hex.length !== 0 && hex.length !== 128) throw damagedRecord(id);
  const record = new Uint8Array(HEAD + hex.length / 2);
  const view = new DataView(record.buffer);
  view.setBigInt64(0, BigInt(fingerprint), true);
  view.setBigInt64(8, BigInt(words), true);
  record.set(bytesOfHex(hex), HEAD);
  return record;
}

/** The parts of the clients that the store uses. */
interface PostgresJs {
  unsafe(
    statement: string,
    values?: Values,
    options?: { prepare: boolean },
  ): Promise<unknown[]> & { simple(): Promise<unknown[]> };
}
interface Pg {
  query(statement: string, values?: Values): Promise<{ rows: unknown[] }>;
}
interface PGlite extends Pg {
  exec(statements: string): Promise<unknown[]>;
}

class PostgresStore extends Store {
  readonly #run: Run;

  constructor(run: Run, settings: Settings) {
    super(settings, postgresAdvice);
    this.#run = run;
  }

  override schema(): string {
    return schemaOf(this.settings);
  }

  async #rows<T>(statement: string, values: Values = []): Promise<T[]> {
    return (await this.#run(statement, values)) as T[];
  }

  /** Runs a statement that compares records. */
  async #compare<T>(statement: string, values: Values): Promise<T[]> {
    try {
      return await this.#rows<T>(statement, values);
    } catch (error) {
      if ((error as { code?: unknown }).code !== WRONG_LENGTH) throw error;
      const [damaged] = await this.#rows<{ id: string }>(
        `SELECT id FROM ${this.name}_documents WHERE length(minhash) <> 512 LIMIT 1`,
      );
      throw damaged === undefined ? error : damagedRecord(damaged.id, error);
    }
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    const observe = `${this.name}_observe(text, bigint, bigint, bit, bigint[], float8, bigint, bigint)`;
    const [{ exists }] = await this.#rows<{ exists: boolean }>(
      `SELECT to_regclass('${this.name}_store') IS NOT NULL AND to_regclass('${this.name}_documents') IS NOT NULL ` +
        `AND to_regprocedure('${observe}') IS NOT NULL AS exists`,
    );
    if (!exists) return undefined;
    return (await this.#rows<FoundMetadata>(`SELECT name, scheme, layout, blocks FROM ${this.name}_store`))[0];
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
    const rows = await this.#rows<{ id: string }>(statement, [
      change.kind,
      arrayOf([...batch.keys()]),
      ...[0, 1, 2].map((at) => arrayOf(parts.map((texts) => texts[at]))),
      durationOf(change.expiresIn),
    ]);
    const affected = new Set(rows.map(({ id }) => id));
    return Array.from(batch.keys(), (id) => affected.has(id));
  }

  async #observe({ id, record, probes }: StoreDocument, change: Change): Promise<Observation<string>> {
    const statement =
      `SELECT status, duplicate_of AS "duplicateOf", resemblance, distance FROM ${this.name}_observe($1::text, ` +
      '$2::text::bigint, $3::text::bigint, $4::text::bit(512), $5::text::bigint[], $6::text::float8, $7::text::bigint, ' +
      '$8::text::bigint)';
    const durations = [durationOf(change.lease), durationOf(change.expiresIn)];
    const values = [id, ...textsOf(record), `{${probes.flat().join()}}`, String(change.minResemblance), ...durations];
    for (;;) {
      const [row] = await this.#compare<OutcomeRow>(statement, values);
      const { status, duplicateOf, resemblance, distance } = row;
      if (status === 'duplicate') return { id, status, duplicateOf, resemblance, distance };
      if (status === 'changed') return { id, status, resemblance, distance };
      if (status !== 'again') return { id, status };
    }
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const { record, probes } = document;
    const limit = String(Math.min(rule.limit, 2 ** 32));
    const statement =
      `SELECT id, resemblance, distance FROM ${this.name}_search(NULL, $1::text::bigint, $2::text::bigint, ` +
      '$3::text::bit(512), $4::text::bigint[], $5::text::float8, $6::text::bigint) WHERE id IS NOT NULL';
    const rows = await this.#compare<ResemblanceHit<string>>(statement, [
      ...textsOf(record),
      `{${probes.flat().join()}}`,
      String(rule.minResemblance),
      limit,
    ]);
    const hits = new Map<string, ResemblanceHit<string>>();
    for (const { id, resemblance, distance } of rows) {
      if (hits.size === rule.limit) break;
      if (!hits.has(id)) hits.set(id, { id, resemblance, distance });
    }
    return [...hits.values()];
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const statement =
      `SELECT ${content} FROM ${this.name}_documents AS d WHERE d.id = $1::text AND ${isLive('d', clock)} ` +
      'ORDER BY until NULLS FIRST LIMIT 1';
    const [row] = await this.#rows<RecordRow>(statement, [id]);
    return row && recordOf(row);
  }

  protected async removeExpired(): Promise<number> {
    for (let count = 0; ; ) {
      const [{ removed, gone }] = await this.#rows<{ removed: number; gone: number }>(
        `SELECT removed, gone FROM ${this.name}_prune()`,
      );
      count += gone;
      if (removed === 0) return count;
    }
  }

  protected async countIds(): Promise<number> {
    const statement = `${now} SELECT count(*)::text AS count FROM ${this.name}_documents AS d WHERE ${this.#isShown}`;
    return Number((await this.#rows<{ count: string }>(statement))[0].count);
  }

  protected async page(position: unknown): Promise<Page> {
    const { after, last } = (position as Position | undefined) ?? { after: '0', last: null };
    const table = `${this.name}_documents`;
    const lastOf = `coalesce($2::text::bigint, (SELECT max(number) FROM ${table}))`;
    const other = `SELECT 1 FROM ${table} AS other WHERE other.id = d.id AND other.number <> d.number`;
    const statement =
      `${now} SELECT d.number::text AS after, ${lastOf}::text AS last, ${content}, EXISTS (${other}) AS "hasOther" ` +
      `FROM ${table} AS d WHERE d.number > $1::text::bigint AND d.number <= ${lastOf} AND ${this.#isShown} ` +
      `ORDER BY d.number LIMIT ${PAGE}`;
    const rows = await this.#rows<PageRow>(statement, [after, last]);
    return {
      rows: rows.map((row) => ({ id: row.id, record: recordOf(row), hasOther: row.hasOther })),
      next: rows.length < PAGE ? undefined : { after: rows[PAGE - 1].after, last: rows[0].last },
    };
  }

  /** The condition that a version is live and, if provisional, that its id has no kept version. */
  get #isShown(): string {
    const live = (version: string) => isLive(version, '(SELECT now FROM input)');
    const kept = `SELECT 1 FROM ${this.name}_documents AS kept WHERE kept.id = d.id AND kept.until IS NULL`;
    return `${live('d')} AND (d.until IS NULL OR NOT EXISTS (${kept} AND ${live('kept')}))`;
  }
}

/** Returns a function that runs statements with a client. */
function runnerOf(client: PostgresClient): Run {
  const { unsafe, query, exec } = (client ?? {}) as Partial<PostgresJs & Pg & PGlite>;
  if (typeof unsafe === 'function') {
    const sql = client as PostgresJs;
    return (statement, values) =>
      values === undefined ? sql.unsafe(statement).simple() : sql.unsafe(statement, values, { prepare: true });
  }
  if (typeof query !== 'function') {
    throw new ArgumentError('client', 'a pool or client of pg, postgres.js or PGlite', client);
  }
  const pg = client as Pg;
  const run: Run = async (statement, values) => (await pg.query(statement, values)).rows;
  if (typeof exec !== 'function') return run;
  return (statement, values) =>
    values === undefined ? (client as PGlite).exec(`BEGIN; ${statement} COMMIT;`) : run(statement, values);
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

// The base of the stores in SQLite, a Durable Object and D1: changes of versions, and the calls that need only one
// statement.
import type { ResemblanceHit } from '../index.js';
import { joinParts, partsOf, type StoredRecord } from './record.js';
import type { FoundMetadata } from './settings.js';
import { type Command, columns, content, end, isLive, type Row, schemaOf, state, versionOf } from './sqlite-schema.js';
import { Store } from './store.js';
import {
  type Item,
  type Page,
  type QueryRule,
  type StoreDocument,
  shownOf,
  type Version,
  type VersionState,
  type Versions,
} from './versions.js';

/** The maximum number of ended versions that a change removes. */
const MAX_PRUNED = 1000;

/** The number of rows that `page` returns. */
const PAGE = 1000;

/** Where a page begins. */
interface Position {
  /** The number of the last version of the page before. */
  after: number;
  /** The number of the last version when the first page was read. */
  last: number | null;
}

/** Returns the command for the live versions of an id. */
export const ownOf = (name: string, id: string, now: number): Command => [
  `SELECT ${columns} FROM ${name}_documents AS d WHERE id = ? AND ${isLive('d', '?')}`,
  [id, now],
];

/** Returns the command that removes some ended versions. Its rows are their ids. */
export function pruneOf(name: string, now: number): Command {
  const ended = `SELECT number FROM ${name}_documents WHERE ${end} <= ? ORDER BY ${end} LIMIT ${MAX_PRUNED}`;
  return [`DELETE FROM ${name}_documents WHERE number IN (${ended}) RETURNING id`, [now]];
}

/** Versions in tables, changed by statements. */
export abstract class SqlVersions implements Versions {
  readonly now: number;
  protected readonly name: string;

  constructor(name: string, now: number) {
    this.name = name;
    this.now = now;
  }

  abstract own(id: string): Version[];
  abstract search(document: StoreDocument, rule: QueryRule, except?: string): ResemblanceHit<string>[];
  protected abstract run(command: Command): unknown;

  insert({ id, record, until, expires, resemblance, distance }: Omit<Version, 'number'>): void {
    const { high, low, words, minhash } = partsOf(record);
    this.run([
      `INSERT INTO ${this.name}_documents (${content}, ${state}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
      [id, high, low, words, minhash, until, expires, resemblance, distance],
    ]);
  }

  update({ number }: Version, { until, expires, resemblance, distance }: VersionState): void {
    this.run([
      `UPDATE ${this.name}_documents SET (${state}) = (?, ?, ?, ?) WHERE number = ? RETURNING number`,
      [until, expires, resemblance, distance, number],
    ]);
  }

  remove({ number }: Version): void {
    this.run([`DELETE FROM ${this.name}_documents WHERE number = ? RETURNING number`, [number]]);
  }
}

export abstract class SqlStore extends Store {
  /** Runs a statement, and returns its rows. */
  protected abstract rows<T>(command: Command): Promise<T[]>;

  override schema(): string {
    return `${schemaOf(this.settings).join(';\n')};\n`;
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    try {
      return (await this.rows<FoundMetadata>([`SELECT name, scheme, layout, blocks FROM ${this.name}_store`, []]))[0];
    } catch (error) {
      if (!/no such table/.test((error as Error).message)) throw error;
      return undefined;
    }
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    return shownOf((await this.rows<Row>(ownOf(this.name, id, Date.now()))).map(versionOf));
  }

  /** Removes all versions of ids, by one statement. */
  protected async remove(items: readonly Item[]): Promise<boolean[]> {
    const ids = items.map(({ id }) => id);
    const rows = await this.rows<{ id: string; isLive: number }>([
      `DELETE FROM ${this.name}_documents WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, ${isLive(`${this.name}_documents`, '?')} AS isLive`,
      [JSON.stringify(ids), Date.now()],
    ]);
    const removed = new Set(rows.filter(({ isLive }) => isLive !== 0).map(({ id }) => id));
    return ids.map((id) => removed.delete(id));
  }

  protected async removeExpired(): Promise<number> {
    const now = Date.now();
    const gone =
      'SELECT count(*) AS count FROM json_each(?) AS given ' +
      `WHERE NOT EXISTS (SELECT 1 FROM ${this.name}_documents WHERE id = given.value)`;
    for (let count = 0; ; ) {
      const ids = new Set((await this.rows<{ id: string }>(pruneOf(this.name, now))).map(({ id }) => id));
      if (ids.size === 0) return count;
      count += (await this.rows<{ count: number }>([gone, [JSON.stringify([...ids])]]))[0].count;
    }
  }

  protected async countIds(): Promise<number> {
    const now = Date.now();
    const statement = `SELECT count(*) AS count FROM ${this.name}_documents AS d WHERE ${this.#isShown}`;
    return (await this.rows<{ count: number }>([statement, [now, now]]))[0].count;
  }

  protected async page(position: unknown): Promise<Page> {
    const { after, last } = (position as Position | undefined) ?? { after: 0, last: null };
    const table = `${this.name}_documents`;
    const other = `SELECT 1 FROM ${table} AS other WHERE other.id = d.id AND other.number <> d.number`;
    const statement =
      `WITH input (last) AS MATERIALIZED (SELECT coalesce(?, (SELECT max(number) FROM ${table}))) ` +
      `SELECT number, ${content}, EXISTS (${other}) AS hasOther, last FROM input CROSS JOIN ${table} AS d ` +
      `WHERE number > ? AND number <= last AND ${this.#isShown} ORDER BY number LIMIT ${PAGE}`;
    const now = Date.now();
    const rows = await this.rows<Row & { hasOther: number; last: number }>([statement, [last, after, now, now]]);
    return {
      rows: rows.map((row) => ({ id: row.id, record: joinParts(row), hasOther: row.hasOther !== 0 })),
      next: rows.length < PAGE ? undefined : { after: rows[PAGE - 1].number, last: rows[0].last },
    };
  }

  /** The condition that a version is live and, if provisional, its id has no kept one. Both of its parameters are the time. */
  get #isShown(): string {
    const kept = `SELECT 1 FROM ${this.name}_documents AS kept WHERE kept.id = d.id AND kept.until IS NULL`;
    return `${isLive('d', '?')} AND (d.until IS NULL OR NOT EXISTS (${kept} AND ${isLive('kept', '?')}))`;
  }
}

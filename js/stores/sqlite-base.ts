// The base of the stores in SQLite, a Durable Object and D1.
import { joinParts, partsOf, type StoredRecord } from './record.js';
import { isLive, type Position, SqlStore } from './sql-store.js';
import {
  type Command,
  content,
  ownOf,
  pruneOf,
  type Row,
  schemaOf,
  searchOf,
  state,
  versionOf,
} from './sqlite-schema.js';
import type { Item, StoreDocument, Versions } from './versions.js';

/** Access to the rows of a table: functions that read them, and `run` for the commands that change them. */
export interface Access {
  own(id: string): Row[];
  /** Returns the live versions of other ids that a search reads. */
  candidates(document: StoreDocument, limit: number, except?: string): Row[];
  run(command: Command): unknown;
}

/** Returns the versions in a table. */
export const versionsIn = (table: string, now: number, { own, candidates, run }: Access): Versions => ({
  now,
  own: (id) => own(id).map(versionOf),
  candidates: (document, limit, except) => candidates(document, limit, except).map(versionOf),
  insert({ id, record, until, expires, resemblance, distance }) {
    const { high, low, words, minhash } = partsOf(record);
    run([
      `INSERT INTO ${table} (${content}, ${state}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`,
      [id, high, low, words, minhash, until, expires, resemblance, distance],
    ]);
  },
  update({ number }, { until, expires, resemblance, distance }) {
    run([
      `UPDATE ${table} SET (${state}) = (?, ?, ?, ?) WHERE number = ? RETURNING number`,
      [until, expires, resemblance, distance, number],
    ]);
  },
  remove: ({ number }) => run([`DELETE FROM ${table} WHERE number = ? RETURNING number`, [number]]),
});

/** Returns the first ids, at least one, whose JSON is below 2 MB: the limit of D1 and a Durable Object for a value. */
const fittingOf = (ids: readonly string[]): string[] =>
  ids.slice(0, Math.max(1, 1_900_000 / (6 * Math.max(...ids.map(({ length }) => length)) + 3)));

export abstract class TableStore extends SqlStore {
  protected readonly decidesOnServer = false;
  protected readonly content = content;
  protected readonly recordOf = joinParts;
  /** The statement of a search. It is long, so each store builds it once. */
  readonly #search = searchOf(this.name);

  /** Runs a statement, and returns its rows. */
  protected abstract rows<T>(command: Command): Promise<T[]>;

  protected select<T>(statement: string, position?: Position): Promise<T[]> {
    return this.rows([
      `WITH input (now, after, last) AS MATERIALIZED (SELECT ?, ?, ?) ${statement}`,
      [Date.now(), ...(position ?? [null, null])],
    ]);
  }

  override schema(): string {
    return `${schemaOf(this.settings).join(';\n')};\n`;
  }

  /** Returns the command for the candidates for a document: live versions of other ids than `except`. */
  protected candidatesOf({ record, probes }: StoreDocument, limit: number, now: number, except?: string): Command {
    const { high, low, words } = partsOf(record);
    const lists = probes.map((values) => JSON.stringify(values));
    return [this.#search, [high, low, words, now, except ?? null, limit, ...lists]];
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    // A kept version precedes the provisional one.
    const [row] = await this.rows<Row>(ownOf(this.name, id, Date.now()));
    return row && joinParts(row);
  }

  /** Removes all versions of the first ids, at least one, by one statement. */
  protected async remove(items: readonly Item[]): Promise<boolean[]> {
    const ids = fittingOf(items.map(({ id }) => id));
    const rows = await this.rows<{ id: string; isLive: number }>([
      `DELETE FROM ${this.table} WHERE id IN (SELECT value FROM json_each(?)) RETURNING id, ${isLive(this.table, '?')} AS isLive`,
      [JSON.stringify(ids), Date.now()],
    ]);
    const removed = new Set(rows.filter(({ isLive }) => isLive !== 0).map(({ id }) => id));
    return ids.map((id) => removed.delete(id));
  }

  protected async removeExpired(): Promise<number> {
    const now = Date.now();
    const gone =
      'SELECT count(*) AS count FROM json_each(?) AS given ' +
      `WHERE NOT EXISTS (SELECT 1 FROM ${this.table} WHERE id = given.value)`;
    for (let count = 0; ; ) {
      const rows = await this.rows<{ id: string }>(pruneOf(this.name, now));
      if (rows.length === 0) return count;
      for (let ids = [...new Set(rows.map(({ id }) => id))], some = ids; ids.length > 0; ids = ids.slice(some.length)) {
        some = fittingOf(ids);
        count += (await this.rows<{ count: number }>([gone, [JSON.stringify(some)]]))[0].count;
      }
    }
  }
}

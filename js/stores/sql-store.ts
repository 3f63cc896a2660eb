// The base of the stores in SQL databases: the calls whose statements are the same in all of them.
import type { StoredRecord } from './record.js';
import type { FoundMetadata } from './settings.js';
import { Store } from './store.js';
import type { Page } from './versions.js';

/** The number of rows that `page` returns. */
const PAGE = 1000;

/** The time at which a version ends: the end of the lease of a provisional version, the expiry time of a kept one. */
export const end = 'coalesce(until, expires)';

/** The condition that a version is live. A version that never ends counts as ending at the largest time. */
export const isLive = (version: string, now: string): string =>
  `coalesce(${version}.until, ${version}.expires, ${Number.MAX_SAFE_INTEGER}) > ${now}`;

/** Selects a column of `input`, which has one row: the values of a statement. */
export const input = (column: string): string => `(SELECT ${column} FROM input)`;

/** The number of the last version of the previous page, and the largest number when the first page was read. */
export type Position = readonly [after: string | number, last: string | number];

export abstract class SqlStore extends Store {
  /** The columns of a record of the table `d`. */
  protected abstract readonly content: string;
  /** Runs a statement, which may select `now`, `after` and `last` from `input`, and returns its rows. */
  protected abstract select<T>(statement: string, position?: Position): Promise<T[]>;
  /** Returns the record of a row with `content`. */
  protected abstract readonly recordOf: (row: never) => StoredRecord;

  protected get table(): string {
    return `${this.name}_documents`;
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    try {
      return (await this.select<FoundMetadata>(`SELECT name, scheme, layout, blocks FROM ${this.name}_store`))[0];
    } catch (error) {
      if (!/no such table/.test((error as Error).message)) throw error;
      return undefined;
    }
  }

  protected async countIds(): Promise<number> {
    const statement = `SELECT count(*) AS count FROM ${this.table} AS d WHERE ${this.#isShown}`;
    return Number((await this.select<{ count: unknown }>(statement))[0].count);
  }

  protected async page(position: unknown): Promise<Page> {
    const last = `coalesce(${input('last')}, (SELECT max(number) FROM ${this.table}))`;
    const other = `SELECT 1 FROM ${this.table} AS other WHERE other.id = d.id AND other.number <> d.number`;
    const rows = await this.select<{ id: string; number: number; hasOther: unknown; last: number }>(
      `SELECT d.number, ${this.content}, EXISTS (${other}) AS "hasOther", ${last} AS last FROM ${this.table} AS d ` +
        `WHERE d.number > coalesce(${input('after')}, 0) AND d.number <= ${last} AND ${this.#isShown} ORDER BY d.number LIMIT ${PAGE}`,
      position as Position | undefined,
    );
    return {
      rows: rows.map((row) => ({ id: row.id, record: this.recordOf(row as never), hasOther: Boolean(row.hasOther) })),
      next: rows.length < PAGE ? undefined : [rows[PAGE - 1].number, rows[0].last],
    };
  }

  /** The condition that a version is live and, if provisional, that its id has no kept version. */
  get #isShown(): string {
    const kept = `SELECT 1 FROM ${this.table} AS kept WHERE kept.id = d.id AND kept.until IS NULL`;
    const live = (version: string) => isLive(version, input('now'));
    return `${live('d')} AND (d.until IS NULL OR NOT EXISTS (${kept} AND ${live('kept')}))`;
  }
}

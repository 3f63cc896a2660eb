/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. One batch reads a snapshot, and another one checks that nothing
// of it has changed, and writes. A statement cannot undo a batch, but an error can: so a failed check passes invalid JSON.
import { ArgumentError } from '../core/argument-error.js';
import { hexOf } from '../core/hex.js';
import { d1Advice } from './advice.js';
import { answersFor } from './candidates.js';
import { type Found, LostStore, type Question, type RemoteEngine, type Write } from './engine.js';
import { EngineStore } from './engine-store.js';
import { checkSettings } from './settings.js';
import { type Command, type Row, SqliteBase, unpackKeys, versionOf } from './sqlite-base.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  prepare(query: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** The salt of the store that was read, and the numbers of the last document and of the last one that is filed. */
interface Token {
  salt: unknown;
  last: number;
  filed: number;
}

class D1Engine extends SqliteBase implements RemoteEngine {
  readonly size = 10;
  readonly #database: D1Database;

  constructor(database: D1Database, ...settings: ConstructorParameters<typeof SqliteBase>) {
    super(...settings);
    this.#database = database;
  }

  protected async send(commands: readonly Command[]): Promise<unknown[][]> {
    const prepared = commands.map(([statement, ...values]) => this.#database.prepare(statement).bind(...values));
    return (await this.#database.batch(prepared as never[])).map(({ results }) => results);
  }

  async read(questions: readonly Question[]): Promise<Found> {
    const { documents, keys, store, salt } = this;
    const now = Date.now();
    const [[state], found] = (await this.send([
      [`SELECT salt, filed, (SELECT coalesce(max(number), 0) FROM ${documents}) AS last FROM ${store}`],
      [
        `SELECT d.*, json_group_array(k.key) AS found FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value ` +
          `CROSS JOIN ${documents} AS d ON d.number = k.number GROUP BY d.number ORDER BY d.number`,
        JSON.stringify([...new Set(questions.flatMap(({ keys }) => keys))]),
      ],
    ])) as [[Token | undefined], (Row & { found: string })[]];
    if (state === undefined || state.salt !== salt) throw new LostStore('the store has been created anew');
    if (state.filed < state.last) {
      await this.#file(state);
      return this.read(questions);
    }
    const filed = found.map((row) => [versionOf(row), JSON.parse(row.found)] as const);
    return { now, answers: answersFor(questions, filed, now), token: state };
  }

  /** Files the documents of a database that was copied from SQLite. */
  async #file({ filed, last }: Token): Promise<void> {
    const { documents, keys, store } = this;
    const [rows] = await this.send([[`SELECT number, keys FROM ${documents} WHERE number > ?`, filed]]);
    const pairs = (rows as Row[]).flatMap((row) => unpackKeys(row.keys).map((key) => [key, row.number]));
    await this.send([
      [
        `INSERT OR IGNORE INTO ${keys} SELECT q.value ->> 0, d.number FROM json_each(?) AS q ` +
          `CROSS JOIN ${documents} AS d ON d.number = q.value ->> 1`,
        JSON.stringify(pairs),
      ],
      [`UPDATE ${store} SET filed = ? WHERE filed < ?`, last, last],
    ]);
  }

  async write(items: readonly Write[], token: unknown): Promise<number> {
    const now = Date.now();
    const ended = items.findIndex(({ deadline }) => deadline <= now);
    const some = ended < 0 ? items : items.slice(0, ended);
    if (some.length === 0) return 0;
    try {
      await this.send([this.#check(some, token as Token), ...this.#changes(some)]);
      return some.length;
    } catch (error) {
      if (isConflict(error)) return 0;
      throw error;
    }
  }

  /** Returns a statement that fails unless the versions of the ids are as they were read, and nothing was added under the keys. */
  #check(items: readonly Write[], { salt, last }: Token): Command {
    const { documents, keys, store } = this;
    const own = items.flatMap(({ own }) => own);
    const equal =
      `SELECT count(*) FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.number = q.value ->> 0 ` +
      'WHERE lower(hex(d.value)) = q.value ->> 1';
    const added = `SELECT 1 FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value AND k.number > ?`;
    const holds = `(${equal}) = ? AND NOT EXISTS (${added}) AND (SELECT salt FROM ${store}) = ?`;
    return [
      `SELECT json(CASE WHEN ${holds} THEN 'null' ELSE 'changed' END)`,
      JSON.stringify(own.map(({ number, value }) => [number, hexOf(value)])),
      own.length,
      JSON.stringify(items.flatMap(({ keys }) => keys)),
      last,
      salt as string,
    ];
  }

  #changes(items: readonly Write[]): Command[] {
    const { documents, keys, store } = this;
    const commands = this.changesOf(items);
    const added = items.flatMap(({ insert }) => (insert === undefined ? [] : [insert.keys]));
    if (added.length === 0) return commands;
    // The new versions are the last ones, in their order.
    const number = `(SELECT max(number) FROM ${documents}) - ? + q.key`;
    return [
      ...commands,
      [
        `INSERT INTO ${keys} SELECT k.value, ${number} FROM json_each(?) AS q CROSS JOIN json_each(q.value) AS k`,
        added.length - 1,
        JSON.stringify(added),
      ],
      // A program that opens the database with SQLite does not file them again.
      [`UPDATE ${store} SET filed = (SELECT max(number) FROM ${documents})`],
    ];
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
  const settings = checkSettings(options);
  return new EngineStore(new D1Engine(database, settings), settings, d1Advice);
}

/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. One batch reads a snapshot, and another one checks that nothing
// of it has changed, and writes. A batch is undone if a statement fails, so the check violates a constraint. Batches exclude each other,
// and have the clock of the database: so no version that a batch finds ended has another end later.
import { ArgumentError } from '../common/argument-error.js';
import { hexOf } from '../common/hex.js';
import { d1Advice } from './advice.js';
import { answersFor } from './candidates.js';
import { decideRemotely } from './decide-remotely.js';
import type { Question, RemoteEngine, Snapshot, Write } from './engine.js';
import { EngineStore } from './engine-store.js';
import { checkSettings, type Settings } from './settings.js';
import { type Row, SqliteBase, toColumn, versionOf } from './sqlite-base.js';
import { type Command, isRefusal } from './sqlite-sql.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  /** Prepares a statement. */
  prepare(query: string): { bind(...values: unknown[]): unknown };
  /** Runs statements in a transaction. */
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

/** The time and the salt of the store that was read, and the number of its last version. */
interface Token {
  now: number;
  salt: string;
  last: number;
}

class D1Engine extends SqliteBase implements RemoteEngine {
  readonly partSize = 10;
  readonly #database: D1Database;
  readonly #name: string;

  constructor(database: D1Database, settings: Settings) {
    super(settings);
    this.#database = database;
    this.#name = settings.name;
  }

  protected override now(): null {
    return null;
  }

  protected async transact(commands: readonly Command[]): Promise<unknown[][]> {
    const prepared = commands.map(([statement, ...values]) => this.#database.prepare(statement).bind(...values));
    return (await this.#database.batch(prepared as never[])).map(({ results }) => results);
  }

  async read(questions: readonly Question[], salt: string): Promise<Snapshot> {
    const { state, under } = this.statements.remote;
    const keys = [...new Set(questions.flatMap(({ keys }) => keys))];
    const [[row], found] = (await this.send([[state], [under, JSON.stringify(keys)]], false)) as [
      [Token | undefined],
      (Row & { found: string })[],
    ];
    const token = this.checkSalt(row, salt);
    const filed = found.map((each) => [versionOf(each), JSON.parse(each.found)] as const);
    const { now } = token;
    return { now, answers: answersFor(questions, filed, now), token };
  }

  async write(writes: readonly Write[], token: unknown): Promise<number> {
    try {
      await this.send([this.#check(writes, token as Token), ...this.changesOf(writes)], true);
      return writes.length;
    } catch (error) {
      if (isRefusal((error as Error).message, this.#name)) return 0;
      throw error;
    }
  }

  /** Returns the check of all conditions. */
  #check(writes: readonly Write[], { salt, last }: Token): Command {
    const expected = writes.flatMap((write) => write.expected);
    return [
      this.statements.remote.check,
      JSON.stringify(expected.map(({ number, value }) => [number, hexOf(value)])),
      expected.length,
      JSON.stringify(writes.flatMap(({ guarded }) => guarded)),
      last,
      salt,
      toColumn(Math.min(...writes.map(({ deadline }) => deadline))),
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
  return new EngineStore(new D1Engine(database, settings), settings, decideRemotely, d1Advice);
}

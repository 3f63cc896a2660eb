/**
 * A store in D1, the SQLite of Cloudflare Workers.
 *
 * @packageDocumentation
 */

// D1 has no transaction that waits for JavaScript, only batches. One batch reads a snapshot, and another one checks that nothing
// of it has changed, and writes. A statement cannot undo a batch, but an error can: so a failed check passes invalid JSON.
import { ArgumentError } from '../core/argument-error.js';
import { d1Advice } from './advice.js';
import { HEAVIEST, MAX_CANDIDATES, UNIQUE } from './candidates.js';
import { type Found, LostStore, type Question, type RemoteEngine, type StoredVersion, type Write } from './engine.js';
import { EngineStore } from './engine-store.js';
import { checkSettings } from './settings.js';
import { type Command, isLive, packKeys, pairsOf, type Row, SqliteBase, toColumn, versionOf } from './sqlite-base.js';
import type { Store, StoreOptions } from './store.js';

export type * from './store.js';

/** The members of a D1 binding that the store uses. */
export interface D1Database {
  prepare(query: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<{ results: unknown[] }[]>;
}

const isConflict = (error: unknown): boolean => /malformed JSON/i.test((error as Error).message);

/** An own version with the column of its keys. */
type OwnVersion = StoredVersion & { keys: unknown };

/** The salt of the store that was read, and the number of the last addition. The answers of one snapshot have the same token. */
interface Token {
  salt: unknown;
  last: number;
}

/** A candidate of a question, or the number of versions under its key `at`. */
type FoundRow = Row & { question: number; at: number | null; filed: number };

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('');

/**
 * Returns the statement that finds the candidates for the questions of a JSON text, as `choose` does, and counts the versions
 * under each key. Its values are the JSON text and the time.
 */
const searchOf = (documents: string, keys: string): string => `WITH given AS MATERIALIZED (
  SELECT q.key AS question, q.value ->> 'id' AS id, k.key AS at, k.value AS sought,
    k.key = json_array_length(q.value, '$.keys') - 1 AS isEquality
  FROM json_each(?) AS q CROSS JOIN json_each(q.value, '$.keys') AS k
), found AS MATERIALIZED (
  SELECT question, at, isEquality, d.number, ${isLive('d')} AS isLive
  FROM given CROSS JOIN ${keys} AS k ON k.key = sought CROSS JOIN ${documents} AS d ON d.number = k.number
  WHERE d.id IS NOT given.id
), weighted AS (
  SELECT *, ${UNIQUE} / count(*) OVER (PARTITION BY question, at) AS weight,
    row_number() OVER (PARTITION BY question, at ORDER BY number) AS place
  FROM found WHERE isLive
), ranked AS (
  SELECT question, number, row_number() OVER (
    PARTITION BY question ORDER BY sum(iif(isEquality AND place = 1, ${HEAVIEST}, weight)) DESC, number
  ) AS rank
  FROM weighted GROUP BY question, number
)
SELECT question, NULL AS at, NULL AS filed, d.number, d.id, d.value
FROM ranked CROSS JOIN ${documents} AS d ON d.number = ranked.number WHERE rank <= ${MAX_CANDIDATES}
UNION ALL SELECT question, at, count(*), NULL, NULL, NULL FROM found GROUP BY question, at`;

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

  async create(): Promise<void> {
    await this.send(this.statements.map((statement) => [statement]));
  }

  async read(questions: readonly Question[]): Promise<Found> {
    const { documents, keys, store, salt } = this;
    const now = Date.now();
    const [[state], owns, founds] = (await this.send([
      [`SELECT salt, (SELECT coalesce(max(number), 0) FROM ${documents}) AS last FROM ${store}`],
      [
        `SELECT q.key AS question, d.* FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.id = q.value ORDER BY number`,
        JSON.stringify(questions.map(({ id }) => id ?? null)),
      ],
      [searchOf(documents, keys), JSON.stringify(questions), now],
    ])) as [[Token | undefined], FoundRow[], FoundRow[]];
    if (state?.salt !== salt) throw new LostStore('the store has been created anew');
    const answers = questions.map(({ keys }) => ({
      own: [] as OwnVersion[],
      candidates: [] as StoredVersion[],
      filed: keys.map(() => 0),
      token: state,
    }));
    for (const row of owns) answers[row.question].own.push({ ...versionOf(row), keys: row.keys });
    for (const row of founds) {
      const { candidates, filed } = answers[row.question];
      if (row.at === null) candidates.push(versionOf(row));
      else filed[row.at] = row.filed;
    }
    for (const { candidates } of answers) candidates.sort((a, b) => a.number - b.number);
    return { now, answers };
  }

  async write(items: readonly Write[]): Promise<number> {
    const now = Date.now();
    const ended = items.findIndex(({ deadline }) => deadline <= now);
    const some = ended < 0 ? items : items.slice(0, ended);
    if (some.length === 0) return 0;
    try {
      await this.send([this.#check(some), ...this.#changes(some)]);
      return some.length;
    } catch (error) {
      if (isConflict(error)) return 0;
      throw error;
    }
  }

  /** Returns a statement that fails unless the versions of the ids and the keys are as they were read. */
  #check(items: readonly Write[]): Command {
    const { documents, keys, store } = this;
    const { salt, last } = items[0].answer.token as Token;
    const own = items.flatMap(({ own }) => own);
    const ofIds = `SELECT count(*) FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.id = q.value`;
    const equal =
      `SELECT count(*) FROM json_each(?) AS q CROSS JOIN ${documents} AS d ON d.number = q.value ->> 0 ` +
      'WHERE hex(d.value) = q.value ->> 1';
    const added = `SELECT 1 FROM json_each(?) AS q CROSS JOIN ${keys} AS k ON k.key = q.value AND k.number > ?`;
    const holds = `(${ofIds}) = ? AND (${equal}) = ? AND NOT EXISTS (${added}) AND (SELECT salt FROM ${store}) = ?`;
    return [
      `SELECT json(CASE WHEN ${holds} THEN 'null' ELSE 'changed' END)`,
      JSON.stringify(items.map(({ id }) => id)),
      own.length,
      JSON.stringify(own.map(({ number, value }) => [number, hexOf(value)])),
      own.length,
      JSON.stringify(items.flatMap(({ keys }) => keys)),
      last,
      salt as string,
    ];
  }

  #changes(items: readonly Write[]): Command[] {
    const { documents, keys, store } = this;
    const commands: Command[] = [];
    const removed = items.flatMap(({ own, removes }) =>
      own.filter(({ number }) => removes.includes(number)),
    ) as OwnVersion[];
    if (removed.length > 0) {
      const pairs = removed.flatMap(pairsOf);
      const numbers = removed.map(({ number }) => number);
      commands.push(
        [
          `DELETE FROM ${keys} WHERE (key, number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
          JSON.stringify(pairs),
        ],
        [`DELETE FROM ${documents} WHERE number IN (SELECT value FROM json_each(?))`, JSON.stringify(numbers)],
      );
    }
    for (const { update } of items) {
      if (update === undefined) continue;
      const { value, ends, number } = update;
      commands.push([`UPDATE ${documents} SET value = ?, ends = ? WHERE number = ?`, value, toColumn(ends), number]);
    }
    const added = items.flatMap(({ id, insert }) => (insert === undefined ? [] : [{ id, ...insert }]));
    if (added.length > 0) {
      // The new version is the last one of its id.
      const last = `(SELECT max(number) FROM ${documents} WHERE id = q.value ->> 'id')`;
      commands.push(
        [
          `INSERT INTO ${documents} (id, value, ends, keys) VALUES ${added.map(() => '(?, ?, ?, ?)')}`,
          ...added.flatMap(({ id, value, ends, keys }) => [id, value, toColumn(ends), packKeys(keys)]),
        ],
        [
          `INSERT INTO ${keys} SELECT k.value, ${last} FROM json_each(?) AS q CROSS JOIN json_each(q.value, '$.keys') AS k`,
          JSON.stringify(added.map(({ id, keys }) => ({ id, keys }))),
        ],
        [`UPDATE ${store} SET filed = (SELECT max(number) FROM ${documents})`],
      );
    }
    return commands;
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

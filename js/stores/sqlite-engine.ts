// The engine of SQLite where transactions run JavaScript: a database of this machine, or the storage of a Durable Object.
//
// The 13 keys of a document are in as many pages of the table of keys, and writing a page costs more than searching for a
// document. So documents are filed in groups, in the order of their keys. Until then, each client has their keys in its memory:
// its transactions read the documents that were added since the last one.
import { choose, type Key } from './candidates.js';
import {
  type Answer,
  type Found,
  type LocalEngine,
  LostStore,
  type Question,
  type StoredVersion,
  type Write,
} from './engine.js';
import type { Settings } from './settings.js';
import {
  type Command,
  isLive,
  packKeys,
  type Row,
  SqliteBase,
  toColumn,
  unpackKeys,
  type Value,
  versionOf,
} from './sqlite-base.js';

/** The number of documents that are filed at once. */
const GROUP = 2048;

/** The number of keys that a statement searches for. */
const KEYS = 13;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  rows(statement: string, ...values: Value[]): unknown[];
  /** Runs a statement without rows. */
  run(statement: string, ...values: Value[]): unknown;
  /** Runs several statements. */
  script(statements: string): unknown;
  /** Runs a call, and repeats it while another process has the lock. */
  whenFree<T>(call: () => T): Promise<T>;
  /** Runs a body as one transaction. If it writes, it excludes all others. */
  transaction<T>(isWriting: boolean, body: () => T): T;
}

/** The slots for the keys of documents that are not filed: a power of two, twice as many as keys. */
const SLOTS = 2 ** Math.ceil(Math.log2(2 * KEYS * GROUP));

/** The documents that are not filed yet, as a hash table by key. Some of them may have been removed. */
class Unfiled {
  readonly #keys = new Float64Array(SLOTS);
  /** The number of the document of each slot, 0 for none. */
  readonly #numbers = new Float64Array(SLOTS);
  count = 0;
  /** The number of the last document that is filed. */
  readonly filed: number;
  /** The number of the last document that was read. */
  last: number;

  constructor(filed: number) {
    this.filed = filed;
    this.last = filed;
  }

  add({ number, keys }: Row): void {
    for (const key of unpackKeys(keys)) {
      let slot = key & (SLOTS - 1);
      while (this.#numbers[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
      this.#keys[slot] = key;
      this.#numbers[slot] = number;
    }
    this.count++;
    this.last = number;
  }

  /** Adds the numbers of the documents under a key. */
  find(key: Key, numbers: number[]): void {
    for (let slot = key & (SLOTS - 1); this.#numbers[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
      if (this.#keys[slot] === key) numbers.push(this.#numbers[slot]);
    }
  }
}

function statementsOf(documents: string, keys: string, store: string) {
  const given = Array.from({ length: KEYS }, (_, at) => `(${at}, ?)`);
  const some = 'number IN (SELECT value FROM json_each(?))';
  return {
    unfiled: `SELECT salt, filed, number, keys FROM ${store} LEFT JOIN ${documents} ON number > max(filed, ?) ORDER BY number`,
    own: `SELECT number, id, value FROM ${documents} WHERE id = ? ORDER BY number`,
    filed: `WITH given (at, sought) AS (VALUES ${given}) SELECT at, number FROM given CROSS JOIN ${keys} ON key = sought`,
    live: `SELECT number, ${isLive('d')} AS isLive FROM ${documents} AS d WHERE ${some}`,
    versions: `SELECT number, id, value FROM ${documents} WHERE ${some} ORDER BY number`,
    update: `UPDATE ${documents} SET value = ?, ends = ? WHERE number = ?`,
    remove: `DELETE FROM ${documents} WHERE number = ? RETURNING keys`,
    removeKey: `DELETE FROM ${keys} WHERE key = ? AND number = ?`,
    insert: `INSERT INTO ${documents} (id, value, ends, keys) VALUES (?, ?, ?, ?)`,
    insertKey: `INSERT INTO ${keys} (key, number) VALUES (?, ?)`,
    group: `SELECT number, keys FROM ${documents} WHERE number > ? ORDER BY number`,
    setFiled: `UPDATE ${store} SET filed = ?`,
  };
}

export class SqliteEngine extends SqliteBase implements LocalEngine {
  readonly size = 256;
  readonly #connection: SqliteConnection;
  readonly #statements;
  #unfiled = new Unfiled(-1);
  /** The salt of the keys of the transaction. */
  #salt: unknown;

  constructor(connection: SqliteConnection, settings: Settings) {
    super(settings);
    this.#connection = connection;
    this.#statements = statementsOf(this.documents, this.keys, this.store);
  }

  transaction<T>(isWriting: boolean, body: () => T): Promise<T> {
    const { salt } = this;
    return this.#connection.whenFree(() => {
      this.#salt = salt;
      try {
        return this.#connection.transaction(isWriting, body);
      } catch (error) {
        // The documents that were read may have been rolled back.
        this.#unfiled = new Unfiled(-1);
        throw error;
      }
    });
  }

  protected send(commands: readonly Command[], isWriting: boolean): Promise<unknown[][]> {
    return this.transaction(isWriting, () => commands.map((command) => this.#connection.rows(...command)));
  }

  async create(): Promise<void> {
    await this.transaction(true, () => this.#connection.script(this.schema()));
  }

  #rows(statement: string, ...values: Value[]): Row[] {
    return this.#connection.rows(statement, ...values) as Row[];
  }

  /** Reads the documents that were added since the last call. */
  #readUnfiled(): Unfiled {
    const read = () =>
      this.#rows(this.#statements.unfiled, this.#unfiled.last) as (Row & { salt: unknown; filed: number })[];
    let rows = read();
    if (rows[0]?.salt !== this.#salt) throw new LostStore('the store has been created anew');
    if (rows[0].filed !== this.#unfiled.filed) {
      this.#unfiled = new Unfiled(rows[0].filed);
      rows = read();
    }
    for (const row of rows) if (row.number !== null) this.#unfiled.add(row);
    return this.#unfiled;
  }

  readNow(questions: readonly Question[]): Found {
    const now = Date.now();
    return { now, answers: questions.map((question) => this.#answer(question, now)) };
  }

  #answer({ id, keys }: Question, now: number): Answer {
    const own = id === undefined ? [] : this.#rows(this.#statements.own, id).map(versionOf);
    if (keys.length === 0) return { own, candidates: [], filed: [] };
    const found = keys.map((): number[] => []);
    const given: Value[] = [...keys];
    while (given.length < KEYS) given.push(null);
    for (const { at, number } of this.#rows(this.#statements.filed, ...given) as unknown as {
      at: number;
      number: number;
    }[])
      found[at].push(number);
    const unfiled = this.#readUnfiled();
    for (let at = 0; at < keys.length; at++) unfiled.find(keys[at], found[at]);
    return { own, ...this.#candidates(found, own, now) };
  }

  /** Returns the candidates among the versions with given numbers, in the order of the keys. */
  #candidates(
    found: readonly number[][],
    own: readonly StoredVersion[],
    now: number,
  ): Pick<Answer, 'candidates' | 'filed'> {
    const all = new Set(found.flat());
    for (const { number } of own) all.delete(number);
    if (all.size === 0) return { candidates: [], filed: found.map(() => 0) };
    const { live, versions } = this.#statements;
    const rows = this.#rows(live, now, JSON.stringify([...all])) as unknown as { number: number; isLive: number }[];
    const kept = new Map(rows.map((row) => [row.number, row]));
    const others = found.map((numbers) => numbers.flatMap((number) => kept.get(number) ?? []));
    const chosen = choose(others.map((rows) => rows.filter(({ isLive }) => isLive)));
    const candidates =
      chosen.length === 0
        ? []
        : this.#rows(versions, JSON.stringify(chosen.map(({ number }) => number))).map(versionOf);
    return { candidates, filed: others.map(({ length }) => length) };
  }

  writeNow(items: readonly Write[]): void {
    const { update: set, insert: add } = this.#statements;
    for (const { id, removes, update, insert } of items) {
      for (const number of removes) this.#remove(number);
      if (update !== undefined) this.#connection.run(set, update.value, toColumn(update.ends), update.number);
      if (insert !== undefined)
        this.#connection.run(add, id, insert.value, toColumn(insert.ends), packKeys(insert.keys));
    }
    // Another client may have filed them after they were read.
    if (this.#unfiled.count >= GROUP && this.#readUnfiled().count >= GROUP) this.#fileGroup();
  }

  #remove(number: number): void {
    const { remove, removeKey } = this.#statements;
    const [{ keys }] = this.#rows(remove, number);
    // No document that is not filed has rows of keys.
    for (const key of unpackKeys(keys)) this.#connection.run(removeKey, key, number);
  }

  #fileGroup(): void {
    const { group, insertKey, setFiled } = this.#statements;
    const documents = this.#rows(group, this.#unfiled.filed);
    const pairs = documents.flatMap(({ number, keys }) => unpackKeys(keys).map((key) => ({ key, number })));
    pairs.sort((a, b) => a.key - b.key);
    for (const { key, number } of pairs) this.#connection.run(insertKey, key, number);
    this.#connection.run(setFiled, documents.at(-1)?.number ?? this.#unfiled.last);
  }
}

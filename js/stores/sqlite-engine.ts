// The engine of SQLite where transactions run JavaScript: a database of this machine, or the storage of a Durable Object.
//
// The 13 keys of a document are in as many pages of the table of keys, and writing a page costs more than searching for a
// document. So documents are filed in groups, in the order of their keys. Until then, each client has their keys in its memory:
// its transactions read the documents that were added since the last one.
import { chooseFor, type Key, MAX_CANDIDATES } from './candidates.js';
import { type Answer, type Found, type LocalEngine, LostStore, type Question, type Write } from './engine.js';
import type { Settings } from './settings.js';
import { type Command, type Row, SqliteBase, unpackKeys, type Value, versionOf } from './sqlite-base.js';

/** The number of documents that are filed at once. */
const GROUP = 2048;

/** The number of keys that a statement searches for. */
const KEYS = 13;

/** How long a call waits for other processes, in milliseconds. */
const MAX_WAIT = 60_000;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  rows(statement: string, ...values: Value[]): unknown[];
  /** Runs a body as one transaction. If it writes, it excludes all others. */
  transaction<T>(isWriting: boolean, body: () => T): T;
}

/** Returns whether an error of SQLite states that another connection has the lock. */
const isBusy = (error: unknown): boolean => /^database (?:\w+ )?is locked/.test((error as Error).message);

/** Repeats a call while another connection has the lock. The connection itself may wait for it too (PRAGMA busy_timeout). */
export async function whenFree<T>(call: () => T): Promise<T> {
  for (const end = performance.now() + MAX_WAIT; ; ) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
  }
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
    own: `SELECT * FROM ${documents} WHERE id = ? ORDER BY number`,
    filed: `WITH given (at, sought) AS (VALUES ${given}) SELECT at, number FROM given CROSS JOIN ${keys} ON key = sought`,
    ends: `SELECT number, id, ends FROM ${documents} WHERE ${some}`,
    versions: `SELECT * FROM ${documents} WHERE ${some} ORDER BY number`,
    group: `SELECT number, keys FROM ${documents} WHERE number > ? ORDER BY number`,
    insertKey: `INSERT INTO ${keys} (key, number) VALUES (?, ?)`,
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
    return whenFree(() => {
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

  #rows(...command: Command): Row[] {
    return this.#connection.rows(...command) as Row[];
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

  read(questions: readonly Question[]): Promise<Found> {
    return this.transaction(false, () => {
      const now = Date.now();
      // A copy has the candidates, which must be searched for within the transaction.
      return { now, answers: questions.map((question) => ({ ...this.#answer(question, now) })) };
    });
  }

  readNow(question: Question): Found {
    const now = Date.now();
    return { now, answers: [this.#answer(question, now)] };
  }

  #answer(question: Question, now: number): Answer {
    const { id } = question;
    const own = id === undefined ? [] : this.#rows(this.#statements.own, id).map(versionOf);
    let found: Pick<Answer, 'candidates' | 'filed'> | undefined;
    const search = () => {
      found ??= question.keys.length === 0 ? { candidates: [], filed: [] } : this.#search(question, now);
      return found;
    };
    return {
      own,
      get candidates() {
        return search().candidates;
      },
      get filed() {
        return search().filed;
      },
    };
  }

  #search({ id, keys }: Question, now: number): Pick<Answer, 'candidates' | 'filed'> {
    const unfiled = this.#readUnfiled();
    const found = keys.map((): number[] => []);
    const given: Value[] = [...keys];
    while (given.length < KEYS) given.push(null);
    const filed = this.#rows(this.#statements.filed, ...given) as unknown as { at: number; number: number }[];
    for (const { at, number } of filed) found[at].push(number);
    for (let at = 0; at < keys.length; at++) unfiled.find(keys[at], found[at]);
    const numbers = new Set<number>();
    for (const some of found) for (const number of some) numbers.add(number);
    if (numbers.size === 0) return { candidates: [], filed: keys.map(() => 0) };
    // At most as many values are read as can be chosen.
    const isFew = numbers.size <= MAX_CANDIDATES;
    const { ends, versions } = this.#statements;
    const rows = this.#rows(isFew ? versions : ends, JSON.stringify([...numbers]));
    const known = new Map(rows.map((row) => [row.number, { ...row, ends: row.ends ?? Number.POSITIVE_INFINITY }]));
    // Documents that are not filed may have been removed.
    const left = found.map((some) => some.flatMap((number) => known.get(number) ?? []));
    const { candidates, filed: counts } = chooseFor(id, left, now);
    const chosen = isFew ? candidates : this.#rows(versions, JSON.stringify(candidates.map(({ number }) => number)));
    return { candidates: chosen.map(versionOf), filed: counts };
  }

  writeNow(item: Write): void {
    for (const command of this.changesOf([item])) this.#connection.rows(...command);
    // Another client may have filed them after they were read.
    if (this.#unfiled.count >= GROUP && this.#readUnfiled().count >= GROUP) this.#fileGroup();
  }

  #fileGroup(): void {
    const { group, insertKey, setFiled } = this.#statements;
    const documents = this.#rows(group, this.#unfiled.filed);
    const pairs = documents.flatMap(({ number, keys }) => unpackKeys(keys).map((key) => ({ key, number })));
    pairs.sort((a, b) => a.key - b.key);
    for (const { key, number } of pairs) this.#connection.rows(insertKey, key, number);
    this.#connection.rows(setFiled, documents.at(-1)?.number ?? this.#unfiled.last);
  }
}

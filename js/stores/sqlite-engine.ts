// The engine of SQLite where transactions run JavaScript: a database of this machine, or the storage of a Durable Object.
//
// The 14 keys of a version are in as many pages of the table of keys, and writing a page costs more than searching for a
// document. So documents are filed in groups, in the order of their keys. Until then, each client has their keys in its memory:
// its transactions read the documents that were added since the last one.
import { answerFor, type Filed, MAX_CANDIDATES, MAX_KEYS } from './candidates.js';
import {
  type Answer,
  type Found,
  type Key,
  type LocalEngine,
  LostStore,
  type Question,
  type StoredVersion,
  type Write,
} from './engine.js';
import type { Settings } from './settings.js';
import { type Command, type Row, SqliteBase, type Stored, unpackKeys, type Value, versionOf } from './sqlite-base.js';

/** The number of documents that are filed at once, and a larger power of two. */
const [GROUP, PLACES] = [2048, 8192];

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
const SLOTS = 2 ** Math.ceil(Math.log2(2 * MAX_KEYS * GROUP));

/** The documents that are not filed yet, as a hash table by key. Some of them may have been removed. */
class Unfiled {
  readonly #keys = new Float64Array(SLOTS);
  /** The number of the document of each slot, 0 for none. */
  readonly #numbers = new Float64Array(SLOTS);
  count = 0;
  /** The number of the last document that is filed. */
  readonly filed: number;
  /** The number of the last document that was read, and its keys. */
  last: number;
  #lastKeys: readonly Key[] = [];

  constructor(filed: number) {
    this.filed = filed;
    this.last = filed;
  }

  add(number: number, keys: readonly Key[]): void {
    for (const key of keys) {
      let slot = key & (SLOTS - 1);
      while (this.#numbers[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
      this.#keys[slot] = key;
      this.#numbers[slot] = number;
    }
    this.count++;
    this.last = number;
    this.#lastKeys = keys;
  }

  /** Returns whether a row with the last number has the last document. */
  isLast({ keys }: Row): boolean {
    const found = unpackKeys(keys);
    return found.length === this.#lastKeys.length && found.every((key, at) => key === this.#lastKeys[at]);
  }

  /** Adds the numbers of the documents under a key, ascending. */
  find(key: Key, numbers: number[]): number[] {
    for (let slot = key & (SLOTS - 1); this.#numbers[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
      if (this.#keys[slot] === key) numbers.push(this.#numbers[slot]);
    }
    return numbers;
  }
}

/** A document that a client may not have in memory, `number` null for none, with the state of the store. */
interface Unread extends Row {
  salt: unknown;
  filed: number;
}

function statementsOf(documents: string, keys: string, store: string) {
  const given = Array.from({ length: MAX_KEYS - 1 }, (_, at) => `(${at}, ?)`);
  return {
    unfiled: `SELECT salt, filed, number, keys FROM ${store} LEFT JOIN ${documents} ON number >= max(filed, ?)`,
    lastAdded: `SELECT seq AS number FROM sqlite_sequence WHERE name = '${documents}'`,
    filedUnderOne: `SELECT d.* FROM ${keys} AS k CROSS JOIN ${documents} AS d ON d.number = k.number WHERE key = ?`,
    filed:
      `WITH given (at, sought) AS (VALUES ${given}) SELECT at, json_group_array(number) AS numbers ` +
      `FROM given CROSS JOIN ${keys} ON key = sought GROUP BY at`,
    notLive:
      `SELECT q.value AS number, ends FROM json_each(?) AS q LEFT JOIN ${documents} AS d ON d.number = q.value ` +
      `WHERE (q.value > ? OR EXISTS (SELECT 1 FROM ${documents} WHERE ends <= ?)) AND (d.number IS NULL OR ends <= ?)`,
    version: `SELECT * FROM ${documents} WHERE number = ?`,
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
  /** Whether the transaction has read the documents that are not filed. */
  #isRead = false;
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
      this.#isRead = false;
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

  /** Reads the documents that were added since the last transaction. */
  #readUnfiled(): Unfiled {
    if (this.#isRead) return this.#unfiled;
    const read = () => this.#rows(this.#statements.unfiled, this.#unfiled.last) as Unread[];
    let rows = read();
    if (rows[0]?.salt !== this.#salt) throw new LostStore('the store has been created anew');
    if (!this.#isCurrent(rows)) {
      this.#unfiled = new Unfiled(rows[0].filed);
      rows = read();
      // More than a group is never left.
      if (rows.length > 2 * GROUP) {
        const what = `${this.documents} has rows that ${this.store} does not know`;
        throw new Error(`nearprint: ${what}: restore both tables from one backup, or choose another name`);
      }
    }
    // ORDER BY would take longer than the statement.
    rows.sort((a, b) => a.number - b.number);
    const { last } = this.#unfiled;
    for (const { number, keys } of rows) if (number > last) this.#unfiled.add(number, unpackKeys(keys));
    this.#isRead = true;
    return this.#unfiled;
  }

  /** Returns whether rows, which begin with the last document in memory, continue those in memory. */
  #isCurrent(rows: readonly Unread[]): boolean {
    const { filed, last, count } = this.#unfiled;
    // Less than a group is left of them. So without those that are removed, there is space for all.
    if (rows[0].filed !== filed || count + rows.length > GROUP) return false;
    // The database may be an earlier state: a restored backup, or the state before a transaction that the caller has undone.
    if (last === filed) return true;
    const found = rows.find(({ number }) => number === last);
    return found === undefined
      ? this.#rows(this.#statements.lastAdded)[0]?.number >= last
      : this.#unfiled.isLast(found);
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
    const { id, keys } = question;
    const unfiled = this.#readUnfiled();
    const own = id === undefined ? [] : this.#own(id, keys[0], unfiled);
    let found: Pick<Answer, 'candidates' | 'filed'> | undefined;
    const search = () => {
      found ??= this.#search(question, own, unfiled, now);
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

  #own(id: string, key: Key, unfiled: Unfiled): StoredVersion[] {
    const rows = [...this.#rows(this.#statements.filedUnderOne, key), ...this.#rowsOf(unfiled.find(key, []))];
    return rows.filter((row) => row.id === id).map(versionOf);
  }

  /** Returns the documents with these numbers that are not removed. */
  #rowsOf(numbers: readonly number[]): Row[] {
    return numbers.flatMap((number) => this.#rows(this.#statements.version, number));
  }

  /** Searches for candidates other than own versions. */
  #search(
    question: Question,
    own: readonly StoredVersion[],
    unfiled: Unfiled,
    now: number,
  ): Pick<Answer, 'candidates' | 'filed'> {
    const ofId = question.id === undefined ? 0 : 1;
    const keys = question.keys.slice(ofId);
    // The numbers of the documents under each key, ascending.
    const under = keys.map((): number[] => []);
    const given = Array.from({ length: MAX_KEYS - 1 }, (_, at) => keys[at] ?? null);
    const filed = keys.length === 0 ? [] : this.#connection.rows(this.#statements.filed, ...given);
    for (const { at, numbers } of filed as { at: number; numbers: string }[]) {
      under[at] = (JSON.parse(numbers) as number[]).sort((a, b) => a - b);
    }
    for (const [at, key] of keys.entries()) unfiled.find(key, under[at]);
    const others = new Set(under.flat());
    for (const { number } of own) others.delete(number);
    if (others.size === 0) return { candidates: [], filed: question.keys.map(() => 0) };
    const read = (numbers: readonly number[]) => this.#rowsOf(numbers).map(versionOf);
    // At most as many values are read as can be chosen.
    const isFew = others.size <= MAX_CANDIDATES;
    const versions = isFew ? read([...others]) : this.#endsOf([...others], unfiled, now);
    const known = new Map(versions.map((version) => [version.number, version]));
    const find = (_: Key, at: number) => (under[at - ofId] ?? []).flatMap((number) => known.get(number) ?? []);
    const answer = answerFor<Filed>({ ...question, id: undefined }, find, now);
    const chosen = answer.candidates;
    const candidates = isFew ? (chosen as Stored[]) : read(chosen.map(({ number }) => number));
    return { candidates, filed: answer.filed };
  }

  /** Returns the documents with these numbers that are not removed, without their ids. */
  #endsOf(numbers: readonly number[], { filed }: Unfiled, now: number): Filed[] {
    const rows = this.#rows(this.#statements.notLive, JSON.stringify(numbers), filed, now, now);
    const ends = new Map(rows.map((row) => [row.number, row.ends]));
    const exists = (number: number) => ends.get(number) !== null;
    return numbers
      .filter(exists)
      .map((number) => ({ number, id: '', ends: ends.get(number) ?? Number.POSITIVE_INFINITY }));
  }

  writeNow(item: Write): void {
    let rows: Row[] = [];
    for (const command of this.changesOf([item])) rows = this.#rows(...command);
    if (item.insert !== undefined) this.#unfiled.add(rows[0].number, item.insert.keys);
    if (this.#unfiled.count >= GROUP) this.#fileGroup();
  }

  #fileGroup(): void {
    const { group, insertKey, setFiled } = this.#statements;
    const documents = this.#rows(group, this.#unfiled.filed);
    // A key of 40 bits and a place of 13 are an exact number.
    const pairs = documents.flatMap(({ keys }, at) => unpackKeys(keys).map((key) => key * PLACES + at));
    for (const pair of Float64Array.from(pairs).sort()) {
      this.#connection.rows(insertKey, Math.floor(pair / PLACES), documents[pair % PLACES].number);
    }
    this.#connection.rows(setFiled, documents.at(-1)?.number ?? this.#unfiled.last);
    this.#isRead = false;
  }
}

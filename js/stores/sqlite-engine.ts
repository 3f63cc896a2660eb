// The engine of SQLite where transactions run JavaScript: a database of this machine, or the storage of a Durable Object. Decisions are
// made within a transaction, so no write has conditions. sqlite-base.ts has the statements of a write.
import { choose, countsOf, MAX_ENTRIES } from './candidates.js';
import type { Answer, LocalEngine, Question, Snapshot, TimedVersion, Write } from './engine.js';
import { type Row, SqliteBase, versionOf } from './sqlite-base.js';
import type { Command, SqlValue } from './sqlite-sql.js';

/** How long a call waits for other processes, in milliseconds. */
const MAX_LOCK_WAIT = 60_000;

/** A connection to an SQLite database. */
export interface SqliteConnection {
  /** Runs a statement, and returns its rows. */
  rows(statement: string, ...values: SqlValue[]): unknown[];
  /** Runs a body as one transaction. If it writes, it excludes all others. */
  transaction<T>(isWriting: boolean, body: () => T): T;
}

/** Returns whether an error of SQLite states that another connection has the lock. */
const isBusy = (error: unknown): boolean => /^database (?:\w+ )?is locked/.test((error as Error).message);

/** Repeats a call while another connection has the lock. The connection itself may wait for it too (PRAGMA busy_timeout). */
export async function retryWhileBusy<T>(call: () => T): Promise<T> {
  for (const end = performance.now() + MAX_LOCK_WAIT; ; ) {
    try {
      return call();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + 20 * Math.random()));
  }
}

/** The versions of other ids under a key of a question. */
interface UnderKey {
  keyIndex: number;
  count: number;
  /** The numbers of those that have not ended, as JSON. */
  live: string;
}

/** The parts of an answer that need a search. */
type Searched = Pick<Answer, 'candidates' | 'counts' | 'ended'>;

export class SqliteEngine extends SqliteBase implements LocalEngine {
  readonly partSize = 256;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection, ...settings: ConstructorParameters<typeof SqliteBase>) {
    super(...settings);
    this.#connection = connection;
  }

  #rows<T>(...command: Command): T[] {
    return this.#connection.rows(...command) as T[];
  }

  protected transact(commands: readonly Command[], isWriting: boolean): Promise<unknown[][]> {
    return retryWhileBusy(() =>
      this.#connection.transaction(isWriting, () => commands.map((command) => this.#rows(...command))),
    );
  }

  transaction<T>(body: () => T, salt: string): Promise<T> {
    return this.#begin(true, salt, body);
  }

  #begin<T>(isWriting: boolean, salt: string, body: (now: number) => T): Promise<T> {
    const begun = retryWhileBusy(() =>
      this.#connection.transaction(isWriting, () => {
        // Before the first statement, which takes the snapshot: a version that is renewed in between has not ended.
        const now = Date.now();
        this.checkSalt(this.#rows<{ salt: unknown }>(this.statements.local.salt)[0], salt);
        return body(now);
      }),
    );
    return begun.catch(this.rethrow);
  }

  read(questions: readonly Question[], salt: string): Promise<Snapshot> {
    return this.#begin(false, salt, (now) => ({
      now,
      // A copy has the candidates, which must be searched for within the transaction.
      answers: questions.map((question) => ({ ...this.readNow(question, now) })),
    }));
  }

  readNow(question: Question, now = Date.now()): Answer & { readonly now: number } {
    const { id, keys } = question;
    const own = id === undefined ? [] : this.#rows<Row>(this.statements.local.own, keys[0], id).map(versionOf);
    let searched: Searched | undefined;
    const search = () => {
      searched ??= this.#search(question, now);
      return searched;
    };
    return {
      now,
      own,
      get candidates() {
        return search().candidates;
      },
      get counts() {
        return search().counts;
      },
      get ended() {
        return search().ended;
      },
    };
  }

  #search({ id, keys }: Question, now: number): Searched {
    const all = keys.map(() => 0);
    const live = keys.map((): number[] => []);
    const ofId = id === undefined ? 0 : 1;
    const { search, versions, endedUnder } = this.statements.local;
    for (const row of this.#rows<UnderKey>(search, now, JSON.stringify(keys.slice(ofId)), id ?? null)) {
      all[row.keyIndex + ofId] = row.count;
      live[row.keyIndex + ofId] = (JSON.parse(row.live) as number[]).sort((a, b) => a - b);
    }
    const chosen = choose(live);
    const rows = chosen.length === 0 ? [] : this.#rows<Row>(versions, JSON.stringify(chosen));
    const counts = countsOf(all, live);
    const last = keys.length - 1;
    const isFull = all[last] >= MAX_ENTRIES && counts[last] < MAX_ENTRIES;
    const ended = isFull ? this.#rows<TimedVersion>(endedUnder, keys[last], now, id ?? null) : [];
    return { candidates: rows.map(versionOf), counts, ended };
  }

  writeNow(write: Write): void {
    for (const command of this.changesOf([write])) this.#rows(...command);
  }
}

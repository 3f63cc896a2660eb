// The engine of a store in PostgreSQL. A call is one statement, so it needs no transaction of the client.
import { bytesOfHex, hexOf } from '../common/hex.js';
import { answersFor } from './candidates.js';
import {
  type Key,
  LostStore,
  type Metadata,
  PAGE,
  type Page,
  type Question,
  type RemoteEngine,
  type Snapshot,
  type TimedVersion,
  type Write,
} from './engine.js';
import { hasNotEnded, MAX_LOCKED, schemaOf } from './postgres-schema.js';
import { LAYOUT, type Settings } from './settings.js';

/** The number of versions that a statement looks at to find ended ones. */
const EXAMINED = 10_000;

/** Runs a statement with values, or several statements without, and returns the rows. */
export type RunQuery = <T>(statement: string, values?: readonly string[]) => Promise<T[]>;

/** A version as `NAME_read` returns it. */
type Row = [number: number, ends: number | null, id: string, value: string, keys: Key[]];

/** Returns an array of numbers as PostgreSQL writes it. */
const arrayOf = (numbers: Iterable<number>): string => `{${[...numbers].join()}}`;

/** A version with the keys that it is filed under. */
interface PostgresVersion extends TimedVersion {
  readonly keys: readonly Key[];
}

/** Returns a version whose value is decoded when it is needed: most are neither own versions nor candidates. */
const versionOf = ([number, ends, id, hex, keys]: Row): PostgresVersion => ({
  number,
  ends: ends ?? Number.POSITIVE_INFINITY,
  id,
  keys,
  get value() {
    return bytesOfHex(hex);
  },
});

/** The salt of the store, and the numbers of the versions that were read for all questions: the others, and those that had ended. */
interface Token {
  salt: string;
  seen: readonly number[];
  ended: readonly number[];
}

export class PostgresEngine implements RemoteEngine {
  readonly partSize = 256;
  readonly #run: RunQuery;
  readonly #settings: Settings;

  constructor(run: RunQuery, settings: Settings) {
    this.#run = run;
    this.#settings = settings;
  }

  schema(): string {
    return schemaOf(this.#settings.name, this.#settings.storedScheme, LAYOUT);
  }

  async readMetadata(): Promise<Metadata | undefined> {
    const { name } = this.#settings;
    // Undefined also without the functions, which a backup may lack: `create` makes what is missing, and the next call finds metadata if
    // there is some. A failed statement would abort a transaction of the caller.
    const tables = ['store', 'documents'].map((table) => `to_regclass('${name}_${table}')`);
    const functions = ['read', 'write', 'page'].map((each) => `to_regprocedure('${name}_${each}(text)')`);
    const isWhole = await this.#select<boolean>(`num_nulls(${[...tables, ...functions]}) = 0`);
    if (!isWhole) return undefined;
    const row = "json_build_object('scheme', scheme, 'layout', layout, 'salt', salt)";
    return (await this.#evaluate<Metadata | null>(`SELECT ${row} FROM ${name}_store LIMIT 1`, [])) ?? undefined;
  }

  async create(): Promise<void> {
    await this.#run(this.schema());
  }

  /** Returns the value of an expression that is JSON. Clients may change the names of columns, not what is in JSON. */
  async #select<T>(expression: string, values: readonly string[] = []): Promise<T> {
    const [row] = await this.#run<Record<string, string>>(`SELECT (${expression})::text`, values);
    return JSON.parse(Object.values(row)[0]);
  }

  /** Evaluates an expression on the tables or functions of the open store. */
  async #evaluate<T>(expression: string, values: readonly string[]): Promise<T> {
    try {
      return await this.#select(expression, values);
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      // A table or a function is missing.
      if (code !== '42P01' && code !== '42883') throw error;
      throw Object.assign(new LostStore(message, { cause: error }), { code });
    }
  }

  #call<T>(what: 'read' | 'write' | 'page', input: string): Promise<T> {
    return this.#evaluate(`${this.#settings.name}_${what}($1::text)`, [input]);
  }

  async read(questions: readonly Question[], salt: string): Promise<Snapshot> {
    const keys = arrayOf(new Set(questions.flatMap(({ keys }) => keys)));
    const { now, ...reply } = await this.#call<{ now: number; salt: string; versions: Row[] }>('read', keys);
    if (reply.salt !== salt) throw new LostStore('the store has been created anew');
    const versions = reply.versions.sort(([a], [b]) => a - b).map(versionOf);
    const numbersOf = (isEnded: boolean) =>
      versions.filter(({ ends }) => ends <= now === isEnded).map(({ number }) => number);
    const token: Token = { salt, seen: numbersOf(false), ended: numbersOf(true) };
    const filed = versions.map((version) => [version, version.keys] as const);
    return { now, answers: answersFor(questions, filed, now), token };
  }

  async write(writes: readonly Write[], token: unknown): Promise<number> {
    const { salt, seen, ended } = token as Token;
    const guarded = writes.flatMap((write) => write.guarded);
    // A version that gets another end is found under all of its keys.
    const renewed = writes.flatMap(({ expected, update }) =>
      expected.filter(({ number }) => number === update?.number),
    );
    const locked = new Set([...guarded, ...renewed.flatMap((version) => (version as PostgresVersion).keys)]);
    const locksStore = writes.length > MAX_LOCKED;
    // JSON has null for `Infinity`.
    const expected = writes.flatMap(({ expected, deadline }, at) =>
      expected.map(({ number, value }) => ({ ordinal: at + 1, number, value: hexOf(value), deadline })),
    );
    const removed = writes.flatMap(({ removes }, at) => removes.map(({ number }) => ({ ordinal: at + 1, number })));
    const updated = writes.flatMap(({ update }, at) => {
      if (update === undefined) return [];
      const { number, value, ends } = update;
      return [{ ordinal: at + 1, number, value: hexOf(value), ends }];
    });
    const added = writes.flatMap(({ id, insert }, at) => {
      if (insert === undefined) return [];
      const { value, ends, keys } = insert;
      return [{ ordinal: at + 1, id, value: hexOf(value), ends, keys }];
    });
    const displaced = writes.flatMap(({ insert }, at) =>
      insert?.displaced === undefined
        ? []
        : [{ ordinal: at + 1, number: insert.displaced.number, key: insert.keys.at(-1) }],
    );
    const input = {
      salt,
      locksStore,
      locks: locksStore ? '{}' : arrayOf([...locked].sort((a, b) => a - b)),
      guarded: arrayOf(guarded),
      ordinals: arrayOf(writes.flatMap(({ guarded }, at) => guarded.map(() => at + 1))),
      seen: arrayOf(seen),
      ended: arrayOf(ended),
      expected,
      removed,
      updated,
      added,
      displaced,
    };
    const refused = await this.#call<number | null>('write', JSON.stringify(input));
    return refused === null ? writes.length : refused - 1;
  }

  async page(after: unknown, isEnded: boolean): Promise<Page> {
    const input = { from: 0, last: null, ...(after as object), isEnded, count: isEnded ? EXAMINED : PAGE };
    const { versions, ...next } = await this.#call<Page & { from: number | null }>('page', JSON.stringify(input));
    return { versions, next: next.from === null ? undefined : next };
  }

  count(): Promise<number> {
    const ids = `SELECT FROM ${this.#settings.name}_documents WHERE ${hasNotEnded} GROUP BY id`;
    return this.#evaluate(`SELECT count(*) FROM (${ids}) AS ids`, []);
  }
}

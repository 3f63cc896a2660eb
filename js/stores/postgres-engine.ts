// The engine of a store in PostgreSQL. A call is one statement, so it needs no transaction of the client.
import { bytesOfHex, hexOf } from '../core/hex.js';
import { choose, type Key, mixedKey, type Salt } from './candidates.js';
import {
  type Answer,
  type Found,
  LostStore,
  type Metadata,
  type Page,
  type Question,
  type RemoteEngine,
  type StoredVersion,
  type Write,
} from './engine.js';
import { isLive, MAX_LOCKED, schemaOf } from './postgres-schema.js';
import { LAYOUT, type Settings, saltOf } from './settings.js';

export type Texts = readonly (string | null)[];

/** Runs a statement with values, or several statements without, and returns the rows. */
export type Run = <T>(statement: string, values?: Texts) => Promise<T[]>;

/** A version as `NAME_read` returns it. */
type Row = [number: number, ends: number | null, id: string, value: string, keys: Key[]];

/** A version that was read. Most are neither own versions nor candidates, so the value is decoded late. */
interface Filed {
  number: number;
  id: string;
  value: string;
  isLive: boolean;
}

/** Returns an array of texts as PostgreSQL writes it. */
const arrayOf = (texts: Texts): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)).join()}}`;

/** Returns an array of numbers as PostgreSQL writes it. `Infinity` is no time. */
const numbersOf = (numbers: readonly number[]): string =>
  `{${numbers.map((number) => (number === Number.POSITIVE_INFINITY ? 'NULL' : number)).join()}}`;

/** What was read for all questions: the salt of the store, and the versions under each key. */
interface Token {
  salt: string;
  byKey: ReadonlyMap<Key, readonly Filed[]>;
}

const versionOf = ({ number, id, value }: Filed): StoredVersion => ({ number, id, value: bytesOfHex(value) });

/** Returns the key of an id: below 0, unlike the keys of documents. */
function keyOfId(id: string, [high, low]: Salt): Key {
  let key = 0;
  for (let at = 0; at < id.length; at += 2) {
    const pair = (id.charCodeAt(at) << 16) | id.charCodeAt(at + 1);
    key = mixedKey(high ^ (key / 2 ** 32), low ^ key ^ pair);
  }
  return -1 - key;
}

export class PostgresEngine implements RemoteEngine {
  readonly size = 256;
  readonly #run: Run;
  readonly #settings: Settings;
  readonly #documents: string;
  #salt = '';

  constructor(run: Run, settings: Settings) {
    this.#run = run;
    this.#settings = settings;
    this.#documents = `${settings.name}_documents`;
  }

  schema(): string {
    return schemaOf(this.#settings.name, this.#settings.scheme, LAYOUT);
  }

  async readMetadata(): Promise<Metadata | undefined> {
    const { name } = this.#settings;
    // A backup may lack the functions. A failed statement would abort a transaction of the caller.
    const tables = ['store', 'documents'].map((table) => `to_regclass('${name}_${table}')`);
    const functions = ['read', 'write', 'prune', 'page'].map((each) => `to_regproc('${name}_${each}')`);
    const statement = `SELECT num_nulls(${[...tables, ...functions]}) = 0 AS exists`;
    const [{ exists }] = await this.#run<{ exists: boolean }>(statement, []);
    if (!exists) return undefined;
    const [found] = await this.#run<Metadata>(`SELECT scheme, layout, salt FROM ${name}_store`, []);
    this.#salt = String(found?.salt);
    return found;
  }

  async create(): Promise<void> {
    await this.#run(this.schema());
  }

  /** Runs a statement on the tables or functions of the open store. */
  async #query<T>(statement: string, values: Texts): Promise<T> {
    try {
      const [{ result }] = await this.#run<{ result: string }>(`SELECT ${statement} AS result`, values);
      return JSON.parse(result);
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      // A table or a function is missing.
      if (code !== '42P01' && code !== '42883') throw error;
      throw Object.assign(new LostStore(message, { cause: error }), { code });
    }
  }

  /** Calls a function of the store. */
  #call<T>(what: 'read' | 'write' | 'prune' | 'page', given: Texts): Promise<T> {
    return this.#query(`${this.#settings.name}_${what}($1::text::text[])`, [arrayOf(given)]);
  }

  async read(questions: readonly Question[]): Promise<Found> {
    const salt = this.#salt;
    const idKeys = questions.map(({ id }) => (id === undefined ? undefined : keyOfId(id, saltOf(salt))));
    const wanted = new Set(questions.flatMap(({ keys }, at) => [idKeys[at] ?? [], keys].flat()));
    const found = await this.#call<{ now: number; salt: string; versions: Row[] }>('read', [numbersOf([...wanted])]);
    if (found.salt !== salt) throw new LostStore('the store has been created anew');
    const byKey = new Map<Key, Filed[]>();
    for (const [number, ends, id, value, keys] of found.versions.sort(([a], [b]) => a - b)) {
      const version = { number, id, value, isLive: ends === null || ends > found.now };
      for (const key of keys) {
        const filed = byKey.get(key);
        if (filed !== undefined) filed.push(version);
        else if (wanted.has(key)) byKey.set(key, [version]);
      }
    }
    const answers = questions.map(({ id, keys }, at): Answer => {
      const sameKey = byKey.get(idKeys[at] as Key) ?? [];
      const filed = keys.map((key) => byKey.get(key) ?? []);
      const others = filed.map((versions) => versions.filter((version) => version.id !== id));
      const live = others.map((versions) => versions.filter(({ isLive }) => isLive));
      return {
        own: sameKey.filter((version) => version.id === id).map(versionOf),
        candidates: choose(live).map(versionOf),
        filed: others.map(({ length }) => length),
        token: { salt, byKey } satisfies Token,
      };
    });
    return { now: found.now, answers };
  }

  async write(items: readonly Write[]): Promise<number> {
    const { salt, byKey } = items[0].answer.token as Token;
    const depends = items.map(({ id, keys }) => [keyOfId(id, saltOf(salt)), ...keys]);
    const wanted = depends.flat();
    const locks = items.length > MAX_LOCKED ? [] : [...new Set(wanted)].sort((a, b) => a - b);
    const seen = new Set(wanted.flatMap((key) => byKey.get(key) ?? []).map(({ number }) => number));
    const own = items.flatMap((item, at) => item.own.map((version) => ({ ...version, item, place: at + 1 })));
    const added = items.flatMap(({ id, insert }, at) => (insert ? [{ id, ...insert, place: at + 1, at }] : []));
    const updateOf = ({ number, item: { update } }: (typeof own)[number]) =>
      update?.number === number ? update : undefined;
    const refused = await this.#call<number | null>('write', [
      numbersOf(locks),
      numbersOf(wanted),
      numbersOf(depends.flatMap((keys, at) => keys.map(() => at + 1))),
      numbersOf([...seen]),
      numbersOf(own.map(({ place }) => place)),
      numbersOf(own.map(({ number }) => number)),
      arrayOf(own.map(({ value }) => hexOf(value))),
      numbersOf(own.map(({ item }) => item.deadline)),
      arrayOf(
        own.map((version) => {
          const update = updateOf(version);
          return update ? hexOf(update.value) : version.item.removes.includes(version.number) ? '' : null;
        }),
      ),
      numbersOf(own.map((version) => updateOf(version)?.ends ?? Number.POSITIVE_INFINITY)),
      numbersOf(added.map(({ place }) => place)),
      arrayOf(added.map(({ id }) => id)),
      arrayOf(added.map(({ value }) => hexOf(value))),
      numbersOf(added.map(({ ends }) => ends)),
      arrayOf(added.map(({ at, keys }) => numbersOf([depends[at][0], ...keys]))),
      salt,
    ]);
    return refused === null ? items.length : refused - 1;
  }

  async page(after: unknown): Promise<Page> {
    type Found = { last: number | null; versions: { number: number; id: string; value: string; hasOther: boolean }[] };
    const found = await this.#call<Found>('page', (after as Texts | undefined) ?? ['0', null]);
    const versions = found.versions.map((version) => ({ ...version, value: bytesOfHex(version.value) }));
    const next = versions.length > 0 ? [String(versions[versions.length - 1].number), String(found.last)] : undefined;
    return { versions, next };
  }

  count(): Promise<number> {
    const ids = `SELECT FROM ${this.#documents} AS d WHERE ${isLive('d')} GROUP BY id`;
    return this.#query(`(SELECT count(*)::text FROM (${ids}) AS ids)`, []);
  }

  async prune(): Promise<number> {
    let count = 0;
    for (let after: number | null = 0; after !== null; ) {
      const { next, gone }: { next: number | null; gone: number } = await this.#call('prune', [String(after)]);
      count += gone;
      after = next;
    }
    return count;
  }
}

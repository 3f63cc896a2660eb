// The engine of a store in Redis 7 or Valkey, on one node or in a Cluster.
//
// All keys have the same hash tag, so a Cluster holds the store on one node. A script declares every key that it uses. Scripts
// run one at a time, so no locks are needed.
//
//   {name}:store     hash        the metadata; `last`, the number of the last addition; `ids`, the number of ids
//   {name}:versions  hash        number -> version: its end (a double), the length of the id (16 bits), the id, the value
//   {name}:ends      sorted set  number, by the end of the version if it has one
//   {name}:HIGH      string      an entry for each version under a key with these high 16 bits, in any order: the low 24 bits
//                                of the key, and the number of the version
//
// Numbers count additions, and have 5 bytes. All integers and doubles are big-endian. Times are in milliseconds since 1970.
//
// Entries of a removed version stay where they are until a later addition needs the place: scripts ignore numbers that
// VERSIONS does not have. Each addition sweeps 32 entries of one of its 14 strings, and frees the entries of removed versions.
// In a set that is constantly renewed, an addition frees as many entries as it adds once two fifths of the entries are of removed
// versions. Nothing but the swept part and one entry in each string is written, however long a string is.
//
// **The number of strings.** The time of a search is proportional to the length of its 14 strings, and a string costs memory of
// its own. 2^16 strings hold 2 entries on average with 10^4 documents, and 2,000 with 10^7. With 2^20, a store of 10^5
// documents would have a string for each entry.
import { bytesOfHex, hexOf } from '../common/hex.js';
import { answersFor, keyOfId } from './candidates.js';
import {
  type Key,
  LostStore,
  type Metadata,
  PAGE,
  type Page,
  type Question,
  type RemoteEngine,
  type TimedVersion,
  type Write,
} from './engine.js';
import * as scripts from './redis-scripts.js';
import { halvesOf, LAYOUT, newSalt, type Settings } from './settings.js';

export type ScriptValue = string | Uint8Array;

/** A connection that runs scripts through a client. */
export interface Connection {
  /** Returns a script in the form that the connection runs. */
  formOf(script: string): string;
  /** Runs a script, given by its hash or its text. Strings in the reply are returned as bytes, because values are binary. */
  evaluate(
    command: 'evalsha' | 'eval',
    script: string,
    keys: readonly string[],
    values: readonly ScriptValue[],
  ): Promise<unknown>;
}

/** The salt of the store, and the number of the last addition. */
interface Token {
  salt: string;
  last: string;
}

/** The number from which on additions are refused, so that numbers keep their size. */
const MAX_NUMBER = 2 ** (8 * scripts.NUMBER) - 1000;

const hashes = new Map<string, string>();

/** Returns the SHA-1 of a script, by which Redis knows it. */
async function hashOf(script: string): Promise<string> {
  let hash = hashes.get(script);
  hash ??= hexOf(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(script))));
  hashes.set(script, hash);
  return hash;
}

const textOf = (value: unknown): string =>
  ArrayBuffer.isView(value) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : String(value);

const numberOf = (bytes: Uint8Array): number => bytes.reduce((number, byte) => number * 256 + byte, 0);

/** Returns numbers as bytes, each of the same size. */
const bytesOfNumbers = (numbers: readonly number[], size: number): Uint8Array =>
  bytesOfHex(numbers.map((number) => number.toString(16).padStart(2 * size, '0')).join(''));

/** Returns the numbers of versions as Redis has them. */
const fieldsOf = (versions: readonly { number: number }[]): Uint8Array =>
  bytesOfNumbers(
    versions.map(({ number }) => number),
    scripts.NUMBER,
  );

/** Returns the bits of keys that entries have. */
const lowOf = (keys: readonly Key[]): Uint8Array =>
  bytesOfNumbers(
    keys.map((key) => key % 2 ** 24),
    scripts.LOW,
  );

const endText = (end: number): string => (end === Number.POSITIVE_INFINITY ? '' : String(end));

/** The size of a version before its id. */
const HEAD = 10;

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

function encodeVersion(id: string, { value, ends }: { value: Uint8Array; ends: number }): Uint8Array {
  const name = new TextEncoder().encode(id);
  const bytes = new Uint8Array(HEAD + name.length + value.length);
  const view = viewOf(bytes);
  view.setFloat64(0, ends);
  view.setUint16(8, name.length);
  bytes.set(name, HEAD);
  bytes.set(value, HEAD + name.length);
  return bytes;
}

/** A version, and its bytes in Redis. */
interface RedisVersion extends TimedVersion {
  readonly bytes: Uint8Array;
}

/** Numbers and versions as Redis has them. A version may be missing. */
type Listed = [field: Uint8Array, bytes: Uint8Array | null][];

export class RedisEngine implements RemoteEngine {
  /** Other clients wait for a script. */
  readonly partSize = 16;
  readonly #connection: Connection;
  readonly #prefix: string;
  /** The keys that all scripts use. */
  readonly #fixed: string[];
  readonly #scheme: string;

  constructor(connection: Connection, { name, storedScheme }: Settings) {
    this.#connection = connection;
    this.#prefix = `{${name}}:`;
    this.#fixed = ['store', 'versions', 'ends'].map((key) => this.#prefix + key);
    this.#scheme = storedScheme;
  }

  schema(): string {
    return '';
  }

  async #run(script: string, values: readonly ScriptValue[], keys: readonly Key[] = []): Promise<unknown> {
    const form = this.#connection.formOf(script);
    const all = [...this.#fixed, ...keys.map((key) => this.#prefix + Math.floor(key / 2 ** 24))];
    try {
      return await this.#connection.evaluate('evalsha', await hashOf(form), all, values).catch((error) => {
        if (!error.message.includes('NOSCRIPT')) throw error;
        return this.#connection.evaluate('eval', form, all, values);
      });
    } catch (error) {
      const { message } = error as Error;
      if (message.includes('LOSTVERSIONS')) throw this.#altered(`the key "${this.#fixed[1]}" is lost`);
      if (!message.includes('LOSTSTORE')) throw error;
      throw new LostStore(`the data of the store ${this.#fixed[0]} is lost`, { cause: error });
    }
  }

  /** Returns the error for inconsistent keys. */
  #altered(what: string): Error {
    return new Error(
      `nearprint: ${what}: another program or an eviction policy changes keys of the store: set maxmemory-policy to ` +
        `noeviction, delete all keys ${this.#prefix}*, and observe the documents again`,
    );
  }

  async readMetadata(): Promise<Metadata | undefined> {
    const [[scheme, layout, salt], policy] = (await this.#run(scripts.metadata, [])) as [unknown[], unknown];
    if (/^allkeys/.test(textOf(policy))) {
      throw new Error(
        `nearprint: maxmemory-policy is ${textOf(policy)}, by which Redis removes keys of the store when it is full: set it to noeviction`,
      );
    }
    if (salt === null) return undefined;
    return { scheme: textOf(scheme), layout: textOf(layout), salt: textOf(salt) };
  }

  async create(): Promise<void> {
    const isWhole = await this.#run(scripts.create, [this.#scheme, String(LAYOUT), newSalt()]);
    if (Number(isWhole) === 0) throw this.#altered(`the key "${this.#fixed[0]}" is lost`);
  }

  /** Throws unless the bytes of a version have its id. */
  #decodeVersion(field: Uint8Array, bytes: Uint8Array | null): RedisVersion {
    const number = numberOf(field);
    const view = viewOf(bytes ?? new Uint8Array());
    const end = view.byteLength < HEAD ? Number.POSITIVE_INFINITY : HEAD + view.getUint16(8);
    if (bytes === null || bytes.length < end)
      throw this.#altered(`the field ${number} of the key "${this.#fixed[1]}" is damaged`);
    const [id, value] = [textOf(bytes.subarray(HEAD, end)), Uint8Array.from(bytes.subarray(end))];
    return { number, ends: view.getFloat64(0), id, value, bytes };
  }

  #decodeVersions(found: Listed): RedisVersion[] {
    return found.map((each) => this.#decodeVersion(...each));
  }

  async read(questions: readonly Question[], salt: string) {
    const keys = [...new Set(questions.flatMap(({ keys }) => keys))];
    type Filing = [field: Uint8Array, keyIndices: Uint8Array, bytes: Uint8Array | null];
    const reply = (await this.#run(scripts.read, [salt, lowOf(keys)], keys)) as [number, Uint8Array, ...Filing[]];
    const [now, lastReply, ...found] = reply;
    const last = textOf(lastReply);
    const versions = found.flatMap(([field, keyIndices, bytes]) => {
      if (bytes === null) return [];
      const filed = Array.from(
        { length: keyIndices.length / 2 },
        (_, at) => keys[256 * keyIndices[2 * at] + keyIndices[2 * at + 1]],
      );
      return [[this.#decodeVersion(field, bytes), filed] as const];
    });
    versions.sort(([a], [b]) => a.number - b.number);
    return { now, answers: answersFor(questions, versions, now), token: { salt, last } satisfies Token };
  }

  async write(writes: readonly Write[], token: unknown): Promise<number> {
    const { salt, last } = token as Token;
    if (Number(last) > MAX_NUMBER && writes.some(({ insert }) => insert !== undefined)) {
      throw new Error('nearprint: the store has had 2^40 additions: copy its documents to a new store');
    }
    const values: ScriptValue[] = [salt, last];
    for (const { id, expected, deadline, guarded, removes, update, insert } of writes) {
      values.push(
        String(expected.length),
        ...expected.flatMap((version) => [fieldsOf([version]), (version as RedisVersion).bytes]),
      );
      values.push(String(Math.min(deadline, Number.MAX_VALUE)));
      values.push(
        lowOf(guarded),
        guarded.map((key) => (insert?.keys.includes(key) ? 1 : 0)).join(''),
        fieldsOf(removes),
      );
      if (update === undefined) values.push('', '', '');
      else values.push(fieldsOf([update]), encodeVersion(id, update), endText(update.ends));
      if (insert === undefined) values.push('', '', '');
      else
        values.push(
          encodeVersion(id, insert),
          endText(insert.ends),
          fieldsOf(insert.displaced ? [insert.displaced] : []),
        );
      // By how much the number of ids changes. Without changes, `expected` may have versions of other ids.
      const hasVersionsAfter = insert !== undefined || removes.length < expected.length;
      values.push(String(Number(hasVersionsAfter) - Number(expected.length > 0)));
    }
    const keys = writes.flatMap(({ guarded }) => guarded);
    return Number(await this.#run(scripts.write, values, keys));
  }

  async page(after: unknown, isEnded: boolean, salt: string): Promise<Page> {
    if (isEnded) {
      const { versions } = await this.#readEnded(0, salt);
      return { versions, next: versions.length === PAGE ? true : undefined };
    }
    const [from, upto] = (after ?? ['0', '']) as [string, string];
    const reply = (await this.#run(scripts.page, [salt, from, upto])) as [Uint8Array, Uint8Array, ...Listed];
    const [last, end, ...found] = reply;
    const next = [textOf(last), textOf(end)];
    return { versions: this.#decodeVersions(found), next: next[0] === next[1] ? undefined : next };
  }

  /** Reads ended versions after some others, and the number of all ids. */
  async #readEnded(skipped: number, salt: string): Promise<{ ids: number; versions: RedisVersion[] }> {
    const [ids, ...found] = (await this.#run(scripts.ended, [salt, String(skipped)])) as [unknown, ...Listed];
    return { ids: Number(textOf(ids)), versions: this.#decodeVersions(found) };
  }

  async count(salt: string): Promise<number> {
    const halves = halvesOf(salt);
    let gone = 0;
    for (let skipped = 0; ; skipped += PAGE) {
      const { ids, versions } = await this.#readEnded(skipped, salt);
      const questions = Array.from(new Set(versions.map(({ id }) => id)), (id) => ({
        id,
        keys: [keyOfId(id, halves)],
      }));
      const { now, answers } = await this.read(questions, salt);
      // An id whose versions have all ended is gone. If it has two, they may be on different pages: it is counted with the last one.
      const listed = new Set<number | undefined>(versions.map(({ number }) => number));
      const isGone = (own: readonly RedisVersion[]) =>
        own.every(({ ends }) => ends <= now) && listed.has(own.at(-1)?.number);
      gone += answers.filter(({ own }) => isGone(own)).length;
      if (versions.length < PAGE) return ids - gone;
    }
  }
}

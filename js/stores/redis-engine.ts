// The engine of a store in Redis 7 or Valkey, on one node or in a Cluster.
//
// All keys have the same hash tag, so a Cluster holds the store on one node. A script declares every key that it uses. Scripts
// run one at a time, so no locks are needed.
//
//   {name}:store      hash        the metadata; `last`, the number of the last addition
//   {name}:documents  hash        28 hexadecimal digits of the SHA-1 of an id, since a version has the id itself -> the numbers of
//                                 its versions, in the order of addition
//   {name}:versions   hash        number -> version: its end (a double), the length of the id (16 bits), the id, the value
//   {name}:ends       sorted set  number, by the end of the version if it has one
//   {name}:HIGH       string      an entry for each version under a key with these high 16 bits, in any order: the next 24
//                                 bits of the key, and the number of the version
//
// Numbers count additions, and have 5 bytes. All integers and doubles are big-endian. Times are in milliseconds since 1970.
//
// Entries of a removed version stay where they are until a later addition needs the place: scripts ignore numbers that
// VERSIONS does not have. Each addition sweeps 32 entries of one of its 13 strings, and frees those of removed versions. In a
// set that is constantly renewed, so many are freed as long as two fifths of the entries are of removed versions. Nothing
// but the swept part and one entry in each string is written, however long a string is.
//
// **The number of strings.** The time of a search is proportional to the length of its 13 strings, and a string costs memory of
// its own. 2^16 strings hold 2 entries on average with 10^4 documents, and 2,000 with 10^7. With 2^20, a store of 10^5
// documents would have a string for each entry.
import { bytesOfHex, hexOf } from '../core/hex.js';
import type { Key } from './candidates.js';
import {
  type Answer,
  type Found,
  LostStore,
  type Metadata,
  PAGE,
  type Page,
  type Question,
  type RemoteEngine,
  type StoredVersion,
  type Write,
} from './engine.js';
import * as scripts from './redis-scripts.js';
import { LAYOUT, newSalt, type Settings } from './settings.js';

export type Value = string | Uint8Array;

/** A connection that runs scripts through a client. */
export interface Connection {
  /** Returns a script in the form that the connection runs. */
  formOf(script: string): string;
  /** Runs a script, given by its hash or its text. Strings in the reply are returned as bytes, because values are binary. */
  evaluate(
    command: 'evalsha' | 'eval',
    script: string,
    keys: readonly string[],
    values: readonly Value[],
  ): Promise<unknown>;
}

/** A version as Redis has it. */
interface Stored extends StoredVersion {
  readonly stored: Uint8Array;
}

/** A state of the store. */
interface Token {
  salt: string;
  /** The number of the last addition. */
  last: string;
  /** The numbers of the versions of the id, as Redis has them. */
  own: Uint8Array;
}

type AnswerReply = [own: Uint8Array, candidates: Uint8Array, filed: Uint8Array, versions: Uint8Array[]];

/** The number from which on additions are refused, so that numbers keep their size. */
const MAX_NUMBER = 2 ** (8 * scripts.NUMBER) - 1000;

const hashes = new Map<string, string>();

/** Returns the SHA-1 of a script, by which Redis knows it. */
async function hashOf(script: string): Promise<string> {
  const known = hashes.get(script);
  if (known !== undefined) return known;
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(script))));
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
    keys.map((key) => Math.floor(key / 2 ** 8) % 2 ** 24),
    scripts.LOW,
  );

/** Returns the parts of a text of numbers. */
const numbersIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / scripts.NUMBER) }, (_, at) =>
    bytes.subarray(at * scripts.NUMBER, (at + 1) * scripts.NUMBER),
  );

const endText = (end: number): string => (end === Number.POSITIVE_INFINITY ? '' : String(end));

/** The size of a version before its id. */
const HEAD = 10;

function encodeVersion(id: string, { value, ends }: { value: Uint8Array; ends: number }): Uint8Array {
  const name = new TextEncoder().encode(id);
  const bytes = new Uint8Array(HEAD + name.length + value.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, ends);
  view.setUint16(8, name.length);
  bytes.set(name, HEAD);
  bytes.set(value, HEAD + name.length);
  return bytes;
}

/** Returns a version. The value of a damaged one may be empty. The id is undefined if it is damaged too. */
function decodeVersion(number: Uint8Array, stored: Uint8Array): Omit<Stored, 'id'> & { id: string | undefined } {
  const end = HEAD + (stored.length < HEAD ? 0 : 256 * stored[8] + stored[9]);
  const id = stored.length < end ? undefined : textOf(stored.subarray(HEAD, end));
  return { number: numberOf(number), id, value: Uint8Array.from(stored.subarray(end)), stored };
}

export class RedisEngine implements RemoteEngine {
  /** Other clients wait for a script. */
  readonly size = 16;
  readonly #connection: Connection;
  readonly #prefix: string;
  /** The keys that all scripts use. */
  readonly #fixed: string[];
  readonly #scheme: string;
  #salt = '';

  constructor(connection: Connection, { name, scheme }: Settings) {
    this.#connection = connection;
    this.#prefix = `{${name}}:`;
    this.#fixed = ['store', 'documents', 'versions', 'ends'].map((key) => this.#prefix + key);
    this.#scheme = scheme;
  }

  schema(): string {
    return '';
  }

  async #run(script: string, values: readonly Value[], keys: readonly Key[] = []): Promise<unknown> {
    const form = this.#connection.formOf(script);
    const all = [...this.#fixed, ...keys.map((key) => this.#prefix + Math.floor(key / 2 ** 32))];
    try {
      return await this.#connection.evaluate('evalsha', await hashOf(form), all, values).catch((error) => {
        if (!/\bNOSCRIPT\b/.test(error.message)) throw error;
        return this.#connection.evaluate('eval', form, all, values);
      });
    } catch (error) {
      if (!/\bLOSTSTORE\b/.test((error as Error).message)) throw error;
      throw new LostStore(`nearprint: the data of the store ${this.#fixed[0]} is lost`, { cause: error });
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
    this.#salt = textOf(salt);
    return { scheme: textOf(scheme), layout: textOf(layout), salt: this.#salt };
  }

  async create(): Promise<void> {
    const isWhole = await this.#run(scripts.create, [this.#scheme, String(LAYOUT), newSalt()]);
    if (Number(isWhole) === 0) throw this.#altered(`the key "${this.#fixed[0]}" is lost`);
  }

  #damaged(number: number): Error {
    return this.#altered(`the field ${number} of the key "${this.#fixed[2]}" is damaged`);
  }

  /** Returns a version that is not known by its id. */
  #versionOf(number: Uint8Array, stored: Uint8Array): Stored {
    const version = decodeVersion(number, stored);
    const { id } = version;
    if (id === undefined) throw this.#damaged(version.number);
    return { ...version, id };
  }

  async read(questions: readonly Question[]): Promise<Found> {
    const salt = this.#salt;
    const keys = [...new Set(questions.flatMap(({ keys }) => keys))];
    const places = new Map(keys.map((key, at) => [key, at + 1]));
    const values = questions.flatMap(({ id, keys }) => [
      id === undefined ? '' : `=${id}`,
      Uint8Array.from(keys, (key) => places.get(key) as number),
    ]);
    const [now, lastReply, ...replies] = (await this.#run(
      scripts.read,
      [salt, lowOf(keys), ...values],
      keys,
    )) as unknown[];
    const last = textOf(lastReply);
    if (Number(last) > MAX_NUMBER) {
      throw new Error('nearprint: the store has had 2^40 additions: copy its documents to a new store');
    }
    const answers = questions.map(({ id, keys }, at): Answer => {
      const [own, chosen, filed, found] = replies.slice(4 * at, 4 * at + 4) as AnswerReply;
      const ownNumbers = numbersIn(own);
      const versionOf = (number: Uint8Array, at: number) => this.#versionOf(number, found[ownNumbers.length + at]);
      return {
        own: ownNumbers.map((number, at) => ({ ...decodeVersion(number, found[at]), id: id as string })),
        // A damaged one is an error of this document, not of those before it.
        get candidates() {
          return numbersIn(chosen).map(versionOf);
        },
        filed: keys.map((_, at) => filed[at] ?? 0),
        token: { salt, last, own } satisfies Token,
      };
    });
    return { now: Number(now), answers };
  }

  async write(items: readonly Write[]): Promise<number> {
    const { salt, last } = items[0].answer.token as Token;
    const values: Value[] = [salt, last];
    for (const { id, own, deadline, keys, answer, removes, update, insert } of items) {
      const filed = keys.map((key) => (insert?.keys.includes(key) ? 1 : 0)).join('');
      const stays = own.filter((version) => !removes.includes(version));
      values.push(id, (answer.token as Token).own, ...own.map((version) => (version as Stored).stored));
      values.push(String(Math.min(deadline, Number.MAX_VALUE)), lowOf(keys), filed);
      values.push(fieldsOf(stays), fieldsOf(removes));
      if (update === undefined) values.push('', '', '');
      else values.push(fieldsOf([update]), encodeVersion(id, update), endText(update.ends));
      if (insert === undefined) values.push('', '');
      else values.push(encodeVersion(id, insert), endText(insert.ends));
    }
    const keys = items.flatMap(({ keys }) => keys);
    return Number(await this.#run(scripts.write, values, keys));
  }

  async page(after: unknown, isEnded: boolean): Promise<Page> {
    type Found = [number: Uint8Array, id: Uint8Array | null][];
    const versionsOf = (found: Found) =>
      found.map(([field, id]) => {
        if (id === null) throw this.#damaged(numberOf(field));
        return { number: numberOf(field), id: textOf(id) };
      });
    if (isEnded) {
      const found = (await this.#run(scripts.ended, [this.#salt])) as Found;
      return { versions: versionsOf(found), next: found.length === PAGE ? true : undefined };
    }
    const [from, upto] = (after ?? ['0', '']) as [string, string];
    const [found, ...next] = (await this.#run(scripts.page, [this.#salt, from, upto])) as [Found, unknown, unknown];
    const texts = next.map(textOf);
    return { versions: versionsOf(found), next: texts[0] === texts[1] ? undefined : texts };
  }

  async count(): Promise<number> {
    for (let skipped = 0, gone = 0; ; ) {
      const reply = await this.#run(scripts.count, [this.#salt, String(skipped)]);
      const [ended, ofThese, ids] = (reply as unknown[]).map(Number);
      gone += ofThese;
      if (ended < scripts.MAX_ENDED) return ids - gone;
      skipped += ended;
    }
  }
}

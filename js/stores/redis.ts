/**
 * A store in Redis 7 or Valkey, on one node or in a Cluster.
 *
 * @packageDocumentation
 */

// All keys have the same hash tag, so a Cluster holds the store on one node. A script declares every key that it uses.
// Scripts run one at a time, so no locks are needed.
//
//   {name}:store        hash        the metadata; `last`, the number of the last version; `flooded` if a string of a block has
//                                   ever held more versions than a search reads
//   {name}:documents    hash        id -> the numbers of its versions
//   {name}:versions     hash        number -> version: see below
//   {name}:ends         sorted set  number, by the end of the lease of a provisional version or the expiry time of a kept one
//   {name}:BLOCK:VALUE  string      of every version with this block value: the other 6 bytes of the fingerprint, number
//   {name}:=:HEAD       string      the numbers of versions with this fingerprint and hash of the words (hexadecimal): of all
//                                   short texts, and of long ones if an entry of a block may not suffice to find them
//
// A version is its id, its record (16 or 80 bytes; see record.ts) and, if it has any, a table of further fields: `expires`,
// `lease` (the end of the lease of a provisional version), `resemblance` and `distance` (of a provisional version to the
// kept one), and `is_listed` (it is listed under its HEAD). Its format is MessagePack.
//
// Numbers count additions, have 5 bytes, and are big-endian, so that they are in the order of addition everywhere. Times are
// in milliseconds since 1970. The parts of a fingerprint are as in the record.
import { ArgumentError } from '../core/argument-error.js';
import { popcount } from '../core/hamming.js';
import { bytesOfHex, hexOf } from '../core/hex.js';
import type { ResemblanceHit } from '../index.js';
import { redisAdvice } from './advice.js';
import { blocksOf, HEAD, type StoredRecord } from './record.js';
import * as scripts from './redis-scripts.js';
import { checkSettings, type FoundMetadata, metadataOf, type Settings } from './settings.js';
import { Store, type StoreOptions } from './store.js';
import type { Change, Item, Page, QueryRule, Result, StoreDocument } from './versions.js';

export type * from './store.js';

/** A connected client or cluster of `redis` (5 or later) or `ioredis`, or a client of `@upstash/redis`. */
export type RedisClient =
  // biome-ignore-start lint/suspicious/noExplicitAny: the clients type their commands in different ways
  | { evalBuffer(...values: any[]): Promise<any>; evalshaBuffer(...values: any[]): Promise<any> }
  | { sendCommand(...values: any[]): Promise<any> }
  | { eval(...values: any[]): Promise<any>; evalsha(...values: any[]): Promise<any> };
// biome-ignore-end lint/suspicious/noExplicitAny: see above

type Value = string | Uint8Array;

/** A connection that runs scripts through a client. */
interface Connection {
  /** Returns a script in the form that the connection runs. */
  formOf(script: string): string;
  /** Runs a script, given by its hash or its text. Strings in the reply are returned as bytes, because records are binary. */
  evaluate(
    command: 'evalsha' | 'eval',
    script: string,
    keys: readonly string[],
    values: readonly Value[],
  ): Promise<unknown>;
}

/** Converts bytes: clients with a socket accept only Buffers. */
declare const Buffer: {
  from(buffer: ArrayBufferLike, byteOffset: number, length: number): Uint8Array;
};

/** The maximum number of documents of a script. Other clients wait 0.2 ms for each document. */
const BATCH = 16;

/** The maximum number of versions that a script settles or removes. */
const MAX_CHANGED = 100;

const hashes = new Map<string, string>();

/** Returns the SHA-1 of a script, by which Redis knows it. */
async function hashOf(script: string): Promise<string> {
  const known = hashes.get(script);
  if (known !== undefined) return known;
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(script))));
  hashes.set(script, hash);
  return hash;
}

/** Returns the number of bits in which each probed value differs from the value of the document, as bytes. */
const flipsOf = (probes: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from(probes.flatMap((values) => values.map((value) => popcount(value ^ values[0]))));

const textOf = (value: unknown): string =>
  ArrayBuffer.isView(value) ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : String(value);

/** A resemblance and a distance in a reply. */
const similarityOf = (resemblance: unknown, distance: unknown) => ({
  resemblance: Number(textOf(resemblance)),
  distance: Number(distance),
});

/** Returns the result for an id from its reply: a decision, or 1 or 0. */
function resultOf(id: string, reply: unknown): Result {
  if (!Array.isArray(reply)) return Number(reply) === 1;
  const status = textOf(reply[0]);
  if (status === 'changed') return { id, status, ...similarityOf(reply[1], reply[2]) };
  if (status !== 'duplicate') return { id, status: status as 'new' | 'unchanged' };
  return { id, status, duplicateOf: textOf(reply[1]), ...similarityOf(reply[2], reply[3]) };
}

class RedisStore extends Store {
  protected readonly decidesOnServer = true;
  readonly #connection: Connection;
  readonly #prefix: string;
  /** The keys that all scripts use. */
  readonly #fixed: string[];

  constructor(connection: Connection, settings: Settings) {
    super(settings, redisAdvice);
    this.#connection = connection;
    this.#prefix = `{${settings.name}}:`;
    this.#fixed = ['store', 'documents', 'versions', 'ends'].map((key) => this.#prefix + key);
  }

  async #run(script: string, keys: readonly string[], values: readonly Value[]): Promise<unknown[]> {
    const form = this.#connection.formOf(script);
    const all = [...this.#fixed, ...keys];
    let reply: unknown;
    try {
      reply = await this.#connection.evaluate('evalsha', await hashOf(form), all, values);
    } catch (error) {
      if (!/\bNOSCRIPT\b/.test((error as Error).message)) throw error;
      reply = await this.#connection.evaluate('eval', form, all, values);
    }
    const [status, ...result] = reply as unknown[];
    switch (textOf(status)) {
      case 'damaged':
        throw this.#altered(`the record of ${JSON.stringify(textOf(result[0]))} is damaged`);
      case 'lost':
        throw this.#altered(`the key ${JSON.stringify(this.#prefix + textOf(result[0]))} has lost content`);
      case 'full':
        throw new Error('nearprint: the store has had 2^40 additions: copy its documents to a new store');
      default:
        return result;
    }
  }

  /** Returns the error for inconsistent keys. It cannot suggest to remove a document, because the document's keys are unknown. */
  #altered(what: string): Error {
    return new Error(
      `nearprint: ${what}: another program or an eviction policy changes keys of the store: set maxmemory-policy to ` +
        `noeviction, delete all keys ${this.#prefix}*, open the store again and observe the documents again`,
    );
  }

  #keyOfEqual(record: StoredRecord): string {
    return `${this.#prefix}=:${hexOf(record.subarray(0, HEAD))}`;
  }

  #keysOf(values: readonly (readonly number[])[]): string[] {
    return values.flatMap((ofBlock, block) => ofBlock.map((value) => `${this.#prefix}${block}:${value}`));
  }

  protected async readMetadata(): Promise<FoundMetadata> {
    const entries = Object.entries(metadataOf(this.settings));
    const [values, policy] = (await this.#run(scripts.open, [], entries.flat().map(String))) as [unknown[], unknown];
    if (/^allkeys/.test(textOf(policy))) {
      throw new Error(
        `nearprint: maxmemory-policy is ${textOf(policy)}, by which Redis removes keys of the store when it is full: set it to noeviction`,
      );
    }
    const found = entries.map(([field], at) => [field, values[at] === null ? undefined : textOf(values[at])]);
    return Object.fromEntries(found) as FoundMetadata;
  }

  protected async change(change: Change, items: readonly Item[]): Promise<Result[]> {
    const { kind, minResemblance, lease, expiresIn } = change;
    const hasDocuments = kind === 'observe' || kind === 'add';
    const given = items.slice(0, hasDocuments ? BATCH : MAX_CHANGED).map(({ id, record, probes = [] }) => {
      if (!hasDocuments || record === undefined) return { keys: [], values: [id, record?.subarray(0, HEAD) ?? '', ''] };
      const probed = kind === 'observe' ? probes : [];
      const places = [...this.#keysOf(blocksOf(record).map((value) => [value])), this.#keyOfEqual(record)];
      return { keys: [...places, ...this.#keysOf(probed)], values: [id, record, flipsOf(probed)] };
    });
    const rule = [kind, String(minResemblance), String(lease ?? ''), String(expiresIn ?? '')];
    const replies: unknown[] = [];
    // To remove versions, the script needs further keys, and runs again for the remaining items.
    const further: string[] = [];
    for (let isFirst = true; replies.length < given.length; isFirst = false) {
      const left = given.slice(replies.length);
      const keys = [...left.flatMap(({ keys }) => keys), ...further];
      const values = [isFirst ? '1' : '', String(left.length), ...rule, ...left.flatMap(({ values }) => values)];
      const [some, missing] = (await this.#run(scripts.change, keys, values)) as [unknown[], unknown[]];
      replies.push(...some);
      further.push(...missing.map((name) => this.#prefix + textOf(name)));
    }
    return replies.map((reply, at) => resultOf(given[at].values[0] as string, reply));
  }

  protected async search(document: StoreDocument, rule: QueryRule): Promise<ResemblanceHit<string>[]> {
    const { record, probes } = document;
    const keys = [this.#keyOfEqual(record), ...this.#keysOf(probes)];
    const values = [record, flipsOf(probes), String(rule.minResemblance), String(rule.limit)];
    const hits = (await this.#run(scripts.query, keys, values)) as unknown[][];
    return hits.map(([id, resemblance, distance]) => ({ id: textOf(id), ...similarityOf(resemblance, distance) }));
  }

  protected async find(id: string): Promise<StoredRecord | undefined> {
    const [record] = await this.#run(scripts.find, [], [id]);
    return record === undefined ? undefined : Uint8Array.from(record as Uint8Array);
  }

  /** Removes expired versions. Returns the number of ids without a version left, and the number of remaining ids. */
  async #prune(): Promise<{ gone: number; left: number }> {
    let gone = 0;
    let keys: string[] = [];
    for (let time = ''; ; ) {
      const [count, now, missing, left] = await this.#run(scripts.prune, keys, [time]);
      gone += Number(count);
      time = textOf(now);
      keys = (missing as unknown[]).map((name) => this.#prefix + textOf(name));
      if (keys.length === 0) return { gone, left: Number(left) };
    }
  }

  protected async removeExpired(): Promise<number> {
    return (await this.#prune()).gone;
  }

  protected async countIds(): Promise<number> {
    return (await this.#prune()).left;
  }

  protected async page(position: unknown): Promise<Page> {
    const [after, upto] = (position ?? ['0', '']) as [string, string];
    const [from, last, found] = await this.#run(scripts.page, [], [after, upto]);
    const rows = (found as [unknown, Uint8Array, unknown][]).map(([id, record, hasOther]) => ({
      id: textOf(id),
      record: Uint8Array.from(record),
      hasOther: Number(hasOther) === 1,
    }));
    return { rows, next: textOf(from) === textOf(last) ? undefined : [textOf(from), textOf(last)] };
  }
}

/** Returns the connection of a client that sends bytes. `send` receives a key, by which a Cluster finds the node. */
const binaryConnection = (send: (key: string, command: readonly Value[]) => Promise<unknown>): Connection => ({
  formOf: (script) => script,
  evaluate: (command, script, keys, values) =>
    send(keys[0], [
      command,
      script,
      String(keys.length),
      ...keys,
      ...values.map((value) =>
        typeof value === 'string' ? value : Buffer.from(value.buffer, value.byteOffset, value.length),
      ),
    ]),
});

function decodeReply(reply: unknown): unknown {
  if (Array.isArray(reply)) return reply.map(decodeReply);
  return typeof reply === 'string' ? bytesOfHex(reply.slice(1)) : reply;
}

/**
 * Returns the connection of a client over HTTP. Its strings are UTF-8, so all values are hexadecimal. By default it parses
 * strings of a reply as JSON; a leading letter prevents that.
 */
const httpConnection = (
  client: Record<'eval' | 'evalsha', (script: string, keys: readonly string[], values: string[]) => Promise<unknown>>,
): Connection => ({
  formOf: scripts.inHex,
  async evaluate(command, script, keys, values) {
    const hex = values.map((value) => hexOf(typeof value === 'string' ? new TextEncoder().encode(value) : value));
    return decodeReply(await client[command](script, keys, hex));
  },
});

function connectionOf(client: RedisClient): Connection {
  const has = (method: string): boolean => typeof Object(client)[method] === 'function';
  const calls = client as Record<string, (...values: unknown[]) => Promise<unknown>>;
  // ioredis, a single node or a Cluster. Its `callBuffer` fails with `enableAutoPipelining`.
  if (has('evalshaBuffer')) return binaryConnection((_, [command, ...rest]) => calls[`${command}Buffer`](...rest));
  if (!has('sendCommand')) {
    if (has('evalsha') && has('eval')) return httpConnection(client as Parameters<typeof httpConnection>[0]);
    throw new ArgumentError('client', 'a client or cluster of redis or ioredis, or a client of @upstash/redis', client);
  }
  // node-redis: the first arguments of a Cluster are the key and whether the command only reads.
  const blobs = 36;
  const options = { typeMapping: { [blobs]: Buffer } };
  return binaryConnection(
    has('nodeClient') || has('getSlotRandomNode')
      ? (key, command) => calls.sendCommand(key, false, command, options)
      : (_, command) => calls.sendCommand(command, options),
  );
}

/**
 * Returns the store in Redis 7, Valkey, or one node of a Cluster, for processes on many machines.
 *
 * A crash of the server may lose the last second of changes with `appendfsync everysec`, and nothing with `always`. The
 * policy `maxmemory-policy` must be `noeviction` or one of `volatile-*`, so that Redis removes no keys of the store.
 *
 * @example
 * ```js
 * const store = redisStore(await createClient({ url }).connect());
 * const [{ status }] = await store.observe([{ id: url, text }]);
 * ```
 * @throws {@link ArgumentError}: `client` is not a client of Redis, or an option is wrong
 */
export const redisStore = (client: RedisClient, options?: StoreOptions): Store =>
  new RedisStore(connectionOf(client), checkSettings(options));

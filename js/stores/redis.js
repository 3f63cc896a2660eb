// A store in Redis 7 or Valkey. All keys have the same hash tag, so that a Cluster holds the store on one node, and a
// script declares every key that it uses. Scripts run one at a time: that is the lock rule.
//
//   {name}:store        hash      the metadata
//   {name}:last         integer   the number of the last document
//   {name}:documents    hash      id -> number, record
//   {name}:ids          hash      number -> id
//   {name}:BLOCK:VALUE  string    of every document with this block value: fingerprint, number (12 bytes)
//   {name}:s:RECORD     string    of every short text with this record: number (4 bytes)
//
// Numbers are big-endian; a fingerprint is as in the record.
import { ArgumentError } from '../core/argument-error.js';
import { addIfNew, query, replace } from './redis-scripts.js';
import {
  answer,
  checkId,
  checkIds,
  checkQuery,
  checkSettings,
  Described,
  explaining,
  idTaken,
  metadataOf,
  opening,
  sketchOf,
  slices,
} from './shared.js';

const PAGE = 1000;

/** What to do about an error, by the beginning of its message. */
const explained = explaining([
  [/^OOM/, "Redis is full: raise maxmemory, with the policy noeviction (it must not remove a store's keys)"],
  [
    /^(?:NOAUTH|NOPERM|WRONGPASS)/,
    'the user needs the keys {name}:* and the commands APPEND, DEL, EVAL, EVALSHA, EXISTS, GET, HDEL, HGET, HLEN, ' +
      'HMGET, HSET, INCR, MGET and SET',
  ],
  [/^(?:READONLY|MISCONF|LOADING|CLUSTERDOWN|NOREPLICAS)/, 'Redis takes no writes now: repeat the call when it does'],
  [/^(?:WRONGTYPE)/, 'another program uses the keys of the store: choose another name'],
  [
    /ECONN|EPIPE|ENOTFOUND|[Cc]onnection is closed|[Ss]ocket closed|client is (?:closed|offline)|max retries/,
    'the connection is lost: repeat the call, which changes nothing that is done',
  ],
]);

/** Of the clients that open a store at once, the first writes the metadata, whole. */
const create = "if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end";

class RedisStore extends Described {
  #send;
  #settings;
  #prefix;
  /** Runs a call on the open store. */
  #use;

  constructor(send, settings) {
    super(settings);
    this.#settings = settings;
    this.#prefix = `{${settings.name}}`;
    const key = this.#key('store');
    const own = metadataOf(settings);
    const fields = Object.keys(own);
    // A Cluster finds the node by any key of the store.
    this.#send = (command) => send(key, command);
    this.#use = opening(settings, {
      metadata: async () => {
        const values = await this.#send(['HMGET', key, ...fields]);
        if (values.every((value) => value === null)) return undefined;
        return Object.fromEntries(fields.map((field, at) => [field, values[at]?.toString()]));
      },
      create: () => this.#send(['EVAL', create, '1', key, ...Object.entries(own).flat().map(String)]),
      explained,
    });
  }

  /** Redis has no schema. */
  schema() {
    return '';
  }

  #key(...parts) {
    return [this.#prefix, ...parts].join(':');
  }

  #call(...command) {
    return this.#use(() => this.#send(command));
  }

  #run(script, keys, values) {
    const all = [this.#key('last'), this.#key('documents'), this.#key('ids'), ...keys];
    const rest = [String(all.length), ...all, ...values];
    return this.#use(async () => {
      try {
        return await this.#send(['EVALSHA', await hashOf(script), ...rest]);
      } catch (error) {
        if (!/NOSCRIPT/.test(error.message)) throw error;
        return this.#send(['EVAL', script, ...rest]);
      }
    });
  }

  /** The keys of the probed block values, or of a short text. */
  #probed({ isShort, probes, record }) {
    if (isShort) return [this.#key('s', hexOf(record))];
    return probes.flatMap((values, block) => values.map((value) => this.#key(block, value)));
  }

  /** The keys that a document is in. */
  #ownKeys(record) {
    if (record.length === 16) return [this.#key('s', hexOf(record))];
    const view = new DataView(record.buffer, record.byteOffset);
    return [0, 1, 2, 3].map((block) => this.#key(block, view.getUint16(6 - 2 * block, true)));
  }

  async addIfNew(docs) {
    const answers = [];
    const { minResemblance, probes } = this.#settings;
    for (const [document] of slices(docs, this.#settings, 1)) {
      const values = [document.id, bufferOf(document.record), String(minResemblance), String(probes)];
      const [state, ...hit] = await this.#run(addIfNew, this.#probed(document), values);
      if (state.toString() === 'taken') throw idTaken(document);
      answers.push(answer(document.id, state.toString() === 'near' ? hitOf(hit) : undefined));
    }
    return answers;
  }

  async query(sketch, options) {
    const { limit, ...document } = checkQuery(sketch, options, this.#settings);
    const values = [bufferOf(document.record), String(this.#settings.minResemblance), String(limit)];
    return (await this.#run(query, this.#probed(document), values)).map(hitOf);
  }

  /** Puts a document in the place of the one with its id; without a record, removes that. Returns whether there was one. */
  async #replace(id, record) {
    for (;;) {
      const read = await this.#call('HGET', this.#key('documents'), id);
      const kept = read && new Uint8Array(read).subarray(4);
      if (record === undefined ? !kept : kept && hexOf(kept) === hexOf(record)) return Boolean(kept);
      const old = kept ? this.#ownKeys(kept.slice()) : [];
      const keys = [...old, ...(record ? this.#ownKeys(record) : [])];
      const values = [id, read ?? '', record ? bufferOf(record) : '', String(old.length)];
      if ((await this.#run(replace, keys, values)) === 1) return Boolean(kept);
    }
  }

  async add(docs) {
    for (const [{ id, record }] of slices(docs, this.#settings, 1)) await this.#replace(id, record);
  }

  async get(id) {
    const read = await this.#call('HGET', this.#key('documents'), checkId(id));
    return read ? sketchOf(new Uint8Array(read).slice(4), this.#settings) : undefined;
  }

  async delete(ids) {
    let count = 0;
    for (const id of checkIds(ids)) if (await this.#replace(id)) count++;
    return count;
  }

  count() {
    return this.#call('HLEN', this.#key('documents')).then(Number);
  }

  async *entries() {
    const last = Number((await this.#call('GET', this.#key('last'))) ?? 0);
    for (let from = 1; from <= last; from += PAGE) {
      const numbers = Array.from({ length: Math.min(PAGE, last - from + 1) }, (_, at) => from + at);
      const ids = (await this.#call('HMGET', this.#key('ids'), ...numbers.map(String))).filter((id) => id !== null);
      if (ids.length === 0) continue;
      const documents = await this.#call('HMGET', this.#key('documents'), ...ids);
      for (const [at, document] of documents.entries()) {
        if (document === null) continue;
        yield { id: ids[at].toString(), sketch: sketchOf(new Uint8Array(document).slice(4), this.#settings) };
      }
    }
  }
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const bufferOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const hashes = new Map();

/** The SHA-1 of a script, by which Redis knows it. */
async function hashOf(script) {
  if (!hashes.has(script)) {
    const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(script));
    hashes.set(script, hexOf(new Uint8Array(digest)));
  }
  return hashes.get(script);
}

const hitOf = ([id, resemblance, distance]) => ({
  id: id.toString(),
  resemblance: Number(resemblance.toString()),
  distance: Number(distance),
});

/** Returns a function that sends a command to the node of a key. Replies are Buffers, since records are bytes. */
function senderOf(client) {
  // ioredis, a single node or a Cluster
  if (typeof client?.callBuffer === 'function') {
    return (_, [command, ...values]) => client.callBuffer(command, ...values);
  }
  if (typeof client?.sendCommand !== 'function') {
    throw new ArgumentError('client', 'a client or cluster of redis or ioredis', client);
  }
  // node-redis: a Cluster takes the key and whether the command only reads first.
  const blobs = 36;
  const options = { typeMapping: { [blobs]: Buffer } };
  const isCluster = typeof client.nodeClient === 'function' || typeof client.getSlotRandomNode === 'function';
  return isCluster
    ? (key, command) => client.sendCommand(key, false, command, options)
    : (_, command) => client.sendCommand(command, options);
}

export const redisStore = (client, options) => new RedisStore(senderOf(client), checkSettings(options));

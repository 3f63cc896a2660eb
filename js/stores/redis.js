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
import { wrongType } from '../api/check.js';
import {
  answer,
  checkId,
  checkIds,
  checkMetadata,
  checkSettings,
  checkSketch,
  Described,
  explaining,
  idTaken,
  MAX_DISTANCE,
  metadataOf,
  once,
  sketchOf,
  slices,
} from './shared.js';

/** What the scripts share. KEYS: last, documents, ids, then the keys of blocks or of the short text. */
const common = `
local LAST, DOCUMENTS, IDS = KEYS[1], KEYS[2], KEYS[3]
local band, bor, bxor, rshift = bit.band, bit.bor, bit.bxor, bit.rshift

local function ones(x)
  x = x - band(rshift(x, 1), 0x55555555)
  x = band(x, 0x33333333) + band(rshift(x, 2), 0x33333333)
  x = band(x + rshift(x, 4), 0x0f0f0f0f)
  x = x + rshift(x, 8)
  return band(x + rshift(x, 16), 0x3f)
end

local function filled(x) return band(bor(x, rshift(x, 1)), 0x55555555) end

-- The resemblance of the MinHashes of two records.
local function resemblance(a, b)
  local equal, both, either = 0, 0, 0
  for at = 9, 69, 4 do
    local x, y = struct.unpack('<I4', a, at), struct.unpack('<I4', b, at)
    local fx, fy = filled(x), filled(y)
    local in_both = band(fx, fy)
    both = both + ones(in_both)
    either = either + ones(bor(fx, fy))
    equal = equal + ones(in_both) - ones(band(in_both, filled(bxor(x, y))))
  end
  if either == 0 then return 1 end
  return math.max(3 * equal - both, 0) / (2 * either)
end

-- The best hit: id, resemblance and distance, or nil.
local function near(record, min_resemblance, first_key)
  local entries = redis.call('MGET', unpack(KEYS, first_key))
  if #record == 16 then
    if not entries[1] then return nil end
    return redis.call('HGET', IDS, (struct.unpack('>I4', entries[1]))), 1, 0
  end
  local low, high = struct.unpack('<I4I4', record)
  local numbers, distances = {}, {}
  for _, values in ipairs(entries) do
    if values then
      for at = 1, #values, 12 do
        local l, h, number = struct.unpack('<I4I4>I4', values, at)
        if not distances[number] then
          local distance = ones(bxor(l, low)) + ones(bxor(h, high))
          if distance <= ${MAX_DISTANCE} then
            distances[number] = distance
            numbers[#numbers + 1] = number
          end
        end
      end
    end
  end
  local id, most, least, first
  for _, number in ipairs(numbers) do
    local candidate = redis.call('HGET', IDS, number)
    local kept = redis.call('HGET', DOCUMENTS, candidate)
    local distance, share = distances[number], resemblance(record, string.sub(kept, 5))
    if share >= min_resemblance and (not id or share > most or (share == most and
        (distance < least or (distance == least and number < first)))) then
      id, most, least, first = candidate, share, distance, number
    end
  end
  return id, most, least
end

-- Adds a document under the keys of its own blocks, or of the short text.
local function insert(id, record, keys)
  local number = redis.call('INCR', LAST)
  local packed = struct.pack('>I4', number)
  redis.call('HSET', DOCUMENTS, id, packed .. record)
  redis.call('HSET', IDS, number, id)
  local entry = #record == 16 and packed or string.sub(record, 1, 8) .. packed
  for _, key in ipairs(keys) do redis.call('APPEND', key, entry) end
end

-- Removes a document from the same keys.
local function remove(id, document, keys)
  redis.call('HDEL', DOCUMENTS, id)
  redis.call('HDEL', IDS, (struct.unpack('>I4', document)))
  local packed, record = string.sub(document, 1, 4), string.sub(document, 5)
  local entry = #record == 16 and packed or string.sub(record, 1, 8) .. packed
  for _, key in ipairs(keys) do
    local values = redis.call('GET', key)
    local left = {}
    for at = 1, #values, #entry do
      local value = string.sub(values, at, at + #entry - 1)
      if value ~= entry then left[#left + 1] = value end
    end
    if #left == 0 then redis.call('DEL', key) else redis.call('SET', key, table.concat(left)) end
  end
end
`;

/** ARGV: id, record, smallest resemblance, number of probes of each block. */
const addIfNew = `${common}
local id, record, per_block = ARGV[1], ARGV[2], tonumber(ARGV[4])
local kept = redis.call('HGET', DOCUMENTS, id)
if kept and string.sub(kept, 5) == record then return {'new'} end
local hit, resemblance, distance = near(record, tonumber(ARGV[3]), 4)
if hit then return {'near', hit, string.format('%.17g', resemblance), distance} end
if kept then return {'taken'} end
local own = {}
for at = 4, #KEYS, per_block do own[#own + 1] = KEYS[at] end
insert(id, record, own)
return {'new'}
`;

/** ARGV: record, smallest resemblance. */
const query = `${common}
local hit, resemblance, distance = near(ARGV[1], tonumber(ARGV[2]), 4)
if hit then return {'near', hit, string.format('%.17g', resemblance), distance} end
return {'new'}
`;

/**
 * Removes the document that the client has read, and adds another in its place. ARGV: id, the document read or '', the
 * record to add or '', the number of keys of the first. Returns 0 if the document has changed meanwhile.
 */
const replace = `${common}
local id, read, record, of_read = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local kept = redis.call('HGET', DOCUMENTS, id) or ''
if kept ~= read then return 0 end
if kept ~= '' then remove(id, kept, {unpack(KEYS, 4, 3 + of_read)}) end
if record ~= '' then insert(id, record, {unpack(KEYS, 4 + of_read)}) end
return 1
`;

const PAGE = 1000;

const fields = ['name', 'scheme', 'layout', 'blocks'];

/** What to do about an error, by the beginning of its message. */
const explained = explaining([
  [/^OOM/, "Redis is full: raise maxmemory, with the policy noeviction (it must not remove a store's keys)"],
  [
    /^(?:NOAUTH|NOPERM|WRONGPASS)/,
    'the user needs the commands EVAL, EVALSHA, HSET, HGET, HMGET, HGETALL, HLEN and GET, and the keys {name}:*',
  ],
  [/^(?:READONLY|MISCONF|LOADING|CLUSTERDOWN|NOREPLICAS)/, 'Redis takes no writes now: repeat the call when it does'],
  [/^(?:WRONGTYPE)/, 'another program uses the keys of the store: choose another name'],
  [
    /ECONN|EPIPE|ENOTFOUND|[Cc]onnection is closed|[Ss]ocket closed|client is (?:closed|offline)|max retries/,
    'the connection is lost: repeat the call, which changes nothing that is done',
  ],
]);

class RedisStore extends Described {
  #send;
  #settings;
  #prefix;

  constructor(send, settings) {
    super(settings);
    this.#send = send;
    this.#settings = settings;
    this.#prefix = `{${settings.name}}`;
  }

  /** Redis has no schema. */
  schema() {
    return '';
  }

  #key(...parts) {
    return [this.#prefix, ...parts].join(':');
  }

  #open = once(async () => {
    const key = this.#key('store');
    const own = metadataOf(this.#settings);
    try {
      // One command writes all fields, and only the first client's has an effect.
      const script = "if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end";
      await this.#send(key, ['EVAL', script, '1', key, ...fields.flatMap((field) => [field, String(own[field])])]);
      const values = await this.#send(key, ['HMGET', key, ...fields]);
      checkMetadata(Object.fromEntries(fields.map((field, at) => [field, values[at]?.toString()])), this.#settings);
    } catch (error) {
      throw explained(error);
    }
  });

  async #call(...command) {
    await this.#open();
    try {
      return await this.#send(this.#key('store'), command);
    } catch (error) {
      throw explained(error);
    }
  }

  async #run(script, keys, values) {
    await this.#open();
    const all = [this.#key('last'), this.#key('documents'), this.#key('ids'), ...keys];
    const rest = [String(all.length), ...all, ...values];
    const route = this.#key('store');
    try {
      const hash = await hashOf(script);
      try {
        return await this.#send(route, ['EVALSHA', hash, ...rest]);
      } catch (error) {
        if (!/NOSCRIPT/.test(error.message)) throw error;
        return await this.#send(route, ['EVAL', script, ...rest]);
      }
    } catch (error) {
      throw explained(error);
    }
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
      const reply = await this.#run(addIfNew, this.#probed(document), values);
      const hit = hitOf(reply);
      if (reply[0].toString() === 'taken') throw idTaken(document);
      answers.push(answer(document.id, hit));
    }
    return answers;
  }

  async query(sketch) {
    const document = checkSketch(sketch, this.#settings);
    const values = [bufferOf(document.record), String(this.#settings.minResemblance)];
    const hit = hitOf(await this.#run(query, this.#probed(document), values));
    return hit === undefined ? [] : [hit];
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

function hitOf([state, id, resemblance, distance]) {
  if (state.toString() !== 'near') return undefined;
  return { id: id.toString(), resemblance: Number(resemblance.toString()), distance: Number(distance) };
}

/** Returns a function that sends a command to the node of a key. Replies are Buffers, since records are bytes. */
function senderOf(client) {
  // ioredis, a single node or a Cluster
  if (typeof client?.callBuffer === 'function') {
    return (_, [command, ...values]) => client.callBuffer(command, ...values);
  }
  if (typeof client?.sendCommand !== 'function') {
    throw wrongType('client', 'a client or cluster of redis or ioredis', client);
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

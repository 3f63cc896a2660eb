// The scripts of a store in Redis. redis.js has the keys.
import { MAX_DISTANCE } from './shared.js';

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

-- The hits, up to "limit": arrays of id, resemblance and distance.
local function near(record, min_resemblance, limit)
  local entries = redis.call('MGET', unpack(KEYS, 4))
  local hits = {}
  if #record == 16 then
    for at = 1, math.min(#(entries[1] or ''), 4 * limit), 4 do
      hits[#hits + 1] = {redis.call('HGET', IDS, (struct.unpack('>I4', entries[1], at))), '1', 0}
    end
    return hits
  end
  local low, high = struct.unpack('<I4I4', record)
  local distances = {}
  for _, values in ipairs(entries) do
    if values then
      for at = 1, #values, 12 do
        local l, h, number = struct.unpack('<I4I4>I4', values, at)
        local distance = ones(bxor(l, low)) + ones(bxor(h, high))
        if distance <= ${MAX_DISTANCE} then distances[number] = distance end
      end
    end
  end
  for number, distance in pairs(distances) do
    local id = redis.call('HGET', IDS, number)
    local share = resemblance(record, string.sub(redis.call('HGET', DOCUMENTS, id), 5))
    if share >= min_resemblance then
      hits[#hits + 1] = {id = id, share = share, distance = distance, number = number}
    end
  end
  table.sort(hits, function(a, b)
    if a.share ~= b.share then return a.share > b.share end
    if a.distance ~= b.distance then return a.distance < b.distance end
    return a.number < b.number
  end)
  local first = {}
  for at = 1, math.min(#hits, limit) do
    local hit = hits[at]
    first[at] = {hit.id, string.format('%.17g', hit.share), hit.distance}
  end
  return first
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

/**
 * ARGV: id, record, smallest resemblance, number of probes of each block. Returns what became of the document: new, near
 * (with the hit), or taken (the id is another document's).
 */
export const addIfNew = `${common}
local id, record, per_block = ARGV[1], ARGV[2], tonumber(ARGV[4])
local kept = redis.call('HGET', DOCUMENTS, id)
if kept and string.sub(kept, 5) == record then return {'new'} end
local hit = near(record, tonumber(ARGV[3]), 1)[1]
if hit then return {'near', unpack(hit)} end
if kept then return {'taken'} end
local own = {}
for at = 4, #KEYS, per_block do own[#own + 1] = KEYS[at] end
insert(id, record, own)
return {'new'}
`;

/** ARGV: record, smallest resemblance, number of hits. Returns id, resemblance and distance of each. */
export const query = `${common}
return near(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
`;

/**
 * Removes the document that the client has read, and adds another in its place. ARGV: id, the document read or '', the
 * record to add or '', the number of keys of the first. Returns 0 if the document has changed meanwhile.
 */
export const replace = `${common}
local id, read, record, of_read = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local kept = redis.call('HGET', DOCUMENTS, id) or ''
if kept ~= read then return 0 end
if kept ~= '' then remove(id, kept, {unpack(KEYS, 4, 3 + of_read)}) end
if record ~= '' then insert(id, record, {unpack(KEYS, 4 + of_read)}) end
return 1
`;

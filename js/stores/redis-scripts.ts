// The scripts of a store in Redis. redis.ts has the keys, and the layout of their values.
//
// A script uses only keys that are declared. The keys that list a version follow from its record, so the keys of versions to
// remove are known only after the versions have been read. If such keys are not declared, a script changes nothing and
// returns their names; the client declares them and calls again.
//
// A script checks for every possible failure before its first write, because Redis undoes no writes of a script that fails.

import { MIN_BRIEF_RESEMBLANCE } from '../core/decision-options.js';
import { popcount } from '../core/hamming.js';
import { MAX_DISTANCE, MAX_PASSED, MAX_READ, MAX_VERIFIED } from './bounds.js';
import { HEAD, WITH_MINHASH } from './record.js';

/** The maximum number of ended versions that a call removes. Other clients wait: 256 take 4 ms. */
const MAX_PRUNED = 256;

/** The maximum number of ended versions whose numbers a search loads. If there are more, it looks up each that it reads. */
const MAX_LOADED = 10_000;

/** The number of entries after which a call accepts no further document: about 3 ms. */
const MAX_WORK = 20_000;

/** The number of rows that `page` returns, and the maximum number of values of a command in a script. */
const PAGE = 1000;

/** The number of additions that `page` examines. Most of them may have been removed. */
const MAX_EXAMINED = 20_000;

/** The size in bytes of a version's number, and of an entry of a block: the rest of the fingerprint, and the number. */
const NUMBER = 5;
const ENTRY = 6 + NUMBER;

/** Returns a Lua table with the values of a function for the numbers below a limit. */
const tableOf = (limit: number, count: (value: number) => number): string =>
  `{[0] = ${count(0)}, ${Array.from({ length: limit - 1 }, (_, at) => count(at + 1)).join(', ')}}`;

/** The number of the bins of a byte of a MinHash that are not empty. */
const binsOf = (byte: number): number => popcount((byte | (byte >> 1)) & 0x55);

/** The part that all scripts share. KEYS: store, documents, versions, ends, and the keys of the call. */
const common = `
local STORE, DOCUMENTS, VERSIONS, ENDS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local PREFIX = string.sub(STORE, 1, -6)
local call, byte, sub, floor, pack = redis.call, string.byte, string.sub, math.floor, struct.pack
local time = redis.call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)

-- The reply of a script that fails: the kind of failure, and the id or key.
local failure
local function fail(kind, subject)
  failure = {kind, subject}
  error(kind)
end

-- Replies name keys without the prefix: a client may have added its own.
local function fail_lost(key) fail('lost', sub(key, #PREFIX + 1)) end

-- The number of entries that searches have read.
local read = 0

-- The number of the last version, whether the string of a block has ever held more than MAX_READ entries, and whether any
-- version has an end.
local last, is_flooded, has_ends
local function check_store()
  local fields = call('HMGET', STORE, 'last', 'flooded')
  last, is_flooded = tonumber(fields[1]), fields[2]
  if not last then fail_lost(STORE) end
  if call('EXISTS', DOCUMENTS, VERSIONS) == 1 then fail_lost(call('EXISTS', VERSIONS) == 1 and DOCUMENTS or VERSIONS) end
  has_ends = call('EXISTS', ENDS) == 1
end

local function number_at(value, at)
  local a, b, c, d, e = byte(value, at, at + ${NUMBER - 1})
  return (((a * 256 + b) * 256 + c) * 256 + d) * 256 + e
end
local function packed(number) return pack('>I${NUMBER}', number) end

-- Numbers with a fraction must leave a script as text.
local function text(number) return string.format('%.17g', number) end

-- Returns the key of the versions that equal a record.
local function key_of_equal(record) return PREFIX .. '=:' .. string.format('${'%02x'.repeat(16)}', byte(record, 1, 16)) end

-- Returns the version with a number from its value in VERSIONS. "ending" is its end, as ENDS has it. "id" is its id, if known.
local function parse(number, value, id)
  local is_valid, fields = pcall(cmsgpack.unpack, value)
  local record = is_valid and type(fields) == 'table' and fields[2]
  if type(record) ~= 'string' or (#record ~= ${HEAD} and #record ~= ${WITH_MINHASH}) or type(fields[1]) ~= 'string'
    or (id and fields[1] ~= id) or (fields[3] and type(fields[3]) ~= 'table') then
    if id then fail('damaged', id) end
    fail_lost(VERSIONS)
  end
  local version = fields[3] or {}
  version.number, version.value, version.id, version.record = number, value, fields[1], record
  version.ending = version.lease or version.expires
  return version
end

-- Returns the versions with these numbers, and of this id, if it is known.
local function versions_at(numbers, id)
  local versions = {}
  for from = 1, #numbers, ${PAGE} do
    local some = {}
    for at = from, math.min(from + ${PAGE - 1}, #numbers) do some[#some + 1] = packed(numbers[at]) end
    for at, value in ipairs(call('HMGET', VERSIONS, unpack(some))) do
      versions[#versions + 1] = parse(numbers[from + at - 1], value, id)
    end
  end
  return versions
end

-- Returns the versions of an id, and their numbers as in DOCUMENTS.
local function versions_of(id)
  local value, numbers = call('HGET', DOCUMENTS, id), {}
  if not value then return {} end
  if value == '' or #value % ${NUMBER} ~= 0 then fail('damaged', id) end
  for at = 1, #value, ${NUMBER} do numbers[#numbers + 1] = number_at(value, at) end
  return versions_at(numbers, id), value
end

-- A provisional version ends with its lease, whatever its expiry time.
local function is_live(version) return (version.lease or version.expires or math.huge) > now end

-- Returns the kept and the provisional version of an id if they are live.
local function pair_of(versions)
  local kept, pending
  for _, version in ipairs(versions) do
    if is_live(version) then
      if version.lease then pending = version else kept = version end
    end
  end
  return kept, pending
end

-- Returns the numbers of versions that have ended, up to a limit.
local function ended_numbers(limit)
  local members = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', '0', limit)
  for at, member in ipairs(members) do members[at] = number_at(member, 1) end
  return members
end
`;

/** The part of the scripts that change a store. */
const writing = `
-- Returns the keys that list a version, and its entry in each. The entry in a block leaves out the value of the block.
local function places_of(version)
  local record, number, places = version.record, packed(version.number), {}
  if #record == ${WITH_MINHASH} then
    for block = 0, 3 do
      local at = 7 - 2 * block
      local low, high = byte(record, at, at + 1)
      local entry = sub(record, 1, at - 1) .. sub(record, at + 2, 8) .. number
      places[#places + 1] = {key = PREFIX .. block .. ':' .. high * 256 + low, entry = entry}
    end
  end
  if version.is_listed then places[#places + 1] = {key = key_of_equal(record), entry = number} end
  return places
end

-- Returns whether all keys that list a version are declared. If not, it adds their names to a list.
local declared
local function is_declared(version, names)
  if not declared then
    declared = {}
    for _, key in ipairs(KEYS) do declared[key] = true end
  end
  local places, is_missing = places_of(version), false
  for _, place in ipairs(places) do is_missing = is_missing or not declared[place.key] end
  if is_missing then for _, place in ipairs(places) do names[#names + 1] = sub(place.key, #PREFIX + 1) end end
  return not is_missing
end

-- The names of the keys that the call needs. If there are any, no further item is changed.
local missing = {}

-- Returns whether versions can be removed, and no earlier item lacks keys.
local function can_remove(versions)
  for _, version in ipairs(versions) do is_declared(version, missing) end
  return #missing == 0
end

-- Removes versions from all keys but DOCUMENTS.
local function remove(versions)
  if #versions == 0 then return end
  -- Returns the value of a key without some entries, which are in the order of their numbers.
  local function without(key, entries)
    local values, parts, from, size = call('GET', key) or '', {}, 1, #entries[1]
    for _, entry in ipairs(entries) do
      local at = from - 1
      repeat at = string.find(values, entry, at + 1, true) until not at or (at - 1) % size == 0
      if not at then fail_lost(key) end
      parts[#parts + 1] = sub(values, from, at - 1)
      from = at + size
    end
    parts[#parts + 1] = sub(values, from)
    return table.concat(parts)
  end
  table.sort(versions, function(a, b) return a.number < b.number end)
  local entries, changed, numbers = {}, {}, {}
  for _, version in ipairs(versions) do
    numbers[#numbers + 1] = packed(version.number)
    for _, place in ipairs(places_of(version)) do
      local list = entries[place.key] or {}
      list[#list + 1] = place.entry
      entries[place.key] = list
    end
  end
  for key, list in pairs(entries) do changed[key] = without(key, list) end
  for key, value in pairs(changed) do
    if value == '' then call('DEL', key) else call('SET', key, value) end
  end
  call('HDEL', VERSIONS, unpack(numbers))
  call('ZREM', ENDS, unpack(numbers))
end

-- Returns the number of keys that list a record.
local function places_count(record) return #record == ${WITH_MINHASH} and 5 or 1 end

-- Fails if a version with a record cannot be added. "position" precedes its keys among KEYS.
local function check_addition(record, position)
  if last + 1 >= 2 ^ ${8 * NUMBER} then fail('full', '') end
  for at = position + 1, position + places_count(record) do call('STRLEN', KEYS[at]) end
end

-- Gives a version the next number, and adds it to the keys that list it.
--
-- A long text is listed under its equality only if its smallest block has held MAX_VERIFIED entries before. If it is not
-- listed, that block always has fewer than MAX_VERIFIED entries before it, as later versions have larger numbers. So a search
-- for an equal document, which reads this block, reads the version, and verifies it: the candidates at distance 0 with
-- smaller numbers are all in that block.
local function add(version)
  last = last + 1
  version.number, version.is_listed = last, #version.record == ${HEAD} or nil
  local smallest, largest = math.huge, 0
  for _, place in ipairs(places_of(version)) do
    local size = call('APPEND', place.key, place.entry)
    smallest, largest = math.min(smallest, size), math.max(largest, size)
  end
  if #version.record == ${WITH_MINHASH} and largest > ${MAX_READ * ENTRY} and not is_flooded then
    is_flooded = call('HSET', STORE, 'flooded', '1')
  end
  if #version.record == ${WITH_MINHASH} and smallest > ${MAX_VERIFIED * ENTRY} then
    version.is_listed = true
    call('APPEND', key_of_equal(version.record), packed(last))
  end
  call('HSET', STORE, 'last', last)
end

-- Writes the versions of an id. "before" has their numbers, as in DOCUMENTS.
local function save(id, versions, before)
  local numbers = {}
  for at, version in ipairs(versions) do
    local state = {
      expires = version.expires, lease = version.lease, resemblance = version.resemblance, distance = version.distance,
      is_listed = version.is_listed,
    }
    local number, ending = packed(version.number), version.lease or version.expires
    local value = cmsgpack.pack({id, version.record, next(state) and state})
    if value ~= version.value then call('HSET', VERSIONS, number, value) end
    if ending ~= version.ending then
      if ending then call('ZADD', ENDS, ending, number) else call('ZREM', ENDS, number) end
      has_ends = true
    end
    numbers[at] = number
  end
  local value = table.concat(numbers)
  if value == (before or '') then return end
  if value == '' then call('HDEL', DOCUMENTS, id) else call('HSET', DOCUMENTS, id, value) end
end

-- Removes ended versions whose keys are declared. Returns the number of versions, and of ids without one left. If
-- "is_first", adds the keys of the others to "missing".
local function prune(is_first)
  if not has_ends then return 0, 0 end
  local ids, ended, changed, gone = {}, {}, {}, 0
  for _, version in ipairs(versions_at(ended_numbers('${MAX_PRUNED}'))) do ids[version.id] = true end
  for id in pairs(ids) do
    local left, before, own, value = {}, #ended, versions_of(id)
    for _, version in ipairs(own) do
      local list = not is_live(version) and is_declared(version, is_first and missing or {}) and ended or left
      list[#list + 1] = version
    end
    if #ended > before then changed[id] = {left, value} end
  end
  remove(ended)
  for id, change in pairs(changed) do
    save(id, unpack(change))
    if #change[1] == 0 then gone = gone + 1 end
  end
  return #ended, gone
end
`;

/** The search for the documents that a document resembles. */
const searching = `
local bor, bxor = bit.bor, bit.bxor

local ONES = ${tableOf(16, popcount)}
local function ones(x) return ONES[x % 16] + ONES[floor(x / 16)] end

-- The table of binsOf. Only scripts that compare records need it.
local BINS

-- Returns a function that compares a record with another, and returns resemblance and distance, as src/simhash/minhash.rs
-- does.
local function comparison(record)
  BINS = BINS or ${tableOf(256, binsOf)}
  local head, bins, filled = {byte(record, 1, 8)}, {byte(record, 17, 80)}, 0
  for _, x in ipairs(bins) do filled = filled + BINS[x] end
  return function(other)
    local distance = 0
    for at, x in ipairs(head) do distance = distance + ones(bxor(x, byte(other, at))) end
    if #record == ${HEAD} or #other == ${HEAD} then return sub(record, 1, ${HEAD}) == sub(other, 1, ${HEAD}) and 1 or 0, distance end
    local filled_other, either, different = 0, 0, 0
    for at, y in ipairs({byte(other, 17, 80)}) do
      local x, count = bins[at], BINS[y]
      filled_other = filled_other + count
      if x == y then
        either = either + count
      else
        either = either + BINS[bor(x, y)]
        different = different + BINS[bxor(x, y)]
      end
    end
    if either == 0 then return 1, distance end
    -- Bins that differ are filled in one or both.
    local equal, both = either - different, filled + filled_other - either
    return math.max(3 * equal - both, 0) / (2 * either), distance
  end
end

-- Returns a table that is true at the numbers of ended versions, and whether there are any.
local function load_ended()
  if not has_ends then return {}, false end
  local count = call('ZCOUNT', ENDS, '-inf', now)
  if count > ${MAX_LOADED} then
    local look_up = function(ended, number)
      local ending = call('ZSCORE', ENDS, packed(number))
      ended[number] = ending and tonumber(ending) <= now or false
      return ended[number]
    end
    return setmetatable({}, {__index = look_up}), true
  end
  local ended = {}
  if count > 0 then for _, number in ipairs(ended_numbers('-1')) do ended[number] = true end end
  return ended, count > 0
end

-- Returns the first entries of the buckets among KEYS from "first" on: MAX_READ of each, and one more for each skipped one,
-- up to MAX_PASSED.
local function read_buckets(first, count, skipped, has_skipped)
  -- One command takes a quarter of the time, but is not bounded.
  if not is_flooded then return call('MGET', unpack(KEYS, first, first + count - 1)) end
  local buckets, longest = {}, has_skipped and '${ENTRY * (MAX_PASSED + MAX_READ) - 1}' or '${ENTRY * MAX_READ - 1}'
  for bucket = 1, count do
    -- Arguments are texts: formatting numbers would take a third of the time of a short search.
    local values, size = call('GETRANGE', KEYS[first + bucket - 1], '0', longest), ${ENTRY * MAX_READ}
    for at = 7, #values > size and #values or 0, ${ENTRY} do
      if at > size then break end
      if skipped[number_at(values, at)] then size = size + ${ENTRY} end
    end
    buckets[bucket] = sub(values, 1, size)
  end
  return buckets
end

-- Returns the first numbers of a list that are not skipped, up to a limit.
local function first_of(key, limit, skipped)
  local numbers, values = {}, call('GETRANGE', key, 0, ${NUMBER} * (${MAX_PASSED} + limit) - 1)
  if #values % ${NUMBER} ~= 0 then fail_lost(key) end
  for at = 1, #values, ${NUMBER} do
    local number = number_at(values, at)
    if #numbers < limit and not skipped[number] then numbers[#numbers + 1] = number end
  end
  return numbers
end

-- Returns the numbers of the MAX_VERIFIED nearest versions of the probed buckets, and the size of the smallest bucket of the
-- record itself. "first" is the position of the first key among KEYS; "flips" has a byte for each probed value: the number of
-- its bits that differ from the value of the record.
local function nearest(record, first, flips, skipped, has_skipped)
  local buckets = read_buckets(first, #flips, skipped, has_skipped)
  -- A candidate is one number, its distance and then its number, so that candidates can be sorted. Periodically, all but the
  -- first MAX_VERIFIED are dropped.
  local candidates, max_distance, limit = {}, ${MAX_DISTANCE}, math.huge
  local function cut()
    table.sort(candidates)
    local left = {}
    for _, candidate in ipairs(candidates) do
      -- A version may be in several buckets.
      if candidate ~= left[#left] then left[#left + 1] = candidate end
      if #left == ${MAX_VERIFIED} then
        limit, max_distance = candidate, floor(candidate / 2 ^ ${8 * NUMBER})
        break
      end
    end
    candidates = left
  end
  -- For each byte of the fingerprint, the distance of each value that has been compared with it.
  local distances, memo = {}, {__index = function(known, x)
    known[x] = ones(bxor(x, known.own))
    return known[x]
  end}
  for at = 1, 8 do distances[at] = setmetatable({own = byte(record, at)}, memo) end
  local smallest, per_block = math.huge, #flips / 4
  for block = 0, 3 do
    -- An entry leaves out the two bytes of its block.
    local rest = {unpack(distances)}
    table.remove(rest, 7 - 2 * block)
    table.remove(rest, 7 - 2 * block)
    local a, b, c, d, e, f = unpack(rest)
    smallest = math.min(smallest, #(buckets[block * per_block + 1] or ''))
    for at = block * per_block + 1, (block + 1) * per_block do
      local values = buckets[at]
      if values then
        if #values % ${ENTRY} ~= 0 then fail_lost(KEYS[first + at - 1]) end
        read = read + #values / ${ENTRY}
        local flipped = byte(flips, at)
        for from = 1, #values, ${ENTRY} do
          local u, v, w, x, y, z = byte(values, from, from + 5)
          local distance = flipped + a[u] + b[v] + c[w] + d[x] + e[y] + f[z]
          if distance <= max_distance then
            local number = number_at(values, from + 6)
            local candidate = distance * 2 ^ ${8 * NUMBER} + number
            if candidate < limit and not skipped[number] then
              candidates[#candidates + 1] = candidate
              if #candidates == ${4 * MAX_VERIFIED} then cut() end
            end
          end
        end
      end
    end
  end
  cut()
  for at, candidate in ipairs(candidates) do candidates[at] = candidate % 2 ^ ${8 * NUMBER} end
  return candidates, smallest
end

-- Returns the hits for a record, the best first, up to "limit", without the versions "own".
local function search(record, first, flips, min_resemblance, limit, own)
  -- A blank text resembles nothing.
  if byte(record, 9) % 4 >= 2 then return {} end
  local skipped, has_skipped = load_ended()
  for _, version in ipairs(own) do skipped[version.number], has_skipped = true, true end
  local numbers, smallest = {}, math.huge
  if #flips > 0 then numbers, smallest = nearest(record, first, flips, skipped, has_skipped) end
  -- An equal version is among the nearest, unless it is listed: see "add". Some are in both.
  if smallest >= ${MAX_VERIFIED * ENTRY} then
    for _, number in ipairs(first_of(key_of_equal(record), limit, skipped)) do numbers[#numbers + 1] = number end
  end
  if #numbers == 0 then return {} end
  local compare, hits, is_hit, best = comparison(record), {}, {}, {}
  local function has_few_features(given) return byte(given, 9) % 2 == 1 end
  for _, version in ipairs(versions_at(numbers)) do
    if not is_live(version) then fail_lost(ENDS) end
    local threshold = min_resemblance
    if threshold > 0 and (has_few_features(record) or has_few_features(version.record)) then
      threshold = math.max(threshold, ${MIN_BRIEF_RESEMBLANCE})
    end
    version.resemblance, version.distance = compare(version.record)
    if version.resemblance >= threshold then hits[#hits + 1] = version end
  end
  table.sort(hits, function(a, b)
    if a.resemblance ~= b.resemblance then return a.resemblance > b.resemblance end
    if a.distance ~= b.distance then return a.distance < b.distance end
    return a.number < b.number
  end)
  for _, hit in ipairs(hits) do
    if #best < limit and not is_hit[hit.id] then best[#best + 1] = hit end
    is_hit[hit.id] = true
  end
  return best
end
`;

/** Returns a script. Its reply begins with "done", or with a failure: "damaged", "lost" or "full". */
const script = (...parts: string[]): string => `${common}${parts.slice(0, -1).join('')}
local function main()
${parts.at(-1)}
end
local is_done, reply = pcall(main)
if is_done then return reply end
if failure then return failure end
return type(reply) == 'table' and reply or redis.error_reply(reply)
`;

/** Returns a script with the same effect whose values are hexadecimal. So are the strings of its reply, after an `x`. */
export const inHex = (script: string): string => `
local function decoded(pair) return string.char(tonumber(pair, 16)) end
local function encoded(value)
  if type(value) == 'string' then
    return 'x' .. string.gsub(value, '.', function(character) return string.format('%02x', string.byte(character)) end)
  end
  if type(value) == 'table' then for at = 1, #value do value[at] = encoded(value[at]) end end
  return value
end
local given, ARGV = ARGV, {}
for at, value in ipairs(given) do ARGV[at] = (string.gsub(value, '..', decoded)) end
local function run()
${script}
end
return encoded(run())
`;

/**
 * Creates the store unless it exists. ARGV: the fields and values of its metadata. Returns the values of the fields, and the
 * eviction policy if the user may read it.
 */
export const open: string = script(`
call('HLEN', DOCUMENTS)
call('HLEN', VERSIONS)
call('ZCOUNT', ENDS, '0', '0')
local info = redis.pcall('INFO', 'memory')
local policy = type(info) == 'string' and string.match(info, 'maxmemory_policy:(%S+)') or ''
local fields = {}
for at = 1, #ARGV, 2 do fields[#fields + 1] = ARGV[at] end
if call('EXISTS', STORE) == 0 and not string.find(policy, '^allkeys') then
  if call('EXISTS', DOCUMENTS, VERSIONS, ENDS) > 0 then fail_lost(STORE) end
  call('HSET', STORE, 'last', '0', unpack(ARGV))
end
return {'done', call('HMGET', STORE, unpack(fields)), policy}
`);

/**
 * Changes items, each atomically, up to the first one that lacks keys. ARGV: "1" for the first call; the number of items;
 * the kind of the change; the smallest resemblance; the lease and the time to the expiry, '' for none; and for each item its
 * id, its record (to confirm or release: the bytes that decide equality, or '' for any version), and the flips of its
 * probes. KEYS, for each document to observe or add: the keys that list it, and the keys of its probes. Returns the results,
 * and the names of the missing keys. A result is a decision, or 1 or 0 for whether there was a version.
 */
export const change: string = script(
  writing,
  searching,
  `
check_store()
local kind, min_resemblance, lease, expires_in = ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

-- Returns the versions that are not in a list.
local function without(versions, list)
  local is_in, others = {}, {}
  for _, version in ipairs(list) do is_in[version] = true end
  for _, version in ipairs(versions) do if not is_in[version] then others[#others + 1] = version end end
  return others
end

-- Changes an item. "first" is the position of its first probe among KEYS. Returns nothing if keys are missing.
local function change(id, record, first, flips)
  local own, value = versions_of(id)
  local kept, pending = pair_of(own)
  local head = sub(record, 1, 16)
  local function equals(version) return version and sub(version.record, 1, 16) == head end

  -- Replaces the versions of the id. The first may be new. Returns the result, or nothing if keys are missing.
  local function replace(versions, result)
    local leaving, added = without(own, versions), versions[1]
    if not can_remove(leaving) then return end
    if added and added.number then added = nil end
    if added then check_addition(record, first - 1 - places_count(record)) end
    remove(leaving)
    if added then add(added) end
    save(id, versions, value)
    return result
  end
  local function confirm(result)
    pending.lease, pending.resemblance, pending.distance = nil, nil, nil
    return replace({pending}, result)
  end

  if kind == 'remove' then return replace({}, (kept or pending) and 1 or 0) end
  if kind == 'confirm' or kind == 'release' then
    if not pending or head ~= '' and not equals(pending) then return 0 end
    if kind == 'confirm' then return confirm(1) end
    return replace({kept}, 1)
  end

  if kind == 'observe' and equals(pending) then
    local decision = pending.resemblance and {'changed', text(pending.resemblance), pending.distance} or {'new'}
    if not lease then return confirm(decision) end
    pending.lease = now + lease
    return replace({pending, kept}, decision)
  end
  if equals(kept) then
    if #own == 1 and not expires_in then return {'unchanged'} end
    kept.expires = expires_in and now + expires_in or kept.expires
    return replace({kept}, {'unchanged'})
  end
  local version = {id = id, record = record, lease = lease and now + lease, expires = expires_in and now + expires_in}
  if kind == 'add' then return replace({version}, 1) end

  -- If keys are missing, the next call searches.
  if not can_remove(without(own, lease and {kept} or {})) then return end
  local before = kept and {}
  if before then before.resemblance, before.distance = comparison(record)(kept.record) end
  local hit = search(record, first, flips, min_resemblance, 1, own)[1]
  if hit and not (before and before.resemblance >= hit.resemblance) then
    return replace({kept}, {'duplicate', hit.id, text(hit.resemblance), hit.distance})
  end
  if before and lease then version.resemblance, version.distance = before.resemblance, before.distance end
  return replace({version, lease and kept or nil}, before and {'changed', text(before.resemblance), before.distance} or {'new'})
end

prune(ARGV[1] == '1')
local results, position = {}, 5
for item = 1, tonumber(ARGV[2]) do
  local id, record, flips = ARGV[4 + 3 * item], ARGV[5 + 3 * item], ARGV[6 + 3 * item]
  local first = position + ((kind == 'observe' or kind == 'add') and places_count(record) or 0)
  position = first + #flips
  local result = change(id, record, first, flips)
  if #missing == 0 then results[item] = result end
  if read > ${MAX_WORK} then break end
end
return {'done', results, missing}
`,
);

/**
 * Removes versions that have ended at a time: ARGV, or now for ''. Returns the number of ids without a version left, the
 * time, the keys of further versions, and the number of remaining ids.
 */
export const prune: string = script(
  writing,
  `
check_store()
now = tonumber(ARGV[1]) or now
local gone = 0
repeat
  local removed, of_these = prune(true)
  gone = gone + of_these
until removed == 0
return {'done', gone, text(now), missing, call('HLEN', DOCUMENTS)}
`,
);

/** ARGV: record, flips, smallest resemblance, limit. KEYS: the probes. Returns id, resemblance and distance of each hit. */
export const query: string = script(
  searching,
  `
check_store()
local reply = {'done'}
for _, hit in ipairs(search(ARGV[1], 6, ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), {})) do
  reply[#reply + 1] = {hit.id, text(hit.resemblance), hit.distance}
end
return reply
`,
);

/** ARGV: id. Returns the record of its kept version, or else of its provisional one. */
export const find: string = script(`
check_store()
local kept, pending = pair_of((versions_of(ARGV[1])))
local version = kept or pending
return {'done', version and version.record or nil}
`);

/**
 * ARGV: the number of the last version examined, and the number of the last version of all ('' in the first call). Returns
 * both numbers, and for versions between them the id, the record, and whether the id has another version.
 */
export const page: string = script(`
check_store()
local from, last = tonumber(ARGV[1]), tonumber(ARGV[2]) or last
local rows, limit = {}, from + ${MAX_EXAMINED}
while from < last and from < limit and #rows < ${PAGE} do
  local fields, upto = {}, math.min(from + ${PAGE}, last)
  for number = from + 1, upto do fields[#fields + 1] = packed(number) end
  for at, value in ipairs(call('HMGET', VERSIONS, unpack(fields))) do
    if value then
      local id = parse(from + at, value).id
      local versions = versions_of(id)
      if #versions == 0 then fail_lost(DOCUMENTS) end
      local kept, pending = pair_of(versions)
      local version = kept or pending
      if version and version.number == from + at then
        rows[#rows + 1] = {id, version.record, kept and pending and 1 or 0}
      end
    end
  end
  from = upto
end
return {'done', text(from), text(last), rows}
`);

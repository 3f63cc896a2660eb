// The scripts of a store in Redis. redis-engine.ts has the layout of its keys.
//
// Redis runs one script at a time, and undoes no changes of a script that fails. So `write` checks all conditions before its
// first change. Its changes are in an order in which a failure leaves no more than entries of versions that do not exist.
import { HEAVIEST, MAX_CANDIDATES, UNIQUE } from './candidates.js';
import { PAGE } from './engine.js';

/** The number of ended versions that a script counts. Other clients wait meanwhile. */
export const MAX_ENDED = 1000;

/** The maximum number of values of a command in a script. */
const MAX_VALUES = 1000;

/** The number of additions that `page` examines. Most of them may have been removed. */
const MAX_EXAMINED = 20_000;

/** The sizes in bytes of a number, of the low bits of a key, and of an entry: the low bits and the number. */
export const NUMBER = 5;
export const LOW = 3;
const ENTRY = LOW + NUMBER;

/** The number of entries of a string that an addition sweeps. */
const SWEPT = 32;

/**
 * The size of a string up to which it is written whole, by one command for all such strings. That leaves no free space behind
 * it, unlike an append. A change of 13 such strings writes less than 4 KiB to the log.
 */
const SHORT = 24 * ENTRY;

/**
 * The part that all scripts but `metadata` and `create` share. KEYS: store, documents, versions, ends, and the strings of the call.
 * ARGV: the salt of the store, and the arguments of the call.
 */
const common = `
local STORE, DOCUMENTS, VERSIONS, ENDS = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local call, byte, sub, floor = redis.call, string.byte, string.sub, math.floor
local time = redis.call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local metadata = call('HMGET', STORE, 'salt', 'last')
if metadata[1] ~= ARGV[1] then return redis.error_reply('LOSTSTORE the store has been lost') end
local last = tonumber(metadata[2])

local position = 1
local function argument()
  position = position + 1
  return ARGV[position]
end

-- Strings cannot be compared: Redis sets a locale.
local function number_at(value, at)
  local a, b, c, d, e = byte(value, at, at + ${NUMBER - 1})
  return (((a * 256 + b) * 256 + c) * 256 + d) * 256 + e
end
local function field_of(number) return struct.pack('>I${NUMBER}', number) end

-- Calls a function for each number of the versions of an id.
local function each_of(own, body) for at = 1, #own, ${NUMBER} do body(sub(own, at, at + ${NUMBER - 1})) end end

-- A damaged version has not ended.
local function is_live(version) return version and (#version < 8 or struct.unpack('>d', version) > now) end

-- Returns nil if the version is damaged.
local function id_of(version)
  local high, low = byte(version, 9, 10)
  local size = low and 10 + 256 * high + low
  return size and size <= #version and sub(version, 11, size) or nil
end

local function name_of(id) return sub(redis.sha1hex(id), 1, 28) end

-- Returns the numbers of the versions of an id. A damaged entry is not empty.
local function numbers_of(id)
  local own = id and call('HGET', DOCUMENTS, name_of(id))
  return own == '' and '?' or own or ''
end

-- Returns the place of the next entry that begins with these bytes.
local function find_entry(entries, bytes, from)
  local at = string.find(entries, bytes, from, true)
  while at and at % ${ENTRY} ~= 1 do at = string.find(entries, bytes, at + 1, true) end
  return at
end

-- Returns the values of fields of VERSIONS, false for those that do not exist.
local function versions_at(fields)
  local versions = {}
  for from = 1, #fields, ${MAX_VALUES} do
    local some = call('HMGET', VERSIONS, unpack(fields, from, math.min(from + ${MAX_VALUES - 1}, #fields)))
    for at, version in ipairs(some) do versions[from + at - 1] = version end
  end
  return versions
end
`;

/**
 * ARGV: the low bits of the keys; for each question '=' and its id, or '', and a byte for each of its keys, the place of the
 * key. KEYS: the string of each key. Returns the time, the number of the last addition, and for each question the numbers of
 * the versions of its id, and of the candidates, a byte for each key, the number of versions of other ids under it, and
 * the versions, in the order of the numbers.
 */
export const read = `${common}
local fields, places = {}, {}
local function place_of(field)
  local place = places[field]
  if not place then
    place = #fields + 1
    fields[place], places[field] = field, place
  end
  return place
end

-- The places of the versions under all keys, and where they end for each key.
local found, ends = {}, {[0] = 0}
local lows = ARGV[2]
for key, entries in ipairs(#KEYS > 4 and call('MGET', unpack(KEYS, 5)) or {}) do
  local low = sub(lows, ${LOW} * key - ${LOW - 1}, ${LOW} * key)
  local at = entries and find_entry(entries, low, 1)
  while at do
    found[#found + 1] = place_of(sub(entries, at + ${LOW}, at + ${ENTRY - 1}))
    at = find_entry(entries, low, at + ${ENTRY})
  end
  ends[key] = #found
end

local owns = {}
for at = 3, #ARGV, 2 do
  local own = numbers_of(ARGV[at] ~= '' and sub(ARGV[at], 2))
  for number = 1, #own, ${NUMBER} do place_of(sub(own, number, number + ${NUMBER - 1})) end
  owns[at] = own
end
local versions, live, numbers = versions_at(fields), {}, {}
for place, version in ipairs(versions) do live[place], numbers[place] = is_live(version), version and number_at(fields[place], 1) end
local function is_older(a, b) return numbers[a] < numbers[b] end

-- Returns the places of candidates as "choose" in candidates.ts does, and the counts.
local function choose(keys, is_own)
  local all, weights, counts = {}, {}, {}
  for at = 1, #keys do
    local key, count, alive, oldest = byte(keys, at), 0, 0, nil
    for index = ends[key - 1] + 1, ends[key] do
      local place = found[index]
      if versions[place] and not is_own[place] then
        count = count + 1
        if live[place] then
          alive = alive + 1
          if not oldest or is_older(place, oldest) then oldest = place end
        end
      end
    end
    counts[at] = math.min(count, 255)
    local weight = floor(${UNIQUE} / alive)
    for index = ends[key - 1] + 1, alive > 0 and ends[key] or 0 do
      local place = found[index]
      if live[place] and not is_own[place] then
        if not weights[place] then all[#all + 1] = place end
        weights[place] = (weights[place] or 0) + weight
      end
    end
    if at == #keys and oldest then weights[oldest] = weights[oldest] + ${HEAVIEST} end
  end
  if #all > ${MAX_CANDIDATES} then
    table.sort(all, function(a, b) return weights[a] > weights[b] or weights[a] == weights[b] and is_older(a, b) end)
    for at = #all, ${MAX_CANDIDATES + 1}, -1 do all[at] = nil end
  end
  table.sort(all, is_older)
  return all, string.char(unpack(counts))
end

local reply, none = {now, metadata[2]}, {}
for at = 3, #ARGV, 2 do
  local own, chosen, counts, values = owns[at], '', '', none
  if #fields > 0 then
    local is_own, candidates
    is_own, values = {}, {}
    for number = 1, #own, ${NUMBER} do
      local place = places[sub(own, number, number + ${NUMBER - 1})]
      is_own[place], values[#values + 1] = true, versions[place] or ''
    end
    candidates, counts = choose(ARGV[at + 1], is_own)
    for index, place in ipairs(candidates) do
      candidates[index], values[#values + 1] = fields[place], versions[place]
    end
    chosen = table.concat(candidates)
  end
  local size = #reply
  reply[size + 1], reply[size + 2], reply[size + 3], reply[size + 4] = own, chosen, counts, values
end
return reply
`;

/** An entry that is free: its number is below all others. Low bits of zeros would be found in many numbers. */
const FREE = `${'\\255'.repeat(LOW)}${'\\0'.repeat(NUMBER)}`;

/**
 * ARGV: the token, which is the number of the last addition before the read; for each item the id; the numbers and then the
 * versions that must be its own; the deadline; the low bits of the keys of the condition; for each of these keys '1' if the
 * added version is filed there; the numbers that stay, and those that go; number, version and end of the updated version, or
 * ''; version and end of the added one, or ''. An end is '' if there is none. KEYS: the string of each key. Returns the number
 * of items before the first refused one.
 */
export const write = `${common}
local token, names, strings = tonumber(argument()), {unpack(KEYS, 5)}, {}
for key, entries in ipairs(#names > 0 and call('MGET', unpack(names)) or {}) do strings[names[key]] = entries or '' end

local function is_added(entries, low)
  local at = find_entry(entries, low, 1)
  while at and number_at(entries, at + ${LOW}) <= token do at = find_entry(entries, low, at + ${ENTRY}) end
  return at
end

local items, key = {}, 0
while position < #ARGV do
  local item = {id = argument(), own = argument(), first = key}
  local holds = numbers_of(item.id) == item.own
  each_of(item.own, function(field) holds = (call('HGET', VERSIONS, field) or '') == argument() and holds end)
  holds = holds and now < tonumber(argument())
  item.lows, item.filed = argument(), argument()
  for at = 1, last > token and #item.filed or 0 do
    local low = sub(item.lows, ${LOW} * at - ${LOW - 1}, ${LOW} * at)
    holds = holds and not is_added(strings[names[key + at]], low)
  end
  key = key + #item.filed
  if not holds then break end
  item.stay, item.go, item.updated, item.update, item.update_end = argument(), argument(), argument(), argument(), argument()
  item.add, item.add_end = argument(), argument()
  items[#items + 1] = item
end

local FREE = '${FREE}'
-- Changes a string. At first, short strings are changed only in the script.
local is_pending = {}
local function set(name, at, value)
  local entries = strings[name]
  local size = #entries
  strings[name] = at > size and entries .. value or sub(entries, 1, at - 1) .. value .. sub(entries, at + #value)
  if size <= ${SHORT} then
    is_pending[name] = true
  elseif not is_pending[name] then
    if at > size then call('APPEND', name, value) else call('SETRANGE', name, at - 1, value) end
  end
end

-- Frees the entries of removed versions in a part of a string.
local function sweep(name)
  local parts = math.ceil(#strings[name] / ${SWEPT * ENTRY})
  if parts == 0 then return end
  local from = ${SWEPT * ENTRY} * (floor(last / 13) % parts) + 1
  local before, fields, after = sub(strings[name], from, from + ${SWEPT * ENTRY - 1}), {}, {}
  for at = 1, #before, ${ENTRY} do fields[#fields + 1] = sub(before, at + ${LOW}, at + ${ENTRY - 1}) end
  for at, version in ipairs(versions_at(fields)) do
    after[at] = version and sub(before, ${ENTRY} * at - ${ENTRY - 1}, ${ENTRY} * at) or FREE
  end
  after = table.concat(after)
  if after ~= before then set(name, from, after) end
end

-- The values of the commands that follow.
local versions, documents, ends, gone, endless, without, short = {}, {}, {}, {}, {}, {}, {}
local function push(list, field, value)
  list[#list + 1] = field
  list[#list + 1] = value
end
local has_removed, before = call('HLEN', VERSIONS) < last, last
for _, item in ipairs(items) do
  local numbers = item.stay
  if item.add ~= '' then
    last = last + 1
    local added = field_of(last)
    numbers = numbers .. added
    push(versions, added, item.add)
    if item.add_end ~= '' then push(ends, item.add_end, added) end
    if has_removed and #item.filed > 0 then sweep(names[item.first + last % #item.filed + 1]) end
    for at = 1, #item.filed do
      if byte(item.filed, at) == 49 then
        local name = names[item.first + at]
        local free = has_removed and find_entry(strings[name], FREE, 1)
        set(name, free or #strings[name] + 1, sub(item.lows, ${LOW} * at - ${LOW - 1}, ${LOW} * at) .. added)
      end
    end
  end
  if item.update ~= '' then
    push(versions, item.updated, item.update)
    if item.update_end == '' then push(endless, item.updated) else push(ends, item.update_end, item.updated) end
  end
  each_of(item.go, function(field) push(gone, field) end)
  local name = name_of(item.id)
  if numbers == '' then push(without, name) elseif numbers ~= item.own then push(documents, name, numbers) end
end

local function run(command, key, values) if #values > 0 then call(command, key, unpack(values)) end end
if last > before then call('HSET', STORE, 'last', last) end
for name in pairs(is_pending) do push(short, name, strings[name]) end
if #short > 0 then call('MSET', unpack(short)) end
run('ZADD', ENDS, ends)
run('ZREM', ENDS, endless)
run('ZREM', ENDS, gone)
run('HDEL', VERSIONS, gone)
run('HDEL', DOCUMENTS, without)
run('HSET', VERSIONS, versions)
run('HSET', DOCUMENTS, documents)
return #items
`;

/**
 * ARGV: a number of ended versions to skip. Returns the number of the next ended versions, the number of ids of which one of
 * them is the last version and all have ended, and the number of all ids.
 */
export const count = `${common}
local ended, gone = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', argument(), '${MAX_ENDED}'), 0
for at, version in ipairs(versions_at(ended)) do
  local own = numbers_of(version and id_of(version))
  if sub(own, -${NUMBER}) == ended[at] then
    local is_gone = true
    each_of(own, function(field) is_gone = is_gone and not is_live(call('HGET', VERSIONS, field)) end)
    if is_gone then gone = gone + 1 end
  end
end
return {#ended, gone, call('HLEN', DOCUMENTS)}
`;

/** Returns the number and the id of some ended versions, false for a damaged id. */
export const ended = `${common}
local fields, found = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', '0', '${PAGE}'), {}
for at, version in ipairs(versions_at(fields)) do found[at] = {fields[at], version and id_of(version) or false} end
return found
`;

/**
 * ARGV: the number of the last addition examined, and the last of all ('' in the first call). Returns both numbers, and number
 * and id of versions between them, false for a damaged id.
 */
export const page = `${common}
local from, upto, found = tonumber(argument()), tonumber(argument()) or last, {}
local limit = math.min(upto, from + ${MAX_EXAMINED})
while from < limit and #found < ${PAGE} do
  local fields = {}
  for number = from + 1, math.min(from + ${PAGE}, limit) do fields[#fields + 1] = field_of(number) end
  for at, version in ipairs(versions_at(fields)) do
    if version then found[#found + 1] = {fields[at], id_of(version) or false} end
  end
  from = from + #fields
end
return {found, string.format('%.0f', from), string.format('%.0f', upto)}
`;

/** Returns scheme, layout and salt of the store, and the eviction policy, if the user may read it. */
export const metadata = `
local info = redis.pcall('INFO', 'memory')
local policy = type(info) == 'string' and string.match(info, 'maxmemory_policy:(%S+)') or ''
return {redis.call('HMGET', KEYS[1], 'scheme', 'layout', 'salt'), policy}
`;

/** Creates the store unless it exists. ARGV: its scheme, layout and salt. Returns 0 if other keys of a store exist. */
export const create = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[2]) + redis.call('HLEN', KEYS[3]) + redis.call('ZCARD', KEYS[4]) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'scheme', ARGV[1], 'layout', ARGV[2], 'salt', ARGV[3], 'last', '0')
return 1
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

// The scripts of a store in Redis. redis-engine.ts has the layout of its keys.
//
// Redis runs one script at a time, and undoes no changes of a script that fails. So `write` checks all conditions before its
// first change. Its changes are in an order in which a failure leaves no more than entries of versions that do not exist.
import { HEAVIEST, MAX_CANDIDATES, UNIQUE } from './candidates.js';

/** The number of ended versions that a script removes or counts. Other clients wait: a thousand take 3 ms. */
export const MAX_ENDED = 1000;

/** The number of versions that `page` returns, and the maximum number of values of a command in a script. */
const PAGE = 1000;

/** The number of additions that `page` examines. Most of them may have been removed. */
const MAX_EXAMINED = 20_000;

/** The sizes in bytes of a number, of the low bits of a key, and of an entry: the low bits and the number. */
export const NUMBER = 5;
export const LOW = 3;
const ENTRY = LOW + NUMBER;

/** The number of entries of a string that an addition sweeps. */
const SWEPT = 32;

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

local function id_of(version)
  local high, low = byte(version, 9, 10)
  return low and sub(version, 11, 10 + 256 * high + low) or ''
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
  for from = 1, #fields, ${PAGE} do
    local some = call('HMGET', VERSIONS, unpack(fields, from, math.min(from + ${PAGE - 1}, #fields)))
    for at, version in ipairs(some) do versions[from + at - 1] = version end
  end
  return versions
end
`;

/**
 * ARGV: the number of questions; for each '1' if it has an id, the id, and the low bits of its keys. KEYS: the string of each key.
 * Returns the time, the number of the last addition, and for each question the numbers and versions of its id, the numbers and
 * versions of the candidates, and the number of versions of other ids under each key.
 */
export const read = `${common}
local strings = #KEYS > 4 and call('MGET', unpack(KEYS, 5)) or {}
local fields, places = {}, {}
local function load(field)
  if not places[field] then
    fields[#fields + 1] = field
    places[field] = #fields
  end
end

-- Documents of a call may have keys in common.
local runs = {}
local function run_of(index, low)
  local name = KEYS[index + 4] .. low
  local run = runs[name]
  if run then return run end
  run = {}
  local entries = strings[index] or ''
  local at = find_entry(entries, low, 1)
  while at do
    run[#run + 1] = sub(entries, at + ${LOW}, at + ${ENTRY - 1})
    load(run[#run])
    at = find_entry(entries, low, at + ${ENTRY})
  end
  runs[name] = run
  return run
end

local questions, index = {}, 0
for question = 1, tonumber(argument()) do
  local has_id, id, lows, keys = argument(), argument(), argument(), {}
  local own = has_id == '1' and call('HGET', DOCUMENTS, id) or ''
  each_of(own, load)
  for at = 1, #lows, ${LOW} do
    index = index + 1
    keys[#keys + 1] = run_of(index, sub(lows, at, at + ${LOW - 1}))
  end
  questions[question] = {own = own, keys = keys}
end
local versions, live = versions_at(fields), {}
for place, version in ipairs(versions) do live[place] = is_live(version) end

-- Returns the candidates as "choose" in candidates.ts does.
local function choose(keys, counts, is_own)
  local all, known = {}, {}
  for key, run in ipairs(keys) do
    local count, read = 0, {}
    for _, field in ipairs(run) do
      local place = places[field]
      if versions[place] and not is_own[field] then
        count = count + 1
        if live[place] then read[#read + 1] = field end
      end
    end
    counts[key] = count
    local weight, oldest = floor(${UNIQUE} / #read), nil
    for _, field in ipairs(read) do
      local candidate = known[field]
      if not candidate then
        candidate = {field = field, number = number_at(field, 1), weight = 0}
        known[field] = candidate
        all[#all + 1] = candidate
      end
      candidate.weight = candidate.weight + weight
      if not oldest or candidate.number < oldest.number then oldest = candidate end
    end
    if key == #keys and oldest then oldest.weight = oldest.weight + ${HEAVIEST} end
  end
  if #all > ${MAX_CANDIDATES} then
    table.sort(all, function(a, b) return a.weight > b.weight or a.weight == b.weight and a.number < b.number end)
    for place = #all, ${MAX_CANDIDATES + 1}, -1 do all[place] = nil end
  end
  table.sort(all, function(a, b) return a.number < b.number end)
  return all
end

local answers = {}
for at, question in ipairs(questions) do
  local is_own, own, numbers, others, counts = {}, {}, {}, {}, {}
  each_of(question.own, function(field)
    is_own[field] = true
    own[#own + 1] = versions[places[field]] or ''
  end)
  for place, candidate in ipairs(choose(question.keys, counts, is_own)) do
    numbers[place], others[place] = candidate.field, versions[places[candidate.field]]
  end
  answers[at] = {question.own, own, table.concat(numbers), others, counts}
end
return {now, metadata[2], answers}
`;

/** An entry that is free: its number is below all others. Low bits of zeros would be found in many numbers. */
const FREE = `${'\\255'.repeat(LOW)}${'\\0'.repeat(NUMBER)}`;

/**
 * ARGV: the number of items; for each: the id; the numbers and then the versions that must be its own; the deadline; the token;
 * the low bits of the keys of the condition; for each of these keys '1' if the added version is filed there; the numbers that
 * stay, and those that go; number, value and end of the updated version, or ''; value and end of the added one, or ''. An
 * end is '' if there is none. KEYS: the string of each key. Returns the number of items before the first refused one.
 */
export const write = `${common}
local names, strings = {unpack(KEYS, 5)}, {}
for index, entries in ipairs(#names > 0 and call('MGET', unpack(names)) or {}) do strings[names[index]] = entries or '' end

local function is_added(name, low, token)
  local at = find_entry(strings[name], low, 1)
  while at do
    if number_at(strings[name], at + ${LOW}) > token then return true end
    at = find_entry(strings[name], low, at + ${ENTRY})
  end
  return false
end

local items, index, additions = {}, 0, 0
for _ = 1, tonumber(argument()) do
  local item = {id = argument(), own = argument(), places = {}}
  local holds = (call('HGET', DOCUMENTS, item.id) or '') == item.own
  each_of(item.own, function(field) holds = (call('HGET', VERSIONS, field) or '') == argument() and holds end)
  holds = holds and now < tonumber(argument())
  local token, lows, filed = tonumber(argument()), argument(), argument()
  for at = 1, #lows, ${LOW} do
    index = index + 1
    local low = sub(lows, at, at + ${LOW - 1})
    holds = holds and not is_added(names[index], low, token)
    if byte(filed, (at + ${LOW - 1}) / ${LOW}) == 49 then item.places[#item.places + 1] = {name = names[index], low = low} end
  end
  if not holds then break end
  item.stay, item.go, item.updated, item.update, item.update_end = argument(), argument(), argument(), argument(), argument()
  item.add, item.add_end = argument(), argument()
  if item.add ~= '' then additions = additions + 1 end
  items[#items + 1] = item
end
if additions > 0 then call('HSET', STORE, 'last', last + additions) end

local FREE = '${FREE}'
local function set(name, at, value)
  local entries = strings[name]
  call('SETRANGE', name, at - 1, value)
  strings[name] = sub(entries, 1, at - 1) .. value .. sub(entries, at + #value)
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

local function file(name, entry)
  local at = find_entry(strings[name], FREE, 1)
  if at then return set(name, at, entry) end
  call('APPEND', name, entry)
  strings[name] = strings[name] .. entry
end

local has_removed = call('HLEN', VERSIONS) < last
for _, item in ipairs(items) do
  local numbers, added, go = item.stay, nil, {}
  if item.add ~= '' then
    last = last + 1
    added = field_of(last)
    numbers = numbers .. added
    if has_removed and #item.places > 0 then sweep(item.places[last % #item.places + 1].name) end
    for _, place in ipairs(item.places) do file(place.name, place.low .. added) end
    if item.add_end ~= '' then call('ZADD', ENDS, item.add_end, added) end
  end
  if item.update ~= '' then
    if item.update_end ~= '' then call('ZADD', ENDS, item.update_end, item.updated) else call('ZREM', ENDS, item.updated) end
  end
  each_of(item.go, function(field) go[#go + 1] = field end)
  if #go > 0 then
    call('ZREM', ENDS, unpack(go))
    call('HDEL', VERSIONS, unpack(go))
  end
  if item.update ~= '' then call('HSET', VERSIONS, item.updated, item.update) end
  if added then call('HSET', VERSIONS, added, item.add) end
  if numbers == '' then
    call('HDEL', DOCUMENTS, item.id)
  elseif numbers ~= item.own then
    call('HSET', DOCUMENTS, item.id, numbers)
  end
end
return #items
`;

/** Removes ended versions. Returns their number, and the number of ids without a version left. */
export const prune = `${common}
local ended, gone = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', '0', '${MAX_ENDED}'), 0
if #ended == 0 then return {0, 0} end
for at, version in ipairs(versions_at(ended)) do
  local id, left = version and id_of(version), ''
  each_of(id and call('HGET', DOCUMENTS, id) or '', function(field) if field ~= ended[at] then left = left .. field end end)
  if id and left ~= '' then call('HSET', DOCUMENTS, id, left) end
  if id and left == '' then gone = gone + call('HDEL', DOCUMENTS, id) end
end
call('HDEL', VERSIONS, unpack(ended))
call('ZREM', ENDS, unpack(ended))
return {#ended, gone}
`;

/**
 * ARGV: a number of ended versions to skip. Returns the number of the next ended versions, the number of ids of which one of
 * them is the last version and all have ended, and the number of all ids.
 */
export const count = `${common}
local ended, gone = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', argument(), '${MAX_ENDED}'), 0
for at, version in ipairs(versions_at(ended)) do
  local own = version and call('HGET', DOCUMENTS, id_of(version)) or ''
  if sub(own, -${NUMBER}) == ended[at] then
    local is_gone = true
    each_of(own, function(field) is_gone = is_gone and not is_live(call('HGET', VERSIONS, field)) end)
    if is_gone then gone = gone + 1 end
  end
end
return {#ended, gone, call('HLEN', DOCUMENTS)}
`;

/**
 * ARGV: the number of the last addition examined, and the last of all ('' in the first call). Returns both numbers, and for
 * additions between them that are the first version of their id the number, the version, and 1 if the id has another version.
 */
export const page = `${common}
local from, upto, found = tonumber(argument()), tonumber(argument()) or last, {}
local limit = math.min(upto, from + ${MAX_EXAMINED})
while from < limit and #found < ${PAGE} do
  local fields = {}
  for number = from + 1, math.min(from + ${PAGE}, limit) do fields[#fields + 1] = field_of(number) end
  for at, version in ipairs(versions_at(fields)) do
    if is_live(version) then
      local first, others = nil, 0
      each_of(call('HGET', DOCUMENTS, id_of(version)) or '', function(field)
        if field == fields[at] or is_live(call('HGET', VERSIONS, field)) then
          if first then others = 1 else first = field end
        end
      end)
      -- A version without its id is damaged.
      if not first or first == fields[at] then found[#found + 1] = {fields[at], version, others} end
    end
  end
  from = from + #fields
end
return {string.format('%.0f', from), string.format('%.0f', upto), found}
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

// The scripts of a store in Redis. redis-engine.ts has the layout of its keys.
//
// Redis runs one script at a time, and undoes no changes of a script that fails. So `write` checks all conditions before its
// first change. Its changes are in an order in which a failure leaves no more than entries of versions that do not exist.
import { MAX_KEYS } from './candidates.js';
import { PAGE } from './engine.js';

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
 * it, unlike an append. A change of 14 such strings writes less than 4 KiB to the log.
 */
const SHORT = 24 * ENTRY;

/**
 * The part that all scripts but `metadata` and `create` share. KEYS: store, versions, ends, and the strings of the call. ARGV:
 * the salt of the store, and the arguments of the call.
 */
const common = `
local STORE, VERSIONS, ENDS = KEYS[1], KEYS[2], KEYS[3]
local names = {unpack(KEYS, 4)}
local call, byte, sub, floor = redis.call, string.byte, string.sub, math.floor
local time = redis.call('TIME')
local now = time[1] * 1000 + floor(time[2] / 1000)
local metadata = call('HMGET', STORE, 'salt', 'last', 'ids')
if metadata[1] ~= ARGV[1] then return redis.error_reply('LOSTSTORE the store has been lost') end
local last, ids = tonumber(metadata[2]), tonumber(metadata[3])
if ids > 0 and call('EXISTS', VERSIONS) == 0 then return redis.error_reply('LOSTVERSIONS the versions are lost') end

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
 * ARGV: the low bits of the keys. KEYS: the string of each key. Returns the time, the number of the last addition, and for each
 * number under the keys a list: the number, the index of each of its keys in 2 bytes, and its version, false if it is removed.
 */
export const read = `${common}
local lows, fields, key_indices = argument(), {}, {}
for key, entries in ipairs(#names > 0 and call('MGET', unpack(names)) or {}) do
  local low = sub(lows, ${LOW} * key - ${LOW - 1}, ${LOW} * key)
  local at = entries and find_entry(entries, low, 1)
  while at do
    local field = sub(entries, at + ${LOW}, at + ${ENTRY - 1})
    if not key_indices[field] then fields[#fields + 1] = field end
    key_indices[field] = (key_indices[field] or '') .. struct.pack('>H', key - 1)
    at = find_entry(entries, low, at + ${ENTRY})
  end
end
local reply = {now, metadata[2]}
for at, version in ipairs(versions_at(fields)) do
  reply[at + 2] = {fields[at], key_indices[fields[at]], version}
end
return reply
`;

/** An entry that is free: its number is below all others. Low bits of zeros would be found in many numbers. */
const FREE = `${'\\255'.repeat(LOW)}${'\\0'.repeat(NUMBER)}`;

/**
 * ARGV: the number of the last addition before the read; for each write the number of expected versions, and number and version of
 * each as they must be; the deadline; the low bits of the guarded keys; for each of these keys
 * '1' if the added version is filed there; the numbers that go; number, version and end of the updated version, or ''; version
 * and end of the added one, or ''; the number of the version whose entry under the last key it takes, or ''; by how much the
 * number of ids changes. An end is '' if there is none. KEYS: the string of each key. Returns the number of writes before the
 * first refused one.
 */
export const write = `${common}
local last_read, strings = tonumber(argument()), {}
for key, entries in ipairs(call('MGET', unpack(names))) do strings[names[key]] = entries or '' end

local function is_added(entries, low)
  local at = find_entry(entries, low, 1)
  while at and number_at(entries, at + ${LOW}) <= last_read do at = find_entry(entries, low, at + ${ENTRY}) end
  return at
end

local writes, key = {}, 0
while position < #ARGV do
  local write, holds = {first = key}, true
  -- The comparison comes first: each of its operands takes an argument, also when a condition has failed.
  for _ = 1, argument() do holds = (call('HGET', VERSIONS, argument()) or '') == argument() and holds end
  holds = holds and now < tonumber(argument())
  write.guarded, write.files = argument(), argument()
  -- Without an addition since the read, no string is searched.
  for at = 1, last > last_read and #write.files or 0 do
    local low = sub(write.guarded, ${LOW} * at - ${LOW - 1}, ${LOW} * at)
    holds = holds and not is_added(strings[names[key + at]], low)
  end
  key = key + #write.files
  if not holds then break end
  write.go, write.updated, write.update, write.update_end = argument(), argument(), argument(), argument()
  write.add, write.add_end, write.displaced, write.ids = argument(), argument(), argument(), argument()
  writes[#writes + 1] = write
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

-- Frees the entries of removed versions in a part of a string. VERSIONS has no number after this one yet.
local before = last
local function sweep(name)
  local parts = math.ceil(#strings[name] / ${SWEPT * ENTRY})
  if parts == 0 then return end
  local from = ${SWEPT * ENTRY} * (floor(last / ${MAX_KEYS}) % parts) + 1
  local part, fields, swept = sub(strings[name], from, from + ${SWEPT * ENTRY - 1}), {}, {}
  for at = 1, #part, ${ENTRY} do fields[#fields + 1] = sub(part, at + ${LOW}, at + ${ENTRY - 1}) end
  for at, version in ipairs(versions_at(fields)) do
    local is_filed = version or number_at(fields[at], 1) > before
    swept[at] = is_filed and sub(part, ${ENTRY} * at - ${ENTRY - 1}, ${ENTRY} * at) or FREE
  end
  swept = table.concat(swept)
  if swept ~= part then set(name, from, swept) end
end

-- The values of the commands that follow.
local versions, ends, gone, endless, short = {}, {}, {}, {}, {}
-- Appends a field, with a value if there is one.
local function push(list, field, value)
  list[#list + 1] = field
  list[#list + 1] = value
end
local has_removed = call('HLEN', VERSIONS) < last
for _, write in ipairs(writes) do
  ids = ids + write.ids
  if write.add ~= '' then
    last = last + 1
    local added = field_of(last)
    push(versions, added, write.add)
    if write.add_end ~= '' then push(ends, write.add_end, added) end
    if has_removed and #write.files > 0 then sweep(names[write.first + last % #write.files + 1]) end
    for at = 1, #write.files do
      if sub(write.files, at, at) == '1' then
        local name, low = names[write.first + at], sub(write.guarded, ${LOW} * at - ${LOW - 1}, ${LOW} * at)
        local takes = at == #write.files and write.displaced ~= ''
        local free = takes and find_entry(strings[name], low .. write.displaced, 1)
          or has_removed and find_entry(strings[name], FREE, 1)
        set(name, free or #strings[name] + 1, low .. added)
      end
    end
  end
  if write.update ~= '' then
    push(versions, write.updated, write.update)
    if write.update_end == '' then push(endless, write.updated) else push(ends, write.update_end, write.updated) end
  end
  for at = 1, #write.go, ${NUMBER} do push(gone, sub(write.go, at, at + ${NUMBER - 1})) end
end

local function run(command, key, values) if #values > 0 then call(command, key, unpack(values)) end end
if #writes > 0 then call('HSET', STORE, 'last', last, 'ids', ids) end
for name in pairs(is_pending) do push(short, name, strings[name]) end
if #short > 0 then call('MSET', unpack(short)) end
run('ZADD', ENDS, ends)
run('ZREM', ENDS, endless)
run('ZREM', ENDS, gone)
run('HDEL', VERSIONS, gone)
run('HSET', VERSIONS, versions)
return #writes
`;

/** ARGV: a number of ended versions to skip. Returns the number of all ids, and the next ended versions, each after its number. */
export const ended = `${common}
local fields, reply = call('ZRANGEBYSCORE', ENDS, '-inf', now, 'LIMIT', argument(), '${PAGE}'), {metadata[3]}
for at, version in ipairs(versions_at(fields)) do reply[at + 1] = {fields[at], version} end
return reply
`;

/**
 * ARGV: the number of the last addition examined, and the last of all ('' in the first call). Returns both numbers, and the
 * versions between them, each after its number.
 */
export const page = `${common}
local from, upto, reply = tonumber(argument()), tonumber(argument()) or last, {'', ''}
local limit = math.min(upto, from + ${MAX_EXAMINED})
while from < limit and #reply < ${PAGE} do
  local fields = {}
  for number = from + 1, math.min(from + ${PAGE}, limit) do fields[#fields + 1] = field_of(number) end
  for at, version in ipairs(versions_at(fields)) do
    if version then reply[#reply + 1] = {fields[at], version} end
  end
  from = from + #fields
end
reply[1], reply[2] = string.format('%.0f', from), string.format('%.0f', upto)
return reply
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
if redis.call('HLEN', KEYS[2]) + redis.call('ZCARD', KEYS[3]) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'scheme', ARGV[1], 'layout', ARGV[2], 'salt', ARGV[3], 'last', '0', 'ids', '0')
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

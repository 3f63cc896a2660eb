// Errors of the engines, each with an instruction for the user.

/**
 * Error patterns, each with an instruction for the user. A message may be long, so the time of a pattern must be linear in it.
 */
export type Advice = readonly (readonly [pattern: RegExp, whatToDo: string])[];

/** Returns the error to throw for an error of an engine: with the first matching instruction, if any. */
export function withAdvice(error: unknown, advice: Advice): unknown {
  const { message, code = '', name } = error as Error & { code?: unknown };
  if (typeof message !== 'string' || message.startsWith('nearprint: ')) return error;
  const text = `${message} ${code} ${name}`;
  const found = advice.find(([pattern]) => pattern.test(text));
  return found === undefined ? error : new Error(`nearprint: ${message}: ${found[1]}`, { cause: error });
}

/** The errors of SQLite if tables belong to another program. */
const wrongTables: Advice[number] = [
  /no such (?:table|column|index)|has no column/i,
  'another program has tables of these names: choose another name',
];

export const sqliteAdvice: Advice = [
  [/DBMOVED/, 'its file is deleted, renamed or replaced: open the database again, with a store of its own'],
  [
    /disk I\/O error/i,
    'check the disk and the file system, and open the database again; then repeat the call, which is safe',
  ],
  [/malformed|not a database/i, 'the file of the database is damaged: restore a backup, or use a new file'],
  [/readonly/i, 'open the database for writing'],
  [/is full/i, 'free space on the disk or raise max_page_count, then repeat the call'],
  [/^database (?:\w+ )?is locked/, 'end the transaction that has held the lock for 60 seconds, then repeat the call'],
  [/within a transaction/i, 'end the transaction of this connection, or open the store with a connection of its own'],
  [/connection is busy/, 'end the iteration over its rows, or open the store with a connection of its own'],
  [/not open|closed database/i, 'the database is closed: keep it open while the store is used'],
  wrongTables,
];

export const d1Advice: Advice = [
  wrongTables,
  [/too many|overloaded|reset|timeout|network|storage operation/i, 'repeat the call, which is safe'],
  [/full|exceeded maximum/i, 'the database is full: D1 holds 10 GB; use one store for each site or language'],
];

export const durableObjectAdvice: Advice = [
  [/full|exceeded maximum/i, 'the object is full: use one for each site or language'],
  wrongTables,
];

export const postgresAdvice: Advice = [
  [
    /\b42501\b/,
    'run the statements of schema() as a user with the right to create tables and functions, and grant this one ' +
      'SELECT, INSERT, UPDATE and DELETE on the tables and EXECUTE on the functions',
  ],
  [/isolation level/, 'change default_transaction_isolation, or end the transaction of this client'],
  [/\b25P02\b/, 'the client is in a transaction that has failed: roll it back, or give the store a client of its own'],
  [/\b22P05\b/, 'a store requires a database with the encoding UTF8'],
  [/\b25006\b/, 'connect to the primary server, or end the read-only transaction of this client'],
  [/\b53100\b/, 'free space on the disk of the server, then repeat the call'],
  [/\b53200\b/, 'raise max_locks_per_transaction: a call takes up to 60 locks'],
  [/\b53300\b/, 'raise max_connections, or use a smaller pool'],
  [
    /\b(?:42703|42804|42809|42P13|42P17|23502|23505)\b/,
    'another program has tables or functions of these names: choose another name',
  ],
  [
    /\b(?:26000|42P05)\b|prepared statement .{0,99}does not exist/,
    'a pooler has lost a prepared statement: set max_prepared_statements of PgBouncer (1.21 or later), or open postgres.js ' +
      'with prepare: false',
  ],
  [/\b40P01\b/, 'another program locks the same keys: call the store outside of transactions of your own'],
  [/\b(?:55P03|57014)\b/, 'the call took too long for a timeout of this client: repeat it, which is safe'],
  [
    /\b(?:ECONN\w+|EPIPE|ENOTFOUND|ETIMEDOUT|57P0\d|08[\dP]\d\d|CONNECTION_\w+)\b|[Cc]onnection.{0,99}(?:terminated|closed|ended)/,
    'the connection is lost: repeat the call, which is safe',
  ],
];

export const redisAdvice: Advice = [
  [/\bOOM\b/, "Redis is full: raise maxmemory, with the policy noeviction (it must not remove a store's keys)"],
  [
    /\b(?:NOAUTH|NOPERM|WRONGPASS)\b|[Uu]ser executing the script/,
    'the user needs the keys {name}:* and the commands APPEND, EVAL, EVALSHA, EXISTS, HDEL, HGET, HLEN, HMGET, HSET, MGET, ' +
      'MSET, SETRANGE, TIME, ZADD, ZCARD, ZRANGEBYSCORE and ZREM',
  ],
  [
    /\b(?:READONLY|MISCONF|LOADING|CLUSTERDOWN|NOREPLICAS|TRYAGAIN|BUSY)\b/,
    'Redis accepts no writes now: repeat the call when it does',
  ],
  [/\bWRONGTYPE\b/, 'another program uses the keys of the store: choose another name'],
  [
    /ECONN|EPIPE|ENOTFOUND|fetch failed|connection is closed|socket closed|client is (?:closed|offline)|max retries/i,
    'the connection is lost: repeat the call, which is safe',
  ],
];

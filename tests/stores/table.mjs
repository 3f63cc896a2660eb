// All engines with all drivers, each with a time that the test sets.
import { join } from 'node:path';
import { after, test } from 'node:test';
import { memoryStore } from 'nearprint/store/memory';
import { open } from './clients.mjs';
import { oldestPostgres, postgres, redis, redisCluster, temporary, valkeyServer } from './engines.mjs';
import { d1InWorker, durableObject } from './workers.mjs';

/** The settings of PostgreSQL in tests that do not kill it. */
const fast = ['fsync=off', 'synchronous_commit=off'];

/**
 * The servers that all tests of a file share, which the first one starts. Each is null if it is not installed. Of SQLite, each test
 * has a file of its own.
 */
export const servers = {
  sqlite() {
    const path = join(temporary(), 'seen.db');
    return { by: (driver) => `${driver}:${path}` };
  },
  postgres: once(() => postgres(fast)),
  oldestPostgres: once(() => oldestPostgres(fast)),
  redis: once(() => redis()),
  cluster: once(() => redisCluster()),
  valkey: once(() => redis('everysec', { program: valkeyServer })),
  d1: once(d1InWorker),
  durableObject: once(durableObject),
};

function once(start) {
  let started;
  after(async () => (await started)?.stop());
  return () => {
    started ??= start();
    return started;
  };
}

const systemTime = Date.now;

/** Sets the time of this process in seconds; undefined for the time of the system. */
export function setProcessTime(seconds) {
  Date.now = seconds === undefined ? systemTime : () => 1000 * seconds;
}

/** The environment of stores that are opened with `reopen`, on the time of this process. `close` ends the engine. */
const onProcessTime = (reopen, close = () => {}) => ({
  open: reopen,
  setTime: setProcessTime,
  async close() {
    setProcessTime(undefined);
    await close();
  },
});

/** Returns the environment of the stores of a URL, or null without a server. */
function atUrl(url) {
  if (url === undefined) return null;
  let time = 0;
  return {
    open: (options) => open(url, options, () => time),
    setTime(seconds) {
      time = seconds;
    },
    close: () => setProcessTime(undefined),
  };
}

const byServer = (server, driver) => async () => atUrl((await servers[server]())?.by(driver));

/**
 * The engines, each with all of its drivers: how a test creates one without documents. It gets `{ open, setTime, close }`:
 * `open(options)` returns `{ client, store, close }`, every time of the same documents; `setTime` sets the time in seconds;
 * `prunes` states that each call removes what has ended; `share` is the share of random histories that are enough.
 * Drivers of one server share its documents, so that each test and driver has a `name` of its own.
 */
export const engines = {
  memory: {
    memory() {
      const stores = new Map();
      const environment = onProcessTime((options) => {
        const key = JSON.stringify(options);
        if (!stores.has(key)) stores.set(key, memoryStore(options));
        return { store: stores.get(key), close() {} };
      });
      return { ...environment, prunes: true };
    },
  },
  sqlite: {
    'better-sqlite3': () => atUrl(`better-sqlite3:${join(temporary(), 'seen.db')}`),
  },
  postgres: {
    pg: byServer('postgres', 'pg'),
    'postgres.js': byServer('postgres', 'postgres.js'),
    'pg, PostgreSQL 14': byServer('oldestPostgres', 'pg'),
    pglite: () => atUrl('pglite:'),
  },
  redis: {
    redis: byServer('redis', 'redis'),
    'redis 5': byServer('redis', 'redis-5'),
    ioredis: byServer('redis', 'ioredis'),
    'redis, a Cluster': byServer('cluster', 'redis-cluster'),
    'ioredis, a Cluster': byServer('cluster', 'ioredis-cluster'),
    'redis, Valkey': byServer('valkey', 'redis'),
    'upstash, over HTTP': byServer('redis', 'upstash'),
  },
  d1: {
    'd1, in a Worker': async () => ({ ...(await servers.d1()), share: 0.8 }),
  },
  'durable object': {
    // SQLite has the same engine.
    'durable object': async () => ({ ...(await servers.durableObject()), share: 0.2 }),
  },
};

/** Returns a function that opens stores like `open`, and one that closes those that are still open. */
function closing(open) {
  const opened = new Set();
  return {
    async open(...args) {
      const one = await open(...args);
      const close = async () => {
        if (opened.delete(close)) await one.close();
      };
      opened.add(close);
      return { ...one, close };
    },
    async closeAll() {
      for (const close of opened) await close();
    },
  };
}

/**
 * Runs a test with every engine, `run(environment, context, engine)`: with the first of its drivers, or with all. What it opens is
 * closed after it.
 */
export function testAll(what, run, { allDrivers = false, except = [] } = {}) {
  for (const [engine, drivers] of Object.entries(engines)) {
    if (except.includes(engine)) continue;
    const [first] = Object.keys(drivers);
    for (const [name, create] of Object.entries(drivers)) {
      if (name !== first && !allDrivers) continue;
      test(`${name}: ${what}`, async (context) => {
        const created = await create();
        if (created === null) return context.skip('not installed');
        // All drivers of an engine share its code.
        const environment = { share: name === first ? 1 : 0.2, ...created };
        const { open, closeAll } = closing(environment.open);
        try {
          await run({ ...environment, open }, context, engine);
        } finally {
          await closeAll();
          await environment.close();
        }
      });
    }
  }
}

/** Runs a test with every engine but the one in memory. */
export const testEngines = (what, run) => testAll(what, run, { except: ['memory'] });

/** The drivers by which `testOn` opens a kind of store. */
const drivers = { sqlite: 'better-sqlite3', postgres: 'pg', redis: 'redis' };

/**
 * Runs a test on one engine, `run({ open, server, context })`, if it is installed. `open(options, { edit, now })` returns `{ client,
 * store, close }`; `edit` changes the URL of the client, and `now` is the time as for clients.mjs. What it opens is closed after it.
 * The engine is a kind, or `{ kind, start, test }`: `start` starts a server for this test, in place of the one that all tests of the
 * file share, and `test` is a function of tier.mjs.
 */
export function testOn(engine, what, run) {
  const { kind, start, test: define = test } = typeof engine === 'string' ? { kind: engine } : engine;
  define(`${kind}: ${what}`, async (context) => {
    const server = await (start ?? servers[kind])();
    if (server === null) return context.skip('not installed');
    const url = server.by(drivers[kind]);
    const { open: openOne, closeAll } = closing((options, { edit = () => url, now } = {}) =>
      open(edit(url), options, now),
    );
    try {
      await run({ open: openOne, server, context });
    } finally {
      await closeAll();
      if (start) await server.stop();
    }
  });
}

/** Returns a function that runs a statement in the database of a store: of an environment, what it has opened, and the engine. */
export function statementsOf({ run }, { client }, engine) {
  if (run) return run;
  return engine === 'sqlite' ? async (statement) => client.exec(statement) : (statement) => client.query(statement);
}

// All engines with all drivers, each with a time that the test sets.
import { join } from 'node:path';
import { after, test } from 'node:test';
import { d1Store } from 'nearprint/store/d1';
import { memoryStore } from 'nearprint/store/memory';
import { open } from './clients.mjs';
import { postgres, redis, redisCluster, temporary, valkeyServer } from './engines.mjs';
import { d1, d1InWorker, durableObject } from './workers.mjs';

/** The servers that all tests of a file share, which the first one starts. Each is null if it is not installed. */
export const servers = {
  postgres: once(() => postgres(['fsync=off', 'synchronous_commit=off'])),
  redis: once(() => redis()),
  cluster: once(() => redisCluster()),
  valkey: once(() => redis('everysec', { program: valkeyServer })),
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

/** Opens stores again and again with `reopen`, on the time of this process. `close` ends the engine. */
const onProcessTime = (reopen, close = () => {}) => ({
  open: reopen,
  setTime: setProcessTime,
  async close() {
    setProcessTime(undefined);
    await close();
  },
});

/**
 * The engines: how a test creates one without documents. It gets `{ open, setTime, close }`: `open(options)` returns
 * `{ client, store, close }`, every time of the same documents; `setTime` sets the time in seconds.
 */
export const engines = {
  memory() {
    const stores = new Map();
    return onProcessTime((options) => {
      const key = JSON.stringify(options);
      if (!stores.has(key)) stores.set(key, memoryStore(options));
      return { store: stores.get(key), close() {} };
    });
  },
  sqlite() {
    const url = `better-sqlite3:${join(temporary(), 'seen.db')}`;
    return onProcessTime((options) => open(url, options));
  },
  async d1() {
    const { client, close } = await d1();
    // Each use of the binding by Node is a request.
    return {
      ...onProcessTime((options) => ({ client, store: d1Store(client, options), close() {} }), close),
      share: 0.2,
    };
  },
  'd1, in a Worker': d1InWorker,
  'durable object': durableObject,
};

/** Runs a test with every engine: `run(environment, context)`. */
export function testAll(what, run, { only = () => true } = {}) {
  for (const [name, create] of Object.entries(engines)) {
    if (!only(name)) continue;
    test(`${name}: ${what}`, async (context) => {
      const environment = await create();
      if (environment === null) return context.skip('not installed');
      try {
        await run(environment, context);
      } finally {
        await environment.close();
      }
    });
  }
}

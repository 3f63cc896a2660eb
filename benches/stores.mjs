// The rates of the stores, and the cost of the locks in PostgreSQL. Needs the packages of tests/stores.
//
//     node benches/stores.mjs [ROUNDS]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresStore } from '../pkg/store/postgres.js';
import { open } from '../tests/stores/clients.mjs';
import { families } from '../tests/stores/documents.mjs';
import { postgres, redis, temporary } from '../tests/stores/engines.mjs';

const ROUNDS = Number(process.argv[2] ?? 9);
const CLIENTS = 8;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Returns documents with ids of their own. */
const documents = (round, count) =>
  families(100 + round, count).map((document) => ({ ...document, id: `${round} ${document.id}` }));

/** The kinds of calls: each gets a store and documents. */
const calls = {
  async observe(store, all) {
    for (const document of all) await store.observe([document]);
  },
  async query(store, all) {
    for (const { sketch } of all) await store.query(sketch);
  },
  async 'observe again'(store, all) {
    for (const document of all) await store.observe([document]);
  },
  'observe all at once': (store, all) =>
    store.observe(all.map((document) => ({ ...document, id: `${document.id} in a batch` }))),
};

/** Prints the microseconds of a document by one client, on a store of 3,000 documents and more. */
async function printRates(name, { store, close }) {
  await store.observe(documents(0, 3000));
  const times = Object.fromEntries(Object.keys(calls).map((what) => [what, []]));
  // The first round prepares the statements.
  for (let round = 0; round <= ROUNDS; round++) {
    const all = documents(1 + round, 300);
    for (const [what, call] of Object.entries(calls)) {
      const start = performance.now();
      await call(store, all);
      if (round > 0) times[what].push((1000 * (performance.now() - start)) / all.length);
    }
  }
  const medians = Object.entries(times).map(([what, values]) => `${what} ${median(values).toFixed(0)}`);
  console.log(`${name}, µs a document: ${medians.join(', ')}`);
  await close();
}

/** Returns the processor milliseconds of the processes that a server has started: its connections. */
function processorTime(server) {
  let sum = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ')[1];
      if (Number(parent) === server.pid)
        sum += Number(readFileSync(`/proc/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {} // of a process that has ended
  }
  return sum;
}

/** Adds documents by several clients at once, one document a call. Returns the milliseconds of each. */
async function measure(store, all, server) {
  const left = all.values();
  const [ofServer, start] = [processorTime(server), performance.now()];
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (const document of left) await store.observe([document]);
    }),
  );
  return { time: (performance.now() - start) / all.length, server: (processorTime(server) - ofServer) / all.length };
}

const lock = /pg_advisory_xact_lock(?:_shared)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

const withoutLocks = (schema) => schema.replace(lock, 'NULL::void');

/** The lock rules: each changes the statements of a store. */
const rules = {
  sorted: (schema) => schema,
  none: withoutLocks,
  one: (schema) => withoutLocks(schema).replaceAll('PERFORM NULL::void;', 'PERFORM pg_advisory_xact_lock(1);'),
};

/**
 * Prints the rate in comparison with other lock rules. One lock is held while a transaction waits for the disk. With `delay`,
 * each flush takes that many microseconds more, which the waiting transactions share.
 */
async function printLocks(delay) {
  const server = await postgres([`commit_delay=${delay}`, 'commit_siblings=0']);
  if (server === null) return;
  const { client, close } = await open(server.by('pg'), { max: CLIENTS });
  const stores = {};
  for (const [name, change] of Object.entries(rules)) {
    stores[name] = postgresStore(client, { name });
    await client.query(change(stores[name].schema()));
  }
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const all = documents(round, 400);
    const results = {};
    for (const [name, store] of Object.entries(stores)) results[name] = await measure(store, all, server);
    if (round > 0) rounds.push(results);
  }
  const ratio = (other) => median(rounds.map(({ sorted, [other]: { time } }) => time / sorted.time)).toFixed(2);
  const of = (what) => median(rounds.map(({ sorted }) => sorted[what])).toFixed(2);
  const disk = delay === 0 ? 'as it is' : `${delay / 1000} ms more`;
  console.log(
    `postgres, a commit waits for the disk ${disk}: ${of('time')} ms a document, ${of('server')} of the server; ` +
      `rate ${ratio('none')} of no locks, ${ratio('one')} of one lock`,
  );
  await close();
  await server.stop();
}

await printRates('sqlite', await open(`better-sqlite3:${join(temporary(), 'seen.db')}`));
for (const [name, start, driver] of [
  ['postgres', postgres, 'pg'],
  ['redis', redis, 'redis'],
]) {
  const server = await start();
  if (server === null) continue;
  await printRates(name, await open(server.by(driver)));
  await server.stop();
}
for (const delay of [0, 1000, 5000]) await printLocks(delay);

// What the lock rules cost: ratios of rates that one run measures in turn.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { postgresStore } from 'nearprint/store/postgres';
import { open } from './clients.mjs';
import { families } from './documents.mjs';
import { postgres, temporary } from './engines.mjs';

const ROUNDS = Number(process.env.STORE_ROUNDS ?? 3);
const COUNT = 400;
const CLIENTS = 8;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Processor milliseconds of the processes that a server has started: its connections. */
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

/** Adds documents by several calls at once, one document a call. Returns what each took, in milliseconds. */
async function measure(store, documents, server) {
  const left = documents.values();
  const [ofServer, ofClient, start] = [processorTime(server), process.cpuUsage(), performance.now()];
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (const document of left) await store.observe([document]);
    }),
  );
  const time = performance.now() - start;
  const { user, system } = process.cpuUsage(ofClient);
  const each = [time, processorTime(server) - ofServer, (user + system) / 1000].map((sum) => sum / documents.length);
  return { time: each[0], server: each[1], client: each[2] };
}

const lock = /pg_advisory_xact_lock(?:_shared)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Takes the lock calls out of the functions. */
const withoutLocks = (schema) => schema.replace(lock, 'NULL::void');

/** Another lock rule in the statements of a store. */
const rules = {
  sorted: (schema) => schema,
  none: withoutLocks,
  one: (schema) => withoutLocks(schema).replaceAll('PERFORM NULL::void;', 'PERFORM pg_advisory_xact_lock(1);'),
};

// One lock is held while a transaction waits for the disk. `commit_delay` makes a disk slower: by so many microseconds for
// each flush, which the transactions that wait at once share.
for (const delay of [0, 1000, 5000]) {
  const disk = delay === 0 ? 'the disk of this machine' : `a disk that takes ${delay / 1000} ms more`;
  test(`postgres, ${disk}: locks cost little, and one lock for all costs much`, async (context) => {
    const server = await postgres([`commit_delay=${delay}`, 'commit_siblings=0']);
    if (server === null) return context.skip('not installed');
    const { client, close } = await open(server.by('pg'), { max: CLIENTS });
    try {
      const stores = {};
      for (const [name, change] of Object.entries(rules)) {
        stores[name] = postgresStore(client, { name });
        await client.query(change(stores[name].schema()));
      }
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const documents = families(100 + round, COUNT).map((each) => ({ ...each, id: `${round} ${each.id}` }));
        const results = {};
        for (const [name, store] of Object.entries(stores)) results[name] = await measure(store, documents, server);
        // The first round prepares the statements.
        if (round > 0) rounds.push(results);
      }
      for (const name of Object.keys(rules)) {
        const of = (what) => median(rounds.map((results) => results[name][what])).toFixed(2);
        const processors = `processors: server ${of('server')}, clients ${of('client')}`;
        context.diagnostic(`${name}: ${of('time')} ms a document; ${processors}`);
      }
      const ratio = (other) => median(rounds.map(({ sorted, [other]: { time } }) => time / sorted.time));
      const [ofNone, ofOne] = [ratio('none'), ratio('one')];
      context.diagnostic(`rate with sorted locks: ${ofNone.toFixed(2)} of none, ${ofOne.toFixed(2)} of one lock`);
      // With a faster disk, it depends on the number of processors.
      if (delay === 5000) assert.ok(ofOne >= 2);
    } finally {
      await close();
      await server.stop();
    }
  });
}

test('sqlite: a batch is faster than one document a transaction', async (context) => {
  const { store, client, close } = await open(`better-sqlite3:${join(temporary(), 'seen.db')}`);
  client.pragma('journal_mode = DELETE');
  const all = families(11, 2200);
  await store.count();
  const rate = async (documents, size) => {
    const start = performance.now();
    for (let at = 0; at < documents.length; at += size) await store.observe(documents.slice(at, at + size));
    return (1000 * documents.length) / (performance.now() - start);
  };
  const one = await rate(all.slice(0, 200), 1);
  const batched = await rate(all.slice(200), 2000);
  context.diagnostic(`one by one ${Math.round(one)} a second, batched ${Math.round(batched)}`);
  assert.ok(batched > one);
  await close();
});

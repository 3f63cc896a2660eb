// The results of eight clients of one store are those of some sequential order. Those of clients that read and then write are
// not.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { open } from './clients.mjs';
import { temporary } from './engines.mjs';
import { runAll } from './processes.mjs';
import { calls, keptBy, makeCalls, violations } from './sequential.mjs';
import { servers } from './table.mjs';
import { d1InWorker, durableObject } from './workers.mjs';

const FAMILIES = Number(process.env.STORE_FAMILIES ?? 250);
const CLIENTS = 8;
const seed = 7;

const urls = {
  'better-sqlite3': () => `better-sqlite3:${join(temporary(), 'seen.db')}`,
  pg: async () => (await servers.postgres())?.by('pg'),
  redis: async () => (await servers.redis())?.by('redis'),
};

/** Runs clients in processes of their own. Returns what no sequential order explains. */
async function run(url, { clients, isNaive }, context) {
  const options = { name: isNaive ? `naive${clients}` : 'concurrent' };
  const { store, close } = await open(url, options);
  try {
    await store.count();
    const families = isNaive ? FAMILIES / 10 : FAMILIES;
    const start = performance.now();
    const records = await runAll({ url, options, seed, families, isNaive }, clients);
    const seconds = (performance.now() - start) / 1000;
    const messages = violations(calls(seed, families, isNaive), records, await keptBy(store));
    context.diagnostic(`${Math.round(records.length / seconds)} calls a second; ${messages.length} violations`);
    return messages;
  } finally {
    await close();
  }
}

for (const [kind, urlOf] of Object.entries(urls)) {
  test(`${kind}, eight processes: the results have a sequential order`, async (context) => {
    const url = await urlOf();
    if (url === undefined) return context.skip('not installed');
    assert.deepEqual(await run(url, { clients: CLIENTS, isNaive: false }, context), []);
  });

  test(`${kind}: processes that read and then write have no sequential order`, async (context) => {
    const url = await urlOf();
    if (url === undefined) return context.skip('not installed');
    assert.deepEqual(await run(url, { clients: 1, isNaive: true }, context), []);
    const messages = await run(url, { clients: CLIENTS, isNaive: true }, context);
    assert.ok(messages.length > 0, 'the test finds no violations');
  });
}

/** Clients in one process, whose calls overlap. */
async function checkOverlapping(stores, families) {
  const all = calls(seed, families);
  const records = [];
  const report = (record) => record.end !== undefined && records.push(record);
  const clients = stores.map((store, from) => makeCalls(store, all, { from, parts: stores.length }, report));
  await Promise.all(clients);
  assert.deepEqual(violations(all, records, await keptBy(stores[0])), []);
}

for (const [kind, create] of Object.entries({ d1: d1InWorker, 'durable object': durableObject })) {
  test(`${kind}, eight clients at once: the results have a sequential order`, async () => {
    const { open, close } = await create();
    try {
      await checkOverlapping(
        Array.from({ length: CLIENTS }, () => open().store),
        FAMILIES / 5,
      );
    } finally {
      await close();
    }
  });
}

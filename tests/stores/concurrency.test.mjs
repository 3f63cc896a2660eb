// The results of sixteen clients of one store are those of some sequential order. Those of clients that read and then write are
// not.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { open } from './clients.mjs';
import { temporary } from './engines.mjs';
import { runAll } from './processes.mjs';
import { calls, keptBy, makeCalls, violations } from './sequential.mjs';
import { servers, setProcessTime } from './table.mjs';
import { d1, d1InWorker, durableObject } from './workers.mjs';

const FAMILIES = Number(process.env.STORE_FAMILIES ?? 250);
const CLIENTS = 16;

/** How many calls of a client may be one of the store. */
const SIZES = [1, 24];

const seed = 7;

const urls = {
  'better-sqlite3': () => `better-sqlite3:${join(temporary(), 'seen.db')}`,
  pg: async () => (await servers.postgres())?.by('pg'),
  redis: async () => (await servers.redis())?.by('redis'),
};

/** Runs clients in processes of their own. Returns what no sequential order explains. */
async function run(url, { clients, size = 1, isNaive = false }, context) {
  const options = { name: isNaive ? `naive${clients}` : `concurrent${size}` };
  const { store, close } = await open(url, options);
  try {
    await store.count();
    const families = isNaive ? FAMILIES / 10 : FAMILIES;
    const start = performance.now();
    const records = await runAll({ url, options, seed, families, isNaive, size }, clients);
    const seconds = (performance.now() - start) / 1000;
    const messages = violations(calls(seed, families, isNaive), records, await keptBy(store));
    context.diagnostic(`${Math.round(records.length / seconds)} calls a second; ${messages.length} violations`);
    return messages;
  } finally {
    await close();
  }
}

for (const [kind, urlOf] of Object.entries(urls)) {
  for (const size of SIZES) {
    test(`${kind}, sixteen processes, ${size} calls at once: the results have a sequential order`, async (context) => {
      const url = await urlOf();
      if (url === undefined) return context.skip('not installed');
      assert.deepEqual(await run(url, { clients: CLIENTS, size }, context), []);
    });
  }

  test(`${kind}: processes that read and then write have no sequential order`, async (context) => {
    const url = await urlOf();
    if (url === undefined) return context.skip('not installed');
    assert.deepEqual(await run(url, { clients: 1, isNaive: true }, context), []);
    const messages = await run(url, { clients: CLIENTS, isNaive: true }, context);
    assert.ok(messages.length > 0, 'the test finds no violations');
  });
}

/** Clients in one process, whose calls overlap. */
async function checkOverlapping(stores, families, size) {
  const all = calls(seed, families);
  const records = [];
  const report = (record) => record.end !== undefined && records.push(record);
  const clients = stores.map((store, from) => makeCalls(store, all, { from, parts: stores.length, size }, report));
  await Promise.all(clients);
  assert.deepEqual(violations(all, records, await keptBy(stores[0])), []);
}

for (const [kind, create] of Object.entries({ d1: d1InWorker, 'durable object': durableObject })) {
  for (const size of SIZES) {
    test(`${kind}, sixteen clients, ${size} calls at once: the results have a sequential order`, async () => {
      const { open, close } = await create();
      try {
        const stores = Array.from({ length: CLIENTS }, () => open().store);
        await checkOverlapping(stores, FAMILIES / 5, size);
      } finally {
        await close();
      }
    });
  }
}

test('d1: what happens between read and write is seen by the write', async () => {
  const { client, close } = await d1();
  try {
    let between = () => {};
    /** A binding that calls `between` after the next batch, which is a read. */
    const interrupted = {
      prepare: (statement) => client.prepare(statement),
      async batch(statements) {
        const results = await client.batch(statements);
        const call = between;
        between = () => {};
        await call();
        return results;
      },
    };
    const [store, other] = [d1Store(interrupted), d1Store(client)];
    setProcessTime(2e9);
    await store.count();
    const texts = ['one', 'two', 'three'].map((word) => sketch(`${word} text of a few words `.repeat(9)));
    // Another client adds an equal document.
    between = () => other.observe([{ id: 'other', sketch: texts[0] }]);
    const [duplicate] = await store.observe([{ id: 'own', sketch: texts[0] }]);
    assert.deepEqual([duplicate.status, duplicate.duplicateOf], ['duplicate', 'other']);
    // Another client changes the document.
    between = () => other.observe([{ id: 'other', sketch: texts[1] }]);
    assert.equal((await store.observe([{ id: 'other', sketch: texts[1] }]))[0].status, 'unchanged');
    // The lease ends.
    await store.observe([{ id: 'leased', sketch: texts[2] }], { lease: 10 });
    between = () => setProcessTime(2e9 + 11);
    assert.equal(await store.confirm(['leased']), 0);
    assert.equal(await store.get('leased'), undefined);
    // Documents that share no key do not disturb each other.
    let batches = 0;
    between = async () => {
      await other.observe([{ id: 'unrelated', sketch: sketch('some other words '.repeat(9)) }]);
      between = () => batches++;
    };
    assert.equal(
      (await store.observe([{ id: 'new', sketch: sketch('words of its own '.repeat(9)) }]))[0].status,
      'new',
    );
    assert.equal(batches, 1);
  } finally {
    setProcessTime(undefined);
    await close();
  }
});

/** Opens sixteen clients of a server, and counts the commands that each sends by a method. */
async function openCounted(server, driver, method) {
  if (server === null) return null;
  const options = { name: 'starve', max: 1 };
  const opened = await Promise.all(Array.from({ length: CLIENTS }, () => open(server.by(driver), options)));
  const clients = opened.map(({ store, client }) => {
    const counted = { store, commands: 0 };
    const send = client[method];
    client[method] = (...command) => {
      counted.commands++;
      return send.apply(client, command);
    };
    return counted;
  });
  return { clients, close: () => Promise.all(opened.map(({ close }) => close())) };
}

async function openRemote(create) {
  const { open, close } = await create();
  return { clients: Array.from({ length: CLIENTS }, () => ({ store: open().store, commands: 0 })), close };
}

/** Each opens sixteen clients of one store. In a Worker, commands are not counted. */
const sixteen = {
  pg: async () => openCounted(await servers.postgres(), 'pg', 'query'),
  redis: async () => openCounted(await servers.redis(), 'redis', 'sendCommand'),
  d1: () => openRemote(d1InWorker),
  'durable object': () => openRemote(durableObject),
};

const page = (at) =>
  `A template of words that all pages have in common, so that they share most keys, with number ${at} of many`;

for (const [kind, create] of Object.entries(sixteen)) {
  test(`${kind}, sixteen clients: one stream and one template starve none`, async (context) => {
    const opened = await create();
    if (opened === null) return context.skip('not installed');
    const { clients, close } = opened;
    try {
      await clients[0].store.count();
      const stream = Array.from({ length: 10 }, (_, at) => sketch(`${page('one')} ${'edited '.repeat(at)}`));
      const rounds = [];
      await Promise.all(
        clients.map(async (client, from) => {
          const observe = async (id, sketch, options) => {
            client.commands = 0;
            await client.store.observe([{ id: `${id} ${from}`, sketch }], options);
            rounds.push(client.commands / 2);
          };
          for (const [at, each] of stream.entries()) {
            await observe(`stream ${at}`, each);
            await observe(`page ${at}`, sketch(page(`${from}x${at}`)), { minResemblance: 1 });
          }
        }),
      );
      const sum = rounds.reduce((sum, each) => sum + each, 0);
      context.diagnostic(`at most ${Math.max(...rounds)} rounds, ${(sum / rounds.length).toFixed(2)} on average`);
      assert.ok(Math.max(...rounds) <= 60);
      assert.ok((await clients[0].store.count()) >= CLIENTS * stream.length);
    } finally {
      await close();
    }
  });
}

// The results of concurrent clients are those of some sequential order of documents. Without the conditions of writes they are
// not. crash.test.mjs has clients in processes of their own, with kills.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { random } from '../js/random.mjs';
import { open } from './clients.mjs';
import { withClock } from './clock-d1.mjs';
import { unrelated } from './documents.mjs';
import { temporary } from './engines.mjs';
import { runAll } from './processes.mjs';
import { calls, keptBy, makeCalls, violations } from './sequential.mjs';
import { servers } from './table.mjs';
import { removeConditions } from './unconditional.mjs';
import { d1 } from './workers.mjs';

const FAMILIES = Number(process.env.STORE_FAMILIES ?? 50);
const CLIENTS = 16;

/** The clients of one process whose calls overlap. */
const OVERLAPPING = 6;

/** The families of the test that must fail. */
const CONTROL = 24;

const seed = 7;

const urls = {
  'better-sqlite3': () => `better-sqlite3:${join(temporary(), 'seen.db')}`,
  pg: async () => (await servers.postgres())?.by('pg'),
  redis: async () => (await servers.redis())?.by('redis'),
};

for (const [kind, urlOf] of Object.entries(urls)) {
  test(`${kind}: without the conditions of writes, the results have no sequential order`, async (context) => {
    const url = await urlOf();
    if (url === undefined) return context.skip('not installed');
    const options = { name: 'unconditional' };
    const opened = await open(url, options);
    try {
      await opened.store.count();
      await removeConditions(opened);
      const settings = { url, options, seed, families: CONTROL, isUnconditional: true };
      const records = await runAll(settings, { clients: 12 });
      const kept = await keptBy(opened.store);
      const messages = violations(calls(seed, CONTROL), records, kept);
      context.diagnostic(`${messages.length} of ${CONTROL} families have no sequential order`);
      assert.ok(messages.length > 0);
    } finally {
      await opened.close();
    }
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

const remote = { d1: servers.d1, 'durable object': servers.durableObject };
for (const [kind, start] of Object.entries(remote)) {
  test(`${kind}, ${OVERLAPPING} clients: the results have a sequential order`, async () => {
    const { open } = await start();
    await checkOverlapping(
      Array.from({ length: OVERLAPPING }, () => open({ name: 'overlapping' }).store),
      FAMILIES,
    );
  });
}

test('d1: what happens between read and write is seen by the write', async () => {
  const { client, close } = await d1();
  try {
    let time = 2e9;
    let between = () => {};
    const database = withClock(client, () => time);
    /** A binding that calls `between` after the next batch, which is a read. */
    const interrupted = {
      ...database,
      async batch(statements) {
        const results = await database.batch(statements);
        const call = between;
        between = () => {};
        await call();
        return results;
      },
    };
    const [store, other] = [d1Store(interrupted), d1Store(database)];
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
    between = () => {
      time += 11;
    };
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
    await close();
  }
});

test('d1: a confirmation that arrives after the end of the lease is refused', async () => {
  const { client, close } = await d1();
  try {
    let time = 2e9;
    const database = withClock(client, () => time);
    let send = database.batch;
    const [store, other] = [d1Store({ ...database, batch: (statements) => send(statements) }), d1Store(database)];
    const [document] = unrelated(1);
    await store.observe([document], { lease: 10 });
    time += 9;
    let batches = 0;
    send = async (statements) => {
      if (++batches === 2) {
        // The batch that confirms is on its way while the lease ends and a copy is kept.
        time += 2;
        assert.equal((await other.observe([{ ...document, id: 'copy' }]))[0].status, 'new');
      }
      return database.batch(statements);
    };
    assert.equal(await store.confirm([document.id]), 0);
    assert.equal(await other.count(), 1);
  } finally {
    await close();
  }
});

/** Near-duplicates of {@link chain} reach it. */
const MIN_RESEMBLANCE = 0.4;

/**
 * Each opens two stores of the same documents: `store` sends its commands by a method of `client`, which a test replaces. `remove` removes
 * the tables or keys of the stores.
 */
const interrupted = {
  pg: async (name) =>
    openInterrupted(name, await servers.postgres(), 'pg', 'query', (client) =>
      client.query(`DROP TABLE ${name}_store, ${name}_documents`),
    ),
  redis: async (name) =>
    openInterrupted(name, await servers.redis(), 'redis', 'sendCommand', async (client) =>
      client.del(await client.keys(`{${name}}:*`)),
    ),
  async d1(name) {
    const { client, close } = await d1();
    const own = { prepare: (statement) => client.prepare(statement), batch: (statements) => client.batch(statements) };
    const tables = ['store', 'documents', 'keys'];
    const remove = () => client.batch(tables.map((table) => client.prepare(`DROP TABLE ${name}_${table}`)));
    return {
      store: d1Store(own, { name }),
      other: d1Store(client, { name }),
      client: own,
      method: 'batch',
      remove,
      close,
    };
  },
};

async function openInterrupted(name, server, driver, method, remove) {
  if (server === null) return null;
  const [own, other] = await Promise.all([1, 2].map(() => open(server.by(driver), { name })));
  const close = () => Promise.all([own.close(), other.close()]);
  return {
    ...{ store: own.store, other: other.store, client: own.client, method },
    remove: () => remove(other.client),
    close,
  };
}

/** Returns three texts: the second resembles the first one, and the third one more. The first and the third have no key in common. */
function chain() {
  const next = random(1);
  const haveKey = (a, b) => a.keys.some((key) => b.keys.includes(key));
  for (;;) {
    const words = Array.from({ length: 120 }, () => `w${next(30_000)}`);
    const edited = (from) => words.map((word, at) => (at >= from && at % 6 === 0 ? `e${next(30_000)}` : word));
    const [first, middle, last] = [edited(0), words, edited(84)].map((each) => sketch(each.join(' ')));
    const isHit = haveKey(first, middle) && first.resemblance(middle) > MIN_RESEMBLANCE;
    if (isHit && haveKey(middle, last) && !haveKey(first, last)) return [first, middle, last];
  }
}

for (const [kind, create] of Object.entries(interrupted)) {
  test(`${kind}: a decision that depends on an earlier document of its call is right when that is written`, async (context) => {
    const opened = await create('chain');
    if (opened === null) return context.skip('not installed');
    const { store, other, client, method, close } = opened;
    try {
      const [first, middle, last] = chain();
      await store.count();
      await other.count();
      const send = client[method].bind(client);
      let commands = 0;
      client[method] = async (...command) => {
        if (++commands === 2) {
          // The last text is added while the first one is not there yet.
          assert.equal((await other.observe([{ id: 'last', sketch: last }]))[0].status, 'new');
          assert.equal(await other.get('first'), undefined);
        }
        return send(...command);
      };
      const call = [
        { id: 'first', sketch: first },
        { id: 'middle', sketch: middle },
      ];
      const decisions = await store.observe(call, { minResemblance: MIN_RESEMBLANCE });
      assert.deepEqual(
        decisions.map(({ status, duplicateOf }) => [status, duplicateOf]),
        [
          ['new', undefined],
          ['duplicate', 'last'],
        ],
      );
      assert.equal(await store.count(), 2);
    } finally {
      await close();
    }
  });
}

/** Checks that the documents of calls that have returned are kept, and found by their texts. */
async function checkFound(store, documents) {
  for (const { id, sketch } of documents) assert.equal((await store.query(sketch))[0]?.id, id);
  assert.equal(await store.count(), documents.length);
}

for (const [kind, create] of Object.entries(interrupted)) {
  test(`${kind}: calls of one client that overlap while its store is created anew lose no document`, async (context) => {
    const opened = await create('anew');
    if (opened === null) return context.skip('not installed');
    const { store, other, client, method, remove, close } = opened;
    try {
      await store.count();
      await other.count();
      const documents = unrelated(4);
      const send = client[method].bind(client);
      let commands = 0;
      const calls = [];
      client[method] = async (...command) => {
        const number = ++commands;
        // All calls have made their keys. The first one finds another store, and opens it, before the others read.
        if (number === 1) {
          await remove();
          await other.count();
        } else if (number <= documents.length) await calls[0];
        return send(...command);
      };
      for (const document of documents) calls.push(store.observe([document]));
      for (const [{ status }] of await Promise.all(calls)) assert.equal(status, 'new');
      await checkFound(other, documents);
    } finally {
      await close();
    }
  });
}

test('better-sqlite3: calls of one client that overlap while its store is created anew lose no document', async () => {
  const url = `better-sqlite3:${join(temporary(), 'seen.db')}`;
  const [{ store, client, close }, other] = await Promise.all([1, 2].map(() => open(url)));
  try {
    await store.count();
    client.pragma('busy_timeout = 0');
    const tables = ['store', 'documents', 'keys'];
    other.client.exec(`BEGIN IMMEDIATE; ${tables.map((table) => `DROP TABLE nearprint_${table}`).join(';')}`);
    // The calls have made their keys, and wait for the lock.
    const documents = unrelated(4);
    const calls = documents.map((document) => store.observe([document]));
    await new Promise((resolve) => setImmediate(resolve));
    other.client.exec(`${store.schema()}; COMMIT`);
    for (const [{ status }] of await Promise.all(calls)) assert.equal(status, 'new');
    await checkFound(other.store, documents);
  } finally {
    await close();
    await other.close();
  }
});

test('redis: a count during which the store is created anew counts the new store', async (context) => {
  const opened = await interrupted.redis('counted');
  if (opened === null) return context.skip('not installed');
  const { store, other, client, remove, close } = opened;
  try {
    const [kept, ...documents] = unrelated(4);
    await store.observe(documents, { expiresIn: 0 });
    // The server knows the scripts from now on.
    assert.equal(await store.count(), 0);
    const send = client.sendCommand.bind(client);
    let commands = 0;
    client.sendCommand = async (...command) => {
      const isFirst = ++commands === 1;
      const reply = await send(...command);
      if (!isFirst) return reply;
      // It has found the expired versions. The next command searches for others of their ids.
      await remove();
      await other.add([kept]);
      // Another call of this client opens the new store.
      assert.equal((await store.query(kept.sketch))[0].id, kept.id);
      return reply;
    };
    assert.equal(await store.count(), 1);
    assert.ok(commands > 2);
  } finally {
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

async function openRemote(start) {
  const { open } = await start();
  const clients = Array.from({ length: CLIENTS }, () => ({ store: open({ name: 'starve' }).store, commands: 0 }));
  return { clients, close() {} };
}

/** Each opens sixteen clients of one store. In a Worker, commands are not counted. */
const sixteen = {
  pg: async () => openCounted(await servers.postgres(), 'pg', 'query'),
  redis: async () => openCounted(await servers.redis(), 'redis', 'sendCommand'),
  d1: () => openRemote(remote.d1),
  'durable object': () => openRemote(remote['durable object']),
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

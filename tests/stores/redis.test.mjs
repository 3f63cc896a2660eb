// The engine of Redis: its answers, the size of its log, and its replicas.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import Redis from 'ioredis';
import { sketch } from 'nearprint';
import { memoryStore } from 'nearprint/store/memory';
import { redisStore } from 'nearprint/store/redis';
import { random } from '../js/random.mjs';
import { valuesOf } from '../js/values.mjs';
import { exhaustive } from '../tier.mjs';
import { open } from './clients.mjs';
import { redis } from './engines.mjs';
import { losingProxy } from './losing-proxy.mjs';
import { servers, setProcessTime, testOn } from './table.mjs';

const START = 1_800_000_000;

afterEach(() => setProcessTime(undefined));

/** The number of pages of one template. */
const PAGES = Number(process.env.STORE_FLOOD ?? 3000);

/** Returns a function that returns a page of a template: three of its words are numbers. */
function template(seed) {
  const next = random(seed);
  const words = Array.from({ length: 24 }, () => `w${next(30_000)}`);
  return () => sketch(words.map((word, at) => ([5, 12, 19].includes(at) ? `${next(1e6)}` : word)).join(' '));
}

testOn({ kind: 'redis', test: exhaustive }, 'a history has the results of memoryStore', async ({ open, context }) => {
  // The pages are of one template, and some are removed or pruned.
  const next = random(3);
  const page = template(3);
  let now = START;
  setProcessTime(now);
  const { store } = await open({ name: 'history' }, { now: () => now });
  const memory = memoryStore();
  const ids = Array.from({ length: 400 }, (_, at) => `page ${at}`);
  const sketches = Array.from({ length: 300 }, page);
  const one = (values) => values[next(values.length)];
  const hits = { observe: 0, confirm: 0, delete: 0, query: 0, prune: 0 };
  for (let step = 0; step < 150; step++) {
    if (next(3) === 0) {
      now += next(9);
      setProcessTime(now);
    }
    // Versions that have ended count until they are pruned, which the store in memory does of its own accord.
    await memory.prune();
    hits.prune += await store.prune();
    assert.equal(await store.count(), await memory.count(), `step ${step}, count`);
    const some = Array.from({ length: 1 + next(30) }, () => ({ id: one(ids), sketch: one(sketches) }));
    const rule = { minResemblance: one([0.67, 0.9, 0.98]), ...(next(2) && { expiresIn: 1 + next(60) }) };
    if (next(2)) rule.lease = 1 + next(20);
    const calls = {
      observe: (to) => to.observe(some, rule),
      confirm: (to) => to.confirm(some.map(({ id }) => id)),
      delete: (to) => to.delete(some.map(({ id }) => id)),
      query: (to) => Promise.all(some.slice(0, 8).map(({ sketch }) => to.query(sketch, { limit: 40 }))),
    };
    for (const kind of [one(['observe', 'observe', 'observe', 'confirm', 'delete']), 'query']) {
      const expected = await calls[kind](memory);
      assert.deepEqual(await calls[kind](store), expected, `step ${step}, ${kind}`);
      hits[kind] += Array.isArray(expected) ? expected.flat().length : expected;
    }
  }
  context.diagnostic(JSON.stringify(hits));
  for (const [kind, count] of Object.entries(hits)) assert.ok(count > 10, `${kind}: ${count}`);
});

const logSize = ({ folder }) => {
  const log = join(folder, 'appendonlydir');
  return readdirSync(log).reduce((sum, file) => sum + statSync(join(log, file)).size, 0);
};

const always = { kind: 'redis', start: () => redis('always'), test: exhaustive };
const changed = `with ${PAGES} pages of one template, a change writes at most 4 KiB to the log`;
testOn(always, changed, async ({ open, server, context }) => {
  const { store, client } = await open();
  const page = template(4);
  const id = (at) => `https://example.com/${'directory/'.repeat(5)}${at}`.padEnd(80, '-');
  for (let at = 0; at < PAGES; at += 500) {
    await store.add(Array.from({ length: 500 }, (_, each) => ({ id: id(at + each), sketch: page() })));
  }
  const longest = { observe: 0, change: 0, delete: 0 };
  const measure = async (kind, call) => {
    const before = logSize(server);
    await call();
    longest[kind] = Math.max(longest[kind], logSize(server) - before);
  };
  for (let at = 0; at < 60; at++) {
    await measure('observe', () => store.observe([{ id: id(`new ${at}`), sketch: page() }], { minResemblance: 0.99 }));
    await measure('change', () => store.observe([{ id: id(7 * at), sketch: page() }], { minResemblance: 0.99 }));
    await measure('delete', () => store.delete([id(5 * at + 1)]));
  }
  context.diagnostic(JSON.stringify(longest));
  for (const [kind, bytes] of Object.entries(longest)) assert.ok(bytes > 50 && bytes <= 4096, `${kind}: ${bytes}`);
  // The places of removed versions are used again.
  const lengthOfStrings = async () => {
    let sum = 0;
    for (const key of await client.keys('{nearprint}:*')) if (/\d$/.test(key)) sum += await client.strLen(key);
    return sum;
  };
  const some = Array.from({ length: 10 }, (_, at) => ({
    id: id(`again ${at}`),
    sketch: sketch(`${at} words `.repeat(9)),
  }));
  const before = await lengthOfStrings();
  for (let round = 0; round < 200; round++) {
    await store.add(some);
    await store.delete(some.map(({ id }) => id));
  }
  const growth = (await lengthOfStrings()) - before;
  context.diagnostic(`${growth} bytes more after 2,000 changes`);
  assert.ok(growth < 20_000);
});

testOn('redis', 'documents of one call whose keys are in one string are all filed', async ({ open }) => {
  const { store, client } = await open({ name: 'together' });
  // A blank document has only the key of its id. With 2,000 of them, some share a string.
  const blank = Array.from({ length: 2000 }, (_, at) => ({ id: `page ${at}`, sketch: sketch('') }));
  await store.add(blank);
  const names = (await client.keys('{together}:*')).filter((name) => /\d$/.test(name));
  const typeMapping = { 36: Buffer };
  const strings = await client.sendCommand(['MGET', ...names], { typeMapping });
  // An entry is 3 bytes of the key, and 5 of the number, which counts from 1.
  const shared = strings
    .filter(({ length }) => length > 8)
    .map((entries) =>
      Array.from({ length: entries.length / 8 }, (_, at) => blank[entries.readUIntBE(8 * at + 3, 5) - 1]),
    );
  assert.ok(shared.length > 0);
  await store.delete(blank.map(({ id }) => id));
  for (const documents of shared) {
    await store.add(documents);
    for (const { id } of documents) assert.ok(await store.get(id), id);
    await store.add(documents);
  }
  assert.equal(await store.count(), shared.flat().length);
});

testOn('redis', 'a page after removals has more versions than usual', async ({ open }) => {
  const { store } = await open({ name: 'sparse' });
  const all = Array.from({ length: 600 }, (_, at) => ({ id: `page ${at}`, sketch: sketch(`a short text ${at}`) }));
  await store.add(all);
  await store.delete(all.slice(0, 9).map(({ id }) => id));
  const ids = [];
  for await (const { id } of store.entries()) ids.push(id);
  assert.deepEqual(
    ids,
    all.slice(9).map(({ id }) => id),
  );
});

testOn({ kind: 'redis', start: redis }, 'a replica answers queries, and refuses changes', async ({ open, server }) => {
  const replica = await redis('everysec', { options: ['--replicaof', '127.0.0.1', server.url.split(':').at(-1)] });
  try {
    const [first, second] = [await open(), await open({}, { edit: () => replica.by('redis') })];
    const page = template(8);
    const document = { id: 'a', sketch: page() };
    await first.store.observe([document]);
    await first.client.sendCommand(['WAIT', '1', '10000']);
    assert.equal((await second.store.query(document.sketch))[0].id, 'a');
    assert.equal(await second.store.count(), 1);
    assert.deepEqual(await second.store.observe([document]), [{ id: 'a', status: 'unchanged' }]);
    await assert.rejects(second.store.delete(['a']), /READONLY.*Redis accepts no writes now/);
    assert.ok((await first.store.get('a')).equals(document.sketch));
    await second.close();
  } finally {
    await replica.stop();
  }
});

testOn(
  'redis',
  'a document that is decided again is compared with the version that is kept meanwhile',
  async ({ open }) => {
    const { store: other, client } = await open({ name: 'again' });
    const words = Array.from({ length: 600 }, (_, at) => `word${at}`);
    const text = words.join(' ');
    const edited = words.map((word, at) => (at % 9 ? word : `${word}x`)).join(' ');
    let commands = -Infinity;
    const racing = redisStore(
      {
        async sendCommand(...command) {
          // Between the read and the write of the racing client, another one keeps the page.
          if (++commands === 2) {
            await other.observe([{ id: 'page', text }]);
          }
          return client.sendCommand(...command);
        },
      },
      { name: 'again' },
    );
    // Redis knows the scripts from now on.
    await racing.observe([{ id: 'another page', text: 'Good news' }]);
    commands = 0;
    const [decision] = await racing.observe([{ id: 'page', text: edited }]);
    assert.equal(commands, 4);
    const resemblance = sketch(text).resemblance(sketch(edited));
    assert.deepEqual([decision.status, decision.resemblance], ['changed', resemblance]);
  },
);

testOn('redis', 'a store that has had all additions can be read, and its documents removed', async ({ open }) => {
  const { store, client } = await open({ name: 'additions' });
  const page = { id: 'page', sketch: sketch('Good news') };
  await store.add([page]);
  await client.sendCommand(['HSET', '{additions}:store', 'last', String(2 ** 40 - 500)]);
  await assert.rejects(store.add([{ ...page, id: 'other' }]), /copy its documents to a new store/);
  assert.equal((await store.observe([page]))[0].status, 'unchanged');
  assert.equal((await store.query(page.sketch))[0].id, 'page');
  assert.ok((await store.get('page')).equals(page.sketch));
  assert.equal(await store.count(), 1);
  assert.equal(await store.delete(['page']), 1);
});

/** How a client of ioredis is opened, by the ports of proxies, and the options with which it repeats nothing. */
const repeating = {
  redis: {
    open: ([port], options) => new Redis({ port, ...options }),
    never: { maxRetriesPerRequest: 0 },
  },
  cluster: {
    open(ports, { maxRetriesPerRequest, ...options }, nodes) {
      const natMap = Object.fromEntries(
        nodes.map((node, at) => [`127.0.0.1:${node}`, { host: '127.0.0.1', port: ports[at] }]),
      );
      return new Redis.Cluster([{ port: ports[0] }], { natMap, redisOptions: { maxRetriesPerRequest }, ...options });
    },
    never: { maxRetriesPerRequest: 0, retryDelayOnFailover: 0 },
  },
};

for (const [kind, { open: openClient, never }] of Object.entries(repeating)) {
  test(`${kind}: ioredis repeats a call whose reply is lost, unless it may not`, async (context) => {
    const server = await servers[kind]();
    if (server === null) return context.skip('not installed');
    const ports = server.ports ?? [Number(new URL(server.url).port)];
    const proxies = await Promise.all(ports.map((port) => losingProxy(port)));
    // The first node of the Cluster has this store.
    const options = { name: 'reply' };
    /** Returns the decision on a new document whose write is acknowledged by a lost reply. */
    const observe = async (id, how, rule) => {
      const client = openClient(valuesOf(proxies, 'port'), how, ports);
      client.on('error', () => {});
      const store = redisStore(client, options);
      // Redis knows the scripts from now on.
      await store.observe([{ id: `before ${id}`, text: `before ${id}` }]);
      // The first reply is of the read.
      proxies[0].loseReply(2);
      try {
        const [{ status }] = await store.observe([{ id, text: id }], rule);
        return status;
      } finally {
        proxies[0].loseReply(Infinity);
        client.disconnect();
      }
    };
    const { store: other, close } = await open(server.by(kind === 'redis' ? 'redis' : 'redis-cluster'), options);
    try {
      assert.equal(await observe('by default', {}), 'unchanged');
      assert.equal(await observe('with a lease', {}, { lease: 60 }), 'new');
      await assert.rejects(observe('no repetition', never), /the connection is lost: repeat the call/);
      for (const id of ['by default', 'with a lease', 'no repetition']) assert.ok(await other.get(id), id);
    } finally {
      for (const proxy of proxies) proxy.close();
      await close();
    }
  });
}

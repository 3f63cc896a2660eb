// Every store gives what a Deduplicator gives.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Deduplicator } from 'nearprint';
import { memoryStore } from 'nearprint/store/memory';
import { random } from '../js/random.mjs';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { postgres, redis, temporary } from './engines.mjs';
import { d1, durableObject } from './workers.mjs';

const COUNT = Number(process.env.STORE_DOCUMENTS ?? 3000);

const servers = {};

before(async () => {
  servers.postgres = await postgres(['fsync=off', 'synchronous_commit=off']);
  servers.redis = await redis();
});

after(async () => {
  for (const server of Object.values(servers)) await server?.stop();
});

const bare = (url) => url.replace(/^\w+:/, '');

const stores = {
  memory: async () => ({ store: memoryStore(), close() {} }),
  'better-sqlite3': () => open(`better-sqlite3:${join(temporary(), 'seen.db')}`),
  'node:sqlite': () => open('node-sqlite::memory:'),
  pg: () => open(`pg:${bare(servers.postgres.url)}`, { name: 'by_pg' }),
  'postgres.js': () => open(`postgres.js:${bare(servers.postgres.url)}`, { name: 'by_postgres_js' }),
  pglite: () => open('pglite:'),
  redis: () => open(`redis:${bare(servers.redis.url)}`, { name: 'by_redis' }),
  ioredis: () => open(`ioredis:${bare(servers.redis.url)}`, { name: 'by_ioredis' }),
  d1: () => d1(),
  'durable object': () => durableObject(),
};

const missing = (name) => {
  if (name === 'node:sqlite' && Number(process.versions.node.split('.')[0]) < 22) return 'Node 22 has node:sqlite';
  return false;
};

for (const [name, create] of Object.entries(stores)) {
  test(`${name} gives what a Deduplicator gives`, { skip: missing(name) }, async () => {
    const { store, close } = await create();
    try {
      // Each call of D1 passes through a proxy.
      await agrees(store, name === 'd1' ? COUNT / 10 : COUNT);
    } finally {
      await close();
    }
  });
}

/** Runs the same random calls on both. */
async function agrees(store, count) {
  const kept = new Deduplicator();
  const next = random(count);
  const ids = [];
  let duplicates = 0;
  const all = [...documents(1, count)];
  for (let at = 0; at < all.length; ) {
    const some = all.slice(at, at + 1 + next(60));
    at += some.length;
    switch (next(10)) {
      case 0: {
        await store.add(some);
        for (const { id, sketch } of some) kept.add(id, sketch);
        ids.push(...some.map(({ id }) => id));
        break;
      }
      case 1: {
        // Of other documents, under ids that are kept.
        const replaced = some.map(({ sketch }) => ({ id: ids.length ? ids[next(ids.length)] : 'first', sketch }));
        await store.add(replaced);
        for (const { id, sketch } of replaced) kept.add(id, sketch);
        break;
      }
      case 2: {
        const removed = some.map(() => (ids.length ? ids[next(ids.length)] : 'none'));
        const expected = removed.filter((id) => kept.delete(id)).length;
        assert.equal(await store.delete(removed), expected);
        break;
      }
      case 3:
        for (const { sketch } of some) {
          const hit = kept.query(sketch);
          assert.deepEqual(await store.query(sketch), hit === undefined ? [] : [hit]);
        }
        break;
      case 4: {
        const taken = ids[next(ids.length)];
        if (!kept.has(taken)) break;
        const document = some.find(({ sketch }) => kept.query(sketch) === undefined);
        if (document === undefined) break;
        await assert.rejects(store.addIfNew([{ id: taken, sketch: document.sketch }]), ({ name, message }) => {
          return name === 'RangeError' && message.includes(taken.slice(0, 20));
        });
        break;
      }
      default: {
        const expected = some.map(({ id, sketch }) => kept.addIfNew(id, sketch));
        assert.deepEqual(await store.addIfNew(some), expected);
        // A retry gives the documents that are kept the same answers.
        const again = some.filter((_, at) => expected[at].duplicateOf === null);
        const answers = await store.addIfNew(again);
        assert.ok(answers.every(({ duplicateOf }) => duplicateOf === null));
        ids.push(...again.map(({ id }) => id));
        duplicates += some.length - again.length;
      }
    }
  }
  assert.ok(duplicates > count / 10, `${duplicates} near-duplicates`);
  assert.equal(await store.count(), kept.size);
  const entries = [];
  for await (const { id, sketch } of store.entries()) entries.push([id, sketch.toHex()]);
  const ofKept = [...kept].map(({ id, sketch }) => [id, sketch.toHex()]);
  const byId = (all) => Object.fromEntries(all);
  assert.deepEqual(byId(entries), byId(ofKept));
  // Those of longer texts are in the same order.
  const isLong = ([, hex]) => hex.length > 100;
  assert.deepEqual(entries.filter(isLong), ofKept.filter(isLong));
  const [id] = ofKept[0];
  assert.equal((await store.get(id)).toHex(), kept.get(id).toHex());
  assert.equal(await store.get('nobody'), undefined);
  kept.free();
}

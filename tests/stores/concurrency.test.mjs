// Eight clients of one store get the answers of some sequential order. A client that queries and then inserts does not.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { d1Store } from 'nearprint/store/d1';
import { open } from './clients.mjs';
import { families } from './documents.mjs';
import { postgres, redis, servers, temporary } from './engines.mjs';
import { runAll } from './processes.mjs';
import { violations } from './sequential.mjs';
import { d1, durableObject } from './workers.mjs';

const COUNT = Number(process.env.STORE_CONCURRENT ?? 3000);
const CLIENTS = 8;
const seed = 7;

const started = servers({
  postgres: () => postgres(['fsync=off']),
  redis: () => redis(),
});

const stores = {
  'better-sqlite3': () => `better-sqlite3:${join(temporary(), 'seen.db')}`,
  pg: () => started.postgres.by('pg'),
  redis: () => started.redis.by('redis'),
};

async function idsOf(store) {
  const ids = [];
  for await (const { id } of store.entries()) ids.push(id);
  return ids;
}

for (const [kind, urlOf] of Object.entries(stores)) {
  for (const isNaive of [false, true]) {
    const what = isNaive ? 'a query and then an insertion do not' : 'addIfNew gives the answers of a sequential order';
    test(`${kind}, eight processes: ${what}`, async (context) => {
      const name = isNaive ? 'naive' : 'locked';
      const url = urlOf();
      const documents = families(seed, COUNT);
      const { store, close } = await open(url, { name });
      try {
        await store.count();
        const start = performance.now();
        const answers = await runAll({ url, name, seed, count: COUNT, batch: 1, isNaive }, CLIENTS);
        const seconds = (performance.now() - start) / 1000;
        const messages = violations(documents, answers, await idsOf(store));
        context.diagnostic(`${Math.round(COUNT / seconds)} documents a second; ${messages.length} violations`);
        if (isNaive) assert.ok(messages.length > 0, 'the test finds no violations');
        else assert.deepEqual(messages, []);
      } finally {
        await close();
      }
    });
  }
}

/** Clients in one process, whose calls overlap. */
async function overlapping(stores, documents) {
  const shares = stores.map(async (store, part) => {
    const answers = [];
    const own = documents.filter((_, at) => at % stores.length === part);
    for (let at = 0; at < own.length; at += 3) answers.push(...(await store.addIfNew(own.slice(at, at + 3))));
    return answers;
  });
  return (await Promise.all(shares)).flat();
}

test('d1, eight clients at once: addIfNew gives the answers of a sequential order', async () => {
  const documents = families(seed, COUNT / 10);
  const { store, client, close } = await d1();
  try {
    await store.count();
    const answers = await overlapping(
      Array.from({ length: CLIENTS }, () => d1Store(client)),
      documents,
    );
    assert.deepEqual(violations(documents, answers, await idsOf(store)), []);
  } finally {
    await close();
  }
});

test('durable object, eight clients at once: addIfNew gives the answers of a sequential order', async () => {
  const documents = families(seed, COUNT);
  const { store, close } = await durableObject();
  try {
    const answers = await overlapping(Array(CLIENTS).fill(store), documents);
    assert.deepEqual(violations(documents, answers, await idsOf(store)), []);
  } finally {
    await close();
  }
});

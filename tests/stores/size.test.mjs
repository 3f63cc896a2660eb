// The bytes of a document in SQLite and Redis, with ids of 80 bytes, the plans of SQLite's statements, and the round trips of D1
// and Redis. postgres.test.mjs has the bytes and the plans of PostgreSQL. STORE_SIZE is the number of documents.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { random } from '../js/random.mjs';
import { exhaustive as test } from '../tier.mjs';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { redis, temporary } from './engines.mjs';
import { servers } from './table.mjs';
import { d1 } from './workers.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 20_000);

const ID_BYTES = 80;

const some = [...documents(1, 60)];
const ids = some.map(({ id }) => id);

/** Calls all methods but `count`, which reads the whole store. */
async function use(store) {
  await store.observe(some);
  await store.observe(some, { lease: 10, expiresIn: 10 });
  const changed = some.map(({ id }, at) => ({ id, sketch: some[(at + 7) % some.length].sketch }));
  await store.observe(changed.slice(0, 20), { lease: 10 });
  await store.confirm(ids.slice(0, 5));
  await store.release(changed.slice(5, 10));
  await store.observe(changed.slice(20));
  await store.add(some.slice(0, 5), { expiresIn: 0 });
  await store.prune();
  for (const { id, sketch } of some) {
    await store.query(sketch);
    await store.get(id);
  }
  await store.delete(ids.slice(0, 5));
  for await (const _ of store.entries()) break;
}

/** Checks the number of round trips of calls. */
async function checkTrips(store, count) {
  const text = sketch('a text of a few words');
  for (const [call, expected] of [
    [() => store.query(some[0].sketch, { limit: 5 }), 1],
    [() => store.observe([{ id: 'trip', sketch: text }], { lease: 10 }), 2],
    [() => store.confirm(['trip']), 2],
    [() => store.observe([{ id: 'trip', sketch: text }]), 1],
    [() => store.get('trip'), 1],
    [() => store.delete(['trip']), 2],
  ]) {
    const before = count();
    await call();
    assert.equal(count() - before, expected, String(call));
  }
}

/** Checks that each statement of a store in SQLite uses an index. */
async function checkPlans(path) {
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  const statements = new Set();
  const { prepare } = client;
  client.prepare = (statement) => {
    statements.add(statement);
    return prepare.call(client, statement);
  };
  await use(store);
  client.prepare = prepare;
  const planned = [...statements].filter((statement) => /^(?:WITH|SELECT|UPDATE|DELETE)/.test(statement));
  assert.ok(planned.length >= 10, `${planned.length} statements`);
  for (const statement of planned) {
    const values = Array(statement.split('?').length - 1).fill(null);
    const plan = client.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...values);
    const scans = plan.filter(({ detail }) => /^SCAN (?:nearprint_(?:documents|keys)|d\b|o\b|k\b)/.test(detail));
    assert.deepEqual(scans, [], statement);
  }
  await close();
}

/** Adds documents without likeness, with ids of 80 bytes. */
async function fill(store) {
  const next = random(1);
  const text = () => Array.from({ length: 40 }, () => `w${next(1e6)}`).join(' ');
  for (let from = 0; from < SIZE; from += 2000) {
    const part = Array.from({ length: Math.min(2000, SIZE - from) }, (_, at) => from + at);
    await store.add(part.map((at) => ({ id: `page-${at}`.padEnd(ID_BYTES), sketch: sketch(text()) })));
  }
  assert.equal(await store.count(), SIZE);
}

test(`sqlite, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const path = join(temporary(), 'seen.db');
  await checkPlans(path);
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  for await (const { id } of store.entries()) await store.delete([id]);
  await fill(store);
  client.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = statSync(path).size / SIZE;
  context.diagnostic(
    `${bytes.toFixed(0)} bytes a document, ${(bytes - 2 * ID_BYTES).toFixed(0)} besides both copies of its id`,
  );
  assert.ok(bytes - 2 * ID_BYTES <= 430);
  await close();
  await checkPlans(path);
});

test(`redis, ${SIZE} documents: bytes of each`, async (context) => {
  const server = await redis();
  if (server === null) return context.skip('not installed');
  const { store, client, close } = await open(server.by('redis'));
  const memory = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
  await store.count();
  const empty = await memory();
  await fill(store);
  const bytes = ((await memory()) - empty) / SIZE;
  context.diagnostic(`${bytes.toFixed(0)} bytes a document, ${(bytes - ID_BYTES).toFixed(0)} besides its id`);
  assert.ok(bytes - ID_BYTES <= 700);
  await close();
  await server.stop();
});

test('redis: a search is one round trip, a change two', async (context) => {
  const server = await servers.redis();
  if (server === null) return context.skip('not installed');
  const { store, client, close } = await open(server.by('redis'), { name: 'trips' });
  await use(store);
  let trips = 0;
  const { sendCommand } = client;
  client.sendCommand = (...command) => {
    trips++;
    return sendCommand.apply(client, command);
  };
  await checkTrips(store, () => trips);
  await close();
});

test('d1: a search is one round trip, a change two, with few bound parameters', async () => {
  const { client, close } = await d1();
  let most = 0;
  let trips = 0;
  const counted = {
    prepare: (statement) => ({
      bind: (...values) => {
        most = Math.max(most, values.length);
        return client.prepare(statement).bind(...values);
      },
    }),
    batch: (statements) => {
      trips++;
      return client.batch(statements);
    },
  };
  const store = d1Store(counted);
  await use(store);
  // D1 takes 100.
  assert.ok(most <= 40, `${most} parameters`);
  await checkTrips(store, () => trips);
  await close();
});

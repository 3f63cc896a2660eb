// The bytes of a document in SQLite and Redis, with ids of 80 bytes, the rows that D1 bills, the plans of SQLite's and D1's
// statements, and the round trips of D1 and Redis. postgres.test.mjs has the bytes and the plans of PostgreSQL. STORE_SIZE is the
// number of documents.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { random } from '../js/random.mjs';
import { exhaustive as test } from '../tier.mjs';
import { open } from './clients.mjs';
import { useAll } from './documents.mjs';
import { redis, temporary } from './engines.mjs';
import { testOn } from './table.mjs';
import { d1 } from './workers.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 20_000);

const ID_BYTES = 80;

/** The number of calls whose rows are counted. */
const CALLS = 20;

/** Checks the number of round trips of calls. */
async function checkTrips(store, count) {
  const text = sketch('a text of a few words');
  for (const [call, expected] of [
    [() => store.query(text, { limit: 5 }), 1],
    [() => store.observe([{ id: 'trip', sketch: text }], { lease: 10 }), 2],
    [() => store.confirm(['trip']), 2],
    [() => store.observe([{ id: 'trip', sketch: text }]), 1],
    [() => store.observe([{ id: 'copy of it', sketch: text }]), 1],
    [() => store.get('trip'), 1],
    [() => store.delete(['trip']), 2],
  ]) {
    const before = count();
    await call();
    assert.equal(count() - before, expected, String(call));
  }
}

/** Calls all methods of a store, and checks that each statement that its client prepares uses an index. */
async function checkPlans(store, client, explain) {
  const statements = new Set();
  const { prepare } = client;
  client.prepare = (statement) => {
    statements.add(statement);
    return prepare.call(client, statement);
  };
  await useAll(store);
  client.prepare = prepare;
  const planned = [...statements].filter((statement) => /^(?:SELECT|UPDATE|DELETE|INSERT)/.test(statement));
  assert.ok(planned.length >= 10, `${planned.length} statements`);
  for (const statement of planned) {
    const values = Array(statement.split('?').length - 1).fill(null);
    const plan = await explain(`EXPLAIN QUERY PLAN ${statement}`, values);
    const scans = plan.filter(({ detail }) => /^SCAN (?:nearprint_(?:documents|keys)|d\b|o\b|k\b)/.test(detail));
    assert.deepEqual(scans, [], statement);
  }
}

async function checkSqlitePlans(path) {
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  await checkPlans(store, client, (statement, values) => client.prepare(statement).all(...values));
  await close();
}

/** Returns a function that returns the next documents: without likeness, with ids of 80 bytes. */
function unrelated() {
  const next = random(1);
  const text = () => Array.from({ length: 40 }, () => `w${next(1e6)}`).join(' ');
  let number = 0;
  const document = () => ({ id: `page-${number++}`.padEnd(ID_BYTES), sketch: sketch(text()) });
  return (count) => Array.from({ length: count }, document);
}

async function fill(store) {
  const some = unrelated();
  for (let from = 0; from < SIZE; from += 2000) await store.add(some(Math.min(2000, SIZE - from)));
  assert.equal(await store.count(), SIZE);
}

test(`sqlite, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const path = join(temporary(), 'seen.db');
  await checkSqlitePlans(path);
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  for await (const { id } of store.entries()) await store.delete([id]);
  await fill(store);
  client.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = statSync(path).size / SIZE;
  context.diagnostic(`${bytes.toFixed(0)} bytes a document, ${(bytes - ID_BYTES).toFixed(0)} besides its id`);
  assert.ok(bytes - ID_BYTES <= 440);
  await close();
  await checkSqlitePlans(path);
});

testOn({ kind: 'redis', start: redis, test }, `bytes of each of ${SIZE} documents`, async ({ open, context }) => {
  const { store, client } = await open();
  const memory = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
  await store.count();
  const empty = await memory();
  await fill(store);
  const bytes = ((await memory()) - empty) / SIZE;
  context.diagnostic(`${bytes.toFixed(0)} bytes a document, ${(bytes - ID_BYTES).toFixed(0)} besides its id`);
  assert.ok(bytes - ID_BYTES <= 650);
});

testOn({ kind: 'redis', test }, 'a search is one round trip, a change two', async ({ open }) => {
  const { store, client } = await open({ name: 'trips' });
  await useAll(store);
  let trips = 0;
  const { sendCommand } = client;
  client.sendCommand = (...command) => {
    trips++;
    return sendCommand.apply(client, command);
  };
  await checkTrips(store, () => trips);
});

test('d1: a search is one round trip, a change two, with few bound parameters', async (context) => {
  const { client, close } = await d1();
  context.after(close);
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
  await useAll(store);
  // D1 takes 100.
  assert.ok(most <= 40, `${most} parameters`);
  await checkTrips(store, () => trips);
});

test(`d1, 10 and ${SIZE} documents: every statement uses an index`, async (context) => {
  const { client, close } = await d1();
  context.after(close);
  const prepare = (statement) => client.prepare(statement);
  const opened = { prepare, batch: (statements) => client.batch(statements) };
  const explain = async (statement, values) =>
    (
      await prepare(statement)
        .bind(...values)
        .all()
    ).results;
  await d1Store(opened).add(unrelated()(1));
  for (const [from, to] of [
    [2, 10],
    // The numbers between are given to documents of the calls.
    [10_001, 10_000 + SIZE],
  ]) {
    const numbers = `WITH RECURSIVE n (i) AS (VALUES (${from}) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    await client.batch([
      prepare(`${numbers} INSERT INTO nearprint_documents (number, id, value, keys)
        SELECT i, printf('%080d', i), (SELECT value FROM nearprint_documents WHERE number = 1), zeroblob(0) FROM n`),
      prepare(`${numbers} INSERT INTO nearprint_keys SELECT abs(random() % 281474976710656), i
        FROM n CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13]')`),
    ]);
    await checkPlans(d1Store(opened), opened, explain);
  }
});

test('d1: the rows of a million new documents', async (context) => {
  const { client, close } = await d1();
  context.after(close);
  const rows = { read: 0, written: 0 };
  const counted = {
    prepare: (statement) => client.prepare(statement),
    async batch(statements) {
      const results = await client.batch(statements);
      for (const { meta } of results) {
        rows.read += meta.rows_read;
        rows.written += meta.rows_written;
      }
      return results;
    },
  };
  const store = d1Store(counted);
  const next = unrelated();
  await store.add(next(200));
  for (const size of [10, 1]) {
    Object.assign(rows, { read: 0, written: 0 });
    for (let calls = 0; calls < CALLS; calls++) await store.observe(next(size));
    const [read, written] = [rows.read, rows.written].map((each) => (each / (CALLS * size)).toFixed(1));
    context.diagnostic(`${size} in a call: ${written} million written, ${read} million read`);
  }
});

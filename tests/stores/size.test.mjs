// The size of a store, its round trips, and the plans of its statements.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sketch, sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { redis, temporary } from './engines.mjs';
import { servers } from './table.mjs';
import { d1 } from './workers.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 50_000);

/** Bytes of a record, which the figures leave out. */
const RECORD = 80;

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

/** Milliseconds of a query. */
async function queryTime(store) {
  const start = performance.now();
  for (const { sketch } of some) await store.query(sketch);
  return (performance.now() - start) / some.length;
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

test(`sqlite, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const path = join(temporary(), 'seen.db');
  await checkPlans(path);
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  await store.delete(ids);
  const last = client.prepare('SELECT max(number) AS last FROM nearprint_documents').get().last ?? 1;
  const insert = client.prepare('INSERT INTO nearprint_documents (number, id, value, keys) VALUES (?, ?, ?, ?)');
  const file = client.prepare('INSERT INTO nearprint_keys (key, number) VALUES (?, ?)');
  client.transaction(() => {
    // Groups are filed in the order of their keys.
    for (let from = last + 1; from <= last + SIZE; from += 2048) {
      const pairs = [];
      for (let number = from; number < from + 2048; number++) {
        const keys = Array.from({ length: 13 }, () => randomBytes(6));
        insert.run(number, `page-${number}`.padEnd(80), randomBytes(RECORD), Buffer.concat(keys));
        for (const key of keys) pairs.push([key.readUIntBE(0, 6), number]);
      }
      for (const pair of pairs.sort(([a], [b]) => a - b)) file.run(pair);
    }
    client.exec('UPDATE nearprint_store SET filed = (SELECT max(number) FROM nearprint_documents)');
  })();
  client.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = statSync(path).size / client.prepare('SELECT count(*) AS count FROM nearprint_documents').get().count;
  // The id is in the table and in its index.
  const withoutId = bytes - 2 * 80;
  context.diagnostic(
    `${bytes.toFixed(0)} bytes a document with an id of 80 bytes, ${withoutId.toFixed(0)} besides the id`,
  );
  assert.ok(withoutId <= 430);
  await checkPlans(path);
  context.diagnostic(`${(await queryTime(store)).toFixed(2)} ms a query`);
  await close();
});

test(`postgres, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const server = await servers.postgres();
  if (server === null) return context.skip('not installed');
  const { store, client, close } = await open(server.by('pg'), { name: 'size' });
  await store.count();
  await client.query(`INSERT INTO size_documents (id, fingerprint, words, minhash)
    SELECT 'page-' || i, ('x' || left(md5('f' || i), 16))::bit(64)::bigint, ('x' || left(md5('w' || i), 16))::bit(64)::bigint,
      ('x' || md5('a' || i) || md5('b' || i) || md5('c' || i) || md5('d' || i))::bit(512)
    FROM generate_series(1, ${SIZE}) AS i`);
  const [{ total }] = (await client.query("SELECT pg_total_relation_size('size_documents') AS total")).rows;
  const bytes = Number(total) / SIZE - RECORD;
  context.diagnostic(`${bytes.toFixed(1)} bytes a document without its sketch`);
  assert.ok(bytes <= 320);
  await close();
  const again = await open(server.by('pg'), { name: 'size', max: 1 });
  await again.store.get('missing');
  const before = await scansOf(again.client);
  await use(again.store);
  assert.equal(await scansOf(again.client), before);
  context.diagnostic(`${(await queryTime(again.store)).toFixed(2)} ms a query`);
  await again.close();
});

/** How often a table has been read whole. */
async function scansOf(client) {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query("SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'size_documents'");
  return Number(rows[0].seq_scan);
}

test('redis: bytes of each document', async (context) => {
  const server = await redis();
  if (server === null) return context.skip('not installed');
  const { store, client, close } = await open(server.by('redis'));
  const count = SIZE / 2;
  const memory = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);
  await store.count();
  const empty = await memory();
  const head = new TextEncoder().encode('v1:64');
  // The kind of a document of a store.
  const random = () => Sketch.fromBytes(Uint8Array.of(head.length, ...head, 0x83, ...randomBytes(RECORD)));
  await store.add(Array.from({ length: count }, (_, at) => ({ id: `page-${at}`, sketch: random() })));
  assert.equal(await store.count(), count);
  const bytes = ((await memory()) - empty) / count - RECORD;
  context.diagnostic(`${bytes.toFixed(1)} bytes a document without its sketch, of ${count} documents`);
  context.diagnostic(`${(await queryTime(store)).toFixed(2)} ms a query`);
  await close();
  await server.stop();
});

for (const [kind, driver, method, most] of [
  ['postgres', 'pg', 'query', 1],
  // A changed version leaves keys that are known only after it has been read.
  ['redis', 'redis', 'sendCommand', 2],
]) {
  test(`${kind}: a call is one round trip${most > 1 ? ', and two if a version leaves' : ''}`, async (context) => {
    const server = await servers[kind]();
    if (server === null) return context.skip('not installed');
    const { store, client, close } = await open(server.by(driver), { name: 'trips' });
    await use(store);
    let trips = 0;
    const send = client[method];
    client[method] = (...call) => {
      trips++;
      return send.apply(client, call);
    };
    const tripsOf = async (call) => {
      trips = 0;
      await call();
      return trips;
    };
    const [text, other] = ['one', 'other'].map((word) => sketch(`${word} text of a few words, `.repeat(20)));
    assert.equal(await tripsOf(() => store.query(some[0].sketch, { limit: 5 })), 1);
    assert.equal(await tripsOf(() => store.observe([{ id: 'new', sketch: text }], { lease: 10 })), 1);
    assert.equal(await tripsOf(() => store.observe([{ id: 'new', sketch: text }], { lease: 10 })), 1);
    assert.equal(await tripsOf(() => store.confirm(['new'])), 1);
    assert.equal(await tripsOf(() => store.observe([{ id: 'new', sketch: text }])), 1);
    assert.ok((await tripsOf(() => store.observe([{ id: 'new', sketch: other }]))) <= most);
    assert.ok((await tripsOf(() => store.delete(['new']))) <= most);
    await close();
  });
}

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
  for (const [call, expected] of [
    [() => store.query(some[0].sketch), 1],
    [() => store.observe([{ id: 'new', sketch: sketch('a text of a few words') }], { lease: 10 }), 2],
    [() => store.confirm(['new']), 2],
    [() => store.get('new'), 1],
  ]) {
    trips = 0;
    await call();
    assert.equal(trips, expected, String(call));
  }
  await close();
});

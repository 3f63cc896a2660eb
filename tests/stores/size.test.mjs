// The room that a store takes, and the plans of its statements.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { postgres, redis, servers, temporary } from './engines.mjs';
import { d1 } from './workers.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 50_000);

/** Bytes of a record, which the limit leaves out. */
const RECORD = 72;

const started = servers({ postgres: () => postgres(['fsync=off']), redis: () => redis() });

const some = [...documents(1, 60)];

async function use(store) {
  await store.addIfNew(some);
  await store.add(some.slice(0, 5));
  for (const { id, sketch } of some) {
    await store.query(sketch);
    await store.get(id);
  }
  await store.delete(some.slice(0, 5).map(({ id }) => id));
  for await (const _ of store.entries()) break;
}

/** Milliseconds of a query. */
async function queryTime(store) {
  const start = performance.now();
  for (const { sketch } of some) await store.query(sketch);
  return (performance.now() - start) / some.length;
}

test(`sqlite, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const path = join(temporary(), 'seen.db');
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  await store.count();
  const insert = client.prepare('INSERT INTO nearprint_documents (id, high, low, content) VALUES (?, ?, ?, ?)');
  client.transaction(() => {
    for (let at = 0; at < SIZE; at++) {
      const record = randomBytes(RECORD);
      insert.run(`page-${at}`, record.readUInt32LE(0), record.readUInt32LE(4), record.subarray(8));
    }
  })();
  client.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = statSync(path).size / SIZE - RECORD;
  context.diagnostic(`${bytes.toFixed(1)} bytes a document without its sketch`);
  assert.ok(bytes <= 200);

  const statements = new Set();
  const { prepare } = client;
  client.prepare = (statement) => {
    statements.add(statement);
    return prepare.call(client, statement);
  };
  await use(store);
  client.prepare = prepare;
  assert.ok(statements.size >= 6);
  for (const statement of statements) {
    const values = Array(statement.split('?').length - 1).fill(null);
    const plan = client.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...values);
    const scans = plan.filter(({ detail }) => /^SCAN nearprint_documents/.test(detail));
    assert.deepEqual(scans, [], statement);
  }
  context.diagnostic(`${(await queryTime(store)).toFixed(2)} ms a query`);
  await close();
});

test(`postgres, ${SIZE} documents: bytes of each, and every statement uses an index`, async (context) => {
  const { store, client, close } = await open(started.postgres.by('pg'), { name: 'size' });
  await store.count();
  await client.query(`INSERT INTO size_documents (id, fingerprint, minhash)
    SELECT 'page-' || i, ('x' || left(md5('f' || i), 16))::bit(64)::bigint,
      ('x' || md5('a' || i) || md5('b' || i) || md5('c' || i) || md5('d' || i))::bit(512)
    FROM generate_series(1, ${SIZE}) AS i`);
  const [{ total }] = (await client.query("SELECT pg_total_relation_size('size_documents') AS total")).rows;
  const bytes = Number(total) / SIZE - RECORD;
  context.diagnostic(`${bytes.toFixed(1)} bytes a document without its sketch`);
  // Few documents fill no index page: an index stores equal values once.
  if (SIZE >= 1_000_000) assert.ok(bytes <= 200);
  await close();
  const again = await open(started.postgres.by('pg'), { name: 'size', max: 1 });
  await again.store.get('nobody');
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

for (const [kind, method] of [
  ['postgres', 'query'],
  ['redis', 'sendCommand'],
]) {
  test(`${kind}: a query and an addition are one round trip each`, async () => {
    const { store, client, close } = await open(started[kind].by(kind === 'redis' ? kind : 'pg'), { name: 'trips' });
    await use(store);
    let trips = 0;
    const send = client[method];
    client[method] = (...call) => {
      trips++;
      return send.apply(client, call);
    };
    await store.query(some[0].sketch, { limit: 5 });
    assert.equal(trips, 1);
    await store.addIfNew([{ id: 'new', sketch: sketch('another text of a few words') }]);
    assert.equal(trips, 2);
    await close();
  });
}

test('d1: all probes in one round trip, and few bound parameters', async () => {
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
  assert.ok(most <= 20, `${most} parameters`);
  trips = 0;
  await store.query(some[0].sketch);
  assert.equal(trips, 1);
  await close();
});

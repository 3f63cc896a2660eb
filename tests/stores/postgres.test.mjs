// PostgreSQL: plans, sizes, pgbouncer, rights, and what happens between a read and a write.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sketch } from 'nearprint';
import { postgresStore } from 'nearprint/store/postgres';
import { exhaustive } from '../tier.mjs';
import { documents, useAll } from './documents.mjs';
import { freePort, has, temporary } from './engines.mjs';
import { calls, keptBy, makeCalls, violations } from './sequential.mjs';
import { testOn } from './table.mjs';

const SIZE = Number(process.env.STORE_SIZE ?? 20_000);
const CLIENTS = 16;
const PGBOUNCER = ['pgbouncer', '/usr/sbin/pgbouncer'].find(has);

const some = [...documents(1, 2)];
const ids = some.map(({ id }) => id);

/**
 * Adds documents without likeness, with ids of 80 bytes. Their versions end if `extra`, the size of expiry and lease, is not 0.
 * Autovacuum is off: while it analyzes a table, updates find less space on the pages of their rows.
 */
const fill = (client, name, from, to, extra = 0) =>
  client.query(`ALTER TABLE ${name}_documents SET (autovacuum_enabled = off); INSERT INTO ${name}_documents (id, ends, value, keys)
    SELECT lpad(i::text, 80, '-'), nullif(i, i * (${extra} + 1)), decode(repeat(md5(i::text), 5) || repeat('00', ${extra}), 'hex'),
      ARRAY(SELECT ('x' || left(md5(i || ' ' || at), 12))::bit(48)::bigint FROM generate_series(0, 13) AS at)
    FROM generate_series(${from}, ${to}) AS i`);

const plansAndSizes = 'every statement uses an index, and a document takes at most 900 bytes';
testOn({ kind: 'postgres', test: exhaustive }, plansAndSizes, async ({ open, context }) => {
  const { store, client: pool } = await open({ name: 'plans' });
  const client = await pool.connect();
  await store.count();
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_nested_statements = on; SET client_min_messages = log`);
  const plans = new Set();
  client.on('notice', ({ message }) => plans.add(message.replace(/^duration: .*/, '').replaceAll(/\(cost.*?\)/g, '')));
  for (const analyzed of [false, true]) {
    for (const [from, to] of [
      [1, 10],
      [11, SIZE],
    ]) {
      if (!analyzed) await fill(client, 'plans', from, to);
      else if (from === 1) await client.query('ANALYZE plans_documents');
      plans.clear();
      await useAll(postgresStore(client, { name: 'plans' }));
      const onDocuments = [...plans].filter((plan) => /(?:on|using) plans_documents/.test(plan));
      assert.ok(onDocuments.length >= 9, `${onDocuments.length} plans`);
      for (const plan of onDocuments) {
        assert.doesNotMatch(plan, /Seq Scan on plans_documents/);
        if (!/^\s*Insert on/m.test(plan)) assert.match(plan, /plans_(?:keys|documents_pkey)/);
      }
    }
  }
  client.release();
  const sizes = await open({ name: 'sizes' });
  await sizes.store.count();
  await fill(sizes.client, 'sizes', 1, SIZE);
  const bytesOf = async (name) => {
    const { rows } = await sizes.client.query(`SELECT pg_total_relation_size('${name}_documents') AS total`);
    return Number(rows[0].total) / SIZE - 80;
  };
  const bytes = await bytesOf('sizes');
  context.diagnostic(`${bytes.toFixed(0)} bytes a document besides the id`);
  assert.ok(bytes <= 900);
  // With an expiry time, and with a lease too.
  for (const [what, extra] of Object.entries({ expiring: 8, leased: 25 })) {
    await postgresStore(sizes.client, { name: what }).count();
    await fill(sizes.client, what, 1, SIZE, extra);
    const more = await bytesOf(what);
    context.diagnostic(`${what}: ${more.toFixed(0)} bytes`);
    assert.ok(more <= 940);
  }
  // Confirming documents updates no index.
  const all = Array.from({ length: 200 }, (_, at) => ({ id: `lease ${at}`, sketch: sketch(`text ${at}`) }));
  for (const document of all) await sizes.store.observe([document], { lease: 100 });
  const before = await updatesOf(sizes.client);
  for (const { id } of all) await sizes.store.confirm([id]);
  const after = await updatesOf(sizes.client);
  context.diagnostic(`${after.hot - before.hot} of ${after.all - before.all} updates are HOT`);
  assert.equal(after.all - before.all, 200);
  assert.ok(after.hot - before.hot > 150);
});

async function updatesOf(client) {
  await sleep(1100); // Each connection reports once a second.
  await client.query('SELECT pg_stat_force_next_flush()').catch(() => {});
  const statement = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'sizes_documents'";
  const { rows } = await client.query(statement);
  return { all: Number(rows[0].n_tup_upd), hot: Number(rows[0].n_tup_hot_upd) };
}

/** Starts pgbouncer in transaction mode before a server, with two connections for all clients. */
async function pgbouncer(server) {
  const folder = temporary();
  const port = await freePort();
  const { port: serverPort } = new URL(server.url);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\npostgres = host=127.0.0.1 port=${serverPort} user=tester\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
      `listen_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\n`,
  );
  // It does not run as root.
  const user = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (user.uid) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const child = spawn(PGBOUNCER, [file], { ...user, cwd: folder, stdio: 'ignore' });
  await sleep(1000);
  return { url: `tester@127.0.0.1:${port}/postgres`, stop: () => child.kill('SIGINT') };
}

// Without support of the pooler, postgres.js prepares a lost statement again.
for (const [at, driver] of ['pg', 'postgres.js', 'postgres.js-unprepared'].entries()) {
  const what = `${driver}: ${CLIENTS} clients by pgbouncer in transaction mode`;
  testOn('postgres', what, async ({ open, server, context }) => {
    if (PGBOUNCER === undefined) return context.skip('pgbouncer is not installed');
    const bouncer = await pgbouncer(server);
    const all = calls(3, 60);
    const records = [];
    const report = (record) => record.end !== undefined && records.push(record);
    const openOne = () => open({ name: `bounced${at}`, max: 1 }, { edit: () => `${driver}://${bouncer.url}` });
    const opened = await Promise.all(Array.from({ length: CLIENTS }, openOne));
    await opened[0].store.count();
    await Promise.all(opened.map(({ store }, from) => makeCalls(store, all, { from, parts: CLIENTS }, report)));
    assert.ok(records.length > 0);
    assert.deepEqual(violations(all, records, await keptBy(opened[0].store)), []);
    for (const { close } of opened) await close();
    bouncer.stop();
  });
}

/** Returns a client that runs `before(statement)` before each statement. */
const withHook = (client, before) => ({
  async query(statement, values) {
    await before(statement);
    return client.query(statement, values);
  },
});

testOn('postgres', 'a lease that ends between read and write', async ({ open }) => {
  const { client, store } = await open({ name: 'lease' });
  await store.observe([some[0]], { lease: 0.5 });
  let waits = 0;
  const slow = withHook(client, async (statement) => {
    if (statement.includes('_write(') && waits++ === 0) await sleep(700);
  });
  assert.equal(await postgresStore(slow, { name: 'lease' }).confirm([ids[0]]), 0);
  assert.equal(waits, 1);
  assert.equal(await store.count(), 0);
});

/** Calls that give a provisional version another end, and what a copy of it then is. */
const renewals = {
  confirm: [(store, { id }) => store.confirm([id]), {}],
  observe: [(store, document) => store.observe([document], { lease: 10 }), { isProvisional: true }],
};

for (const [method, [renew, provisional]] of Object.entries(renewals)) {
  testOn('postgres', `a copy that is observed while ${method} of a lease that has ended commits`, async ({ open }) => {
    let time = 1_800_000_000;
    const name = `late_${method}`;
    const { client, store } = await open({ name, max: 4 }, { now: () => time });
    const [document] = some;
    await store.observe([document], { lease: 10 });
    time += 9;
    await store.count();
    const other = await client.connect();
    await other.query('BEGIN');
    // The functions have the clock of the test.
    await renew(postgresStore(other, { name }), document);
    time += 2;
    const state = { hasEnded: false };
    const call = store.observe([{ ...document, id: 'copy' }]).finally(() => {
      state.hasEnded = true;
    });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${name}_write%'`;
    while (!state.hasEnded && (await client.query(waiting)).rows.length === 0) await sleep(20);
    await other.query('COMMIT');
    other.release();
    const copy = { id: 'copy', status: 'duplicate', duplicateOf: document.id, resemblance: 1, ...provisional };
    assert.deepEqual(await call, [copy]);
    assert.equal(await store.count(), 1);
  });
}

testOn('postgres', 'a write of up to four documents locks their keys, a larger one the store', async ({ open }) => {
  const { client, store } = await open({ name: 'locks', max: 4 });
  const all = Array.from({ length: 12 }, (_, at) => ({ id: `page ${at}`, sketch: sketch(`short ${at}`) }));
  await store.observe(all.slice(0, 1));
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%locks_write%'";
  const checkWaits = async (lock, free, documents) => {
    const other = await client.connect();
    await other.query(`BEGIN; SELECT ${lock}`);
    assert.equal((await store.observe(free)).length, free.length);
    let hasEnded = false;
    const call = store.observe(documents).finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && (await client.query(waiting)).rows.length === 0) await sleep(20);
    assert.ok(!hasEnded);
    await other.query('COMMIT');
    other.release();
    assert.equal((await call).length, documents.length);
  };
  // The lock of another write of few documents.
  const shared = "pg_advisory_xact_lock_shared(hashtext('nearprint'), hashtext('locks'))";
  await checkWaits(shared, all.slice(1, 5), all.slice(5, 10));
  const edited = { id: all[0].id, sketch: all[10].sketch };
  await checkWaits(
    `pg_advisory_xact_lock(keys[1]) FROM locks_documents WHERE id = '${edited.id}'`,
    [all[11]],
    [edited],
  );
});

testOn('postgres', 'a connection that ends during the write changes nothing', async ({ open }) => {
  const { client, store } = await open({ name: 'killed', max: 4 });
  await store.observe([some[0]]);
  const other = await client.connect();
  await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('nearprint'), hashtext('killed'))");
  const call = assert.rejects(store.observe([some[1]]), /the connection is lost: repeat the call, which is safe/);
  const waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%killed_write%'";
  while ((await client.query(`SELECT 1 ${waiting}`)).rows.length === 0) await sleep(20);
  await client.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  await call;
  await other.query('COMMIT');
  other.release();
  assert.equal(await store.count(), 1);
  assert.equal((await store.observe([some[1]]))[0].status, 'new');
});

testOn('postgres', 'users who may only read, or may not call the functions', async ({ open }) => {
  const { client, store } = await open({ name: 'rights' });
  await store.observe([some[0]]);
  await client.query(`CREATE ROLE reader LOGIN; GRANT SELECT ON rights_store, rights_documents TO reader;
    CREATE ROLE nobody_else LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON rights_store, rights_documents TO nobody_else`);
  const reader = await open({ name: 'rights' }, { edit: (url) => url.replace('tester@', 'reader@') });
  assert.equal((await reader.store.query(some[0].sketch))[0].id, ids[0]);
  assert.ok(await reader.store.get(ids[0]));
  const advice = /permission denied for .*: run the statements of schema\(\) as .* and grant this one SELECT, INSERT/;
  await assert.rejects(reader.store.observe([some[1]]), advice);
  await client.query('REVOKE EXECUTE ON FUNCTION rights_read, rights_write FROM PUBLIC');
  const other = await open({ name: 'rights' }, { edit: (url) => url.replace('tester@', 'nobody_else@') });
  await assert.rejects(other.store.observe([some[1]]), advice);
});

testOn(
  'postgres',
  'a store whose tables or functions are gone opens again, and one whose documents are gone is empty',
  async ({ open }) => {
    const { client, store } = await open({ name: 'lost' });
    await store.observe([some[0]]);
    await client.query('DROP FUNCTION lost_read');
    assert.deepEqual(await store.observe([some[0]]), [{ id: ids[0], status: 'unchanged' }]);
    for (const statement of ['TRUNCATE lost_documents', 'DROP TABLE lost_documents']) {
      await client.query(statement);
      assert.deepEqual(await store.observe([some[0]]), [{ id: ids[0], status: 'new' }], statement);
    }
    await client.query('DROP TABLE lost_documents, lost_store');
    assert.equal(await store.count(), 0);
  },
);

testOn('postgres', 'the work of a call is linear in its documents, in families of many', async ({ open, context }) => {
  const { store, client } = await open({ name: 'families', max: 1 });
  let number = 0;
  const pages = (families) =>
    Array.from({ length: families }, (_, family) => {
      const fixed = Array.from({ length: 70 }, (_, at) => `family${family}word${at}`);
      return { id: `page ${number}`, sketch: sketch([...fixed, ...`own words of ${number++}`.split(' ')].join(' ')) };
    });
  for (let round = 0; round < 8; round++) await store.add(pages(256));
  const statistics = async () => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const statement = "SELECT idx_scan, idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'families_keys'";
    const { rows } = await client.query(statement);
    return { scans: Number(rows[0].idx_scan), versions: Number(rows[0].idx_tup_read) };
  };
  /** Returns how many versions the scans of the index find for each page of a call that keeps a page of each family. */
  const versionsFor = async (families) => {
    const before = await statistics();
    const decisions = await store.observe(pages(families), { minResemblance: 1 });
    assert.ok(decisions.every(({ status }) => status === 'new'));
    const after = await statistics();
    // A scan compares each version that it finds with all of its keys: of 14 keys of a page, at most 14 are of one scan.
    assert.ok(after.scans - before.scans >= families);
    return (after.versions - before.versions) / families;
  };
  const [few, many] = [await versionsFor(16), await versionsFor(256)];
  context.diagnostic(`${few} versions for each of 16 pages, ${many} for each of 256`);
  assert.ok(few > 8);
  assert.ok(many < 2 * few);
});

// Every error states what to do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';
import { memoryStore } from 'nearprint/store/memory';
import { postgresStore } from 'nearprint/store/postgres';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { postgres, redis, servers, temporary } from './engines.mjs';
import { d1 } from './workers.mjs';

const started = servers({
  postgres: () => postgres(['fsync=off']),
  redis: () => redis(),
});

const one = { id: 'a', sketch: sketch('one') };

/** Each opens a store again with other options, and changes its metadata. */
const engines = {
  async sqlite() {
    const url = `better-sqlite3:${join(temporary(), 'seen.db')}`;
    const change = (client, column, value) => client.exec(`UPDATE nearprint_store SET ${column} = '${value}'`);
    return { open: (options) => open(url, options), change };
  },
  async postgres() {
    const url = started.postgres.by('pg');
    const change = (client, column, value) => client.query(`UPDATE nearprint_store SET ${column} = '${value}'`);
    return { open: (options) => open(url, options), change };
  },
  async redis() {
    const url = started.redis.by('redis');
    const change = (client, column, value) => client.hSet('{nearprint}:store', column, value);
    return { open: (options) => open(url, options), change };
  },
  async d1() {
    const first = await d1();
    const change = (client, column, value) => client.prepare(`UPDATE nearprint_store SET ${column} = '${value}'`).run();
    const again = (options) => ({ store: d1Store(first.client, options), client: first.client, close() {} });
    return { open: again, change, end: first.close };
  },
};

for (const [name, start] of Object.entries(engines)) {
  test(`${name}: a wrong limit of a query is named`, async () => {
    const { open, end } = await start();
    const { store, close } = await open();
    for (const [options, message] of [
      [{ limit: -1 }, /^RangeError: nearprint: limit must be a whole number from 0 to 4294967295, got -1$/],
      [{ limit: 1.5 }, /^RangeError: nearprint: limit must be .*, got 1.5$/],
      [{ limit: '2' }, /^TypeError: nearprint: limit must be .*, got "2"$/],
      [{ most: 2 }, /^TypeError: nearprint: option must be one of limit, got "most"$/],
    ]) {
      await assert.rejects(store.query(one.sketch, options), message);
    }
    await close();
    await end?.();
  });

  test(`${name}: another scheme, layout or name is refused`, async () => {
    const { open, change, end } = await start();
    const first = await open();
    await first.store.addIfNew([one]);
    const refuses = async (options, message) => {
      const { store, close } = await open(options);
      await assert.rejects(store.count(), message);
      // It is refused every time.
      await assert.rejects(
        store.addIfNew([]).then(() => store.get('a')),
        message,
      );
      await close();
    };
    await refuses(
      { scheme: 'v1:64:words1' },
      /^Error: nearprint: the store "nearprint" has sketches of the scheme v1:64, not of v1:64:words1: open it with/,
    );
    await change(first.client, 'layout', 2);
    await refuses({}, /has the layout 2 \(4x16\), and this version of nearprint uses 1 \(4x16\): update the older/);
    await change(first.client, 'layout', 1);
    await change(first.client, 'blocks', '3x21');
    await refuses({}, /has the layout 1 \(3x21\)/);
    await change(first.client, 'blocks', '4x16');
    await change(first.client, 'name', 'other');
    await refuses({}, /has the metadata of a store "other": open it by that name/);
    await first.close();
    await end?.();
  });
}

test('arguments are checked before anything is stored', async () => {
  const store = memoryStore();
  const rejects = (docs, type, message) =>
    assert.rejects(store.addIfNew(docs), (error) => {
      return error instanceof type && message.test(error.message);
    });
  await rejects('ab', TypeError, /docs takes an iterable of \{ id, sketch \}/);
  await rejects([1], TypeError, /docs\[0\] must be \{ id, sketch \}, got 1/);
  await rejects([one, { ...one, id: 5 }], TypeError, /docs\[1\]\.id must be a string, got 5/);
  await rejects([{ ...one, id: 'a\0' }], RangeError, /without NUL/);
  await rejects([{ ...one, id: '\ud800' }], RangeError, /without lone surrogates/);
  await rejects([{ ...one, id: 'é'.repeat(1001) }], RangeError, /up to 2000 bytes of UTF-8/);
  await rejects([{ id: 'b', sketch: 'text' }], TypeError, /docs\[0\]\.sketch takes a Sketch/);
  const other = sketch('one', { features: 'words' });
  await rejects(
    [{ id: 'b', sketch: other }],
    RangeError,
    /docs\[0\]\.sketch must be a sketch of the scheme v1:64, got "v1:64:words1"/,
  );
  await assert.rejects(store.query('text'), TypeError);
  await assert.rejects(store.query(other), RangeError);
  await assert.rejects(store.delete('text'), TypeError);
  assert.throws(() => memoryStore({ name: 'a-b' }), /name takes up to 40 lower-case letters/);
  assert.throws(() => memoryStore({ minResemblance: 2 }), RangeError);
  assert.throws(() => memoryStore({ probes: 0 }), RangeError);
  assert.throws(() => memoryStore({ table: 'x' }), /options takes name, minResemblance/);
  for (const create of [sqliteStore, postgresStore, redisStore, d1Store, durableObjectStore]) {
    assert.throws(() => create({}), TypeError);
  }
});

test('postgres: without the rights to create functions, the error names schema(); with the schema it works', async () => {
  const admin = await open(started.postgres.by('pg'), { name: 'limited' });
  await admin.client.query(`CREATE ROLE crawler LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  const url = started.postgres.by('pg').replace('tester@', 'crawler@');
  const limited = await open(url, { name: 'limited' });
  await assert.rejects(
    limited.store.count(),
    /permission denied.*run the statements of schema\(\) as a user with the right/,
  );
  await admin.client.query(limited.store.schema());
  await assert.rejects(limited.store.count(), /permission denied for table limited_store: .*grant/);
  await admin.client.query('GRANT SELECT, INSERT, UPDATE, DELETE ON limited_store, limited_documents TO crawler');
  assert.equal((await limited.store.addIfNew([one]))[0].duplicateOf, null);
  await admin.client.query('ALTER ROLE crawler SET default_transaction_isolation = serializable');
  const strict = await open(url, { name: 'limited' });
  await assert.rejects(strict.store.addIfNew([one]), /the transaction is serializable: a store takes READ COMMITTED/);
  for (const { close } of [admin, limited, strict]) await close();
});

test('postgres and redis: a lost connection', async () => {
  for (const [start, kind] of [
    [postgres, 'pg'],
    [redis, 'redis'],
    [redis, 'ioredis'],
    [postgres, 'postgres.js'],
  ]) {
    const server = await start();
    const { store, close } = await open(server.by(kind));
    await store.addIfNew([one]);
    await server.kill('SIGINT');
    await assert.rejects(store.addIfNew([one]), /^Error: nearprint: .*the connection is lost: repeat the call/, kind);
    await close();
    await server.stop();
  }
});

test('sqlite: a closed, a full and a read-only database', async () => {
  const path = join(temporary(), 'seen.db');
  const { store, client, close } = await open(`better-sqlite3:${path}`);
  await store.addIfNew([one]);
  client.pragma('max_page_count = 40');
  const many = [...documents(3, 2000)];
  await assert.rejects(store.addIfNew(many), /database or disk is full: make room on the disk or raise max_page_count/);
  const before = await store.count();
  client.pragma('max_page_count = 100000');
  const answers = await store.addIfNew(many);
  assert.equal(await store.count(), 1 + answers.filter(({ duplicateOf }) => duplicateOf === null).length);
  assert.ok(before < answers.length);
  client.pragma('query_only = on');
  await assert.rejects(store.add([{ ...one, id: 'b' }]), /readonly database: open it for writing/);
  await close();
  await assert.rejects(store.count(), /the store needs its database open/);
});

test('postgres: a full disk', async (context) => {
  const disk = temporary();
  const mount = (...args) => spawnSync('mount', args).status === 0;
  if (!mount('-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk)) return context.skip('only root mounts a small disk');
  const server = await postgres(['fsync=off']);
  try {
    chownSync(disk, 65534, 65534);
    const admin = await open(server.by('pg'));
    await admin.client.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await admin.close();
    const { store, close } = await open(`${server.by('pg')}?options=-c%20default_tablespace%3Dsmall`);
    const many = [...documents(3, 5000)];
    const kept = [];
    const full = /No space left on device: make room on the disk of the server, then repeat the call/;
    await assert.rejects(async () => {
      for (const document of many) kept.push(...(await store.addIfNew([document])));
    }, full);
    assert.ok(kept.length > 100);
    // With more room, the repeated call goes on.
    assert.ok(mount('-o', 'remount,size=20m', disk));
    const again = await store.addIfNew(many.slice(0, kept.length + 5));
    const isNew = ({ duplicateOf }) => duplicateOf === null;
    assert.deepEqual(again.slice(0, kept.length).map(isNew), kept.map(isNew));
    assert.equal(await store.count(), again.filter(isNew).length);
    await close();
  } finally {
    await server.stop();
    spawnSync('umount', [disk]);
  }
});

test('redis: a user without rights is told which, and with them all methods work', async () => {
  const admin = await open(started.redis.by('redis'));
  const setUser = (...rights) => admin.client.sendCommand(['ACL', 'SETUSER', 'crawler', 'on', '>secret', ...rights]);
  await setUser('+hello', '+client', '~{limited}:*');
  const url = started.redis.by('redis').replace('//', '//crawler:secret@');
  const { store, close } = await open(url, { name: 'limited' });
  const { message } = await store.count().catch((error) => error);
  const [, commands] = /NOPERM.*: the user needs the keys \{name\}:\* and the commands (.*)$/.exec(message);
  await setUser(...commands.split(/, | and /).map((command) => `+${command}`));
  await store.addIfNew([one]);
  await store.add([{ id: 'a', sketch: sketch('two') }]);
  assert.equal((await store.query(sketch('two'))).length, 1);
  assert.ok((await store.get('a')).isShort);
  for await (const { id } of store.entries()) assert.equal(id, 'a');
  assert.equal(await store.delete(['a']), 1);
  assert.equal(await store.count(), 0);
  await close();
  await admin.close();
});

test('redis: full memory', async () => {
  const { store, client, close } = await open(started.redis.by('redis'), { name: 'full' });
  await store.addIfNew([one]);
  await client.configSet('maxmemory', '1');
  await assert.rejects(
    store.addIfNew([{ ...one, id: 'b', sketch: sketch('two') }]),
    /OOM.*Redis is full: raise maxmemory/,
  );
  await client.configSet('maxmemory', '0');
  assert.equal((await store.addIfNew([{ ...one, id: 'b', sketch: sketch('two') }]))[0].duplicateOf, null);
  await close();
});

// Every error states what to do, and leaves the documents before it in the store.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Deduplicator, sketch } from 'nearprint';
import { d1Store } from 'nearprint/store/d1';
import { durableObjectStore } from 'nearprint/store/durable-object';
import { memoryStore } from 'nearprint/store/memory';
import { postgresStore } from 'nearprint/store/postgres';
import { redisStore } from 'nearprint/store/redis';
import { sqliteStore } from 'nearprint/store/sqlite';
import { collect } from '../js/values.mjs';
import { open } from './clients.mjs';
import { documents, unrelated } from './documents.mjs';
import { postgres, redis, temporary } from './engines.mjs';
import { setProcessTime, statementsOf, testAll, testEngines, testOn } from './table.mjs';

const one = { id: 'a', sketch: sketch('one') };
const two = { id: 'b', sketch: sketch('two') };

const isKept = ({ status }) => status === 'new' || status === 'changed';

testAll('the documents before a wrong one are kept', async ({ open, run }) => {
  const { store } = await open({ name: 'before' });
  const all = unrelated(300);
  const wrong = [
    [{ id: 7, sketch: one.sketch }, /^ArgumentError: nearprint: docs\[290\]\.id must be a string, got 7$/],
    [{ id: 'text', text: 7 }, /^ArgumentError: nearprint: docs\[290\]\.text must be /],
    [null, /^ArgumentError: nearprint: docs\[290\] must be \{ id, text \} or \{ id, sketch \}, got null$/],
  ];
  for (const method of ['observe', 'add']) {
    for (const [document, message] of wrong) {
      await assert.rejects(store[method](all.with(290, document)), message);
      assert.equal(await store.count(), 290, method);
    }
    await store.delete(all.map(({ id }) => id));
    if (run) continue; // An iterator does not get into a Worker.
    function* failing() {
      yield* all.slice(0, 20);
      throw new Error('the file ends here');
    }
    await assert.rejects(store[method](failing()), /^Error: the file ends here$/);
    assert.equal(await store.count(), 20, method);
    await store.delete(all.map(({ id }) => id));
  }
});

/** Values that damage the record of `damaged`, each from the state after the one before. */
const damages = {
  sqlite: ["x'0102'", '5', "'text'", "x''", 'zeroblob(79)', 'zeroblob(300)'],
  postgres: ["'\\x0102'", "''"],
};
damages.d1 = damages.sqlite;
damages['durable object'] = damages.sqlite;

testEngines(
  'a damaged record is an error that names its id, and the documents before it are kept',
  async (environment, _, engine) => {
    const opened = await environment.open({ name: 'damage' });
    const { store, client } = opened;
    const [first, damaged, last] = unrelated(3);
    const edited = { id: 'edited', sketch: damaged.sketch };
    const isDamaged = new RegExp(`^Error: nearprint: the record of "${damaged.id}" is damaged: `);
    await store.add([damaged]);
    const steps = [];
    if (engine === 'redis') {
      for (const size of [80, 60]) steps.push(() => shortenFirst(client, 'damage', size));
    } else {
      const run = statementsOf(environment, opened, engine);
      for (const value of damages[engine]) steps.push(() => run(`UPDATE damage_documents SET value = ${value}`));
    }
    for (const step of steps) {
      await step();
      await assert.rejects(store.get(damaged.id), isDamaged);
      await assert.rejects(collect(store.entries()), isDamaged);
      await assert.rejects(store.observe([first, { ...last, id: damaged.id }]), isDamaged);
      assert.ok((await store.get(first.id)).equals(first.sketch));
      await store.delete([first.id]);
      await assert.rejects(store.observe([first, edited]), isDamaged);
      assert.equal(await store.delete([first.id]), 1);
    }
    // The instruction of the message.
    assert.equal(await store.delete([damaged.id]), 1);
    const again = await environment.open({ name: 'damage' });
    assert.deepEqual(await again.store.observe([edited]), [{ id: 'edited', status: 'new' }]);
  },
);

/** Cuts the first version of a store in Redis. A script does, since its bytes are not UTF-8. */
function shortenFirst(client, name, size) {
  const script = `redis.call('HSET', KEYS[1], ARGV[1], string.sub(redis.call('HGET', KEYS[1], ARGV[1]), 1, tonumber(ARGV[2])))`;
  return client.eval(script, { keys: [`{${name}}:versions`], arguments: ['\0\0\0\0\x01', `${size}`] });
}

testOn('redis', 'a version that has lost its id is an error that names its key', async ({ open }) => {
  const { store, client } = await open({ name: 'lost_id' });
  const [lost, other] = unrelated(2);
  await store.add([lost]);
  for (const size of [12, 9, 0]) {
    await shortenFirst(client, 'lost_id', size);
    const isDamaged =
      /^Error: nearprint: the field 1 of the key "\{lost_id\}:versions" is damaged: .*, delete all keys \{lost_id\}:\*/;
    await assert.rejects(store.get(lost.id), isDamaged);
    await assert.rejects(store.observe([{ ...lost, id: 'copy' }]), isDamaged);
    await assert.rejects(collect(store.entries()), isDamaged);
    assert.equal((await store.observe([other]))[0].status, size === 12 ? 'new' : 'unchanged');
  }
});

testOn('redis', 'the numbers of additions have an end', async ({ open }) => {
  const { store, client } = await open({ name: 'numbers' });
  await store.add([one]);
  await client.hSet('{numbers}:store', 'last', `${2 ** 40 - 500}`);
  await assert.rejects(
    store.add([two]),
    /^Error: nearprint: the store has had 2\^40 additions: copy its documents to a new/,
  );
  assert.equal((await store.observe([one]))[0].status, 'unchanged');
});

testEngines('ids of 2,000 bytes whose JSON is six times as long are deleted and pruned', async ({ open, setTime }) => {
  const { store } = await open({ name: 'long_ids' });
  setTime(2e9);
  const all = Array.from({ length: 300 }, (_, at) => ({
    id: `${at}`.padEnd(2000, '\u0001'),
    sketch: sketch(`short ${at}`),
  }));
  const add = async () => {
    for (let at = 0; at < all.length; at += 100) await store.add(all.slice(at, at + 100), { expiresIn: 10 });
  };
  await add();
  assert.equal(await store.delete(all.map(({ id }) => id)), 300);
  await add();
  setTime(2e9 + 11);
  assert.equal(await store.prune(), 300);
  assert.equal(await store.count(), 0);
});

testAll('wrong options and arguments are named', async ({ open }) => {
  const { store } = await open({ name: 'arguments' });
  await store.add(unrelated(1));
  const [{ id }] = unrelated(1);
  const kept = await store.get(id);
  const wrong = [
    [() => store.query('a', { limit: -1 }), /limit must be .*, got -1$/],
    [() => store.query('a', { limit: 1.5 }), /limit must be .*, got 1.5$/],
    [() => store.query('a', { limit: '2' }), /limit must be .*, got "2"$/],
    [() => store.query('a', { most: 2 }), /one of minResemblance, limit, scope, got "most"$/],
    [() => store.query('a', { minResemblance: -1 }), /minResemblance must be .*, got -1$/],
    [() => store.query(5), /document must be a string or a Uint8Array of UTF-8, got 5: pass String\(value\)$/],
    [() => store.observe([one], { lease: -1 }), /lease must be .*, got -1$/],
    [() => store.observe([one], { expiresIn: 'a day' }), /expiresIn must be .*, got "a day"$/],
    [() => store.observe([one], { minResemblance: 0 }), /minResemblance must be .*, got 0$/],
    [() => store.observe([{ id: 'a', sketch: {} }]), /docs\[0\]\.sketch must be a Sketch, got an object \(Object\)$/],
    [
      () => store.observe([{ id: 'a', sketch: sketch('one', { scheme: 's1:words1' }) }]),
      /docs\[0\]\.sketch must be a sketch of the scheme s1, got "s1:words1"$/,
    ],
    [() => store.observe([{ ...one, id: 'a\0' }]), /docs\[0\]\.id must be .* without NUL/],
    [() => store.observe([{ ...one, id: '\ud800' }]), /docs\[0\]\.id must be .* without lone surrogates/],
    [() => store.observe([{ ...one, id: 'é'.repeat(1001) }]), /docs\[0\]\.id must be .* 2000 bytes of UTF-8/],
    [() => store.observe('ab'), /docs must be an iterable of/],
    [() => store.confirm([one.id, { id: 'b' }]), /versions\[1\]\.sketch must be a Sketch, got undefined$/],
    [() => store.release([7]), /versions\[0\] must be an id or \{ id, sketch \}, got 7$/],
    [() => store.delete('text'), /ids must be an iterable of ids/],
    [() => store.get(7), /id must be a string, got 7$/],
    ...['observe', 'add'].map((method) => [
      () => store[method]([{ id: 'a', sketch: kept }]),
      /docs\[0\]\.sketch must be made from a text, since a set keeps no keys, got one from a set$/,
    ]),
  ];
  for (const [call, message] of wrong) {
    await assert.rejects(call, (error) => {
      assert.match(error.message, /^nearprint: /);
      assert.match(error.message, message);
      return error.name === 'ArgumentError';
    });
  }
  assert.equal(await store.count(), 1);
});

test('an object with bytes that are not a sketch is named', async () => {
  const store = memoryStore();
  const message = /^ArgumentError: nearprint: docs\[0\]\.sketch must be a Sketch, got an object \(Deduplicator\)$/;
  await assert.rejects(store.observe([{ id: 'a', sketch: new Deduplicator() }]), message);
  // A sketch of another copy of the module is accepted.
  const copy = { toBytes: () => one.sketch.toBytes() };
  assert.deepEqual(await store.observe([{ id: 'a', sketch: copy }]), [{ id: 'a', status: 'new' }]);
  assert.ok((await store.get('a')).equals(one.sketch));
});

test('the options of a store and its client are checked', () => {
  assert.throws(() => memoryStore({ name: 'a-b' }), /name must be up to 40 letters a-z, .*, got "a-b"/);
  for (const name of ['sqlite', 'sqlite_pages'])
    assert.throws(() => memoryStore({ name }), /name must be .*not sqlite/);
  for (const preparation of ['', 'x'.repeat(1001), '\ud800', 7])
    assert.throws(() => memoryStore({ preparation }), /preparation must be a string of 1 to 1000 characters/);
  assert.throws(() => memoryStore({ table: 'x' }), /one of name, preparation, features, scheme, key, got "table"/);
  for (const create of [sqliteStore, postgresStore, redisStore, d1Store, durableObjectStore]) {
    for (const client of [{}, null, undefined]) assert.throws(() => create(client), { name: 'ArgumentError' });
  }
});

testEngines('another scheme or layout, and a damaged salt, are refused', async (environment, _, engine) => {
  const { open } = environment;
  const first = await open({ name: 'meta' });
  await first.store.observe([one]);
  const run = statementsOf(environment, first, engine);
  const change = (column, value) =>
    engine === 'redis'
      ? first.client.hSet('{meta}:store', column, value)
      : run(`UPDATE meta_store SET ${column} = '${value}'`);
  const refuses = async (options, message) => {
    const { store } = await open({ name: 'meta', ...options });
    // Every time.
    await assert.rejects(store.count(), message);
    await assert.rejects(store.get('a'), message);
  };
  const scheme = 's1:words1';
  await refuses(
    { scheme },
    /^Error: nearprint: the store "meta" has sketches of the scheme s1, not of s1:words1: open it with/,
  );
  await refuses(
    { preparation: "--ignore '%d'" },
    /^Error: nearprint: the store "meta" has sketches of the scheme s1, not of s1 with --ignore '%d': open it with/,
  );
  await change('layout', '5');
  await refuses({}, /has the layout 5, and this version of nearprint uses 4: update the older program, or make/);
  await change('layout', '4');
  await change('salt', 'x');
  await refuses({}, /has the damaged salt x: restore all of it from one backup/);
  await change('salt', '0123456789abcdef');
  assert.equal(await first.store.count(), 1);
});

testOn(
  'sqlite',
  'a store keeps the record and the keys of a document, not its text or the secret key',
  async ({ open, server }) => {
    const key = Uint8Array.from({ length: 16 }, (_, at) => 65 + at);
    const { store, client } = await open({ key });
    const words = Array.from({ length: 60 }, (_, at) => `secretword${at}`);
    const observe = (id, options) => store.observe([{ id, text: `${id} ${words.join(` ${id} `)}` }], options);
    await observe('page');
    await observe('expiring', { expiresIn: 60 });
    await observe('leased', { expiresIn: 60, lease: 60 });
    const columns = 'id, length(value) AS record, length(keys) / 5 AS keys';
    // One more key is of the id.
    assert.deepEqual(client.prepare(`SELECT ${columns} FROM nearprint_documents`).all(), [
      { id: 'page', record: 80, keys: 1 + 13 },
      { id: 'expiring', record: 88, keys: 1 + 13 },
      { id: 'leased', record: 104, keys: 1 + 13 },
    ]);
    client.pragma('wal_checkpoint(TRUNCATE)');
    const file = readFileSync(server.by('better-sqlite3').slice('better-sqlite3:'.length)).toString('latin1');
    assert.ok(file.includes('page'));
    for (const hidden of ['secretword', Buffer.from(key).toString('latin1'), Buffer.from(key).toString('hex')])
      assert.ok(!file.includes(hidden), hidden);
    const { store: other } = await open({ key: key.with(0, 0) });
    await assert.rejects(other.count(), /has sketches of the scheme s1:\S+, not of s1:\S+: open it with that scheme/);
  },
);

testEngines('stores of different names share no documents', async ({ open }) => {
  const [first, second] = [await open({ name: 'source_a' }), await open({ name: 'source_b' })];
  await first.store.observe([one]);
  assert.deepEqual(await second.store.observe([{ ...one, id: 'copy' }]), [{ id: 'copy', status: 'new' }]);
  assert.equal(await first.store.delete(['copy']), 0);
  assert.equal(await second.store.count(), 1);
});

testEngines('the preparation of texts is a part of a store', async ({ open }) => {
  // Characters that are special in SQL, in functions of PostgreSQL and in percent-encoding.
  const preparation = `--ignore '\\d+%20$$ "é😀"' -- \n%`;
  const openNamed = async (options) => (await open({ name: 'prepared', ...options })).store;
  await (await openNamed({ preparation })).observe([one]);
  const again = await openNamed({ preparation });
  assert.equal(await again.count(), 1);
  assert.equal((await again.observe([one]))[0].status, 'unchanged');
  for (const [other, shown] of [
    [undefined, 's1'],
    [`${preparation} `, `s1 with ${preparation} `],
  ]) {
    const store = await openNamed({ preparation: other });
    const message = `nearprint: the store "prepared" has sketches of the scheme s1 with ${preparation}, not of ${shown}: open it`;
    await assert.rejects(store.count(), (error) => error.message.startsWith(message), other);
  }
});

testEngines('tables or keys of another program with the same names', async (environment, _, engine) => {
  const { open } = environment;
  for (const name of ['store', engine === 'redis' ? 'versions' : 'documents']) {
    const opened = await open({ name: `other_${name}` });
    if (engine === 'redis') await opened.client.set(`{other_${name}}:${name}`, 'a value');
    else await statementsOf(environment, opened, engine)(`CREATE TABLE other_${name}_${name} (x text)`);
    const message =
      engine === 'redis'
        ? /WRONGTYPE .*: another program uses the keys of the store: choose another name/
        : /^Error: nearprint: .*: (?:another program|the object) has tables .*choose another name/;
    for (const call of [() => opened.store.observe([one]), () => opened.store.count()]) {
      await assert.rejects(call, message, name);
    }
  }
});

testOn('sqlite', 'a transaction of the caller', async ({ open }) => {
  const { store, client } = await open();
  await store.observe([one]);
  client.exec('BEGIN');
  await assert.rejects(
    store.observe([two]),
    /^Error: nearprint: cannot start a transaction within a transaction: end the transaction of this connection, or/,
  );
  client.exec('COMMIT');
  assert.equal((await store.observe([two]))[0].status, 'new');
});

testOn('postgres', 'a transaction of the caller that has failed, or has another isolation level', async ({ open }) => {
  const { client: pool } = await open();
  const client = await pool.connect();
  const store = postgresStore(client, { name: 'transaction' });
  await store.observe([one]);
  await client.query('BEGIN');
  await assert.rejects(client.query('SELECT 1 / 0'));
  await assert.rejects(store.observe([two]), /: the client is in a transaction that has failed: roll it back/);
  await client.query('ROLLBACK');
  await client.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
  await assert.rejects(store.observe([two]), /isolation level must be read committed, got serializable: /);
  await client.query('ROLLBACK');
  await client.query('BEGIN READ ONLY');
  await assert.rejects(store.observe([two]), /read-only transaction: connect to the primary server, or end/);
  await client.query('ROLLBACK');
  assert.equal((await store.observe([two]))[0].status, 'new');
  client.release();
});

testOn('postgres', 'without the right to create functions, the error names schema(), which helps', async ({ open }) => {
  const admin = await open({ name: 'limited' });
  await admin.client.query('CREATE ROLE crawler LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  const limited = await open({ name: 'limited' }, { edit: (url) => url.replace('tester@', 'crawler@') });
  await assert.rejects(limited.store.count(), /permission denied.*run the statements of schema\(\) as a user with/);
  await admin.client.query(limited.store.schema());
  await assert.rejects(limited.store.count(), /permission denied for table limited_store: .*grant/);
  await admin.client.query('GRANT SELECT, INSERT, UPDATE, DELETE ON limited_store, limited_documents TO crawler');
  assert.equal((await limited.store.observe([one]))[0].status, 'new');
  assert.equal(await limited.store.prune(), 0);
});

testOn('postgres', 'a database with another encoding than UTF8', async ({ open }) => {
  const admin = await open();
  await admin.client.query("CREATE DATABASE latin1 ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
  await admin.close();
  const { store } = await open({}, { edit: (url) => url.replace(/postgres$/, 'latin1') });
  await assert.rejects(
    store.observe([{ ...one, id: '漢' }]),
    /^Error: nearprint: .*: a store requires a database with the encoding UTF8$/,
  );
});

testOn('postgres', 'locks of other programs, and limits of the server', async ({ open }) => {
  const { client, store } = await open({ name: 'busy', max: 4 });
  const [kept, ...added] = unrelated(4);
  await store.observe([kept]);
  const other = await client.connect();
  const openWith = (edit) => open({ name: 'busy' }, { edit });

  const impatient = await openWith((url) => `${url}?options=-c%20lock_timeout%3D50`);
  await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('nearprint'), hashtext('busy'))");
  const tookLong = /lock timeout: the call took too long for a timeout of this client: repeat it, which is safe$/;
  await assert.rejects(impatient.store.observe([added[0]]), tookLong);
  await other.query('ROLLBACK');

  // Each of two transactions waits for a key of the other one.
  const own = await client.connect();
  for (const each of [own, other]) await each.query('BEGIN');
  const [first, second] = [own, other].map((each) => postgresStore(each, { name: 'busy' }));
  await first.observe([added[0]]);
  await second.observe([added[1]]);
  const edits = [added[1], added[0]].map(({ id }) => ({ id, sketch: added[2].sketch }));
  const ends = await Promise.allSettled([first.observe([edits[0]]), second.observe([edits[1]])]);
  const messages = ends.flatMap(({ reason }) => reason?.message ?? []);
  assert.match(
    messages[0],
    /deadlock detected: another program locks the same keys: call the store outside of transactions/,
  );
  for (const each of [own, other]) await each.query('ROLLBACK');
  own.release();

  await assert.rejects(
    other.query('SELECT pg_advisory_lock(at) FROM generate_series(1, 1000000) AS at'),
    /shared memory/,
  );
  await assert.rejects(
    store.observe([added[0]]),
    /shared memory: raise max_locks_per_transaction: a call takes up to 60 locks$/,
  );
  await other.query('SELECT pg_advisory_unlock_all()');
  other.release();

  await client.query('CREATE ROLE single LOGIN CONNECTION LIMIT 0');
  const single = await openWith((url) => url.replace('tester@', 'single@'));
  await assert.rejects(single.store.count(), /too many connections .*: raise max_connections, or use a smaller pool$/);
});

testOn('redis', 'a server that accepts no writes now', async ({ open }) => {
  const { store, client } = await open({ name: 'replicas' });
  await store.observe([one]);
  await client.configSet('min-replicas-to-write', '1');
  await assert.rejects(
    store.observe([two]),
    /NOREPLICAS.*: Redis accepts no writes now: repeat the call when it does$/,
  );
  await client.configSet('min-replicas-to-write', '0');
  assert.equal((await store.observe([two]))[0].status, 'new');
});

test('d1 and durable object: errors of the network, and full storage', async () => {
  for (const [message, advice] of [
    ['D1_ERROR: D1 DB is overloaded. Too many requests queued.', 'repeat the call, which is safe'],
    ['D1_ERROR: Network connection lost.', 'repeat the call, which is safe'],
    [
      'D1_ERROR: Exceeded maximum DB size.',
      'the database is full: D1 holds 10 GB; use one store for each site or language',
    ],
  ]) {
    const store = d1Store({ prepare: () => ({ bind() {} }), batch: async () => Promise.reject(new Error(message)) });
    await assert.rejects(store.count(), { message: `nearprint: ${message}: ${advice}` });
  }
  const message = 'database or disk is full: SQLITE_FULL';
  const exec = () => {
    throw new Error(message);
  };
  const object = durableObjectStore({ sql: { exec }, transactionSync: (call) => call() });
  const advice = 'the object is full: use one for each site or language';
  await assert.rejects(object.count(), { message: `nearprint: ${message}: ${advice}` });
});

test('postgres and redis: a lost connection', async (context) => {
  for (const [start, driver] of [
    [postgres, 'pg'],
    [redis, 'redis'],
    [redis, 'ioredis'],
    [postgres, 'postgres.js'],
  ]) {
    const server = await start();
    if (server === null) {
      context.diagnostic(`${driver}: not installed`);
      continue;
    }
    const { store, close } = await open(server.by(driver));
    await store.observe([one]);
    await server.kill('SIGINT');
    await assert.rejects(store.observe([one]), /^Error: nearprint: .*the connection is lost: repeat the call/, driver);
    await close();
    await server.stop();
  }
});

testOn('sqlite', 'a closed, a full and a read-only database', async ({ open }) => {
  const { store, client, close } = await open();
  await store.observe([one]);
  client.pragma('max_page_count = 40');
  const many = [...documents(3, 2000)];
  const full = /^Error: nearprint: database or disk is full: free space on the disk or raise max_page_count/;
  await assert.rejects(store.observe(many), full);
  const before = await store.count();
  client.pragma('max_page_count = 100000');
  const decisions = await store.observe(many);
  assert.equal(await store.count(), 1 + decisions.filter(isKept).length + (before - 1));
  // Those that were kept before are the first ones, and unchanged.
  const unchanged = decisions.filter(({ status }) => status === 'unchanged').length;
  assert.equal(unchanged, before - 1);
  assert.ok(before > 10 && decisions.slice(0, before - 1).every(({ status }) => !['new', 'changed'].includes(status)));
  client.pragma('query_only = on');
  await assert.rejects(store.add([two]), /readonly database: open the database for writing/);
  await close();
  await assert.rejects(store.count(), /the database is closed: keep it open while the store is used/);
});

testOn('sqlite', 'waiting for the lock of another connection does not depend on the clock', async ({ open }) => {
  const [other, { store, client }] = [await open(), await open()];
  client.pragma('busy_timeout = 0');
  await store.observe([one]);
  other.client.exec('BEGIN IMMEDIATE');
  const decisions = store.observe([two]);
  try {
    setProcessTime(2e9);
    await sleep(60);
    setProcessTime(0);
    await sleep(60);
  } finally {
    setProcessTime(undefined);
  }
  other.client.exec('COMMIT');
  assert.deepEqual(await decisions, [{ id: 'b', status: 'new' }]);
});

/** Calls a function while the clock that measures waiting moves by half a second at each look. Returns the seconds on that clock. */
async function secondsOf(call) {
  let seconds = 0;
  const clock = mock.method(performance, 'now', () => {
    seconds += 0.5;
    return 1000 * seconds;
  });
  try {
    await call();
    return seconds;
  } finally {
    clock.mock.restore();
  }
}

testOn('sqlite', 'a call waits 60 seconds in all for a reader that blocks the commit', async ({ open }) => {
  const [other, { store, client }] = [await open(), await open()];
  client.pragma('journal_mode = DELETE');
  client.pragma('busy_timeout = 0');
  await store.observe([one]);
  other.client.exec('BEGIN');
  other.client.prepare('SELECT count(*) FROM nearprint_documents').all();
  const locked =
    /^Error: nearprint: database is locked: end the transaction that has held the lock for 60 seconds, then/;
  const seconds = await secondsOf(() => assert.rejects(store.observe([...documents(3, 100)]), locked));
  assert.ok(seconds > 59 && seconds < 110, `${seconds}`);
  other.client.exec('COMMIT');
  assert.equal(await store.count(), 1);
  assert.equal((await store.observe([two]))[0].status, 'new');
});

testOn('sqlite', 'with a write-ahead log, readers and a writer do not wait for each other', async ({ open }) => {
  const [other, { store, client }] = [await open(), await open()];
  client.pragma('busy_timeout = 0');
  await store.observe([one]);
  const rows = () => other.client.prepare('SELECT count(*) AS count FROM nearprint_documents').get().count;
  other.client.exec('BEGIN');
  assert.equal(rows(), 1);
  const seconds = await secondsOf(async () => {
    assert.equal((await store.observe([two]))[0].status, 'new');
    assert.equal(rows(), 1);
    other.client.exec('COMMIT; BEGIN IMMEDIATE; DELETE FROM nearprint_documents');
    assert.equal((await store.query(two.sketch))[0].id, two.id);
    assert.equal(await store.count(), 2);
  });
  other.client.exec('ROLLBACK');
  assert.ok(seconds < 59, `${seconds}`);
});

testOn('sqlite', 'no wait for its own iteration, or for an id that contains "locked"', async ({ open }) => {
  const { store, client } = await open();
  const [locked, other] = unrelated(2);
  await store.add([{ ...locked, id: 'database is locked' }]);
  const busy =
    /^Error: nearprint: This database connection is busy .*: end the iteration over its rows, or open the store with/;
  const damaged = /^Error: nearprint: the record of "database is locked" is damaged: /;
  const seconds = await secondsOf(async () => {
    for (const _ of client.prepare('SELECT 1').iterate()) await assert.rejects(store.observe([other]), busy);
    client.exec("UPDATE nearprint_documents SET value = x'00'");
    await assert.rejects(store.observe([{ ...locked, id: 'copy' }]), damaged);
  });
  assert.ok(seconds < 59, `${seconds}`);
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
    const full = /No space left on device: free space on the disk of the server, then repeat the call/;
    await assert.rejects(async () => {
      for (const document of many) kept.push(...(await store.observe([document])));
    }, full);
    assert.ok(kept.length > 100);
    // With more space, the repeated call goes on.
    assert.ok(mount('-o', 'remount,size=20m', disk));
    const again = await store.observe(many.slice(0, kept.length + 5));
    for (const [at, { status }] of kept.entries()) assert.equal(isKept({ status }), again[at].status === 'unchanged');
    assert.equal(await store.count(), kept.filter(isKept).length + again.filter(isKept).length);
    await close();
  } finally {
    await server.stop();
    spawnSync('umount', [disk]);
  }
});

testOn('redis', 'a user without rights is told which, and with them all methods work', async ({ open }) => {
  const admin = await open();
  const setUser = (...rights) => admin.client.sendCommand(['ACL', 'SETUSER', 'crawler', 'on', '>secret', ...rights]);
  await setUser('+hello', '+client', '~{limited}:*');
  const { store } = await open({ name: 'limited' }, { edit: (url) => url.replace('//', '//crawler:secret@') });
  const { message } = await store.count().catch((error) => error);
  const [, commands] = /: the user needs the keys \{name\}:\* and the commands (.*)$/.exec(message);
  await setUser(...commands.split(/, | and /).map((command) => `+${command}`));
  await store.observe([one], { lease: 60, expiresIn: 60 });
  await store.add([{ id: 'a', sketch: sketch('two') }]);
  for (const document of documents(1, 30)) await store.observe([document], { lease: 1 });
  assert.equal((await store.query(sketch('two'))).length, 1);
  assert.ok((await store.get('a')).isShort);
  for await (const { id } of store.entries()) assert.ok(id);
  assert.equal(await store.confirm(['a']), 0);
  assert.equal(await store.release(['a']), 0);
  assert.equal(await store.delete(['a']), 1);
  await store.prune();
  await store.count();
});

testOn('redis', 'full memory', async ({ open }) => {
  const { store, client } = await open({ name: 'full' });
  await store.observe([one]);
  await client.configSet('maxmemory', '1');
  await assert.rejects(store.observe([two]), /OOM.*Redis is full: raise maxmemory/);
  await client.configSet('maxmemory', '0');
  assert.equal((await store.observe([two]))[0].status, 'new');
});

testOn('redis', 'an eviction policy that removes keys of the store is refused at opening', async ({ open }) => {
  const { store, client } = await open({ name: 'policy' });
  for (const policy of ['allkeys-lru', 'allkeys-lfu', 'allkeys-random']) {
    await client.configSet('maxmemory-policy', policy);
    const message = new RegExp(`^Error: nearprint: maxmemory-policy is ${policy}, .*: set it to noeviction$`);
    await assert.rejects(store.observe([one]), message);
    await assert.rejects(store.count(), message);
  }
  for (const policy of ['volatile-lru', 'noeviction']) {
    await client.configSet('maxmemory-policy', policy);
    assert.equal(await redisStore(client, { name: 'policy' }).count(), 0);
  }
  assert.equal((await store.observe([one]))[0].status, 'new');
});

testOn('sqlite', 'a disk error, and a store that is lost again and again', async ({ open }) => {
  const { client } = await open();
  const failing = (fail) =>
    sqliteStore({
      exec: (sql) => client.exec(sql),
      prepare: (sql) => ({ all: () => fail(sql), run: () => fail(sql) }),
    });
  const broken = failing(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
  });
  await assert.rejects(
    broken.count(),
    /^Error: nearprint: disk I\/O error: check the disk and the file system, and open/,
  );
  let salt = 0;
  const metadata = () => ({ scheme: 's1', layout: 4, salt: `${salt++}`.padStart(16, '0'), isPartial: 0 });
  const renewed = failing((sql) => (/salt/.test(sql) ? [metadata()] : []));
  await assert.rejects(
    renewed.observe([one]),
    /^Error: nearprint: the store has been created anew, 3 times during one call: stop the program that removes or creates/,
  );
});

test('postgres: a prepared statement that a pooler has lost', async () => {
  for (const [what, code] of [
    ['does not exist', '26000'],
    ['already exists', '42P05'],
  ]) {
    const error = Object.assign(new Error(`prepared statement "p1" ${what}`), { code });
    const store = postgresStore({ query: async () => Promise.reject(error) });
    const lost = new RegExp(
      `^Error: nearprint: prepared statement "p1" ${what}: a pooler has lost a prepared statement: set`,
    );
    await assert.rejects(store.count(), lost);
  }
});

test('the advice on a long message takes linear time', async () => {
  // A quadratic pattern would take longer than half an hour, after which the runner ends the file.
  const size = 4_000_000;
  const words = [
    'connection ',
    'Connection',
    'database ',
    'prepared statement ',
    'ECONN',
    'CONNECTION_',
    'user ',
    '42P0',
    ' ',
  ];
  for (const word of words) {
    const error = new Error(word.repeat(size / word.length));
    const clients = [
      postgresStore({ query: async () => Promise.reject(error) }),
      redisStore({ sendCommand: async () => Promise.reject(error) }),
      d1Store({ prepare: () => ({ bind() {} }), batch: async () => Promise.reject(error) }),
      sqliteStore({
        exec() {},
        prepare: () => ({
          all: () => {
            throw error;
          },
          run: () => {
            throw error;
          },
        }),
      }),
    ];
    for (const store of clients) await assert.rejects(store.count());
  }
});

// Data that is lost or damaged behind a store: its tables or keys, or the file of its database.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { sketch } from 'nearprint';
import { sqliteStore } from 'nearprint/store/sqlite';
import { unrelated } from './documents.mjs';
import { checkMoved } from './moved.mjs';
import { runtimes } from './runtimes.mjs';
import { statementsOf, testAll, testEngines, testOn } from './table.mjs';

const one = { id: 'a', sketch: sketch('one') };
const two = { id: 'b', sketch: sketch('two') };

testEngines(
  'a store that has lost its metadata alone is refused, and its documents stay',
  async (environment, _, engine) => {
    const ways = {
      async 'the table or key is gone'({ client }, run) {
        if (engine === 'redis') await client.del('{metadata0}:store');
        else await run('DROP TABLE metadata0_store');
      },
      async 'the table has no row'({ client }, run) {
        // A hash without fields does not exist.
        if (engine === 'redis') await client.hDel('{metadata1}:store', ['scheme', 'layout', 'salt', 'last', 'ids']);
        else await run('DELETE FROM metadata1_store');
      },
    };
    const lost =
      engine === 'redis'
        ? /^Error: nearprint: the key "\{metadata\d\}:store" is lost: /
        : /^Error: nearprint: the store "metadata\d" has documents, but its metadata is lost: restore all of it from one backup/;
    for (const [at, lose] of Object.values(ways).entries()) {
      const options = { name: `metadata${at}` };
      const opened = await environment.open(options);
      await opened.store.add([one]);
      const run = engine === 'redis' ? undefined : statementsOf(environment, opened, engine);
      await lose(opened, run);
      const again = await environment.open(options);
      for (const { store } of [opened, again]) {
        await assert.rejects(store.observe([one]), lost);
        await assert.rejects(store.get(one.id), lost);
        await assert.rejects(store.prune(), lost);
      }
      if (engine === 'redis') continue;
      // Statements of a migration write no other salt.
      for (const statement of engine === 'postgres'
        ? [opened.store.schema()]
        : (opened.store.schema?.().split(';\n') ?? []))
        if (statement) await run(statement);
      await assert.rejects(opened.store.observe([one]), lost);
      const salt = "'0123456789abcdef'";
      await run(`INSERT INTO metadata${at}_store (scheme, layout, salt) VALUES ('s1', 4, ${salt})`);
      assert.equal(await again.store.count(), 1);
    }
  },
);

testAll(
  'a store that has lost its documents or its keys alone is refused',
  async (environment, _, engine) => {
    for (const [at, change] of ['DROP TABLE', 'DELETE FROM'].entries()) {
      for (const table of ['documents', 'keys']) {
        const options = { name: `${table}${at}` };
        const opened = await environment.open(options);
        await opened.store.observe([one]);
        await statementsOf(environment, opened, engine)(`${change} ${options.name}_${table}`);
        // An open store notices only that a table is gone.
        if (change === 'DELETE FROM') await opened.store.count();
        const { store } = change === 'DROP TABLE' ? opened : await environment.open(options);
        const lost =
          /^Error: nearprint: rows of \w+_documents and \w+_keys are lost: restore all tables \w+_\* from one backup/;
        await assert.rejects(store.observe([one]), lost);
        await assert.rejects(store.count(), lost);
      }
    }
  },
  { except: ['memory', 'redis', 'postgres'] },
);

testOn('redis', 'a store that has lost its versions alone is refused, and an empty one is not', async ({ open }) => {
  const { store, client } = await open({ name: 'versions' });
  await store.observe([one]);
  await client.del('{versions}:versions');
  const lost = /^Error: nearprint: the key "\{versions\}:versions" is lost: .*, delete all keys \{versions\}:\*, /;
  for (const call of [
    () => store.observe([one]),
    () => store.query(one.sketch),
    () => store.count(),
    () => store.prune(),
  ])
    await assert.rejects(call, lost);
  const { store: empty } = await open({ name: 'empty' });
  await empty.observe([one]);
  await empty.delete([one.id]);
  assert.equal(await empty.count(), 0);
  assert.deepEqual(await empty.observe([one]), [{ id: one.id, status: 'new' }]);
});

testEngines('a store that another client has removed and created anew', async (environment, _, engine) => {
  const name = 'anew';
  const first = await environment.open({ name });
  const { store } = first;
  const tables = ['store', 'documents', ...(engine === 'postgres' ? [] : ['keys'])];
  const remove = async () => {
    if (engine === 'redis') return first.client.del(await first.client.keys(`{${name}}:*`));
    const run = statementsOf(environment, first, engine);
    for (const table of tables) await run(`DROP TABLE ${name}_${table}`);
  };
  const [kept, added, ...others] = unrelated(8);
  const calls = {
    async observe() {
      const [{ status, duplicateOf }] = await store.observe([{ ...kept, id: 'copy' }]);
      assert.deepEqual({ status, duplicateOf }, { status: 'duplicate', duplicateOf: kept.id });
    },
    async query() {
      assert.equal((await store.query(kept.sketch))[0]?.id, kept.id);
    },
    async get() {
      assert.ok((await store.get(kept.id))?.equals(kept.sketch));
    },
    async delete() {
      assert.equal(await store.delete([kept.id]), 1);
    },
    async add(other) {
      await store.add([added]);
      assert.equal((await other.query(added.sketch))[0]?.id, added.id);
    },
  };
  for (const call of Object.values(calls)) {
    await store.add(others);
    await remove();
    const other = await environment.open({ name });
    await other.store.add([kept]);
    await call(other.store);
  }
});

testOn('redis', 'a store that has lost its data opens again, also between read and write', async ({ open }) => {
  const name = 'lost';
  const { store, client } = await open({ name });
  const lose = async () => client.del(await client.keys('{lost}:*'));
  const calls = {
    observe: async () => assert.deepEqual(await store.observe([one]), [{ id: one.id, status: 'new' }]),
    query: async () => assert.deepEqual(await store.query(one.sketch), []),
    get: async () => assert.equal(await store.get(one.id), undefined),
    count: async () => assert.equal(await store.count(), 0),
    prune: async () => assert.equal(await store.prune(), 0),
    delete: async () => assert.equal(await store.delete([one.id]), 0),
  };
  for (const call of Object.values(calls)) {
    await store.add([one]);
    await lose();
    await call();
  }
  // The second command of a change finds another store.
  await lose();
  await store.count();
  const other = await open({ name });
  const { sendCommand } = client;
  let commands = 0;
  client.sendCommand = async (...command) => {
    if (commands++ === 1) {
      await lose();
      await other.store.observe([two]);
    }
    return sendCommand.apply(client, command);
  };
  await calls.observe();
  client.sendCommand = sendCommand;
  assert.ok(commands > 2);
  assert.equal((await other.store.query(one.sketch))[0].id, one.id);
  assert.equal((await store.query(two.sketch))[0].id, two.id);
  // A part of the keys is lost.
  await client.del('{lost}:store');
  await assert.rejects(store.count(), /nearprint: the key "\{lost\}:store" is lost: .*, delete all keys \{lost\}:\*, /);
  await lose();
  await calls.count();
});

test('better-sqlite3: a database whose file is deleted, renamed or replaced', () => checkMoved('better-sqlite3'));

for (const { driver, skip, run } of runtimes)
  test(`${driver}: a database whose file is deleted, renamed or replaced`, { skip }, () => run('moved.mjs'));

testOn('sqlite', 'a damaged file', async ({ open, server }) => {
  const path = server.by('better-sqlite3').slice('better-sqlite3:'.length);
  const { store, client, close } = await open();
  client.pragma('journal_mode = DELETE');
  await store.add(unrelated(100));
  await close();
  const whole = readFileSync(path);
  for (const [from, to, what] of [
    [0, 16, 'file is not a database'],
    [8192, whole.length, 'database disk image is malformed'],
  ]) {
    writeFileSync(path, Buffer.from(whole).fill(0xff, from, to));
    const database = new Database(path);
    const damaged = new RegExp(
      `^Error: nearprint: ${what}: the file of the database is damaged: restore a backup, or use`,
    );
    await assert.rejects(sqliteStore(database).observe([one]), damaged);
    database.close();
  }
});

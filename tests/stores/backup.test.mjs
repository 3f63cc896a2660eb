// A backup, restored as docs/stores.md says, is the store at that time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { families } from './documents.mjs';
import { redis, temporary } from './engines.mjs';
import { testOn } from './table.mjs';

const all = families(4, 300).map(({ id, sketch }) => ({ id, sketch }));
const [early, late] = [all.slice(0, 200), all.slice(200)];

/** Fills a store, makes a backup of `early`, adds more, and checks the store that `restore` opens. */
async function check({ store, client, close }, backUp, restore) {
  const before = await store.observe(early);
  const count = await store.count();
  await backUp(client);
  const after = await store.observe(late);
  await close();
  const restored = await restore();
  assert.equal(await restored.store.count(), count);
  // What was kept before is unchanged, and what came after is decided on again.
  const again = await restored.store.observe(early);
  for (const [at, { status }] of before.entries())
    assert.equal(again[at].status, status === 'new' ? 'unchanged' : status);
  assert.deepEqual(await restored.store.observe(late), after);
}

testOn('sqlite', 'VACUUM INTO', async ({ open }) => {
  const copy = join(temporary(), 'copy.db');
  const backUp = (client) => client.exec(`VACUUM INTO '${copy}'`);
  await check(await open(), backUp, () => open({}, { edit: () => `better-sqlite3:${copy}` }));
});

testOn('sqlite', 'a backup that is restored while a client has the store open', async ({ open, server }) => {
  const path = server.by('better-sqlite3').slice('better-sqlite3:'.length);
  for (const [at, kept] of [1, 4, 9].entries()) {
    const options = { name: `restored${at}` };
    const copy = join(temporary(), 'copy.db');
    const [{ client, store }, { store: other }] = [await open(options), await open(options)];
    await store.add(early.slice(0, kept));
    client.exec(`VACUUM INTO '${copy}'`);
    await store.add(early.slice(kept, 10));
    // It is written over the database.
    const backup = new client.constructor(copy);
    await backup.backup(path);
    backup.close();
    // The client does not have these documents in its memory, which get the numbers of those that it has.
    const others = late.slice(0, 10);
    await other.add(others);
    const again = await store.observe([...others, { id: 'copy', sketch: others[0].sketch }, ...early.slice(0, kept)]);
    assert.deepEqual(
      again.map(({ status }) => status),
      [...others.map(() => 'unchanged'), 'duplicate', ...early.slice(0, kept).map(() => 'unchanged')],
    );
    assert.equal(await store.count(), kept + others.length);
  }
});

testOn('postgres', 'pg_dump of the tables', async ({ open, server }) => {
  const bin = readdirSync('/usr/lib/postgresql')
    .map((version) => join('/usr/lib/postgresql', version, 'bin'))
    .at(-1);
  const run = (program, args, input) => {
    const { status, stdout, stderr } = spawnSync(join(bin, program), args, { input, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const database = (name) => server.url.replace(/postgres$/, name);
  let dump;
  await check(
    await open({ name: 'backup' }),
    async (client) => {
      dump = run('pg_dump', [database('postgres'), '-t', 'backup_store', '-t', 'backup_documents']);
      await client.query('CREATE DATABASE restored');
    },
    () => {
      run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', database('restored')], dump);
      return open({ name: 'backup' }, { edit: (url) => url.replace(/postgres$/, 'restored') });
    },
  );
});

const start = () => redis('everysec', { options: ['--appendonly', 'no'] });
testOn({ kind: 'redis', start }, 'the snapshot', async ({ open, server }) => {
  const save = (client) => client.sendCommand(['SAVE']);
  await check(await open(), save, async () => {
    // Without an append-only file, it reads the snapshot.
    await server.kill();
    await server.start();
    return open();
  });
});

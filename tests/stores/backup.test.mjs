// A backup, restored as docs/stores.md says, is the store at that time.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sketch } from 'nearprint';
import { collect, valuesOf } from '../js/values.mjs';
import { families } from './documents.mjs';
import { redis, temporary } from './engines.mjs';
import { testOn } from './table.mjs';

const all = families(4, 300).map(({ id, sketch }) => ({ id, sketch }));
const [early, late] = [all.slice(0, 200), all.slice(200)];

/** Documents that do not resemble each other. */
const unrelated = Array.from({ length: 15 }, (_, at) => {
  const words = Array.from({ length: 30 }, (_, word) => `word${at}x${word}`);
  return { id: `page ${at}`, sketch: sketch(words.join(' ')) };
});

/** Fills a store, makes a backup of `early`, adds more, and checks the store that `restore` opens. */
async function check({ store, client, close }, backUp, restore) {
  const before = await store.observe(early);
  const count = await store.count();
  await backUp(client);
  const after = await store.observe(late);
  await close();
  const restored = await restore();
  assert.equal(await restored.store.count(), count);
  // Documents of the backup are unchanged, and later documents are decided on again.
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

/** Yields the orders of some values. */
function* ordersOf(values) {
  if (values.length === 0) yield [];
  for (const [at, first] of values.entries())
    for (const rest of ordersOf(values.toSpliced(at, 1))) yield [first, ...rest];
}

/** Each makes a copy of the database of a client. */
const backups = {
  'VACUUM INTO': (client, copy) => client.exec(`VACUUM INTO '${copy}'`),
  'the backup API': (client, copy) => client.backup(copy),
};

for (const [name, backUp] of Object.entries(backups)) {
  testOn('sqlite', `${name}, restored into the file of open clients, in every order`, async ({ open }) => {
    for (const [at, order] of [
      ...ordersOf(['first adds', 'second adds', 'first deletes', 'back up', 'restore']),
    ].entries()) {
      if (order.indexOf('restore') < order.indexOf('back up')) continue;
      const folder = temporary();
      const [path, copy] = ['seen.db', 'copy.db'].map((file) => join(folder, file));
      const openClient = () => open({}, { edit: () => `better-sqlite3:${path}` });
      const [first, second] = [await openClient(), await openClient()];
      let kept = new Map();
      let saved;
      const add = async ({ store }, documents) => {
        await store.add(documents);
        for (const { id, sketch } of documents) kept.set(id, sketch);
      };
      const steps = {
        'first adds': () => add(first, unrelated.slice(0, 9)),
        // Without the first one, these documents get the numbers that others have had.
        'second adds': () => add(second, unrelated.slice(6, 15)),
        async 'first deletes'() {
          const ids = unrelated.slice(4, 8).map(({ id }) => id);
          assert.equal(await first.store.delete(ids), ids.filter((id) => kept.delete(id)).length);
        },
        async 'back up'() {
          await backUp(first.client, copy);
          saved = new Map(kept);
        },
        async restore() {
          const backup = new first.client.constructor(copy);
          await backup.backup(path);
          backup.close();
          kept = saved;
        },
      };
      const check = async ({ store }) => {
        assert.deepEqual(valuesOf(await collect(store.entries()), 'id'), [...kept.keys()], `${order}`);
        for (const { id, sketch } of unrelated) {
          assert.deepEqual(valuesOf(await store.query(sketch), 'id'), kept.has(id) ? [id] : [], `${order}`);
        }
      };
      for (const step of order) {
        await steps[step]();
        // In some runs the clients read between the steps, in others they know the earlier state only.
        if (at % 2 === 0) for (const client of [first, second]) await check(client);
      }
      const third = await openClient();
      for (const client of [first, second, third]) await check(client);
      const copies = unrelated.map(({ id, sketch }) => ({ id: `copy of ${id}`, sketch }));
      const decisions = await second.store.observe([...unrelated, ...copies]);
      assert.deepEqual(
        valuesOf(decisions, 'status'),
        [...unrelated.map(({ id }) => (kept.has(id) ? 'unchanged' : 'new')), ...copies.map(() => 'duplicate')],
        `${order}`,
      );
      kept = new Map(unrelated.map(({ id, sketch }) => [id, sketch]));
      assert.equal(await first.store.count(), kept.size);
      assert.equal(await third.store.delete(kept.keys()), kept.size);
      for (const { close } of [first, second, third]) await close();
    }
  });
}

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

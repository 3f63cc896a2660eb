// Every engine and every driver makes the decisions of the model.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sketch } from 'nearprint';
import { memoryStore } from 'nearprint/store/memory';
import { collect, entriesOf } from '../js/values.mjs';
import { addCounts, agreesWithModel } from './agrees.mjs';
import { open } from './clients.mjs';
import { documents } from './documents.mjs';
import { temporary } from './engines.mjs';
import { checkIds } from './ids.mjs';
import { runtimes } from './runtimes.mjs';
import { servers, testAll, testEngines, testOn } from './table.mjs';
import { d1 } from './workers.mjs';

const RUNS = Number(process.env.STORE_RUNS ?? 5);
const STEPS = 150;

/** The seed of the first of some runs. They end with the same seed, of a run in which every operation has an effect. */
const firstSeed = (share) => RUNS - Math.ceil(RUNS * share);

/** Every decision was made, and every other operation had an effect. */
function checkCounts(counts, context) {
  context.diagnostic(JSON.stringify(counts));
  for (const [what, number] of Object.entries(counts)) assert.ok(number > 0, `${what}: ${number}`);
}

/** Counts the keys of documents that are not filed, and the rows of keys without a document. */
const misfiled = `SELECT (SELECT sum(length(keys) / 5) FROM nearprint_documents) - count(*) AS missing,
  sum(number NOT IN (SELECT number FROM nearprint_documents)) AS orphans FROM nearprint_keys`;

let driver = 0;
testAll(
  'random operations have the results of the model',
  async (environment, context) => {
    const counts = {};
    driver++;
    for (let seed = firstSeed(environment.share); seed < RUNS; seed++) {
      const options = { name: `driver${driver}_seed${seed}` };
      addCounts(counts, await agreesWithModel(environment, { seed, steps: STEPS, options }));
    }
    checkCounts(counts, context);
  },
  { allDrivers: true },
);

let opened = 0;
testAll(
  'ids and records come back as they were',
  async ({ open }) => {
    const { store } = await open({ name: `ids${opened++}` });
    await checkIds(store);
  },
  { allDrivers: true },
);

test('clients with other options decide, find and list as the store in memory', async (context) => {
  const some = [...documents(7, 60)];
  const ids = some.map(({ id }) => id);
  const resultsOf = async (store) => {
    // Several calls are in one pipeline of ioredis.
    const queries = await Promise.all(some.slice(0, 9).map(({ sketch }) => store.query(sketch, { minResemblance: 0 })));
    return { queries, entries: entriesOf(await collect(store.entries())), count: await store.count() };
  };
  const database = { by: (driver) => `${driver}::memory:` };
  for (const [server, driver] of [
    [database, 'better-sqlite3-bigint'],
    [await servers.postgres(), 'pg-binary'],
    [await servers.postgres(), 'postgres.js-camel'],
    [await servers.postgres(), 'postgres.js-pascal'],
    [await servers.redis(), 'ioredis-pipelined'],
    [await servers.cluster(), 'ioredis-pipelined-cluster'],
  ]) {
    if (server === null) {
      context.diagnostic(`${driver}: not installed`);
      continue;
    }
    await context.test(driver, async () => {
      const { store, close } = await open(server.by(driver), { name: driver.replaceAll(/\W/g, '_') });
      try {
        const memory = memoryStore();
        const decisions = await memory.observe(some, { lease: 60 });
        assert.ok(decisions.some(({ status }) => status === 'duplicate'));
        assert.deepEqual(await store.observe(some, { lease: 60 }), decisions);
        assert.equal(await store.confirm(ids), await memory.confirm(ids));
        assert.deepEqual(await resultsOf(store), await resultsOf(memory));
        assert.equal(await store.delete(ids), await memory.delete(ids));
      } finally {
        await close();
      }
    });
  }
});

testOn('sqlite', 'a store that is copied to D1 has the results of the store in memory', async ({ open }) => {
  const { store, client } = await open();
  const memory = memoryStore();
  const all = [...documents(10, 500)];
  assert.deepEqual(await store.observe(all), await memory.observe(all));
  const { client: database, store: copy, close } = await d1();
  try {
    for (const statement of copy.schema().split(';\n').slice(0, -1)) await database.prepare(statement).run();
    for (const table of ['store', 'documents', 'keys']) {
      const rows = client.prepare(`SELECT * FROM nearprint_${table}`).raw().all();
      assert.ok(rows.length > 0, table);
      const some = (from) => rows.slice(from, from + 10);
      const literal = (value) =>
        ArrayBuffer.isView(value) ? `x'${value.toString('hex')}'` : value === null ? 'NULL' : `'${value}'`;
      const values = (row) => `(${row.map(literal)})`;
      const inserts = rows.flatMap((_, at) =>
        at % 10 ? [] : [database.prepare(`INSERT INTO nearprint_${table} VALUES ${some(at).map(values)}`)],
      );
      await database.batch([database.prepare(`DELETE FROM nearprint_${table}`), ...inserts]);
    }
    const others = all.slice(450).map(({ sketch }, at) => ({ id: `other ${at}`, sketch }));
    const some = [...all.slice(450), ...others];
    assert.deepEqual(await copy.observe(some), await memory.observe(some));
    for (const { id } of all.slice(400)) assert.equal((await copy.get(id))?.toHex(), (await memory.get(id))?.toHex());
    assert.equal(await copy.count(), await memory.count());
    const ids = all.slice(300).map(({ id }) => id);
    assert.equal(await copy.delete(ids), await memory.delete(ids));
    const { results } = await database.prepare(misfiled).all();
    assert.deepEqual(results, [{ missing: 0, orphans: 0 }]);
  } finally {
    await close();
  }
});

testEngines('a document one of whose keys is the key of its id', async ({ open, run }) => {
  const { store, client } = await open({ name: 'collision' });
  assert.equal(await store.count(), 0);
  const setSalt = "UPDATE collision_store SET salt = '0123456789abcdef'";
  if (run) await run(setSalt);
  else if (client.exec) client.exec(setSalt);
  else if (client.query) await client.query(setSalt);
  else await client.sendCommand(['HSET', '{collision}:store', 'salt', '0123456789abcdef']);
  const { store: opened } = await open({ name: 'collision' });
  // Found by trying 10^5 ids and documents.
  const numbers =
    '66836 83958 13491 82963 38640 17115 50110 59230 22741 74022 41405 49301 95950 15005 25758 40689 49184 8840 51872 2940 ' +
    '70358 28480 46100 68848 96579 5148 78411 85278 68748 23512';
  const document = { id: 'id 192903', sketch: sketch(numbers.replaceAll(/\d+/g, 'w$&')) };
  assert.equal((await opened.observe([document]))[0].status, 'new');
  assert.equal((await opened.query(document.sketch))[0].id, document.id);
  assert.equal(await opened.count(), 1);
  assert.equal(await opened.delete([document.id]), 1);
  await opened.observe([document], { lease: 60 });
  assert.equal(await opened.release([document.id]), 1);
  assert.equal(await opened.count(), 0);
});

for (const { driver, skip, run } of runtimes) {
  test(`${driver}: random operations have the results of the model`, { skip }, (context) => {
    checkCounts(JSON.parse(run('agree.mjs', temporary(), firstSeed(0.2), RUNS, STEPS)), context);
  });
  test(`${driver}: ids and records come back as they were`, { skip }, () =>
    run('ids.mjs', join(temporary(), 'seen.db')),
  );
}

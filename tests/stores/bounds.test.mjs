// The work of a query is bounded, in the same way on every engine: pages of one template share most of their keys, so that keys
// are full, and there are more candidates than a query compares.
import assert from 'node:assert/strict';
import { sketch } from 'nearprint';
import { Model } from '../js/model.mjs';
import { random } from '../js/random.mjs';
import { testAll, testEngines } from './table.mjs';

const COUNT = Number(process.env.STORE_FLOOD ?? 120);
const START = 1_800_000_000;

/** The maximum number of versions under a key, and of candidates. */
const [MAX_ENTRIES, MAX_CANDIDATES] = [64, 32];

/** Returns a function that returns the next page: the words of a template, and `words` of its own. */
function template(seed, words = 30) {
  const next = random(seed);
  const fixed = Array.from({ length: 70 }, (_, at) => `template${at}`);
  let number = 0;
  return () => {
    const own = Array.from({ length: words }, () => `own${next(10 ** 6)}`);
    return { id: `page ${number++}`, sketch: sketch([...fixed, ...own].join(' ')) };
  };
}

// A store in memory has no bound on the documents of a key.
testEngines(
  'pages of one template: a set has the same candidates on every engine, while pages expire, change and are removed',
  async ({ open, setTime, prunes = false }, context) => {
    const page = template(1);
    const model = new Model({ prunes });
    const { store } = await open({ name: 'template' });
    let now = START;
    const wait = (seconds) => {
      now += seconds;
      setTime(now);
    };
    const add = async (count, rule = {}) => {
      const pages = Array.from({ length: count }, page);
      for (const { id, sketch } of pages) model.add(id, sketch, { now, ...rule });
      await store.add(pages, rule);
      return pages;
    };
    const observe = async (documents, rule = {}) => {
      const expected = documents.map(({ id, sketch }) => ({ id, ...model.observe(id, sketch, { now, ...rule }) }));
      assert.deepEqual(await store.observe(documents, rule), expected);
      return expected;
    };
    // A model that prunes at each call has fewer to count.
    const prune = async () => {
      const [count, expected] = [await store.prune(), model.prune(now)];
      if (!prunes) assert.equal(count, expected);
    };
    let most = 0;
    const query = async () => {
      for (const { sketch } of queries) {
        for (const rule of [{}, { minResemblance: 0, limit: Infinity }, { minResemblance: 0.3, limit: 3 }]) {
          const expected = model.query(sketch, { now, ...rule });
          assert.deepEqual(await store.query(sketch, rule), expected, JSON.stringify(rule));
          most = Math.max(most, expected.length);
        }
      }
    };
    const queries = Array.from({ length: 4 }, page);
    wait(0);
    const early = await add(40, { expiresIn: 10 });
    const pages = await add(COUNT);
    assert.ok(early.length + pages.length > 2 * MAX_ENTRIES);
    await query();
    // The early pages have ended, and take the place of others until they are removed.
    wait(10);
    await query();
    await observe(Array.from({ length: 10 }, page), { minResemblance: 0.99 });
    await query();
    await prune();
    // There is capacity under the keys again.
    await observe(Array.from({ length: 10 }, page), { minResemblance: 0.99 });
    await query();
    // New versions of pages, permanent and provisional, in a family whose keys are full.
    const revised = (each) => ({ id: each.id, sketch: page().sketch });
    const changed = await observe(pages.slice(0, 30).map(revised), { minResemblance: 0.9 });
    assert.ok(changed.some(({ status }) => status === 'changed'));
    await observe(pages.slice(20, 50).map(revised), { minResemblance: 0.9, lease: 5 });
    await query();
    const removed = pages.slice(40, 70).map(({ id }) => id);
    assert.equal(await store.delete(removed), model.delete(removed, now));
    await query();
    await observe(Array.from({ length: 10 }, page), { minResemblance: 0.99 });
    wait(5);
    await prune();
    await query();
    // At the default threshold, a page is a duplicate of the most similar one.
    await observe(Array.from({ length: 20 }, page));
    // A copy is found however many pages there are.
    const last = page();
    await store.add([last]);
    model.add(last.id, last.sketch, { now });
    const [copy] = await observe([{ id: 'copy', sketch: last.sketch }]);
    assert.deepEqual([copy.status, copy.duplicateOf, copy.resemblance], ['duplicate', last.id, 1]);
    assert.equal(most, MAX_CANDIDATES);
    const start = performance.now();
    for (const { sketch } of queries) await store.query(sketch);
    context.diagnostic(`${((performance.now() - start) / queries.length).toFixed(2)} ms a query`);
  },
);

testAll('pages of one template that are added in one call after removals are found', async ({ open, setTime }) => {
  const now = START;
  setTime(now);
  const page = template(2);
  const model = new Model({});
  const { store } = await open({ name: 'removals' });
  for (let round = 0; round < 5; round++) {
    const pages = Array.from({ length: 12 }, page);
    for (const { id, sketch } of pages) model.add(id, sketch, { now });
    await store.add(pages);
    for (const { sketch } of pages) {
      const rule = { minResemblance: 0, limit: Infinity };
      assert.deepEqual(await store.query(sketch, rule), model.query(sketch, { now, ...rule }));
    }
    const removed = pages.slice(round).map(({ id }) => id);
    assert.equal(await store.delete(removed), model.delete(removed, now));
  }
});

testAll('a page is filed under keys that one before it in the same call has left', async ({ open, setTime }) => {
  setTime(START);
  const { store } = await open({ name: 'left' });
  const words = Array.from({ length: 70 }, (_, at) => `template${at}`);
  const page = (at, ...own) => ({ id: `page ${at}`, sketch: sketch([...words, ...own].join(' ')) });
  const pages = Array.from({ length: MAX_ENTRIES - 1 }, (_, at) => page(at));
  await store.add(pages);
  // Not one of the oldest, which are the candidates. Without its first version, the keys have capacity for two more.
  const changed = page(MAX_CANDIDATES + 1, 'and', 'more');
  await store.add([changed, page('last')]);
  await store.delete(pages.map(({ id }) => id));
  assert.deepEqual(
    (await store.query(changed.sketch)).map(({ id }) => id),
    ['page last'],
  );
});

testEngines('pages of one template have the same candidates in one call as in many', async ({ open, setTime }) => {
  const now = START;
  setTime(now);
  const model = new Model({});
  const { store } = await open({ name: 'call' });
  const page = template(4, 24);
  const first = Array.from({ length: 150 }, page);
  // Later, some have other versions.
  const second = [
    ...first.slice(0, 60).map(({ id }) => ({ id, sketch: page().sketch })),
    ...Array.from({ length: 60 }, page),
  ];
  const statuses = new Set();
  for (const pages of [first, second]) {
    const expected = pages.map(({ id, sketch }) => ({ id, ...model.observe(id, sketch, { now }) }));
    assert.deepEqual(await store.observe(pages), expected);
    for (const { status } of expected) statuses.add(status);
  }
  assert.deepEqual([...statuses].sort(), ['changed', 'duplicate', 'new']);
});

/** Returns the largest number of versions that a database has under a key. */
async function mostUnderKey({ run }, { client }, engine, name) {
  const mostOf = (from) =>
    `SELECT max(count) AS most FROM (SELECT count(*) AS count FROM ${from} GROUP BY key) AS counts`;
  if (engine === 'postgres') {
    const { rows } = await client.query(mostOf(`${name}_documents, unnest(keys) AS key`));
    return Number(rows[0].most);
  }
  if (engine === 'redis') {
    // An entry of 8 bytes begins with the low bits of its key.
    const counts = new Map();
    for (const string of await client.keys(`{${name}}:[0-9]*`)) {
      const hex = (await client.withTypeMapping({ 36: Buffer }).get(string)).toString('hex');
      for (const [, low] of hex.matchAll(/(.{6}).{10}/g)) counts.set(string + low, (counts.get(string + low) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  }
  const statement = mostOf(`${name}_keys`);
  const [{ most }] = run ? await run(statement) : client.prepare(statement).all();
  return most;
}

testAll('copies of a text that have ended do not hide the one that is kept', async (environment, _, engine) => {
  const { open, setTime } = environment;
  const name = 'ended_copies';
  const opened = await open({ name });
  const { store } = opened;
  const { sketch: equal } = template(5)();
  let now = START;
  const wait = (seconds) => {
    now += seconds;
    setTime(now);
  };
  wait(0);
  let ended = 0;
  const addCopies = async (count, inCall, lease) => {
    const copies = Array.from({ length: count }, () => ({ id: `copy ${ended++}`, sketch: equal }));
    for (let at = 0; at < count; at += inCall) await store.add(copies.slice(at, at + inCall), { expiresIn: lease });
  };
  const checkKept = async (kept) => {
    assert.deepEqual(await store.observe([{ id: kept, sketch: equal }], { expiresIn: 5 }), [
      { id: kept, status: 'new' },
    ]);
    const [{ status, duplicateOf }] = await store.observe([{ id: 'copy', sketch: equal }]);
    assert.deepEqual({ status, duplicateOf }, { status: 'duplicate', duplicateOf: kept });
    assert.deepEqual(await store.query(equal), [{ id: kept, resemblance: 1 }]);
    assert.equal(await store.count(), 1);
    assert.equal((await store.peek([{ sketch: equal }]))[0].duplicateOf, kept);
  };
  // At first they fill every key.
  for (const [round, count] of [MAX_ENTRIES, 200, MAX_ENTRIES].entries()) {
    await addCopies(count, 100, 10);
    assert.equal(await store.count(), count);
    wait(10);
    await checkKept(`kept ${round}`);
    wait(5);
  }
  // Some that have ended when they are added, in calls of many and of one.
  await addCopies(100, 100, 0);
  await addCopies(20, 1, 0);
  await checkKept('last');
  if (engine !== 'memory') assert.equal(await mostUnderKey(environment, opened, engine, name), MAX_ENTRIES);
  assert.equal(await store.prune(), ended + 3);
  assert.equal(await store.count(), 1);
  assert.equal(await store.prune(), 0);
});

testEngines(
  'a document that is added while a key is full is found by it when it is added again',
  async (environment) => {
    const { open, setTime } = environment;
    const { store } = await open({ name: 'full_key' });
    const { sketch: equal } = template(6)();
    setTime(START);
    const copies = Array.from({ length: MAX_ENTRIES }, (_, at) => ({ id: `copy ${at}`, sketch: equal }));
    await store.add(copies, { expiresIn: 10 });
    const permanent = { id: 'permanent', sketch: equal };
    await store.add([permanent]);
    setTime(START + 10);
    assert.deepEqual(await store.query(equal), []);
    assert.ok((await store.get('permanent')).equals(equal));
    await store.delete(['permanent']);
    await store.add([permanent]);
    assert.deepEqual(await store.query(equal), [{ id: 'permanent', resemblance: 1 }]);
  },
);

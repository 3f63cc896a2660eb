// `dedupe` with a store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dedupe } from 'nearprint';
import { memoryStore } from 'nearprint/store/memory';
import { collect, valuesOf } from '../js/values.mjs';
import { testAll } from './table.mjs';

const sentence = (at) =>
  `Document ${at}: the river ${at * 7} burst its ${at * 3} banks early on day ${at}, the council of ${at} said, and ` +
  `the road to ${at * 11} is closed for ${at} weeks after ${at * 13} people called.`;

/** Documents with near-duplicates, an equal one with the same id, a changed one and short ones. */
const source = [
  ...Array.from({ length: 40 }, (_, at) => ({ id: `/page/${at}`, text: sentence(at % 25).repeat(at < 25 ? 1 : 2) })),
  { id: '/page/3', text: sentence(3) },
  { id: '/page/4', text: sentence(99) },
  { id: '/empty/1', text: '' },
  { id: '/empty/2', text: '!' },
];

/** The next day: one page has changed, one is new, and the others are the same. */
const nextDay = [
  ...source.slice(0, 20),
  { id: '/page/20', text: `${sentence(20)} It is open again.` },
  { id: '/page/100', text: sentence(100) },
];

const all = (source, options) => collect(dedupe(source, options));

const countsOf = (decisions) => {
  const counts = { new: 0, changed: 0, unchanged: 0, duplicate: 0 };
  for (const { status } of decisions) counts[status]++;
  return counts;
};

for (const keep of ['first', 'longest']) {
  testAll(`dedupe decides as in memory, on two days: keep ${keep}`, async ({ open }) => {
    const { store } = await open({ name: `dedupe_${keep}` });
    const memory = memoryStore();
    for (const documents of [source, nextDay, nextDay]) {
      const expected = await all(documents, { keep, against: memory });
      // Nothing is added.
      const comparing = await all(documents, { keep, against: store, add: false });
      assert.deepEqual(valuesOf(comparing, 'id'), valuesOf(expected, 'id'));
      assert.deepEqual(await all(documents, { keep, against: store }), expected);
      if (documents === source && keep === 'first')
        assert.ok(Object.values(countsOf(expected)).every((count) => count > 0));
    }
    assert.deepEqual(
      countsOf(await all(nextDay, { keep, against: store })),
      countsOf(await all(nextDay, { keep, against: memory })),
    );
    assert.equal(await store.count(), await memory.count());
  });
}

testAll('dedupe decides with a store as without one, on documents with different ids', async ({ open }) => {
  const { store } = await open({ name: 'different' });
  const documents = source.map(({ text }, at) => ({ id: `/page/${at}`, text }));
  // Without a store, the original of a duplicate is a document of the call too.
  assert.deepEqual(await all(documents, { against: store }), await all(documents));
});

testAll('dedupe with a lease: a document whose handling fails is decided again in the same way', async ({ open }) => {
  const { store } = await open({ name: 'lease' });
  const handled = [];
  const run = async (documents, failAt) => {
    for await (const { id, status } of dedupe(documents, { against: store, lease: 60 })) {
      if (status !== 'new' && status !== 'changed') continue;
      if (id === failAt) throw new Error('the disk is full');
      handled.push(id);
    }
  };
  await assert.rejects(run(source, '/page/7'), /the disk is full/);
  assert.deepEqual(handled, valuesOf(source.slice(0, 7), 'id'));
  assert.equal(await store.get('/page/7'), undefined);
  await run(source);
  const expected = (await all(source)).filter(({ status }) => status === 'new' || status === 'changed');
  assert.deepEqual([...handled].sort(), expected.map(({ id }) => id).sort());
  // All of these are permanent.
  assert.equal(await store.confirm(handled), 0);
});

test('dedupe with a lease: a duplicate does not confirm or release the version of another process', async () => {
  for (const isEndedEarly of [false, true]) {
    const store = memoryStore();
    const [first, copy] = [
      { id: '/a', text: sentence(1) },
      { id: '/b', text: `${sentence(1)} It is open.` },
    ];
    await store.observe([first], { lease: 60 });
    for await (const { status } of dedupe([copy], { against: store, lease: 60 })) {
      assert.equal(status, 'duplicate');
      // While this process handles its decision, another one keeps the same document provisionally.
      await store.release(['/a']);
      assert.deepEqual(await store.observe([copy], { lease: 60 }), [{ id: '/b', status: 'new' }]);
      if (isEndedEarly) break;
    }
    assert.equal(await store.confirm(['/b']), 1);
  }
});

test('dedupe refuses what a store does not take', async () => {
  const store = memoryStore();
  await assert.rejects(
    all([{ id: 1, text: 'a' }], { against: store }),
    /source\[0\]\.id must be a string, with a store, got 1$/,
  );
  await assert.rejects(all([], { against: store, scheme: 's1:words1' }), /against must be .*scheme/);
});

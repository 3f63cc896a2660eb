// The rules, row by row (tests/js/rules.mjs), on every engine: with leases and expiry.
import assert from 'node:assert/strict';
import { sketch } from 'nearprint';
import { stored } from '../js/model.mjs';
import { checkRules, decisionsOf, storeSet } from '../js/rules.mjs';
import { testAll } from './table.mjs';

const deciders = {
  observe: (store, documents, options) => store.observe(documents, options),
  dedupe: (store, documents, options) => decisionsOf(documents, { ...options, against: store }),
};

for (const [what, decide] of Object.entries(deciders)) {
  // dedupe calls observe and confirm, whatever the engine is.
  const except = what === 'dedupe' ? ['postgres', 'redis', 'd1', 'durable object'] : [];
  const check = async ({ open, setTime }, context) => {
    const name = `rules${Object.keys(deciders).indexOf(what)}`;
    const openSet = async (row) => storeSet({ ...(await open({ name: `${name}_${row}` })), setTime }, decide);
    // dedupe confirms each document when the next one is requested.
    await checkRules(context, openSet, { hasLeases: what !== 'dedupe' });
  };
  testAll(`the rules, row by row: ${what}`, check, { except });
}

const words = (from, count = 60) => Array.from({ length: count }, (_, at) => `word${from + at}`);

testAll('query finds the best version of each id', async ({ open, setTime }) => {
  setTime(1_800_000_000);
  const { store } = await open({ name: 'query' });
  const sketches = Object.fromEntries(
    Object.entries({
      a: words(0),
      edited: words(0).with(30, 'edited'),
      rewritten: [...words(0, 42), ...words(1000, 18)],
      other: words(5000),
    }).map(([name, list]) => [name, sketch(list.join(' '))]),
  );
  await store.add([
    { id: 'x', sketch: sketches.a },
    { id: 'y', sketch: sketches.edited },
  ]);
  await store.observe([{ id: 'x', sketch: sketches.rewritten }], { lease: 10, minResemblance: 0.99 });
  const hit = (id, x, y) => {
    return { id, resemblance: stored(sketches[x]).resemblance(sketches[y]) };
  };
  const query = async (name, options) => store.query(sketches[name], options);
  assert.deepEqual(await query('a'), [hit('x', 'a', 'a')]);
  assert.deepEqual(await query('a', { limit: 9 }), [hit('x', 'a', 'a'), hit('y', 'a', 'edited')]);
  assert.deepEqual(await query('rewritten', { limit: Infinity, minResemblance: 0.9 }), [
    { ...hit('x', 'rewritten', 'rewritten'), isProvisional: true },
  ]);
  assert.deepEqual(await query('rewritten', { limit: 0 }), []);
  assert.deepEqual(await query('other'), []);
  assert.deepEqual(await query('a', { minResemblance: 0.99, limit: 9 }), [hit('x', 'a', 'a')]);
});

testAll(
  'of two documents of one call that are equally similar, the earlier one is the original',
  async ({ open, setTime }) => {
    setTime(1_800_000_000);
    const { store } = await open({ name: 'ties' });
    const text =
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
      'nineteen twenty';
    const document = (id, from, word) => ({
      id,
      sketch: sketch(text.split(' ').toSpliced(from, 3, `${word}0`, `${word}1`, `${word}2`).join(' ')),
    });
    const near = [document('near its beginning', 1, 'red'), document('near its end', 14, 'green')];
    const [one, other] = near.map((each) => each.sketch.resemblance(sketch(text)));
    assert.equal(one, other);
    for (const documents of [near, near.toReversed()]) {
      const decisions = await store.observe([...documents, { id: 'text', sketch: sketch(text) }], {
        minResemblance: 0.6,
      });
      assert.deepEqual(
        decisions.map(({ status, duplicateOf }) => duplicateOf ?? status),
        ['new', 'new', documents[0].id],
      );
      await store.delete(documents.map(({ id }) => id));
    }
  },
);

// The store in memory against the naive model (model.mjs), with leases, expiry and time steps.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { sketch } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { Model } from './model.mjs';
import { random } from './random.mjs';

/** Texts in families of 3 words (short), 6 words (brief) and 60 to 120 words, with some words replaced. */
const texts = Array.from({ length: 36 }, (_, number) => {
  const [family, edit] = [Math.floor(number / 6), number % 6];
  const isEdited = (at) => edit > 0 && (family < 2 ? at === edit : at % 17 === edit);
  const word = (at) => `word${family * 1000 + ((at * 7) % 97)}${isEdited(at) ? 'x' : ''}`;
  return Array.from({ length: [3, 6][family] ?? 20 * family }, (_, at) => word(at)).join(' ');
});
texts.push('', '... !', '👍', '👎');
const documents = texts.flatMap((text) => [undefined, 'site'].map((scope) => ({ text, scope })));
const sketches = documents.map(({ text, scope }) => sketch(text, { scope }));

const ids = ['a', 'b', 'c', 'd', '7', 'ü'];

test('does what the model does', async () => {
  mock.timers.enable({ apis: ['Date'] });
  const counts = {};
  const count = (name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (let seed = 0; seed < 150; seed++) {
    const next = random(seed);
    const store = memoryStore();
    const model = new Model({ prunes: false });
    let now = 1000;
    const anyId = () => ids[next(ids.length)];
    const version = () => (next(2) ? anyId() : { id: anyId(), sketch: sketches[next(sketches.length)] });
    for (let step = 0; step < 60; step++) {
      now += [0, 1, 2, 0.5][next(4)];
      mock.timers.setTime(1000 * now);
      const number = next(sketches.length);
      const [id, own] = [anyId(), sketches[number]];
      const minResemblance = [undefined, 0.3, 0.9, 1][next(4)];
      const lease = next(2) ? undefined : [0, 1, 4, 9][next(4)];
      const expiresIn = next(2) ? undefined : [0, 2, 6, 20][next(4)];
      const operation = next(16);
      if (operation < 7) {
        const document = documents[number];
        const given = next(2) ? { id, ...document } : { id, sketch: own };
        const rule = { minResemblance, lease, expiresIn };
        const [decision] = await store.observe([given], rule);
        assert.deepEqual(decision, { id, ...model.observe(id, own, { now, ...rule }) });
        count(decision.status);
      } else if (operation === 7) {
        const one = next(4) ? id : undefined;
        const given = next(2) ? { id: one, ...documents[number] } : { id: one, sketch: own };
        const expected = model.peek(one, own, { now, minResemblance });
        assert.deepEqual(await store.peek([given], { minResemblance }), [expected]);
        count(`peek: ${expected.status}`);
      } else if (operation < 9) {
        const versions = [version(), version()];
        const confirmed = await store.confirm(versions);
        assert.equal(confirmed, model.confirm(versions, now));
        if (confirmed > 0) count('confirmed');
      } else if (operation === 9) {
        const versions = [version(), version()];
        const released = await store.release(versions);
        assert.equal(released, model.release(versions, now));
        if (released > 0) count('released');
      } else if (operation < 13) {
        for (const options of [{}, { minResemblance, limit: next(4) }, { minResemblance: 0, limit: Infinity }]) {
          const hits = await store.query(own, options);
          assert.deepEqual(hits, model.query(own, { now, ...options }));
          count(hits.length > 0 ? 'hit' : 'miss');
        }
      } else if (operation === 13) {
        const gone = next(2) ? [id] : [id, anyId(), id];
        assert.equal(await store.delete(gone), model.delete(gone, now));
      } else if (operation === 14) {
        const pruned = await store.prune();
        assert.equal(pruned, model.prune(now));
        if (pruned > 0) count('pruned');
      } else {
        await store.add([{ id, sketch: own }], { expiresIn });
        model.add(id, own, { now, expiresIn });
      }
      assert.equal((await store.get(id))?.toHex(), model.get(id, now)?.toHex());
      if (next(4) === 0) assert.equal(await store.count(), model.count(now));
    }
  }
  mock.timers.reset();
  const expected = ['new', 'unchanged', 'changed', 'duplicate', 'confirmed', 'released', 'hit', 'miss', 'pruned'];
  for (const name of expected) assert.ok(counts[name] > 20, `${name}: ${counts[name]}`);
});

test('a store refuses texts', async () => {
  const message =
    'textOf must be left out with a store: estimates decide (against forged texts, give a key), got a function';
  const observed = memoryStore().observe([{ id: 'a', text: 'Good news' }], { textOf: () => undefined });
  await assert.rejects(observed, { name: 'ArgumentError', message: `nearprint: ${message}` });
});

test('a copy that is kept between many that end is found', async () => {
  mock.timers.enable({ apis: ['Date'], now: 1.8e12 });
  const store = memoryStore();
  const equal = sketch('The river burst its banks early on Tuesday, the council said, and the road is closed');
  const add = (prefix, sketchOf, count, options) =>
    store.add(
      Array.from({ length: count }, (_, at) => ({ id: `${prefix} ${at}`, sketch: sketchOf(at) })),
      options,
    );
  // Without others, the ended ones would be removed at once.
  await add('other', (at) => sketch(`short ${at}`), 1000);
  await add('earlier', () => equal, 100, { expiresIn: 10 });
  await store.add([{ id: 'kept', sketch: equal }]);
  await add('later', () => equal, 100, { expiresIn: 10 });
  mock.timers.tick(10_000);
  assert.deepEqual(await store.query(equal), [{ id: 'kept', resemblance: 1 }]);
  assert.equal((await store.peek([{ sketch: equal }]))[0].duplicateOf, 'kept');
  assert.equal((await store.observe([{ id: 'copy', sketch: equal }]))[0].duplicateOf, 'kept');
  assert.equal(await store.count(), 1001);
  assert.equal(await store.prune(), 200);
  mock.timers.reset();
});

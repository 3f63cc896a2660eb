// The store in memory against the naive model (model.mjs), with leases, expiry and time steps.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Sketch, sketch } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { byProbes, Model } from './model.mjs';
import { random } from './random.mjs';

/** Texts in families of 3 words (short), 6 words (brief) and 60 to 120 words, with some words replaced. */
const texts = Array.from({ length: 36 }, (_, number) => {
  const [family, edit] = [Math.floor(number / 6), number % 6];
  const isEdited = (at) => edit > 0 && (family < 2 ? at === edit : at % 17 === edit);
  const word = (at) => `word${family * 1000 + ((at * 7) % 97)}${isEdited(at) ? 'x' : ''}`;
  return Array.from({ length: [3, 6][family] ?? 20 * family }, (_, at) => word(at)).join(' ');
});
const sketches = texts.map((text) => sketch(text));

const ids = ['a', 'b', 'c', 'd', '7', 'ü'];

test('does what the model does', async () => {
  mock.timers.enable({ apis: ['Date'] });
  const counts = {};
  const count = (name) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (let seed = 0; seed < 150; seed++) {
    const next = random(seed);
    const probes = 1 + next(60);
    const store = memoryStore({ probes });
    const model = new Model(byProbes(probes));
    let now = 1000;
    const anyId = () => ids[next(ids.length)];
    const version = () => (next(2) ? anyId() : { id: anyId(), sketch: sketches[next(sketches.length)] });
    for (let step = 0; step < 60; step++) {
      now += [0, 1, 2, 0.5][next(4)];
      mock.timers.setTime(1000 * now);
      const number = next(sketches.length);
      const [id, own] = [anyId(), sketches[number]];
      const minResemblance = [undefined, 0.3, 0.9][next(3)];
      const lease = next(2) ? undefined : [0, 1, 4, 9][next(4)];
      const expiresIn = next(2) ? undefined : [0, 2, 6, 20][next(4)];
      const operation = next(16);
      if (operation < 7) {
        const given = next(2) ? { id, text: texts[number] } : { id, sketch: own };
        const [decision] = await store.observe([given], { minResemblance, lease, expiresIn });
        assert.deepEqual(decision, { id, ...model.observe(id, own, { now, minResemblance, lease, expiresIn }) });
        count(decision.status);
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
        // The model removes what has expired at every call, the store from time to time.
        const pruned = await store.prune();
        assert.ok(pruned >= model.prune(now));
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

/** Returns a function that returns random integers of 64 bits. */
function generator(seed) {
  const next = random(seed);
  return () => (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32));
}

test('with every bucket full, the first of two hits is chosen', async () => {
  const next = generator(7);
  const sketchOf = (fingerprint, words, seed) => {
    const bytes = new Uint8Array(87);
    const view = new DataView(bytes.buffer);
    bytes.set([5, ...Buffer.from('v1:64'), 0x83]);
    view.setBigUint64(7, fingerprint, true);
    view.setBigUint64(15, words << 1n, true);
    const minhash = generator(seed);
    for (let at = 23; at < 87; at += 8) view.setBigUint64(at, minhash(), true);
    return Sketch.fromBytes(bytes);
  };
  const query = 0x0123456789abcdefn;
  const shifts = [48n, 32n, 16n, 0n];
  // The document itself is in one of the full buckets: without it, one more document is visible there.
  const docs = [{ id: 'own', sketch: sketchOf((query & (0xffffn << 48n)) | 0xfedc1111n, 1n, 1) }];
  for (const shift of shifts) {
    const mask = 0xffffn << shift;
    for (let count = shift === 48n ? 1 : 0; count < 512; ) {
      const fingerprint = (next() & ~mask) | (query & mask);
      if (shifts.some((other) => other !== shift && ((fingerprint ^ query) & (0xffffn << other)) === 0n)) continue;
      const words = BigInt(docs.length + 1);
      docs.push({ id: `${docs.length}`, sketch: sketchOf(fingerprint, words, docs.length + 1) });
      count++;
    }
  }
  // Both have the MinHash of the query. The second one has its words as well.
  docs.push({ id: 'first', sketch: sketchOf(query, 5000n, 9000) });
  docs.push({ id: 'equal', sketch: sketchOf(query, 5001n, 9000) });
  const document = { id: 'own', sketch: sketchOf(query, 5001n, 9000) };
  const store = memoryStore({ probes: 25 });
  await store.add(docs);
  const [decision] = await store.observe([document]);
  assert.equal(decision.duplicateOf, 'first');
});

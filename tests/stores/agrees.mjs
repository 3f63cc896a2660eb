// Compares a store with the naive model, by random operations on both.
import assert from 'node:assert/strict';
import { Model } from '../js/model.mjs';
import { random } from '../js/random.mjs';
import { collect, entriesOf } from '../js/values.mjs';
import { revisions } from './documents.mjs';

/** Seconds since 1970 at the start of each run. */
const START = 1_800_000_000;

/** How often an operation is chosen, as a multiple of the others. */
const weights = { observe: 6, peek: 2, settle: 4, query: 4 };

/**
 * Runs random operations in an environment of table.mjs. Returns how often each decision was made, and each other
 * operation had an effect.
 */
export async function agreesWithModel({ open, setTime }, { seed, steps, options }) {
  const next = random(seed);
  const revision = revisions(seed);
  const ids = Array.from(
    { length: seed % 2 === 0 ? 9 : 30 },
    (_, at) => ['a', 'https://example.com/', 'ü 漢 🎈', '\'"\\{}', 'z'.repeat(2000)][at] ?? `id ${at}`,
  );
  const one = (values) => values[next(values.length)];
  const sketches = Array.from({ length: 60 }, revision);
  const document = () => ({ id: one(ids), sketch: one(sketches) });
  // Some calls have several parts.
  const someDocuments = () => Array.from({ length: 1 + next(one([4, 4, 4, 40])) }, document);
  const counts = { new: 0, changed: 0, duplicate: 0, unchanged: 0, hits: 0, several: 0 };
  const count = (what, number = 1) => {
    counts[what] = (counts[what] ?? 0) + number;
  };

  const model = new Model({ prunes: false });
  let now = START;
  let { store, close } = await open(options);
  /** The documents of the last calls; some are provisional. */
  const recent = [];
  const versions = () =>
    Array.from({ length: 1 + next(4) }, () => {
      const { id, sketch } = next(4) > 0 && recent.length > 0 ? one(recent) : document();
      return next(2) ? id : { id, sketch };
    });

  const operations = {
    async observe() {
      const docs = next(3) === 0 && recent.length > 0 ? [one(recent), document()] : someDocuments();
      const rule = { minResemblance: one([undefined, 0.67, 0.5, 0.9, 1]) };
      if (next(3)) rule.lease = one([0, 1, 8, 30, Infinity]);
      if (next(3) === 0) rule.expiresIn = one([0, 2, 8, 30, Infinity]);
      const expected = docs.map(({ id, sketch }) => ({ id, ...model.observe(id, sketch, { now, ...rule }) }));
      assert.deepEqual(await store.observe(docs, rule), expected);
      for (const { status } of expected) count(status);
      recent.unshift(...docs);
      recent.splice(12);
    },
    async peek() {
      const docs = someDocuments().map((document) => (next(4) ? document : { sketch: document.sketch }));
      const minResemblance = one([undefined, 0.67, 0.5, 0.9, 1]);
      const expected = docs.map(({ id, sketch }) => model.peek(id, sketch, { now, minResemblance }));
      assert.deepEqual(await store.peek(docs, { minResemblance }), expected);
      for (const { status } of expected) count(`peek: ${status}`);
    },
    async settle() {
      const method = one(['confirm', 'confirm', 'release']);
      const some = versions();
      const expected = model[method](some, now);
      assert.equal(await store[method](some), expected, method);
      count(method, expected);
    },
    async add() {
      const docs = someDocuments();
      const rule = next(2) ? { expiresIn: one([0, 2, 8]) } : {};
      for (const { id, sketch } of docs) model.add(id, sketch, { now, ...rule });
      await store.add(docs, rule);
    },
    async delete() {
      const some = [one(ids), 'unknown', ...(next(2) ? [one(ids), one(ids)] : [])];
      const expected = model.delete(some, now);
      assert.equal(await store.delete(some), expected);
      count('delete', expected);
    },
    async query() {
      const sketch = next(2) && recent.length > 0 ? one(recent).sketch : one(sketches);
      const rule = { minResemblance: one([undefined, 0, 0.5, 0.9]), limit: one([undefined, 0, 1, 2, 3, Infinity]) };
      const expected = model.query(sketch, { now, ...rule });
      assert.deepEqual(await store.query(sketch, rule), expected);
      if (expected.length > 0) count('hits');
      if (expected.length > 1) count('several');
    },
    async prune() {
      const before = model.prune(now);
      assert.equal(await store.prune(), before);
      now += 1 + next(3);
      setTime(now);
      const expected = model.prune(now);
      assert.equal(await store.prune(), expected);
      count('prune', expected);
    },
    async reopen() {
      await close();
      ({ store, close } = await open(options));
    },
  };
  const frequent = Object.keys(operations).flatMap((name) => Array(weights[name] ?? 1).fill(name));

  /** The version of an id that `get` and `entries` return. */
  const kept = () => {
    const first = new Map();
    for (const { id, sketch } of model.entries(now)) if (!first.has(id)) first.set(id, sketch);
    return [...first].map(([id, sketch]) => [id, sketch.toHex()]);
  };

  setTime(now);
  try {
    for (let step = 0; step < steps; step++) {
      now += one([0, 0, 0, 0.5, 1, 3]);
      setTime(now);
      const name = one(frequent);
      try {
        await operations[name]();
        assert.equal(await store.count(), model.count(now), 'count');
        if (step % 10 !== 0) continue;
        const id = one(ids);
        assert.equal((await store.get(id))?.toHex(), new Map(kept()).get(id), 'get');
        assert.deepEqual(entriesOf(await collect(store.entries())), kept(), 'entries');
      } catch (error) {
        error.message = `seed ${seed}, step ${step}, ${name}: ${error.message}`;
        throw error;
      }
    }
    // Nothing is left in the engine when all has gone.
    await store.delete(ids);
    model.delete(ids, now);
    assert.equal(await store.count(), 0);
  } finally {
    await close();
  }
  return counts;
}

/** Adds the counts of one run to those of others. */
export function addCounts(all, counts) {
  for (const [what, number] of Object.entries(counts)) all[what] = (all[what] ?? 0) + number;
  return all;
}

// Compares a store with a Deduplicator.
import assert from 'node:assert/strict';
import { Deduplicator } from 'nearprint';
import { random } from '../js/random.mjs';
import { documents } from './documents.mjs';

/** Runs the same random calls on both. */
export async function agrees(store, count) {
  const kept = new Deduplicator();
  const next = random(count);
  const ids = [];
  let duplicates = 0;
  let several = 0;
  const asks = async (sketch) => {
    const hits = kept.query(sketch, { limit: Infinity });
    const limit = next(4);
    assert.deepEqual(await store.query(sketch), hits.slice(0, 1));
    assert.deepEqual(await store.query(sketch, { limit }), hits.slice(0, limit));
    assert.deepEqual(await store.query(sketch, { limit: 2 ** 32 - 1 }), hits);
    if (hits.length > 1) several++;
  };
  const all = [...documents(1, count)];
  for (let at = 0; at < all.length; ) {
    const some = all.slice(at, at + 1 + next(60));
    at += some.length;
    switch (next(10)) {
      case 0: {
        await store.add(some);
        for (const { id, sketch } of some) kept.add(id, sketch);
        for (const { sketch } of some) await asks(sketch);
        ids.push(...some.map(({ id }) => id));
        break;
      }
      case 1: {
        // Of other documents, under ids that are kept.
        const replaced = some.map(({ sketch }) => ({ id: ids.length ? ids[next(ids.length)] : 'first', sketch }));
        await store.add(replaced);
        for (const { id, sketch } of replaced) kept.add(id, sketch);
        break;
      }
      case 2: {
        const removed = some.map(() => (ids.length ? ids[next(ids.length)] : 'none'));
        const expected = removed.filter((id) => kept.delete(id)).length;
        assert.equal(await store.delete(removed), expected);
        break;
      }
      case 3:
        for (const { sketch } of some) await asks(sketch);
        break;
      case 4: {
        const taken = ids[next(ids.length)];
        if (!kept.has(taken)) break;
        const document = some.find(({ sketch }) => kept.query(sketch) === undefined);
        if (document === undefined) break;
        await assert.rejects(store.addIfNew([{ id: taken, sketch: document.sketch }]), (error) => {
          return error.name === 'RangeError' && error.taken === taken;
        });
        break;
      }
      default: {
        const expected = some.map(({ id, sketch }) => kept.addIfNew(id, sketch));
        assert.deepEqual(await store.addIfNew(some), expected);
        // A retry gives the documents that are kept the same answers.
        const again = some.filter((_, at) => expected[at].duplicateOf === null);
        const answers = await store.addIfNew(again);
        assert.ok(answers.every(({ duplicateOf }) => duplicateOf === null));
        ids.push(...again.map(({ id }) => id));
        duplicates += some.length - again.length;
      }
    }
  }
  assert.ok(duplicates > count / 20, `${duplicates} near-duplicates`);
  assert.ok(several > count / 100, `${several} queries have several hits`);
  assert.equal(await store.count(), kept.size);
  const entries = [];
  for await (const { id, sketch } of store.entries()) entries.push([id, sketch.toHex()]);
  const ofKept = [...kept].map(({ id, sketch }) => [id, sketch.toHex()]);
  const byId = (all) => Object.fromEntries(all);
  assert.deepEqual(byId(entries), byId(ofKept));
  // Those of longer texts are in the same order.
  const isLong = ([, hex]) => hex.length > 100;
  assert.deepEqual(entries.filter(isLong), ofKept.filter(isLong));
  const [id] = ofKept[0];
  assert.equal((await store.get(id)).toHex(), kept.get(id).toHex());
  assert.equal(await store.get('nobody'), undefined);
  kept.free();
}

// The work of a query is bounded, in the same way on every engine: a set that is flooded with pages of the same words in other
// orders, which are all a few bits apart and resemble each other little.
import assert from 'node:assert/strict';
import { sketch } from 'nearprint';
import { byProbes } from '../js/model.mjs';
import { random } from '../js/random.mjs';
import { testAll } from './table.mjs';

const COUNT = Number(process.env.STORE_FLOOD ?? 1200);
const START = 1_800_000_000;

/** The constants of js/stores/bounds.ts. */
const MAX_DISTANCE = 16;
const MAX_READ = 512;
const MAX_VERIFIED = 128;
const PROBES = 25;

const { stored } = byProbes(PROBES);

/** Returns a function that returns the sketch of a page of 30 words, each repeated some fixed number of times. */
function flood(seed) {
  const next = random(seed);
  const words = Array.from({ length: 30 }, (_, at) => Array(10 + next(31)).fill(`word${at}`)).flat();
  return () => {
    const page = [...words];
    for (let at = page.length - 1; at > 0; at--) {
      const other = next(at + 1);
      [page[at], page[other]] = [page[other], page[at]];
    }
    return sketch(page.join(' '));
  };
}

const blocksOf = ({ fingerprint }) => [48n, 32n, 16n, 0n].map((shift) => Number((fingerprint >> shift) & 0xffffn));

/** The bounded search as a naive program: `versions` are `{ id, sketch }`, live, in the order of addition. */
function search(versions, query, { minResemblance = 0.67, limit = 1, except } = {}) {
  const others = versions.filter(({ id }) => id !== except);
  const values = query.probes(PROBES);
  const read = new Set();
  for (let block = 0; block < 4; block++) {
    for (const value of values.subarray(block * PROBES, (block + 1) * PROBES)) {
      const bucket = others.filter(({ sketch }) => blocksOf(sketch)[block] === value);
      for (const version of bucket.slice(0, MAX_READ)) read.add(version);
    }
  }
  const order = new Map(others.map((version, at) => [version, at]));
  const near = [...read].map((version) => ({ version, distance: version.sketch.distance(query) }));
  const nearest = near
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .sort((a, b) => a.distance - b.distance || order.get(a.version) - order.get(b.version))
    .slice(0, MAX_VERIFIED);
  const equal = others.filter((version) => version.sketch.equals(query)).slice(0, limit);
  const hits = [...new Set([...nearest.map(({ version }) => version), ...equal])].map((version) => {
    const { id, sketch } = version;
    const resemblance = stored(sketch).resemblance(query);
    return { id, resemblance, distance: sketch.distance(query), order: order.get(version) };
  });
  return hits
    .filter(({ resemblance }) => resemblance >= minResemblance)
    .sort((a, b) => b.resemblance - a.resemblance || a.distance - b.distance || a.order - b.order)
    .slice(0, limit)
    .map(({ id, resemblance, distance }) => ({ id, resemblance, distance }));
}

const page = flood(1);
const expired = Array.from({ length: 100 }, (_, at) => ({ id: `expired ${at}`, sketch: page() }));
const kept = Array.from({ length: COUNT }, (_, at) => ({ id: `page ${at}`, sketch: page() }));
const copied = page();
// More copies than a query reads of a bucket, the flood before them.
const copies = Array.from({ length: 150 }, (_, at) => ({ id: `copy ${at}`, sketch: copied }));
const versions = [...kept, ...copies];
const queries = Array.from({ length: 6 }, page);

{
  // The bounds matter: without them, these queries would have other hits.
  const all = (query) => versions.filter(({ sketch }) => sketch.distance(query) <= MAX_DISTANCE).length;
  assert.ok(queries.every((query) => all(query) > MAX_READ));
  assert.equal(search(versions, queries[0], { minResemblance: 0, limit: Infinity }).length, MAX_VERIFIED);
}

testAll(
  `${COUNT} pages of one family: a query reads and verifies as many on every engine`,
  async ({ open, setTime }, context) => {
    setTime(START);
    const { store, close } = await open({ name: 'flooded' });
    await store.add(expired, { expiresIn: 10 });
    await store.add(kept);
    await store.add(copies);
    setTime(START + 10);
    for (const query of queries) {
      for (const rule of [{}, { minResemblance: 0, limit: Infinity }, { minResemblance: 0.3, limit: 3 }]) {
        assert.deepEqual(await store.query(query, rule), search(versions, query, rule), JSON.stringify(rule));
      }
    }
    // A document of equal fingerprint and words is found however many there are.
    assert.deepEqual(await store.query(copied), [{ id: 'copy 0', resemblance: 1, distance: 0 }]);
    for (const limit of [5, 200]) {
      const expected = search(versions, copied, { limit });
      assert.equal(expected.length, Math.min(limit, 150));
      assert.deepEqual(await store.query(copied, { limit }), expected);
    }
    // The document's own version is not read.
    for (const [at, { id, sketch: before }] of kept.slice(0, 5).entries()) {
      const after = queries[at];
      const [hit] = search(versions, after, { minResemblance: 0.2, except: id });
      const own = { resemblance: stored(before).resemblance(after), distance: before.distance(after) };
      const expected =
        hit && own.resemblance < hit.resemblance
          ? { id, status: 'duplicate', duplicateOf: hit.id, resemblance: hit.resemblance, distance: hit.distance }
          : { id, status: 'changed', ...own };
      // It is discarded at once.
      assert.deepEqual(await store.observe([{ id, sketch: after }], { minResemblance: 0.2, lease: 0 }), [expected]);
    }
    const start = performance.now();
    for (const query of queries) await store.query(query);
    context.diagnostic(`${((performance.now() - start) / queries.length).toFixed(2)} ms a query`);
    await close();
  },
);

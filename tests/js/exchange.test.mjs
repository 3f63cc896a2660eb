// Calls that follow one another through the exchange: results larger than it, large and small texts, restarts of the module,
// freed objects, and calls while another call reads its texts.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { exhaustive, test } from '../tier.mjs';
import { instanceOf, nearprint, simhash, trap } from './instances.mjs';
import { random } from './random.mjs';
import { scenario, words } from './scenario.mjs';
import { hexesOf, valuesOf } from './values.mjs';

const { compare, Deduplicator, Sketch, Sketcher, sketch, sketchAll } = nearprint;
const { compareBits, features, Fingerprinter, fingerprint, fingerprintAll, NearIndex } = simhash;

afterEach(() => trap());

/** The size from which on the exchange is not kept between two calls, in bytes. */
const MAX_KEPT = 2 ** 20;

exhaustive('a result larger than the exchange is whole: the string ids of a snapshot', () => {
  const ids = Array.from({ length: 40_000 }, (_, at) => `the id of document number ${at}`);
  const news = sketch('Good news');
  const kept = new Deduplicator();
  const index = new NearIndex().addAll(ids, BigUint64Array.from(ids.keys(), BigInt));
  for (const id of ids) kept.add(id, news);
  for (const [one, again] of [
    [kept, Deduplicator.fromBytes(kept.toBytes())],
    [index, NearIndex.fromBytes(index.toBytes())],
  ]) {
    assert.ok(one.toBytes().length > MAX_KEPT);
    assert.deepEqual(again.toBytes(), one.toBytes());
    assert.ok(ids.every((id) => again.has(id)));
  }
});

test('a result larger than the exchange is whole: a comparison, features, hits, clusters', () => {
  const long = words(30_000);
  const comparison = compareBits(long, `${long} x`);
  const expected = features(long);
  assert.equal(expected.length, 59_999);
  assert.deepEqual(comparison.a.features, expected);
  assert.deepEqual(comparison.b.features.slice(0, -2), expected);
  assert.deepEqual(new Set(comparison.a.features.map(({ hash }) => hash)).size, 59_999);
  assert.equal(comparison.b.fingerprint, fingerprint(`${long} x`));
  const { shared, onlyA, onlyB } = compare(long, `${long} x`);
  assert.deepEqual([shared.length, onlyA.length, valuesOf(onlyB, 'feature')], [59_999, 0, ['x', 'w29999 x']]);

  const count = 60_000;
  const kept = new Deduplicator();
  const news = sketch('Good news');
  for (let id = 0; id < count; id++) kept.add(id, news);
  assert.deepEqual(
    kept.query('good news', { limit: Infinity }),
    Array.from({ length: 32 }, (_, id) => ({ id, resemblance: 1 })),
  );
  assert.deepEqual(
    kept.clusters()[0].members,
    Array.from({ length: count }, (_, id) => ({ id, resemblance: 1 })),
  );
  const index = new NearIndex();
  index.addAll(
    Uint32Array.from({ length: count }, (_, id) => id),
    new BigUint64Array(count).fill(5n),
  );
  assert.deepEqual(
    valuesOf(index.query(5n), 'id'),
    Array.from({ length: count }, (_, id) => id),
  );
});

/** Any order of calls gives the results of each call alone, also after restarts and with freed objects. */
function checkOrders(steps) {
  const { calls, made } = scenario();
  const names = Object.keys(calls);
  const expected = {};
  for (const name of names) {
    trap();
    expected[name] = calls[name](made());
  }
  const next = random(1);
  let objects = made();
  for (let step = 0; step < steps; step++) {
    const event = next(40);
    if (event === 0) {
      // Every object is lost.
      trap();
      assert.throws(() => objects.kept.size, /create a new one/);
      objects = made();
    } else if (event === 1) {
      const { kept, index, prints, sketches } = objects;
      objects = made();
      for (const object of [kept, index, prints, sketches]) object.free();
      assert.throws(() => kept.get('a'), /was freed/);
      assert.throws(() => index.query(1n), /was freed/);
      assert.throws(() => prints.digest(), /was freed/);
      assert.throws(() => sketches.sketch(), /was freed/);
    } else if (event === 2) {
      assert.throws(() => Deduplicator.fromBytes(objects.kept.toBytes().subarray(1)), TypeError);
      assert.throws(() => Sketch.fromBytes(new Uint8Array(3 * MAX_KEPT)), TypeError);
    }
    const name = names[next(names.length)];
    assert.deepEqual(calls[name](objects), expected[name], `${step}: ${name}`);
  }
}

test('calls in any order return what they return alone', () => checkOrders(100));
exhaustive('many calls in any order return what they return alone', () => checkOrders(800));

test('code of the caller may call anything while a call reads its input', () => {
  const { calls, made } = scenario();
  const names = Object.keys(calls);
  const next = random(2);
  const objects = made();
  const expected = Object.fromEntries(names.map((name) => [name, calls[name](made())]));
  function disturb() {
    const name = names[next(names.length)];
    assert.deepEqual(calls[name](objects), expected[name], name);
  }
  function* disturbing(items) {
    disturb();
    for (const item of items) {
      yield item;
      disturb();
    }
  }
  const texts = ['one text', words(9000), 'another text', '', new TextEncoder().encode(words(30_000, 'v')), 'the last'];
  const [fingerprinter, sketcher] = [new Fingerprinter(), new Sketcher()];
  const hexOf = (sketches) => sketches.map((each) => each.toHex());
  const documents = texts.map((text, id) => ({ id, text }));
  const withGetters = documents.map(({ id, text }) => ({
    get id() {
      disturb();
      return id;
    },
    get text() {
      disturb();
      return text;
    },
  }));
  const decisions = new Deduplicator().observeAll(documents);
  for (let times = 0; times < 4; times++) {
    assert.deepEqual(fingerprinter.fingerprintAll(disturbing(texts)), fingerprintAll(texts));
    assert.deepEqual(hexOf(sketcher.sketchAll(disturbing(texts))), hexOf(sketchAll(texts)));
    const names = ['one', 'two', ['three', 3]];
    assert.equal(fingerprinter.fingerprintFeatures(disturbing(names)), simhash.fingerprintFeatures(names));
    assert.deepEqual(new Deduplicator().observeAll(disturbing(documents)), decisions);
    assert.deepEqual(new Deduplicator().observeAll(withGetters), decisions);
    const index = new NearIndex().addAll(disturbing(['p', 'q']), disturbing([1n, 2n]));
    assert.deepEqual(valuesOf(index.query(1n), 'id'), ['p', 'q']);
    const pairs = index.pairs()[Symbol.iterator]();
    disturb();
    assert.deepEqual(pairs.next().value, { a: 'p', b: 'q', distance: 2 });
    disturb();
    assert.equal(pairs.next().done, true);
  }
});

test('a restart between two items of an iterator: an error, or the right result, never a wrong one', () => {
  const texts = ['one text', words(9000), 'another text'];
  const expected = fingerprintAll(texts);
  function* trapping(items) {
    for (const item of items) {
      yield item;
      trap();
    }
  }
  // Fingerprinters and sketchers have no state.
  const fingerprinter = new Fingerprinter();
  assert.deepEqual(fingerprinter.fingerprintAll(trapping(texts)), expected);
  assert.deepEqual(hexesOf(new Sketcher().sketchAll(trapping(texts))), hexesOf(sketchAll(texts)));
  const kept = new Deduplicator();
  const documents = texts.map((text, id) => ({ id, text }));
  assert.throws(() => kept.observeAll(trapping(documents)), /create a new one/);
  assert.throws(() => new NearIndex().addAll(trapping(['a']), [1n]), /create a new one/);
});

exhaustive('memory of large texts and results is given back', () => {
  const long = words(400_000);
  const ids = Array.from({ length: 60_000 }, (_, at) => `the id of document number ${at}`);
  const bytes = new NearIndex().addAll(ids, BigUint64Array.from(ids.keys(), BigInt)).toBytes();
  const uses = {
    features: () => features(long.slice(0, 2 ** 20)),
    'few features': () => features('tick '.repeat(400_000)),
    comparison: () => compare('tick '.repeat(400_000), 'tock'),
    'long comparison': () => compare(long.slice(0, 2 ** 20), 'tock'),
    'comparison of bits': () => compareBits('tick '.repeat(400_000), 'tock'),
    'long comparison of bits': () => compareBits(long.slice(0, 2 ** 20), 'tock'),
    snapshot: () => NearIndex.fromBytes(bytes).free(),
  };
  for (const [name, use] of Object.entries(uses)) {
    trap();
    const memory = () => ['dedupe', 'simhash'].map((module) => instanceOf(module).memory.buffer.byteLength);
    const repeat = (count) => {
      for (let times = 0; times < count; times++) {
        use();
        // Smaller than the view that is kept of the exchange.
        fingerprint('a small text');
        sketch('Good news').keys;
        new NearIndex().add('a', 1n).query(1n);
      }
      return memory();
    };
    const [few, many] = [repeat(4), repeat(8)];
    assert.deepEqual(many, few, name);
  }
});

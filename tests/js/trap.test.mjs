// Without memory, and after a trap of the WebAssembly.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { exhaustive, test } from '../tier.mjs';
import { compat, exhaust, instances, nearprint, simhash, trap } from './instances.mjs';
import { scenario, words } from './scenario.mjs';

const many = BigUint64Array.from({ length: 200_000 }, (_, at) => (BigInt(at) * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n));
const fillUp = (index) => index.addAll(Uint32Array.from(many.keys()), many);

/** A text whose features do not fit in the remaining memory. */
const long = Array.from({ length: 2_000_000 }, (_, at) => at.toString(36)).join(' ');

/** The error for a lack of memory for an argument, or for anything. */
const tooLarge = (argument = '.*') =>
  new RegExp(`^RangeError: nearprint: there is not enough memory( for ${argument})?$`);

// Also after a test that fails: it gives the memory back.
afterEach(() => trap());

test('without memory for a text: a RangeError, and all objects stay', () => {
  const { compare, Deduplicator, Sketcher, sketch } = nearprint;
  const { compareBits, features, Fingerprinter, fingerprint, NearIndex } = simhash;
  const before = fingerprint('a text of some words');
  const fingerprinter = new Fingerprinter({ bits: 128 });
  const streams = [fingerprinter.stream().update('a text'), new Sketcher().stream().update('another')];
  const index = fillUp(new NearIndex()).add('a', before);
  const kept = new Deduplicator().add('a', 'a text of some words');
  const snapshots = [index.toBytes(), kept.toBytes()];
  const bytes = new TextEncoder().encode(long);
  exhaust();
  const started = instances.length;
  for (let times = 0; times < 2; times++) {
    for (const text of [long, bytes]) {
      assert.throws(() => fingerprint(text), tooLarge('the text'));
      assert.throws(() => sketch(text), tooLarge('the text'));
      assert.throws(() => simhash.fingerprintAll(['a', text]), tooLarge('the text'));
      assert.throws(() => kept.observe('b', text), tooLarge('the text'));
      assert.throws(() => features(text), tooLarge('the text'));
      assert.throws(() => compare(text, 'a'), tooLarge('the text'));
      assert.throws(() => compareBits(text, 'a'), tooLarge('the text'));
      assert.throws(() => fingerprinter.fingerprintFeatures(['a', long]), tooLarge('the text'));
    }
    assert.throws(() => fingerprinter.stream(), tooLarge());
    assert.throws(() => new Sketcher().stream(), tooLarge());
    assert.throws(() => NearIndex.fromBytes(snapshots[0]), tooLarge('the snapshot'));
    // Calls that need no more memory still work.
    assert.deepEqual(index.query(before, { maxDistance: 0 }), [{ id: 'a', fingerprint: before, distance: 0 }]);
    assert.equal(index.size, many.length + 1);
    assert.equal(kept.has('a'), true);
    assert.equal(kept.has('b'), false);
    assert.throws(() => Deduplicator.fromBytes(snapshots[1]), tooLarge());
    assert.equal(Array.from(index.pairs({ maxDistance: 0 })).length, 0);
    // A stream that gets such a text is lost, alone.
    assert.throws(() => streams[times].update(long), tooLarge('the text'));
    const result = () => (times === 0 ? streams[0].digest() : streams[1].sketch());
    assert.throws(result, /create a new one/);
    assert.equal(index.delete(times), true);
    index.add(times, many[times]);
  }
  assert.equal(instances.length, started);
});

exhaustive('the features of texts that do not fit in 4 GiB: a RangeError, and all objects stay', () => {
  // Each character becomes 18, which are four words.
  const expanding = '\ufdfa'.repeat(6_000_000);
  const index = new simhash.NearIndex().add('a', 1n);
  const kept = new nearprint.Deduplicator().add('a', 'a text of some words');
  const started = instances.length;
  for (const list of [
    () => simhash.features(expanding),
    () => simhash.compareBits(expanding, 'a'),
    () => nearprint.compare('a', expanding),
  ]) {
    assert.throws(list, tooLarge());
  }
  assert.equal(index.size, 1);
  assert.equal(kept.has('a'), true);
  assert.equal(instances.length, started);
});

test('out of memory: a clear error, and nearprint/compat, which has no state, goes on', () => {
  const before = compat.fingerprint('some words', { scheme: '1e0ng' });
  exhaust('compat');
  const call = () => compat.fingerprint(long, { scheme: '1e0ng' });
  assert.throws(call, /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/);
  assert.equal(compat.fingerprint('some words', { scheme: '1e0ng' }), before);
});

test('a trap: a clear error, and new objects work', () => {
  const { Fingerprinter, fingerprint, NearIndex } = simhash;
  const before = fingerprint('a text of some words');
  const fingerprinter = new Fingerprinter({ bits: 128 });
  const stream = fingerprinter.stream().update('a text');
  const wide = fingerprinter.fingerprint('a text of some words');
  const index = new NearIndex().add('a', before);

  trap();

  // Objects without state go on.
  assert.equal(fingerprint('a text of some words'), before);
  assert.equal(fingerprinter.fingerprint('a text of some words'), wide);
  // Objects with state are lost, and every call says so.
  for (let times = 0; times < 3; times++) {
    assert.throws(() => index.query(before), /^Error: nearprint: this object was freed, or lost.*create a new one/);
    assert.throws(() => index.size, /create a new one/);
    assert.throws(() => stream.update(' of'), /create a new one/);
  }
  index.free();
  stream.free();
  // A new index works, in a new instance with enough memory.
  const again = fillUp(new NearIndex());
  assert.deepEqual(again.query(many[7]), [{ id: 7, fingerprint: many[7], distance: 0 }]);
  assert.equal(simhash.fingerprint('a text of some words'), before);
});

test('a trap of one module leaves the objects of the other', () => {
  const { Deduplicator, Sketcher } = nearprint;
  const { Fingerprinter, NearIndex } = simhash;
  const made = () => ({
    prints: new Fingerprinter().stream().update('a text'),
    sketches: new Sketcher().stream().update('a text'),
    index: new NearIndex().add('a', 1n),
    kept: new Deduplicator().add('a', 'a text of some words'),
  });
  let { prints, sketches, index, kept } = made();
  trap('simhash');
  assert.throws(() => prints.digest(), /create a new one/);
  assert.throws(() => index.get('a'), /create a new one/);
  assert.equal(kept.observe('a', 'A text of some words').status, 'unchanged');
  assert.ok(sketches.sketch().equals(nearprint.sketch('a text')));

  ({ prints, sketches, index, kept } = made());
  trap('dedupe');
  assert.throws(() => kept.observe('a', 'a text of some words'), /create a new one/);
  assert.throws(() => sketches.sketch(), /create a new one/);
  assert.equal(index.get('a'), 1n);
  assert.equal(prints.digest(), simhash.fingerprint('a text'));
});

test('a freed object says so and stays freed, also after a trap', () => {
  const { Deduplicator, Sketcher } = nearprint;
  const { Fingerprinter, NearIndex } = simhash;
  const objects = [
    [new Fingerprinter(), (it) => it.fingerprint('a'), (it) => it.features('a'), (it) => it.stream()],
    [new Sketcher(), (it) => it.sketch('a'), (it) => it.compare('a', 'b'), (it) => it.stream()],
    [new Fingerprinter().stream(), (it) => it.update('a'), (it) => it.digest()],
    [new Sketcher().stream(), (it) => it.update('a'), (it) => it.sketch()],
    [new NearIndex(), (it) => it.add(1, 1n), (it) => it.query(1n), (it) => it.size, (it) => it.toBytes()],
    [new Deduplicator(), (it) => it.add(1, 'a'), (it) => it.query('a'), (it) => it.size, (it) => it.toBytes()],
  ];
  const wasFreed = /^Error: nearprint: this object was freed, .*create a new one/;
  for (const [object] of objects) object[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  for (let times = 0; times < 2; times++) {
    for (const [object, ...calls] of objects) {
      object.free();
      for (const call of calls) assert.throws(() => call(object), wasFreed, String(call));
    }
    trap();
  }
});

test('an index without enough memory throws a RangeError and keeps its documents', () => {
  const index = new simhash.NearIndex().add('a', 1n);
  exhaust();
  const names = Array.from(many.keys(), (at) => `name ${at}`);
  assert.throws(() => index.addAll(names, many), tooLarge());
  assert.deepEqual(index.query(1n), [{ id: 'a', fingerprint: 1n, distance: 0 }]);
  // It has exactly the ids that it has fingerprints for.
  assert.ok(names.every((name) => index.has(name) === (index.get(name) !== undefined)));
  assert.equal(names.filter((name) => index.has(name)).length, index.size - 1);
});

test('a deduplicator without enough memory throws a RangeError and keeps its documents', () => {
  const { Deduplicator, sketch } = nearprint;
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  const text = (at) => words.map((word, place) => (place === at % 40 ? at : word)).join(' ');
  const kept = new Deduplicator();
  const sketches = Array.from({ length: 3000 }, (_, at) => sketch(text(at)));
  exhaust();
  const added = [];
  assert.throws(() => {
    for (let at = 0; at < 1_000_000; at++) {
      kept.add(`name ${at}`, sketches[at % sketches.length]);
      added.push(at);
    }
  }, tooLarge());
  const failed = `name ${added.length}`;
  assert.deepEqual([kept.size, kept.has(failed), kept.get(failed)], [added.length, false, undefined]);
  if (added.length > 0) assert.equal(kept.query(sketches[0])[0].resemblance, 1);
});

/** Adds until a RangeError. */
function fill(add) {
  for (;;) {
    try {
      add();
    } catch (error) {
      assert.match(String(error), tooLarge());
      return;
    }
  }
}

exhaustive('without any memory, no call loses the objects', () => {
  const { calls, made } = scenario();
  const objects = made();
  const [kept, index] = [new nearprint.Deduplicator(), new simhash.NearIndex()];
  const sketches = nearprint.sketchAll([words(40), 'Good news']);
  let last = 0;
  /** Uses the memory that calls have left. */
  const fillMemory = () => {
    for (const sketch of sketches) fill(() => kept.add(last++, sketch));
    fill(() => index.add(last++, BigInt(last)));
  };
  exhaust();
  const started = instances.length;
  let errors = 0;
  for (const [name, call] of Object.entries(calls)) {
    fillMemory();
    try {
      call(objects);
    } catch (error) {
      assert.match(String(error), tooLarge(), name);
      errors++;
    }
    assert.equal(instances.length, started, name);
    assert.ok(objects.kept.has('a') && objects.index.has('x'), name);
  }
  assert.ok(errors > 10, `${errors} calls threw`);
});

test('an iteration over pairs fails after a restart', () => {
  const index = fillUp(new simhash.NearIndex());
  index.addAll(['x', 'y', 'z'], [1n, 1n, 1n]);
  const pairs = index.pairs()[Symbol.iterator]();
  pairs.next();
  exhaust();
  trap();
  assert.throws(() => {
    while (!pairs.next().done);
  }, /create a new one/);
});

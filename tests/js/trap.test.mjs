// Without memory, and after a trap of the WebAssembly.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { compat, exhaust, instances, nearprint, trap } from './instances.mjs';

const many = BigUint64Array.from({ length: 200_000 }, (_, at) => (BigInt(at) * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n));
const fillUp = (index) => index.addAll(Uint32Array.from(many.keys()), many);

/** A text whose features do not fit in the remaining memory. */
const long = Array.from({ length: 2_000_000 }, (_, at) => at.toString(36)).join(' ');

/** The error for a lack of memory for an argument, or for anything. */
const tooLarge = (argument = '.*') =>
  new RegExp(`^RangeError: nearprint: there is not enough memory( for ${argument})?$`);

// Also after a test that fails: it gives the memory back.
afterEach(trap);

test('without memory for a text: a RangeError, and all objects stay', () => {
  const { compare, Deduplicator, features, Fingerprinter, fingerprint, NearIndex, rabin, rabinWindows, sketch } =
    nearprint;
  const before = fingerprint('a text of some words');
  const fingerprinter = new Fingerprinter({ bits: 128 });
  const streams = [fingerprinter.stream().update('a text'), fingerprinter.stream().update('another')];
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
      assert.throws(() => nearprint.fingerprintAll(['a', text]), tooLarge('the text'));
      assert.throws(() => kept.observe('b', text), tooLarge('the text'));
      assert.throws(() => features(text), tooLarge('the text'));
      assert.throws(() => compare(text, 'a'), tooLarge('the text'));
      assert.throws(() => fingerprinter.words(text), tooLarge('the text'));
      assert.throws(() => fingerprinter.fingerprintFeatures(['a', long]), tooLarge('the text'));
      assert.throws(() => rabin(text), tooLarge('the text'));
      assert.throws(() => rabinWindows(text, 3), tooLarge('the text'));
    }
    assert.throws(() => fingerprinter.stream(), tooLarge());
    assert.throws(() => NearIndex.fromBytes(snapshots[0]), tooLarge('the snapshot'));
    assert.throws(() => index.toBytes(), tooLarge());
    assert.throws(() => index.clusters({ maxDistance: 0 }), tooLarge());
    // What fits, and what needs no memory, works.
    assert.deepEqual(index.query(before, { maxDistance: 0 }), [{ id: 'a', fingerprint: before, distance: 0 }]);
    assert.equal(index.size, many.length + 1);
    assert.equal(kept.has('a'), true);
    assert.equal(kept.has('b'), false);
    assert.throws(() => Deduplicator.fromBytes(snapshots[1]), tooLarge());
    assert.equal(Array.from(index.pairs({ maxDistance: 0 })).length, 0);
    // A stream that gets such a text is lost, alone.
    assert.throws(() => streams[times].update(long), tooLarge('the text'));
    assert.throws(() => streams[times].digest(), /create a new one/);
    assert.equal(index.delete(times), true);
    index.add(times, many[times]);
  }
  assert.equal(instances.length, started);
});

test('out of memory: a clear error, and nearprint/compat, which has no state, goes on', () => {
  nearprint.fingerprint('a'); // its instance is there, and that of compat comes last
  const before = compat.fingerprint('some words', { scheme: '1e0ng' });
  exhaust();
  const call = () => compat.fingerprint(long, { scheme: '1e0ng' });
  assert.throws(call, /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/);
  assert.equal(compat.fingerprint('some words', { scheme: '1e0ng' }), before);
});

test('a trap: a clear error, and new objects work', () => {
  const { Fingerprinter, fingerprint, NearIndex } = nearprint;
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
  assert.equal(nearprint.fingerprint('a text of some words'), before);
});

test('it can trap repeatedly', () => {
  for (let times = 0; times < 3; times++) {
    const started = instances.length;
    exhaust();
    trap();
    assert.equal(fillUp(new nearprint.NearIndex()).size, many.length);
    assert.equal(instances.length, started + 1);
  }
});

test('an index without enough memory throws a RangeError and keeps its documents', () => {
  const index = new nearprint.NearIndex().add('a', 1n);
  exhaust();
  const names = Array.from(many.keys(), (at) => `name ${at}`);
  assert.throws(() => index.addAll(names, many), tooLarge());
  assert.deepEqual(index.query(1n), [{ id: 'a', fingerprint: 1n, distance: 0 }]);
  // It has exactly the ids that it has fingerprints for.
  assert.ok(names.every((name) => index.has(name) === (index.get(name) !== undefined)));
  assert.equal(names.filter((name) => index.has(name)).length, index.size - 1);
});

test('a deduplicator is lost by a restart, and sketches are not', () => {
  const { Deduplicator, sketch } = nearprint;
  const mark = sketch('Good news');
  const kept = new Deduplicator().add('a', mark);
  const snapshot = kept.toBytes();
  exhaust();
  trap();
  for (const call of [() => kept.size, () => kept.query(mark), () => kept.add('b', 'text'), () => kept.toBytes()]) {
    assert.throws(call, /^Error: nearprint: this object was freed, or lost.*create a new one/);
  }
  kept.free();
  assert.equal(mark.resemblance(sketch('good NEWS')), 1);
  assert.equal(Deduplicator.fromBytes(snapshot).query(mark).id, 'a');
});

test('a deduplicator without enough memory throws a RangeError and keeps its documents', () => {
  const { Deduplicator, sketch } = nearprint;
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  const text = (at) => words.map((word, place) => (place === at % 40 ? at : word)).join(' ');
  const kept = new Deduplicator();
  const other = new Deduplicator();
  const sketches = Array.from({ length: 3000 }, (_, at) => sketch(text(at)));
  sketches.forEach((each, at) => {
    other.add(`other ${at}`, each);
  });
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
  assert.throws(() => kept.merge(other), tooLarge());
  // It has exactly the ids that it has documents for.
  const isWhole = (id) => kept.has(id) === (kept.get(id) !== undefined);
  const names = Array.from({ length: 3000 }, (_, at) => `other ${at}`);
  assert.ok(names.every(isWhole));
  assert.equal(kept.size, added.length + names.filter((id) => kept.has(id)).length);
  if (added.length > 0) assert.equal(kept.query(sketches[0]).resemblance, 1);
});

test('an iteration over pairs fails after a restart', () => {
  const index = fillUp(new nearprint.NearIndex());
  index.addAll(['x', 'y', 'z'], [1n, 1n, 1n]);
  const pairs = index.pairs()[Symbol.iterator]();
  pairs.next();
  exhaust();
  trap();
  assert.throws(() => {
    while (!pairs.next().done);
  }, /create a new one/);
});

test('a freed object says so, and can be freed twice', () => {
  const fingerprinter = new nearprint.Fingerprinter();
  fingerprinter.free();
  fingerprinter.free();
  assert.throws(() => fingerprinter.fingerprint('a'), /was freed/);
  const stream = new nearprint.Fingerprinter().stream();
  stream[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  assert.throws(() => stream.digest(), /was freed/);
});

test('a text passed to a freed fingerprinter is not written to memory', () => {
  const fingerprinter = new nearprint.Fingerprinter();
  fingerprinter.fingerprint('y'.repeat(1000));
  fingerprinter.free();
  const secret = 'never written '.repeat(20);
  assert.throws(() => fingerprinter.fingerprint(secret), /was freed/);
  for (const { memory } of instances) assert.equal(Buffer.from(memory.buffer).indexOf(secret), -1);
});

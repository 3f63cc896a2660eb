// Without memory, and after a trap of the WebAssembly.
import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { exhaustive, test } from '../tier.mjs';
import { compat, exhaust, instances, nearprint, simhash, trap } from './instances.mjs';

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

/** Sketches of texts that are short, brief or longer, in families of near-duplicates. */
function someSketches() {
  const textOf = (family, edit) =>
    Array.from({ length: [3, 6, 40][family % 3] }, (_, at) => (at === edit ? 'edited' : `word${family}-${at}`)).join(
      ' ',
    );
  return nearprint.sketchAll(Array.from({ length: 90 }, (_, at) => textOf(Math.floor(at / 5), at % 5)));
}

/** Adds until a RangeError, and returns the number of additions. */
function fill(add) {
  for (let count = 0; ; count++) {
    try {
      add(count);
    } catch (error) {
      assert.match(String(error), tooLarge());
      return count;
    }
  }
}

exhaustive('without any memory, no call loses the objects', () => {
  const { compare, Deduplicator, Sketch, Sketcher } = nearprint;
  const { compareBits, features, Fingerprinter, NearIndex } = simhash;
  /** Objects in a memory that is full. */
  function full() {
    const sketches = someSketches();
    const [fingerprinter, sketcher] = [new Fingerprinter(), new Sketcher()];
    const prints = fingerprinter.stream().update('a text of some words');
    const stream = sketcher.stream().update('a text of some words');
    const index = new NearIndex().addAll(Uint32Array.from(many.keys()).subarray(0, 3000), many.subarray(0, 3000));
    const other = new NearIndex().add('a', 1n);
    const kept = new Deduplicator().add('a', sketches[10]).add('b', 'Good news');
    const snapshots = [index.toBytes(), kept.toBytes()];
    const filler = new Deduplicator();
    exhaust();
    let last = 0;
    /** Fills the memory that calls have left. */
    const fillUp = () => {
      fill(() => filler.add(last++, sketches[10 + (last % 5)]));
      fill(() => filler.add(last++, sketches[0]));
      fill(() => other.add(last++, many[last]));
    };
    return { sketches, fingerprinter, sketcher, prints, stream, index, other, kept, filler, snapshots, fillUp };
  }
  const calls = {
    'new Fingerprinter': () => new Fingerprinter({ features: 'words' }),
    'new Sketcher': () => new Sketcher({ features: { words: 1 } }),
    'new Deduplicator': () => new Deduplicator(),
    'new NearIndex': () => new NearIndex(),
    fingerprint: ({ fingerprinter }) => fingerprinter.fingerprint('a b c'),
    sketch: ({ sketcher }) => sketcher.sketch('a b c'),
    sketchAll: ({ sketcher }) => sketcher.sketchAll(['a', 'b']),
    features: () => features('a b c'),
    compare: () => compare('a', 'b'),
    compareBits: () => compareBits('a', 'b'),
    fingerprintFeatures: ({ fingerprinter }) => fingerprinter.fingerprintFeatures(['a']),
    fingerprintHashes: ({ fingerprinter }) => fingerprinter.fingerprintHashes(BigUint64Array.of(1n)),
    'stream of a fingerprint': ({ fingerprinter }) => fingerprinter.stream(),
    'stream of a sketch': ({ sketcher }) => sketcher.stream(),
    'stream.digest': ({ prints }) => prints.digest(),
    'stream.sketch': ({ stream }) => stream.sketch(),
    'Sketch.fromBytes': ({ sketches }) => Sketch.fromBytes(sketches[10].toBytes()),
    'sketch.keys': ({ sketches }) => sketches[10].keys,
    resemblance: ({ sketches }) => sketches[10].resemblance(sketches[11]),
    query: ({ kept, sketches }) => kept.query(sketches[10]),
    'query of a text': ({ kept }) => kept.query('Good news'),
    'query without a limit': ({ filler, sketches }) => filler.query(sketches[10], { limit: Infinity }),
    'query of a short text': ({ filler, sketches }) => filler.query(sketches[0], { limit: Infinity }),
    'observe, new': ({ kept, sketches }) => kept.observe('c', sketches[20]),
    'observe, changed': ({ kept, sketches }) => kept.observe('a', sketches[11]),
    'observe, unchanged': ({ kept, sketches }) => kept.observe('a', sketches[10], { expiresIn: 5 }),
    add: ({ kept, sketches }) => kept.add('c', sketches[20], { expiresIn: 5 }),
    get: ({ kept }) => kept.get('a'),
    'iteration of a deduplicator': ({ kept }) => [...kept],
    delete: ({ kept }) => kept.delete('a'),
    prune: ({ kept }) => kept.prune(),
    'Deduplicator.toBytes': ({ kept }) => kept.toBytes(),
    'Deduplicator.fromBytes': ({ snapshots }) => Deduplicator.fromBytes(snapshots[1]),
    'NearIndex.query': ({ index }) => index.query(many[5], { maxDistance: 16 }),
    'NearIndex.add': ({ other }) => other.add('b', 5n),
    pairs: ({ index }) => [...index.pairs()],
    bytes: ({ index }) => index.bytes,
    'NearIndex.toBytes': ({ index }) => index.toBytes(),
    'NearIndex.fromBytes': ({ snapshots }) => NearIndex.fromBytes(snapshots[0]),
  };
  const objects = full();
  const started = instances.length;
  for (const [name, call] of Object.entries(calls)) {
    objects.fillUp();
    try {
      call(objects);
    } catch (error) {
      assert.match(String(error), tooLarge(), name);
    }
    assert.equal(instances.length, started, name);
    assert.ok(objects.kept.has('b') && objects.other.has('a') && objects.index.has(0), name);
  }
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

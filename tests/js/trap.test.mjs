// What is left after the WebAssembly has trapped for want of memory.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

/** The exports of the instances that the package has made. */
const instances = [];
let nearprint;
let compat;

before(async () => {
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args);
      instances.push(super.exports);
    }
  };
  nearprint = await import('../../pkg/index.js');
  compat = await import('../../pkg/compat.js');
});

/** Takes all the memory there is, so that the module gets no more. */
function exhaust() {
  nearprint.fingerprint('a '.repeat(100_000)); // has room for the pieces of a long text: only its features find none
  const { memory } = instances.at(-1);
  for (let pages = 2 ** 15; pages >= 1; pages /= 2) {
    try {
      for (;;) memory.grow(pages);
    } catch {
      // There is not that much left.
    }
  }
}

const many = BigUint64Array.from({ length: 200_000 }, (_, at) => (BigInt(at) * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n));
const fillUp = (index) => index.addAll(Uint32Array.from(many.keys()), many);

/** A text whose features no leftover memory holds. */
const long = Array.from({ length: 2_000_000 }, (_, at) => at.toString(36)).join(' ');
const trap = () => nearprint.fingerprint(long);

test('out of memory: an error that says so, and everything can be made again', () => {
  const { Fingerprinter, fingerprint, NearIndex } = nearprint;
  const before = fingerprint('a text of some words');
  const fingerprinter = new Fingerprinter({ bits: 128 });
  const stream = fingerprinter.stream().update('a text');
  const wide = fingerprinter.fingerprint('a text of some words');
  const index = new NearIndex().add('a', before);

  exhaust();
  assert.throws(trap, /^Error: nearprint: the WebAssembly module trapped .*ran out of memory.*restarted.*are lost/);

  // What holds nothing goes on.
  assert.equal(fingerprint('a text of some words'), before);
  assert.equal(fingerprinter.fingerprint('a text of some words'), wide);
  // What held something says that it is lost, however often it is asked.
  for (let times = 0; times < 3; times++) {
    assert.throws(() => index.query(before), /^Error: nearprint: this object was freed, or lost.*create a new one/);
    assert.throws(() => index.size, /create a new one/);
    assert.throws(() => stream.update(' of'), /create a new one/);
  }
  index.free();
  stream.free();
  // And another one works, in another instance, with room for all.
  const again = fillUp(new NearIndex());
  assert.deepEqual(again.query(many[7]), [{ id: 7, fingerprint: many[7], distance: 0 }]);
  assert.equal(nearprint.fingerprint('a text of some words'), before);
});

test('it can happen again', () => {
  for (let times = 0; times < 3; times++) {
    const started = instances.length;
    exhaust();
    assert.throws(trap, /^Error: nearprint: /);
    assert.equal(fillUp(new nearprint.NearIndex()).size, many.length);
    assert.equal(instances.length, started + 1);
  }
});

test('an index that gets no more memory says so, and keeps what it has', () => {
  const index = new nearprint.NearIndex().add('a', 1n);
  exhaust();
  const names = Array.from(many.keys(), (at) => `name ${at}`);
  assert.throws(() => index.addAll(names, many), /^RangeError: nearprint: the index takes more memory than there is/);
  assert.deepEqual(index.query(1n), [{ id: 'a', fingerprint: 1n, distance: 0 }]);
  // It has the ids that it has a fingerprint for, and no others.
  assert.ok(names.every((name) => index.has(name) === (index.get(name) !== undefined)));
  assert.equal(names.filter((name) => index.has(name)).length, index.size - 1);
  assert.throws(trap, /^Error: nearprint: /); // gives the memory back
});

test('an index in the middle of its pairs is told too', () => {
  const index = fillUp(new nearprint.NearIndex());
  index.addAll(['x', 'y', 'z'], [1n, 1n, 1n]);
  const pairs = index.pairs()[Symbol.iterator]();
  pairs.next();
  exhaust();
  assert.throws(trap, /^Error: nearprint: /);
  assert.throws(() => {
    while (!pairs.next().done);
  }, /create a new one/);
});

test('nearprint/compat holds nothing, and goes on', () => {
  nearprint.fingerprint('a'); // its instance is there, and that of compat comes last
  const before = compat.fingerprint('some words', { scheme: '1e0ng' });
  exhaust();
  assert.throws(() => compat.fingerprint(long, { scheme: '1e0ng' }), /^(Range)?Error: nearprint: /);
  assert.equal(compat.fingerprint('some words', { scheme: '1e0ng' }), before);
});

test('what was freed says so, and can be freed twice', () => {
  const fingerprinter = new nearprint.Fingerprinter();
  fingerprinter.free();
  fingerprinter.free();
  assert.throws(() => fingerprinter.fingerprint('a'), /was freed/);
  const stream = new nearprint.Fingerprinter().stream();
  stream[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  assert.throws(() => stream.digest(), /was freed/);
});

test('a text for one that was freed is written nowhere', () => {
  const fingerprinter = new nearprint.Fingerprinter();
  fingerprinter.fingerprint('y'.repeat(1000));
  fingerprinter.free();
  const secret = 'never written '.repeat(20);
  assert.throws(() => fingerprinter.fingerprint(secret), /was freed/);
  for (const { memory } of instances) assert.equal(Buffer.from(memory.buffer).indexOf(secret), -1);
});

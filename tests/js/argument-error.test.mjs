// The error for a wrong argument.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as nearprint from '../../pkg/index.js';
import * as simhash from '../../pkg/simhash.js';

const { ArgumentError, Deduplicator } = nearprint;
const { fingerprint } = simhash;

const errorOf = (call) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
};

test('it has the argument, the requirement and the value, and the message is made of them', () => {
  const error = errorOf(() => fingerprint(['a']));
  assert.ok(error instanceof ArgumentError && error instanceof TypeError);
  assert.deepEqual(
    [error.name, error.argument, error.requirement],
    ['ArgumentError', 'text', 'a string or a Uint8Array of UTF-8'],
  );
  assert.equal(error.message, `nearprint: text must be ${error.requirement}, got an array: pass one text`);
  assert.equal(String(error), `ArgumentError: ${error.message}`);
  assert.deepEqual(Object.keys(error), ['argument', 'requirement', 'value']);
});

test('it keeps primitive values, and neither objects nor whole texts', () => {
  const text = 'word '.repeat(1e6);
  const error = errorOf(() => nearprint.sketch('a', { scheme: text }));
  assert.ok(!error.message.includes(text) && JSON.stringify(error).length < 300);
  for (const value of [undefined, null, 1.5, Number.NaN, 7n, 'a', 'x'.repeat(40), true, Symbol.iterator]) {
    assert.ok(Object.is(new ArgumentError('a', 'b', value).value, value), String(value));
  }
  const whole = 'x'.repeat(1000);
  assert.ok(new ArgumentError('a', 'b', whole).value.length < 50);
  for (const value of [{ text: whole }, [whole], () => whole, new Map(), Object.create(null)]) {
    assert.equal(new ArgumentError('a', 'b', value).value, undefined);
  }
});

test('a message shows what was passed, whatever it is', () => {
  const cases = [
    [undefined, 'undefined'],
    [null, 'null'],
    [1.5, '1.5'],
    [-0, '-0'],
    [7n, '7n'],
    ['a "b"', '"a \\"b\\""'],
    ['x'.repeat(50), `"${'x'.repeat(40)}…"`],
    [true, 'true'],
    [Symbol('s'), 'Symbol(s)'],
    [[], 'an array'],
    [{}, 'an object (Object)'],
    [Object.create(null), 'an object (null prototype)'],
    [new Map(), 'an object (Map)'],
    [new Deduplicator(), 'an object (Deduplicator)'],
    [nearprint.sketch('a'), 'an object (Sketch)'],
    [() => {}, 'a function'],
  ];
  for (const [value, got] of cases) {
    assert.equal(new ArgumentError('a', 'b', value).message, `nearprint: a must be b, got ${got}`);
  }
  assert.equal(new ArgumentError('a', 'b', 7, 'seven').message, 'nearprint: a must be b, got seven');
});

test('a detached Uint8Array is a wrong argument', () => {
  const detached = () => {
    const bytes = new TextEncoder().encode('Good news');
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  };
  const message = 'nearprint: text must be a Uint8Array that is not detached, got an object (Uint8Array)';
  for (const call of [
    fingerprint,
    nearprint.sketch,
    (text) => simhash.fingerprintAll([text]),
    (text) => new Deduplicator().observe(1, text),
  ]) {
    assert.throws(() => call(detached()), { name: 'ArgumentError' });
  }
  assert.throws(() => fingerprint(detached()), { message });
  assert.throws(() => Deduplicator.fromBytes(detached()), /^ArgumentError: nearprint: bytes must be a Uint8Array/);
  assert.equal(fingerprint(new Uint8Array()), 0n);
  const hashes = BigUint64Array.of(1n);
  structuredClone(hashes, { transfer: [hashes.buffer] });
  const notDetached = 'hashes must be a BigUint64Array that is not detached, got an object (BigUint64Array)';
  assert.throws(() => simhash.fingerprintHashes(hashes), { message: `nearprint: ${notDetached}` });
  assert.equal(simhash.fingerprintHashes(new BigUint64Array()), 0n);
});

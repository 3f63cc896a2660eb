// Objects that pretend to be others: bytes with properties of their own, and objects of another copy of the package.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import {
  Deduplicator,
  dedupe,
  fingerprint,
  fingerprintAll,
  fingerprintHashes,
  fromBytes,
  NearIndex,
  rabin,
  sketch,
  sketchAll,
} from '../../pkg/index.js';
import { importSource } from '../source.mjs';

const { Deduplicator: Foreign } = createRequire(import.meta.url)('../../pkg/cjs/index.cjs');

const secret = 'a long text that an earlier call has written to the memory of the module';
const plain = new TextEncoder().encode('Good news');

/** Bytes that state another length, in each way that JavaScript has. */
const pretenders = [1000, 1 << 20, 2 ** 40, 3, 0, -1, Number.NaN].flatMap((length) => {
  class Subclass extends Uint8Array {
    get length() {
      return length;
    }
  }
  const own = Object.defineProperty(Uint8Array.from(plain), 'length', { value: length });
  const buffer = Object.defineProperty(Buffer.from(plain), 'length', { value: length });
  return [Subclass.from(plain), own, buffer];
});

/** Resolves to the decisions of `dedupe`. */
async function decide(source, options) {
  const decisions = [];
  for await (const decision of dedupe(source, options)) decisions.push(decision);
  return decisions;
}

test('bytes count with their real length, whatever they state', async () => {
  for (const bytes of pretenders) {
    sketch(secret);
    assert.equal(fingerprint(bytes), fingerprint('Good news'));
    assert.ok(sketch(bytes).equals(sketch('Good news')));
    assert.ok(sketchAll([bytes])[0].equals(sketch('Good news')));
    assert.equal(rabin(bytes), rabin('Good news'));
    const kept = new Deduplicator().add('a', bytes);
    assert.equal(kept.query('Good news')[0].id, 'a');
    assert.deepEqual(
      (await decide([bytes, 'Good news'])).map(({ status }) => status),
      ['new', 'duplicate'],
    );
    assert.throws(() => Deduplicator.fromBytes(bytes), { name: 'ArgumentError', argument: 'bytes' });
    assert.throws(() => NearIndex.fromBytes(bytes), { name: 'ArgumentError', argument: 'bytes' });
    assert.throws(() => fromBytes(bytes), { name: 'ArgumentError', argument: 'bytes' });
  }
});

test('a Deduplicator of the CommonJS module is no store and no Deduplicator of this module', async () => {
  const against = new Foreign().add('a', 'Good news');
  await assert.rejects(decide(['good news'], { against }), { name: 'ArgumentError', argument: 'against' });
});

test('calibration compares a page of a template with a bounded number of others', async () => {
  const { eachPair } = await importSource('js/calibrate/neighbours.ts');
  // Half of the features of each page come from the template.
  const count = 1500;
  const random = (at) => Math.imul(at + 1, 0x9e3779b1) >>> 0;
  const shared = Array.from({ length: 50 }, (_, at) => random(at));
  const sets = Array.from({ length: count }, (_, page) =>
    Uint32Array.from([...shared, ...Array.from({ length: 50 }, (_, at) => random(1000 + 50 * page + at))]).sort(),
  );
  const compared = new Uint32Array(count);
  const examiner = {
    isDone: () => false,
    isOther: () => true,
    examine(at) {
      compared[at]++;
      return true;
    },
  };
  const pairs = eachPair(sets, examiner);
  let step = pairs.next();
  while (!step.done) step = pairs.next();
  const most = compared.reduce((a, b) => Math.max(a, b));
  assert.equal(most, 256, 'some page has more candidates than are compared');
  assert.ok(step.value > 0, 'pages with more candidates are counted');
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
    sketch,
    (text) => fingerprintAll([text]),
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
  assert.throws(() => fingerprintHashes(hashes), { message: `nearprint: ${notDetached}` });
  assert.equal(fingerprintHashes(new BigUint64Array()), 0n);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blockKeys, NearIndex } from '../../pkg/simhash.js';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';

function distance(a, b) {
  let count = 0;
  for (let x = a ^ b; x; x &= x - 1n) count++;
  return count;
}

/** The oracle. A Map keeps insertion order, as the index does; a document that is replaced comes last. */
class Naive {
  documents = new Map();

  add(id, fingerprint) {
    if (this.documents.get(id) === fingerprint) return;
    this.documents.delete(id);
    this.documents.set(id, fingerprint);
  }

  query(fingerprint, maxDistance, limit = Infinity) {
    return [...this.documents]
      .map(([id, other]) => ({ id, fingerprint: other, distance: distance(fingerprint, other) }))
      .filter((hit) => hit.distance <= maxDistance)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, limit);
  }
}

const words = (bits, fingerprints) => {
  if (bits === 32) return Uint32Array.from(fingerprints, Number);
  if (bits === 64) return BigUint64Array.from(fingerprints);
  return BigUint64Array.from(fingerprints.flatMap((f) => [BigInt.asUintN(64, f), f >> 64n]));
};

for (const bits of [32, 64, 128]) {
  for (const maxDistance of [3, bits / 8, bits / 4]) {
    test(`${bits} bits within ${maxDistance} agrees with brute force`, () => {
      const next = random(bits + maxDistance);
      const someId = () => [next(80), `name ${next(40)}`, -next(5), Number.MAX_SAFE_INTEGER - next(3)][next(4)];
      const centre = BigInt.asUintN(bits, 0x9e3779b97f4a7c15f39cc0605cedc835n);
      const someFingerprint = () => {
        if (next(3) === 0) {
          return BigInt.asUintN(
            bits,
            [1, 2, 3, 4].reduce((f) => (f << 32n) | BigInt(next(2 ** 32)), 0n),
          );
        }
        let fingerprint = centre;
        for (let flips = next(8); flips > 0; flips--) fingerprint ^= 1n << BigInt(next(bits));
        return fingerprint;
      };
      let index = new NearIndex({ bits, maxDistance, scheme: 'test' });
      const naive = new Naive();
      for (let round = 0; round < 400; round++) {
        const step = next(12);
        if (step < 4) {
          const [id, fingerprint] = [someId(), someFingerprint()];
          index.add(id, fingerprint);
          naive.add(id, fingerprint);
        } else if (step < 6) {
          const id = someId();
          assert.equal(index.delete(id), naive.documents.delete(id));
        } else if (step === 6) {
          const ids = Array.from({ length: next(40) }, someId);
          const fingerprints = ids.map(someFingerprint);
          index.addAll(ids, next(2) ? fingerprints : words(bits, fingerprints));
          for (const [at, id] of ids.entries()) naive.add(id, fingerprints[at]);
        } else if (step === 7 && next(4) === 0) {
          const again = NearIndex.fromBytes(index.toBytes());
          index.free();
          index = again;
        } else {
          const [query, within] = [someFingerprint(), next(bits / 4 + 1)];
          assert.deepEqual(index.query(query, { maxDistance: within }), naive.query(query, within));
          assert.deepEqual(index.query(query, { limit: 2 }), naive.query(query, maxDistance, 2));
        }
        assert.equal(index.size, naive.documents.size);
      }
      for (const [id, fingerprint] of naive.documents) {
        assert.ok(index.has(id));
        assert.equal(index.get(id), fingerprint);
      }
    });
  }
}

test('wrong arguments are named, and change nothing', async () => {
  const index = new NearIndex();
  const cases = [
    [() => index.add('a', 7), 'fingerprint must be a fingerprint, which is a bigint, got 7'],
    [() => index.add('a', 1n << 64n), `fingerprint must be a fingerprint of 64 bits, got ${1n << 64n}n`],
    [() => index.add(0.5, 1n), 'id must be a string or a safe integer, got 0.5'],
    [() => index.add(null, 1n), 'id must be a string or a safe integer, got null'],
    [() => index.addAll([1, 2], [1n]), 'fingerprints must be one for each of the 2 ids, got 1'],
    [() => index.addAll([1, {}], [1n, 2n]), 'ids[1] must be a string or a safe integer, got an object (Object)'],
    [() => index.addAll(5, [1n]), 'ids must be an iterable of strings and safe integers, got 5'],
    [() => index.addAll([1], [1n << 64n]), `fingerprints[0] must be a fingerprint of 64 bits, got ${1n << 64n}n`],
    [() => NearIndex.fromBytes('x'), 'bytes must be a Uint8Array, got "x"'],
  ];
  await checkRefusals(cases);
  assert.equal(index.size, 0);
  assert.equal(index.has('a'), false);
});

test('damaged snapshots are refused', () => {
  const index = new NearIndex({ maxDistance: 3 });
  index.add('one', 1n).add(2, 2n).add('three', 3n);
  index.delete('one');
  const bytes = index.toBytes();
  const again = NearIndex.fromBytes(bytes);
  assert.deepEqual(again.query(2n), index.query(2n));
  assert.deepEqual([again.bits, again.maxDistance, again.scheme], [64, 3, 'v1:64']);
  again.add('four', 4n);
  assert.equal(again.get('three'), 3n);
  for (let end = 0; end < bytes.length; end++)
    assert.throws(() => NearIndex.fromBytes(bytes.subarray(0, end)), TypeError);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    assert.throws(() => NearIndex.fromBytes(flipped), TypeError);
  }
});

test('an iteration over pairs can stop, start again, and detects a change', () => {
  const index = new NearIndex({ maxDistance: 3 });
  for (let id = 0; id < 100; id++) index.add(id, 5n);
  const pairs = index.pairs();
  for (const pair of pairs) {
    assert.equal(pair.distance, 0);
    break;
  }
  assert.equal([...pairs].length, 4950);
  const iterator = pairs[Symbol.iterator]();
  iterator.next();
  index.add(100, 5n);
  assert.throws(() => iterator.next(), /changed/);
  assert.deepEqual([index.size, index.bytes > 0], [101, true]);
  const another = pairs[Symbol.iterator]();
  another.next();
  index.clear();
  assert.throws(() => another.next(), /changed/);
  assert.deepEqual([index.size, index.scheme, index.maxDistance], [0, 'v1:64', 3]);
  assert.deepEqual(index.add('a', 5n).query(5n), [{ id: 'a', fingerprint: 5n, distance: 0 }]);
});

test('addAll of many parts adds every document, in any order of ids', () => {
  const next = random(7);
  const count = 30_000;
  const ids = Array.from({ length: count }, (_, at) => (at * 7919) % count);
  const fingerprints = BigUint64Array.from(ids, () => (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32)));
  const index = new NearIndex();
  index.addAll(ids, fingerprints);
  for (let at = 0; at < count; at += 997) {
    const hit = { id: ids[at], fingerprint: fingerprints[at], distance: 1 };
    assert.deepEqual(index.query(fingerprints[at] ^ 1n, { maxDistance: 3 }), [hit]);
  }
  assert.equal(index.size, count);
});

test('block keys are stable', () => {
  assert.deepEqual(blockKeys(0x0123456789abcdefn, { maxDistance: 3 }), [
    0x123n,
    0x1_0000_4567n,
    0x2_0000_89abn,
    0x3_0000_cdefn,
  ]);
  assert.deepEqual(blockKeys(0xffff_0000n, { bits: 32, maxDistance: 1 }), [0xffffn, 0x1_0000_0000n]);
  assert.deepEqual(blockKeys((1n << 128n) - 1n, { bits: 128, maxDistance: 1 }), [(1n << 64n) - 1n, (1n << 65n) - 1n]);
});

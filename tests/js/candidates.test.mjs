// The keys of stores against 64-bit arithmetic. The stores' tests compare the choice of candidates with a model.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sketch } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { random } from './random.mjs';

const { keyOfId, keysOf } = await importSource('js/stores/candidates.ts');

/** The high 40 bits of the finalizer of MurmurHash3. */
function mixed(key) {
  let hash = key ^ (key >> 33n);
  hash = BigInt.asUintN(64, hash * 0xff51afd7ed558ccdn);
  hash ^= hash >> 33n;
  hash = BigInt.asUintN(64, hash * 0xc4ceb9fe1a85ec53n);
  return Number((hash ^ (hash >> 33n)) >> 24n);
}

test('keys of documents and ids are mixed with the salt as by fmix64', () => {
  const next = random(1);
  const half = () => [0, 1, 2 ** 31, 2 ** 32 - 1, 65536 * next(65536) + next(65536)][next(5)];
  const text = sketch('The river burst its banks early on Tuesday, the council said, and the road is closed.');
  for (let round = 0; round < 2000; round++) {
    const halves = [half(), half()];
    const salt = (BigInt(halves[0]) << 32n) | BigInt(halves[1]);
    assert.deepEqual(
      keysOf(text, halves),
      Array.from(text.keys, (key) => mixed(key ^ salt)),
    );
    // Up to four units are one number.
    const units = Array.from({ length: next(5) }, () => next(65536));
    const number = [0, 1, 2, 3].reduce((all, at) => (all << 16n) | BigInt(units[at] ?? 0), 0n);
    const expected = units.length === 0 ? 0 : mixed(number ^ salt);
    assert.equal(keyOfId(String.fromCharCode(...units), halves), expected);
  }
});

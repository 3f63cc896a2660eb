// Features, weights and comparisons, checked with BigInt arithmetic.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { UNICODE_VERSION } from '../../pkg/index.js';
import {
  compareBits,
  distance,
  features,
  fingerprint,
  fingerprintFeatures,
  fingerprintHashes,
  similarity,
} from '../../pkg/simhash.js';
import { checkRefusals } from './refusals.mjs';

const texts = [
  'The river burst its banks early on Tuesday, the council said. The river!',
  'The river burst its banks late on Tuesday, the council says. A river.',
  '网页内容相似度，网页内容',
  'x',
  '',
];

const mask = (1n << 64n) - 1n;
const fnv1 = (text) =>
  new TextEncoder()
    .encode(text)
    .reduce((hash, byte) => ((hash * 0x100000001b3n) & mask) ^ BigInt(byte), 0xcbf29ce484222325n);
function fmix64(hash) {
  for (const factor of [0xff51afd7ed558ccdn, 0xc4ceb9fe1a85ec53n]) hash = ((hash ^ (hash >> 33n)) * factor) & mask;
  return hash ^ (hash >> 33n);
}
/** The sums of weighted votes, exact for weights that are multiples of 2^-40. */
const sumsOf = (votes, bits) =>
  Array.from({ length: bits }, (_, bit) =>
    votes.reduce((sum, [hash, weight]) => {
      const scaled = BigInt(weight * 2 ** 40);
      return sum + ((hash >> BigInt(bit)) & 1n ? scaled : -scaled);
    }, 0n),
  );
const signOf = (sums) => sums.reduce((print, sum, bit) => (sum > 0n ? print | (1n << BigInt(bit)) : print), 0n);

test('the features and weights of the caller are summed by their votes', () => {
  const weighted = [
    ['river', 2.5],
    ['bank', 1],
    ['tuesday', 0.125],
    ['flood', -3.75],
    ['river', 0.5],
  ];
  const votes = weighted.map(([feature, weight]) => [fmix64(fnv1(feature)), weight]);
  const expected = signOf(sumsOf(votes, 64));
  assert.equal(fingerprintFeatures(weighted), expected);
  assert.equal(fingerprintFeatures(new Set(weighted.toReversed()).values()), expected, 'in any order');
  assert.equal(BigInt.asUintN(64, fingerprintFeatures(weighted, { bits: 128 })), expected);
  const hashes = BigUint64Array.from(weighted, ([feature]) => fnv1(feature));
  const weights = weighted.map(([, weight]) => weight);
  assert.equal(fingerprintHashes(hashes, weights), expected);
  assert.equal(fingerprintHashes(hashes, Float64Array.from(weights)), expected);
  const mixed = BigUint64Array.from(hashes, fmix64);
  assert.equal(fingerprintHashes(mixed, weights, { mix: false }), expected);
  assert.equal(
    fingerprintFeatures(['a', 'b', 'a']),
    fingerprintHashes(BigUint64Array.of(fnv1('a'), fnv1('b')), [2, 1]),
  );
  assert.equal(fingerprintFeatures([]), 0n);
  assert.equal(fingerprintHashes(new BigUint64Array()), 0n);
});

test('a comparison has both fingerprints, their distance, and the votes on each bit', () => {
  for (const bits of [32, 64, 128]) {
    for (const left of texts) {
      for (const right of texts) {
        const got = compareBits(left, new TextEncoder().encode(right), { bits });
        const [a, b] = [left, right].map((text) => features(text, { bits }));
        assert.deepEqual([got.a.features, got.b.features], [a, b]);
        assert.deepEqual(
          [got.a.fingerprint, got.b.fingerprint],
          [left, right].map((text) => fingerprint(text, { bits })),
        );
        const prints = [got.a.fingerprint, got.b.fingerprint];
        assert.equal(got.distance, distance(...prints));
        assert.equal(got.similarity, similarity(...prints, bits));
        assert.equal(got.perBit.length, bits);
        const [sumsA, sumsB] = [a, b].map((list) =>
          sumsOf(
            list.map(({ hash, weight }) => [hash, weight]),
            bits,
          ),
        );
        for (const { bit, differs, a: votes, b: others } of got.perBit) {
          assert.equal(BigInt(votes.sum) << 40n, sumsA[bit]);
          assert.equal(BigInt(others.sum) << 40n, sumsB[bit]);
          assert.equal(differs, votes.sum > 0 !== others.sum > 0);
          for (const { feature, weight } of votes.ones) {
            assert.ok(a.some((f) => f.feature === feature && f.weight === weight && (f.hash >> BigInt(bit)) & 1n));
          }
          assert.ok(votes.ones.length <= 5 && votes.zeros.length <= 5);
          assert.equal(votes.ones.length + votes.zeros.length >= Math.min(5, a.length), true);
        }
      }
    }
  }
});

test('UNICODE_VERSION is the version of the tables', () => {
  const tables = readFileSync(new URL('../../src/text/normalize/tables.rs', import.meta.url), 'utf8');
  const [, ...version] = /UNICODE_VERSION: \(u8, u8, u8\) = \((\d+), (\d+), (\d+)\)/.exec(tables);
  assert.equal(UNICODE_VERSION, version.join('.'));
});

test('wrong arguments are named, and the fingerprinter still works', async () => {
  const cases = [
    [() => features(null), /text must be a string or a Uint8Array of UTF-8, got null/],
    [() => compareBits('a'), /b must be a string or a Uint8Array of UTF-8, got undefined/],
    [() => compareBits(1, 'a'), /a must be .*, got 1/],
    [() => fingerprintFeatures('abc'), /features must be an iterable .* got "abc"/],
    [() => fingerprintFeatures(['a', 7]), /features\[1\] must be a string or a \[feature, weight\] pair, got 7/],
    [() => fingerprintFeatures([[7, 1]]), /features\[0\] must be .*, got an array/],
    [() => fingerprintFeatures([['a', Number.NaN]]), /features\[0\]\[1\] must be a number from .* got NaN/],
    [() => fingerprintFeatures([['a', Infinity]]), /got Infinity/],
    [() => fingerprintFeatures([['a', '1']]), /features\[0\]\[1\] must be .*, got "1"/],
    [() => fingerprintFeatures([['a', 2 ** 33]]), /from -2\^32 to 2\^32/],
    [() => fingerprintHashes([1n]), /hashes must be a BigUint64Array, got an array/],
    [
      () => fingerprintHashes(BigUint64Array.of(1n), []),
      /weights must be an array of 1 numbers, one for each hash, got an array/,
    ],
    [() => fingerprintHashes(BigUint64Array.of(1n), [Number.NaN]), /weights\[0\] must be .*, got NaN/],
  ];
  await checkRefusals(cases);
  assert.equal(fingerprintFeatures(['a']), fmix64(fnv1('a')), 'nothing is left of the calls that failed');
});

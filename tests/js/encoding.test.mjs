import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distance, fromBytes, fromHex, fromSigned, similarity, toBytes, toHex, toSigned } from '../../pkg/simhash.js';
import { checkRefusals } from './refusals.mjs';

const samples = (bits) => {
  const top = (1n << BigInt(bits)) - 1n;
  return [0n, 1n, 0xfn, top, top >> 1n, (top >> 1n) + 1n, top / 3n, (0x9e3779b97f4a7c15f39cc0605cedc834n & top) ^ 1n];
};

test('every encoding gives back the fingerprint, at every width', () => {
  for (const bits of [32, 64, 128]) {
    for (const value of samples(bits)) {
      assert.equal(fromHex(toHex(value, bits)), value);
      assert.equal(fromHex(toHex(value, bits).toUpperCase()), value);
      assert.equal(toHex(value, bits).length, bits / 4);
      assert.equal(fromSigned(toSigned(value, bits), bits), value);
      assert.equal(fromBytes(toBytes(value, bits)), value);
      assert.equal(Buffer.from(toBytes(value, bits)).toString('hex'), toHex(value, bits));
    }
  }
  assert.equal(toSigned(2n ** 63n), -(2n ** 63n));
  assert.equal(toHex(255n), '00000000000000ff');
});

test('distance counts the bits that differ, and similarity is the share of equal ones', () => {
  for (const bits of [32, 64, 128]) {
    for (const a of samples(bits)) {
      for (const b of samples(bits)) {
        const apart = (a ^ b).toString(2).replaceAll('0', '').length;
        assert.equal(distance(a, b), apart);
        assert.equal(similarity(a, b, bits), 1 - apart / bits);
      }
    }
  }
  assert.equal(similarity(0n, 7n, 32), 1 - 0.09375);
});

test('a wrong argument is named', async () => {
  const cases = [
    [() => distance(1, 2n), /a must be a fingerprint, which is a bigint, got 1/],
    [() => distance(1n), /b must be a fingerprint, which is a bigint, got undefined/],
    [() => distance(-1n, 2n), /a must be an unsigned fingerprint .*fromSigned.*, got -1n/],
    [
      () => distance(0n, 1n << 128n),
      /b must be a fingerprint of 128 bits, got 340282366920938463463374607431768211456n/,
    ],
    [() => similarity(1n << 32n, 0n, 32), /a must be a fingerprint of 32 bits, got 4294967296n/],
    [() => similarity(0n, 0n, 63), /bits must be 32, 64 or 128, got 63/],
    [() => toHex(1n << 64n), /fingerprint must be a fingerprint of 64 bits, got 1/],
    [() => toHex('ff'), /fingerprint must be a fingerprint, which is a bigint, got "ff"/],
    [() => fromHex('xyz'), /hex must be a string of 8, 16 or 32 hexadecimal digits, got "xyz"/],
    [() => fromHex(255), /hex must be a string of 8, 16 or 32 hexadecimal digits, got 255/],
    [() => fromSigned(1n << 63n), /signed must be a signed integer of 64 bits, got 9/],
    [() => fromSigned(1), /signed must be a bigint, got 1/],
    [() => fromBytes(new Uint8Array(3)), /bytes must be a Uint8Array of 4, 8 or 16 bytes, got 3 bytes/],
    [() => fromBytes([1, 2, 3, 4]), /bytes must be a Uint8Array of 4, 8 or 16 bytes, got an array/],
  ];
  await checkRefusals(cases);
});

// Arrays of another realm, snapshots that are built to cause harm, and calls without a stack.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as compat from '../../pkg/compat.js';
import { Fingerprinter, fingerprint, fingerprintHashes, fromBytes, NearIndex } from '../../pkg/simhash.js';
import { seal } from '../campaign/snapshots.mjs';
import './plain-output.mjs';

test('typed arrays of another realm are typed arrays', () => {
  const bytes = runInNewContext('Uint8Array.of(104, 101, 108, 108, 111)');
  assert.equal(bytes instanceof Uint8Array, false);
  assert.equal(fingerprint(bytes), fingerprint('hello'));
  assert.equal(new Fingerprinter().stream().update(bytes).digest(), fingerprint('hello'));
  assert.equal(compat.rabin(bytes), compat.rabin('hello'));
  assert.equal(compat.fingerprint(bytes, { scheme: '1e0ng' }), compat.fingerprint('hello', { scheme: '1e0ng' }));
  assert.equal(fromBytes(runInNewContext('Uint8Array.of(0, 0, 1, 0)')), 256n);
  const hashes = runInNewContext('BigUint64Array.of(1n, 2n)');
  assert.equal(fingerprintHashes(hashes), fingerprintHashes(BigUint64Array.of(1n, 2n)));
  const index = new NearIndex().addAll(['a', 'b'], hashes);
  const snapshot = index.toBytes();
  const there = runInNewContext('(length) => new Uint8Array(length)')(snapshot.length);
  there.set(snapshot);
  assert.equal(NearIndex.fromBytes(there).get('b'), 2n);
});

/** A snapshot of one document with any id of 8 bytes. The checksum is right. */
function forge(id) {
  const bytes = Buffer.from(new NearIndex().add(7, 5n).toBytes());
  const [at, size] = [32 + 'v1:64'.length, bytes[12]];
  const own = Buffer.alloc(8);
  own.writeBigUInt64LE(id);
  const forged = Buffer.concat([bytes.subarray(0, at), own, bytes.subarray(at + size)]);
  forged[12] = 8;
  seal(forged);
  return forged;
}

test('a snapshot with an id past 2^53 is refused', () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  for (const id of [0n, 7n, 2n ** 32n, largest]) {
    assert.equal(NearIndex.fromBytes(forge(id)).get(Number(id)), 5n, `${id}`);
  }
  const message = /bytes must be a snapshot whose ids are at most Number.MAX_SAFE_INTEGER, got one with a larger id/;
  for (const id of [largest + 1n, 2n ** 63n, 2n ** 64n - 1n]) {
    assert.throws(() => NearIndex.fromBytes(forge(id)), message, `${id}`);
  }
});

/** Calls at the bottom of the stack, and at every depth near it. Each call throws or is right. */
const stackTest = (module) => `
  import { fingerprint } from '${module}';
  const text = 'some words of a text '.repeat(50);
  const expected = fingerprint(text);
  let calls;
  let failures = 0;
  let wrong = 0;
  function dive(...rest) {
    try {
      dive(...rest);
    } catch {}
    if (calls++ > 300) return;
    try {
      if (fingerprint(text) !== expected) wrong++;
    } catch {
      failures++;
    }
  }
  for (let padding = 0; padding < 30; padding++) {
    calls = 0;
    dive(...Array(padding).fill(0));
  }
  console.log(failures > 0, wrong, fingerprint(text) === expected);
`;

test('a call with almost no stack left throws, and the module can be used again', () => {
  const code = stackTest(new URL('../../pkg/simhash.js', import.meta.url).href);
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  assert.equal(printed, 'true 0 true\n');
});

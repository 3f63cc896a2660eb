// Arrays of another realm, and calls without a stack.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as compat from '../../pkg/compat.js';
import { Fingerprinter, fingerprint, fingerprintHashes, fromBytes, NearIndex } from '../../pkg/index.js';
import './plain-output.mjs';

test('typed arrays of another realm are typed arrays', () => {
  const bytes = runInNewContext('Uint8Array.of(104, 101, 108, 108, 111)');
  assert.equal(bytes instanceof Uint8Array, false);
  assert.equal(fingerprint(bytes), fingerprint('hello'));
  assert.equal(new Fingerprinter().stream().update(bytes).digest(), fingerprint('hello'));
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
  const code = stackTest(new URL('../../pkg/index.js', import.meta.url).href);
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  assert.equal(printed, 'true 0 true\n');
});

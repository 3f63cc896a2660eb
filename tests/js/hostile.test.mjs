// Arrays of another realm, snapshots that are built to cause harm, and calls without a stack.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as compat from '../../pkg/compat.js';
import { Fingerprinter, fingerprint, fingerprintHashes, fromBytes, NearIndex, rabin } from '../../pkg/index.js';
import './plain-output.mjs';

const message = (call) => {
  try {
    call();
  } catch (error) {
    assert.match(error.message, /^nearprint: /);
    return error.message;
  }
  return assert.fail('nothing was thrown');
};

test('typed arrays of another realm are typed arrays', () => {
  const bytes = runInNewContext('Uint8Array.of(104, 101, 108, 108, 111)');
  assert.equal(bytes instanceof Uint8Array, false);
  assert.equal(fingerprint(bytes), fingerprint('hello'));
  assert.equal(new Fingerprinter().stream().update(bytes).digest(), fingerprint('hello'));
  assert.equal(rabin(bytes), rabin('hello'));
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

/** A snapshot of one document, as src/index/snapshot.rs defines it, with any id and a right checksum. */
function forge(id, note) {
  const scheme = Buffer.from('v1:64');
  const header = Buffer.alloc(32);
  header.write('NearIdx\0', 'latin1');
  header.writeUInt16LE(1, 8);
  header.set([64, 8, 8], 10);
  header.writeUInt32LE(1, 16);
  header.writeUInt32LE(scheme.length, 20);
  header.writeBigUInt64LE(BigInt(note.length), 24);
  const numbers = Buffer.alloc(16);
  numbers.writeBigInt64LE(id);
  numbers.writeBigUInt64LE(5n, 8);
  const content = Buffer.concat([header, scheme, numbers, Buffer.from(note)]);
  let state = 0xcbf29ce484222325n;
  for (let at = 0; at < content.length; at += 8) {
    const cell = Buffer.alloc(8);
    content.copy(cell, 0, at, at + 8);
    const mixed = BigInt.asUintN(64, (state ^ cell.readBigUInt64LE()) * 0x100000001b3n);
    state = mixed ^ (mixed >> 32n);
  }
  const checksum = Buffer.alloc(8);
  checksum.writeBigUInt64LE(state);
  return Buffer.concat([content, checksum]);
}

/** The note of string ids, as js/core/string-ids.ts defines it. */
const noteOf = (...names) => Buffer.from(`\x03${names.map((name) => `${JSON.stringify(name)}\n`).join('')}`);

test('a snapshot with an id past 2^53 is refused', () => {
  const largest = 2n * BigInt(Number.MAX_SAFE_INTEGER);
  for (const id of [0n, -2n, 14n, largest, -largest, 10n ** 15n]) {
    assert.equal(NearIndex.fromBytes(forge(id, noteOf())).get(Number(id / 2n)), 5n, `${id}`);
  }
  assert.equal(NearIndex.fromBytes(forge(1n, noteOf('a'))).get('a'), 5n);
  for (const id of [largest + 2n, -largest - 2n, 2n ** 60n, -(2n ** 63n), 2n ** 62n + 2n]) {
    assert.match(
      message(() => NearIndex.fromBytes(forge(id, noteOf()))),
      /bytes must be a snapshot made by toBytes\(\), got one with an id that is not a safe integer/,
      `${id}`,
    );
  }
  // Twice a string's number, plus one: these would be rounded to another id.
  for (const id of [2n ** 53n + 1n, 2n ** 62n + 1n, -(2n ** 53n) - 1n]) {
    assert.match(
      message(() => NearIndex.fromBytes(forge(id, noteOf('a')))),
      /bytes must be a snapshot made by toBytes\(\), got one with an id that is not a safe integer/,
      `${id}`,
    );
  }
  assert.match(
    message(() => NearIndex.fromBytes(forge(-1n, noteOf('a')))),
    /whose string ids are not valid/,
  );
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

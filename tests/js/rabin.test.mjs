import assert from 'node:assert/strict';
import { rabin, rabinWindows } from '../../pkg/compat.js';
import { exhaustive, test } from '../tier.mjs';

test('rabin is CRC-64-AVRO', () => {
  // From share/test/data/schema-tests.txt of Avro.
  assert.equal(BigInt.asIntN(64, rabin('"null"')), 7195948357588979594n);
  assert.equal(BigInt.asIntN(64, rabin('{"name":"foo","type":"fixed","size":15}')), 1756455273707447556n);
  assert.equal(rabin(''), 0xc15d213aa4d7a795n);

  const bytes = new TextEncoder().encode('the same window has the same fingerprint, 网页');
  for (const width of [1, 2, 7, bytes.length, bytes.length + 1, 0xffffffff]) {
    const windows = rabinWindows(bytes, width);
    assert.equal(windows.length, Math.max(0, bytes.length - width + 1));
    for (const [at, value] of windows.entries()) assert.equal(value, rabin(bytes.subarray(at, at + width)));
  }
  assert.throws(() => rabin(1), TypeError);
  assert.throws(() => rabinWindows('a', '1'), TypeError);
  for (const width of [0, -1, 1.5, 2 ** 32, Number.NaN]) assert.throws(() => rabinWindows('a', width), TypeError);
});

exhaustive('windows that do not fit into memory are a RangeError', () => {
  const message = 'nearprint: there is not enough memory';
  assert.throws(() => rabinWindows(new Uint8Array(600e6), 3), { name: 'RangeError', message });
  assert.equal(rabinWindows('abcab', 2).length, 4);
});

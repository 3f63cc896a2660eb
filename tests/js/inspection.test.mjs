// The output of `console.log` for the objects of the package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Deduplicator, Sketcher } from '../../pkg/index.js';
import { Fingerprinter, NearIndex } from '../../pkg/simhash.js';

test('console.log prints the scheme of an object and the size of a set', () => {
  class Pages extends Deduplicator {}
  const kept = new Deduplicator().add('a', 'Good news');
  for (const [object, expected] of [
    [kept, "Deduplicator { scheme: 's1', size: 1 }"],
    [new Pages({ features: { chars: 5 } }), "Pages { scheme: 's1:chars5', size: 0 }"],
    [new NearIndex({ bits: 32 }).add('a', 5n), "NearIndex { scheme: 'v1:32', size: 1 }"],
    [new Sketcher(), "Sketcher { id: 's1' }"],
    [new Fingerprinter(), "Fingerprinter { id: 'v1:64' }"],
  ]) {
    assert.equal(inspect(object), expected);
    assert.deepEqual(Object.keys(object), []);
  }
  kept.free();
  assert.equal(inspect(kept), 'Deduplicator { freed }');
});

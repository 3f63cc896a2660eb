// The ids of a set, and of its snapshots.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Deduplicator } from '../../pkg/index.js';
import { NearIndex } from '../../pkg/simhash.js';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { random } from './random.mjs';
import { saltedSet } from './salted.mjs';

const { Ids } = await importSource('js/common/ids.ts');

const MAX = Number.MAX_SAFE_INTEGER;
const strings = [
  '',
  'a',
  '\0',
  '\ufeffa',
  '\ufeff',
  '😀',
  '\ud800',
  '\udc00\ud800',
  'x\ud83d',
  '[',
  'é'.repeat(2 ** 20),
  'null',
  '"\\\n',
  '7',
];
const numbers = [7, 0, -1, MAX, -MAX, 2 ** 32, 1];

/** An exchange with what the module writes of a snapshot. */
const exchangeOf = ([cells, note]) => ({
  floats: () => Float64Array.of(note.length, ...cells),
  read: () => Uint8Array.from([...new Uint8Array(8), ...note]),
  checkMemory() {},
});

const entered = (ids) => {
  const all = new Ids();
  return [all, Uint32Array.from(ids, (id) => all.enter(id))];
};

const written = (ids) => entered(ids)[0].write(entered(ids)[1], exchangeOf([[], []]));

test('ids have dense numbers, which are reused: the same as a map', () => {
  const next = random(1);
  const ids = new Ids();
  const model = new Map();
  for (let step = 0; step < 5000; step++) {
    const id = [next(20), `${next(20)}`, -next(20), 1e9 + next(20)][next(4)];
    const known = model.get(id);
    assert.equal(ids.numberOf(id), known);
    if (next(2) === 0) {
      const number = ids.enter(id);
      if (known === undefined) assert.ok(![...model.values()].includes(number) && number <= model.size + 80);
      else assert.equal(number, known);
      model.set(id, number);
    } else {
      ids.remove(id);
      model.delete(id);
    }
    for (const [id, number] of model) assert.ok(Object.is(ids.idOf(number), id === 0 ? 0 : id));
  }
  assert.throws(() =>
    ids.add('new', () => {
      throw new Error('full');
    }),
  );
  assert.equal(ids.numberOf('new'), undefined);
});

test('every id is read back', () => {
  for (const given of [strings, numbers, [...strings, ...numbers], []]) {
    for (const kind of [NearIndex, Deduplicator]) {
      const kept = new kind();
      for (const id of given) kept.add(id, kind === NearIndex ? 5n : `a text that is named ${String(id).slice(0, 10)}`);
      if (given.length > 0) kept.delete(given[1]);
      const again = kind.fromBytes(kept.toBytes());
      assert.equal(again.size, kept.size);
      for (const [at, id] of given.entries()) assert.equal(again.has(id), at !== 1, JSON.stringify(id).slice(0, 10));
      // The free number is used again.
      if (given.length > 0) assert.equal(again.add(given[1], kind === NearIndex ? 5n : 'x').size, given.length);
    }
  }
});

test('the Rust crate writes the same snapshots, and reads them: tests/it/snapshots.rs', () => {
  const { deduplicator, index } = JSON.parse(readFileSync(new URL('../snapshots.json', import.meta.url), 'utf8'));
  const kept = saltedSet(Deduplicator);
  const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
  kept
    .add(3, text)
    .add(MAX, 'Good news', { expiresIn: 1e9 - 1000, now: 1000 })
    .add(0, `${text} Again.`, { now: 1000 });
  assert.equal(Buffer.from(kept.toBytes()).toString('hex'), deduplicator);
  const read = Deduplicator.fromBytes(Buffer.from(deduplicator, 'hex'));
  assert.deepEqual(
    [...read].map(({ id }) => id),
    [3, MAX, 0],
  );
  assert.equal(read.expires(MAX), 1e9);
  assert.equal(read.query(text, { now: 1000 })[0].id, 3);
  const fingerprints = new NearIndex({ maxDistance: 3 }).addAll([3, MAX, 0], [5n, 2n ** 64n - 1n, 7n]);
  assert.equal(Buffer.from(fingerprints.toBytes()).toString('hex'), index);
  assert.deepEqual(NearIndex.fromBytes(Buffer.from(index, 'hex')).query(4n)[0], {
    id: 3,
    fingerprint: 5n,
    distance: 1,
  });
});

test('damaged ids are refused', () => {
  const refused = (cells, note, size) =>
    assert.throws(
      () => Ids.read(size, exchangeOf([cells, note])),
      /^ArgumentError: nearprint: bytes must be a snapshot made by toBytes\(\), got a snapshot whose ids are not valid$/,
    );
  const [, note] = written(['one', 'two\ud800', -3]);
  for (let length = 1; length < note.length; length++) refused([], note.slice(0, length), 3);
  for (const size of [0, 2, 4]) refused([], note, size);
  for (const more of [[0], [10], [49, 46, 53, 10], [45, 51, 10], [123, 125, 10], [110, 117, 108, 108, 10]]) {
    refused([], Uint8Array.from([...note, ...more]), more.length === 1 ? 3 : 4);
  }
  for (let at = 0; at < 17; at++)
    for (const byte of [0, 1, 10, 128, 255]) if (note[at] !== byte) refused([], note.with(at, byte), 3);
  refused([5, 5], [], 2);
  refused([5, 5, 6], [], 3);
});

exhaustive('more ids than a Map of V8 has entries', () => {
  const count = 2 ** 24 + 3;
  const ids = new Ids();
  for (let at = 0; at < count; at++) assert.ok(ids.enter(at + 1) === at);
  for (const at of [0, 2 ** 24 - 1, 2 ** 24, count - 1]) assert.equal(ids.numberOf(at + 1), at);
  ids.remove(1);
  assert.equal(ids.numberOf(1), undefined);
  assert.equal(ids.enter('again'), 0);
  assert.equal(ids.numberOf('again'), 0);
});

exhaustive('more ids than a Map of V8 has places come and go', (context) => {
  const BuiltIn = globalThis.Map;
  context.after(() => {
    globalThis.Map = BuiltIn;
  });
  let maps = 0;
  globalThis.Map = class extends BuiltIn {
    constructor() {
      super();
      maps++;
    }
  };
  const [kept, count] = [2 ** 23 + 1000, 2 ** 24 + 2 ** 20];
  const ids = new Ids();
  for (let at = 1; at <= count; at++) {
    if (at > kept) ids.remove(kept - at);
    ids.enter(-at);
  }
  for (const at of [1, count - kept]) assert.equal(ids.numberOf(-at), undefined);
  for (const at of [count - kept + 1, count]) assert.equal(ids.idOf(ids.numberOf(-at)), -at);
  assert.equal(maps, 2);
});

exhaustive('ids that are together longer than the longest string', () => {
  const [, note] = written(Array.from({ length: 9 }, (_, at) => `${at}${'x'.repeat(2 ** 26)}`));
  assert.equal(note.length, 9 * ('""\n'.length + 1 + 2 ** 26));
});

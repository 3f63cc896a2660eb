// Keyed schemes: a key changes every fingerprint, is known by its check value, and is in no output.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as nearprint from '../../pkg/index.js';
import * as simhash from '../../pkg/simhash.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { collect, valuesOf } from './values.mjs';

const { Deduplicator, dedupe, resemblance, Sketch, Sketcher, sketch } = nearprint;
const { Fingerprinter, fingerprint } = simhash;

const text = 'The river burst its banks early on Tuesday, the council said, and the road is closed.';
const key = new TextEncoder().encode('sixteen bytes!!!');
const other = new TextEncoder().encode('another 16 bytes');
const [id, sketchId] = ['v1:64:key6b05b8960e676da0', 's1:key6b05b8960e676da0'];
const needsKey = { name: 'ArgumentError', argument: 'key' };

test('the id of a scheme has the check value of the key', () => {
  assert.equal(new Fingerprinter({ key }).id, id);
  assert.equal(new Fingerprinter({ key: Buffer.from(key) }).id, id);
  assert.equal(new Fingerprinter({ key, scheme: id }).id, id);
  assert.equal(new Fingerprinter({ key, features: { chars: 3 }, bits: 128 }).id, 'v1:128:chars3:key6b05b8960e676da0');
  assert.equal(sketch(text, { key }).scheme, sketchId);
  assert.equal(new Sketcher({ key }).id, sketchId);
  assert.equal(new Sketcher({ key, scheme: sketchId }).id, sketchId);
  assert.equal(new Sketcher({ key, features: { chars: 3 } }).id, 's1:chars3:key6b05b8960e676da0');
});

test('every function takes the key', () => {
  const keyed = new Fingerprinter({ key });
  const of = keyed.fingerprint(text);
  assert.notEqual(of, fingerprint(text));
  assert.notEqual(of, fingerprint(text, { key: other }));
  assert.equal(fingerprint(text, { key }), of);
  assert.equal(fingerprint(text, { scheme: id, key }), of);
  assert.equal(keyed.stream().update(text.slice(0, 20)).update(text.slice(20)).digest(), of);
  assert.deepEqual(simhash.fingerprintAll([text], { key }), BigUint64Array.of(of));
  assert.notEqual(keyed.fingerprintFeatures(['river']), simhash.fingerprintFeatures(['river']));
  assert.equal(simhash.compareBits(text, text, { key }).a.fingerprint, of);
  const long = `${text} `.repeat(2000);
  assert.equal(resemblance(sketch(long, { key }), new Sketcher({ key }).stream().update(long).sketch()), 1);
});

test('a key that is wrong or missing is an error that does not show it', () => {
  const secret = 'c0ffee';
  const wrongKeys = ['sixteen bytes!!!', new Uint8Array(15), new Uint8Array(17), null, new Uint16Array(16), [...key]];
  for (const wrong of wrongKeys) {
    assert.throws(() => fingerprint(text, { key: wrong }), needsKey);
  }
  assert.throws(
    () => fingerprint(text, { key: Buffer.from(secret) }),
    (error) => !error.message.includes(secret),
  );
  assert.throws(() => new Fingerprinter({ scheme: id }), needsKey);
  assert.throws(() => new Fingerprinter({ scheme: id, key: other }), needsKey);
  assert.throws(() => new Fingerprinter({ hash: 'fnv1', key }), { name: 'ArgumentError', argument: 'hash' });
  assert.throws(() => new Deduplicator({ scheme: sketchId }).observe('a', text), needsKey);
});

test('a wrong key is described', () => {
  const messageOf = (wrong) => {
    try {
      fingerprint(text, { key: wrong });
    } catch ({ message }) {
      return message;
    }
  };
  const requirement = 'nearprint: key must be a Uint8Array of 16 bytes';
  assert.equal(messageOf(new Uint8Array(15)), `${requirement}, got 15 bytes`);
  assert.equal(messageOf('sixteen bytes!!!'), `${requirement}, got a value of the type string`);
});

test('the caller may overwrite the key', async () => {
  // A long text is sketched by a fingerprinter that is made when it is needed.
  const long = `${text} `.repeat(2000);
  const temporary = key.slice();
  const made = new Deduplicator({ key: temporary });
  const read = Deduplicator.fromBytes(made.toBytes(), { key: temporary });
  const store = memoryStore({ key: temporary });
  temporary.fill(0);
  for (const kept of [made, read]) assert.equal(kept.observe('a', long).status, 'new');
  assert.equal((await store.observe([{ id: 'a', text }]))[0].status, 'new');
});

test('sketches of different keys are not compared', () => {
  const [plain, first, second] = [sketch(text), sketch(text, { key }), sketch(text, { key: other })];
  for (const [a, b] of [
    [plain, first],
    [first, second],
  ]) {
    assert.throws(() => resemblance(a, b), { name: 'ArgumentError' });
  }
  const read = Sketch.fromBytes(first.toBytes());
  assert.equal(resemblance(read, first), 1);
});

test('a keyed Deduplicator finds duplicates, and its snapshot needs the key and does not contain it', () => {
  const kept = new Deduplicator({ key }).add('a', text);
  const long = `${text} `.repeat(2000);
  kept.observe('long', long);
  assert.equal(kept.observe('b', text.toUpperCase()).status, 'duplicate');
  const bytes = kept.toBytes();
  assert.ok(!Buffer.from(bytes).includes(Buffer.from(key).subarray(0, 8)));
  const restored = Deduplicator.fromBytes(bytes, { key });
  assert.equal(restored.scheme, sketchId);
  assert.equal(restored.observe('b', text).status, 'duplicate');
  assert.equal(restored.observe('c', `${long} more`).status, 'duplicate');
  const locked = Deduplicator.fromBytes(bytes);
  assert.throws(() => locked.query(text), needsKey);
  assert.equal(locked.query(sketch(text, { key }))[0].id, 'a');
  assert.throws(() => Deduplicator.fromBytes(bytes, { key: other }), needsKey);
});

test('dedupe reads texts with its key for a deduplicator that was restored without', async () => {
  const bytes = new Deduplicator({ key }).add('a', text).toBytes();
  for (const textOf of [undefined, () => undefined]) {
    const against = Deduplicator.fromBytes(bytes);
    const source = [
      { id: 'a', text },
      { id: 'b', text },
      { text },
      { text: 'Good news' },
      { id: 'c', text: 'Bad news' },
    ];
    const decisions = await collect(dedupe(source, { key, against, textOf }));
    assert.deepEqual(valuesOf(decisions, 'status'), ['unchanged', 'duplicate', 'duplicate', 'new', 'new']);
  }
});

test('dedupe and a store take a key, and decide as without', async () => {
  const source = [
    { id: 'a', text },
    { id: 'b', text: text.toUpperCase() },
  ];
  const decide = async (options) => valuesOf(await collect(dedupe(source, options)), 'status');
  assert.deepEqual(await decide({ key }), ['new', 'duplicate']);
  const store = memoryStore({ key });
  assert.equal(store.scheme, sketchId);
  assert.deepEqual(await decide({ key, against: store }), ['new', 'duplicate']);
  assert.deepEqual(await decide({ key, against: store }), ['unchanged', 'duplicate']);
  await assert.rejects(decide({ against: store }), { name: 'ArgumentError', argument: 'against' });
  assert.equal((await store.query(text))[0].id, 'a');
});

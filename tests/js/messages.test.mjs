// The messages for wrong texts and options: every function of every entry with every likely mistake.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as calibrate from '../../pkg/calibrate.js';
import * as compat from '../../pkg/compat.js';
import * as crawl from '../../pkg/crawl.js';
import * as html from '../../pkg/html.js';
import * as nearprint from '../../pkg/index.js';
import * as simhash from '../../pkg/simhash.js';
import * as d1 from '../../pkg/store/d1.js';
import * as durableObject from '../../pkg/store/durable-object.js';
import * as memory from '../../pkg/store/memory.js';
import * as postgres from '../../pkg/store/postgres.js';
import * as redis from '../../pkg/store/redis.js';
import * as sqlite from '../../pkg/store/sqlite.js';

const { Deduplicator, Sketch, Sketcher } = nearprint;
const { Fingerprinter, NearIndex } = simhash;
const { memoryStore } = memory;

async function drain(decisions) {
  for await (const decision of decisions) assert.ok(decision);
}

/** The functions of every entry that take a text, called with a value in its place. */
const withText = {
  clusters: (text) => nearprint.clusters([{ id: 1, text }]),
  'compare, a': (text) => nearprint.compare(text, 'a'),
  'compare, b': (text) => nearprint.compare('a', text),
  dedupe: (text) => drain(nearprint.dedupe([{ id: 1, text }])),
  'dedupe, text': (text) => drain(nearprint.dedupe([1], { text: () => text })),
  isNearDuplicate: (text) => nearprint.isNearDuplicate(text, 'a'),
  resemblance: (text) => nearprint.resemblance('a', text),
  sketch: nearprint.sketch,
  sketchAll: (text) => nearprint.sketchAll(['a', text]),
  'Sketcher.sketch': (text) => new Sketcher().sketch(text),
  'Sketcher.sketchAll': (text) => new Sketcher().sketchAll([text]),
  'Sketcher.compare': (text) => new Sketcher().compare(text, 'a'),
  'SketchStream.update': (text) => new Sketcher().stream().update(text),
  'Deduplicator.add': (text) => new Deduplicator().add(1, text),
  'Deduplicator.observe': (text) => new Deduplicator().observe(1, text),
  'Deduplicator.observe, textOf': (text) => new Deduplicator().observe(1, text, { textOf: () => undefined }),
  'Deduplicator.observeAll': (text) => new Deduplicator().observeAll([{ id: 1, text }]),
  'Deduplicator.peek': (text) => new Deduplicator().peek(1, text),
  'Deduplicator.query': (text) => new Deduplicator().query(text),
  fingerprint: simhash.fingerprint,
  fingerprintAll: (text) => simhash.fingerprintAll([text]),
  features: simhash.features,
  compareBits: (text) => simhash.compareBits(text, 'a'),
  'Fingerprinter.fingerprint': (text) => new Fingerprinter().fingerprint(text),
  'Fingerprinter.fingerprintAll': (text) => new Fingerprinter().fingerprintAll([text]),
  'Fingerprinter.features': (text) => new Fingerprinter().features(text),
  'Fingerprinter.compareBits': (text) => new Fingerprinter().compareBits('a', text),
  'FingerprintStream.update': (text) => new Fingerprinter().stream().update(text),
  'compat fingerprint': (text) => compat.fingerprint(text, { scheme: '1e0ng' }),
  'compat fingerprintAll': (text) => compat.fingerprintAll([text], { scheme: 'charikar-py' }),
  rabin: (text) => compat.rabin(text),
  rabinWindows: (text) => compat.rabinWindows(text, 4),
  calibrate: (text) => calibrate.calibrate([{ id: 1, text }]),
  'store observe': (text) => memoryStore().observe([{ id: 'a', text }]),
  'store peek': (text) => memoryStore().peek([{ id: 'a', text }]),
  'store query': (text) => memoryStore().query(text),
};

/** The functions that take a string only. */
const withString = {
  blockText: html.blockText,
  mainText: html.mainText,
  pageText: html.pageText,
};

/** The exports that take no text, but for options. */
const withoutText = [
  ...['ArgumentError', 'Sketch', 'NearIndex', 'blockKeys', 'hammingSql', 'fingerprintFeatures', 'fingerprintHashes'],
  ...['distance', 'similarity', 'fromBytes', 'fromHex', 'fromSigned', 'toBytes', 'toHex', 'toSigned', 'whenNew'],
];

const entries = { calibrate, compat, crawl, html, nearprint, simhash };

test('the tables have every exported function', () => {
  const listed = [...Object.keys(withText), ...Object.keys(withString)].join(' ').split(/[ ,.]+/);
  for (const entry of Object.values(entries)) {
    for (const [name, value] of Object.entries(entry)) {
      if (typeof value !== 'function' || withoutText.includes(name)) continue;
      assert.ok(listed.includes(name), name);
    }
  }
});

/** Values in place of a text, and the end of the message. */
const mistakes = [
  [Promise.resolve('a'), 'got an object (Promise): await it'],
  [new Response('a'), 'got an object (Response): await its text()'],
  [new Request('http://localhost/'), 'got an object (Request): await its text()'],
  [new Blob(['a']), 'got an object (Blob): await its text()'],
  [new File(['a'], 'a.txt'), 'got an object (File): await its text()'],
  [new ReadableStream(), 'got an object (ReadableStream): read it first'],
  [Readable.from(['a']), 'got an object (Readable): read it first'],
  [7, 'got 7: pass String(value)'],
  [7n, 'got 7n: pass String(value)'],
  [true, 'got true: pass String(value)'],
  [null, "got null: pass '' for no text"],
  [{ text: 'a' }, 'got an object (Object): pass its field text'],
  [{ body: 'a' }, 'got an object (Object)'],
  [['a'], 'got an array: pass one text'],
  [() => 'a', 'got a function'],
  [Symbol('a'), 'got Symbol(a)'],
];
const buffers = [new ArrayBuffer(4), new SharedArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Uint16Array(2)];

/** Returns the error of a call, which may be asynchronous. */
async function errorOf(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function assertMessage(name, call, end) {
  const error = await errorOf(call);
  assert.ok(error instanceof nearprint.ArgumentError, `${name}: ${error?.stack}`);
  assert.ok(error.message.startsWith('nearprint: ') && error.message.endsWith(end), `${name}: ${error.message}`);
}

test('another value in place of a text gets a message that says what to do', async () => {
  for (const [name, call] of Object.entries({ ...withText, ...withString })) {
    for (const [value, end] of mistakes) await assertMessage(name, () => call(value), end);
    for (const value of buffers) {
      const ofBytes = ArrayBuffer.isView(value) ? 'pass a Uint8Array of its bytes' : 'pass new Uint8Array(buffer)';
      const advice = name in withString ? 'decode it with a TextDecoder' : ofBytes;
      await assertMessage(name, () => call(value), `got an object (${value.constructor.name}): ${advice}`);
    }
  }
});

test('a call without a text says so', async () => {
  for (const [name, call] of Object.entries({ ...withText, ...withString })) {
    // A document without a text needs a sketch.
    const end =
      /observe(All)?$|peek$/.test(name) && !name.startsWith('Deduplicator.peek') ? 'undefined' : 'for no text';
    const error = await errorOf(() => call(undefined));
    assert.ok(error instanceof nearprint.ArgumentError, `${name}: ${error?.stack}`);
    assert.ok(/got undefined/.test(error.message) && error.message.includes(end), `${name}: ${error.message}`);
  }
});

test('a promise in place of a source is told to be awaited', async () => {
  const promise = Promise.resolve([]);
  for (const [name, call] of Object.entries({
    clusters: () => nearprint.clusters(promise),
    dedupe: () => drain(nearprint.dedupe(promise)),
    sketchAll: () => nearprint.sketchAll(promise),
    fingerprintAll: () => simhash.fingerprintAll(promise),
    'store observe': () => memoryStore().observe(promise),
    calibrate: () => calibrate.calibrate(promise),
    'Deduplicator.fromBytes': () => Deduplicator.fromBytes(promise),
    'Sketch.fromBytes': () => Sketch.fromBytes(promise),
    distance: () => simhash.distance(promise, 1n),
    'other sketch': () => nearprint.sketch('a').resemblance(promise),
  })) {
    await assertMessage(name, call, 'got an object (Promise): await it');
  }
});

test('an ArrayBuffer in place of bytes is told to be wrapped', async () => {
  const buffer = new ArrayBuffer(4);
  for (const call of [Deduplicator.fromBytes, Sketch.fromBytes, NearIndex.fromBytes, simhash.fromBytes]) {
    const error = await errorOf(() => call(buffer));
    assert.match(
      error.message,
      /^nearprint: bytes must be a Uint8Array.*, got an object \(ArrayBuffer\): pass new Uint8Array\(buffer\)$/,
    );
  }
});

const no = () => {};
const client = { prepare: no, exec: no, batch: no, query: no, sendCommand: no, get: no };

/** The functions with options. */
const withOptions = {
  clusters: (options) => nearprint.clusters([], options),
  compare: (options) => nearprint.compare('a', 'b', options),
  dedupe: (options) => drain(nearprint.dedupe([], options)),
  isNearDuplicate: (options) => nearprint.isNearDuplicate('a', 'b', options),
  resemblance: (options) => nearprint.resemblance('a', 'b', options),
  sketch: (options) => nearprint.sketch('a', options),
  sketchAll: (options) => nearprint.sketchAll([], options),
  Sketcher: (options) => new Sketcher(options),
  'Sketcher.sketch': (options) => new Sketcher().sketch('a', options),
  'Sketcher.sketchAll': (options) => new Sketcher().sketchAll([], options),
  'Sketcher.stream': (options) => new Sketcher().stream(options),
  Deduplicator: (options) => new Deduplicator(options),
  'Deduplicator.observe': (options) => new Deduplicator().observe(1, 'a', options),
  'Deduplicator.observeAll': (options) => new Deduplicator().observeAll([], options),
  'Deduplicator.query': (options) => new Deduplicator().query('a', options),
  'Deduplicator.has': (options) => new Deduplicator().has(1, options),
  'Deduplicator.get': (options) => new Deduplicator().get(1, options),
  'Deduplicator.delete': (options) => new Deduplicator().delete(1, options),
  'Deduplicator.prune': (options) => new Deduplicator().prune(options),
  'Deduplicator.fromBytes': (options) => Deduplicator.fromBytes(new Deduplicator().toBytes(), options),
  'Deduplicator.peek': (options) => new Deduplicator().peek(1, 'a', options),
  'Deduplicator.add': (options) => new Deduplicator().add(1, 'a', options),
  'Deduplicator.pairs': (options) => [...new Deduplicator().pairs(options)],
  'Deduplicator.clusters': (options) => new Deduplicator().clusters(options),
  fingerprint: (options) => simhash.fingerprint('a', options),
  Fingerprinter: (options) => new Fingerprinter(options),
  NearIndex: (options) => new NearIndex(options),
  'NearIndex.query': (options) => new NearIndex().query(1n, options),
  'NearIndex.pairs': (options) => new NearIndex().pairs(options),
  blockKeys: (options) => simhash.blockKeys(1n, options),
  hammingSql: simhash.hammingSql,
  'compat fingerprint': (options) => compat.fingerprint('a', options),
  whenNew: (options) => crawl.whenNew(memoryStore(), no, { textOf: no, ...options }),
  calibrate: (options) => calibrate.calibrate([], options),
  memoryStore,
  d1Store: (options) => d1.d1Store(client, options),
  durableObjectStore: (options) =>
    durableObject.durableObjectStore({ sql: { exec: no }, transactionSync: no }, options),
  postgresStore: (options) => postgres.postgresStore(client, options),
  redisStore: (options) => redis.redisStore(client, options),
  sqliteStore: (options) => sqlite.sqliteStore(client, options),
  'store observe': (options) => memoryStore().observe([], options),
  'store peek': (options) => memoryStore().peek([], options),
  'store add': (options) => memoryStore().add([], options),
  'store query': (options) => memoryStore().query('a', options),
};

/** Returns the names of the options of a function, which its message on another one has. */
async function optionsOf(call) {
  const { message } = await errorOf(() => call({ frobnicate: 1 }));
  return /one of (.*), got/.exec(message)[1].split(', ');
}

/** Wrong values of options, and what they must be. */
const wrongValues = {
  minResemblance: [/^a number above 0 and at most 1$/, [-0.1, 1.01, Number.NaN, '0.7', null]],
  expiresIn: [/^a number of seconds of at least 0$/, [-1, Number.NaN, '1']],
  lease: [/^a number of seconds of at least 0$|^left out unless against is a store$/, [-1, Number.NaN, '1']],
  now: [/^a number of seconds since 1970$/, [-1, Number.NaN, '1', new Date()]],
  limit: [/^a whole number from 0 to 4294967295$/, [-1, 1.5, '5']],
  scope: [/^a string without lone surrogates$|^a function$/, [7, null, [], '\ud800']],
  linkage: [/^'star' or 'single'$/, ['complete', null]],
  features: [/\{ words: n \} or \{ chars: n \} with n from 1 to 64$/, ['trigrams', 7, {}, { words: 1, chars: 1 }]],
  key: [/^a Uint8Array of 16 bytes$/, ['sixteen bytes!!!', new Uint8Array(15), new Uint16Array(16), null]],
  bits: [/^32, 64 or 128$/, [0, 63, '64', 64n]],
  maxDistance: [/^a whole number from 0 to 16$/, [-1, 17, 1.5, '3']],
  normalize: [/^'nfkc-casefold' or 'none'$/, ['nfc', true]],
  hash: [/^'fnv1' or 'fnv1a'$/, ['md5', 'toString', ['fnv1']]],
  mix: [/^true or false$/, [1, 'true']],
  weights: [/^'log', 'tf' or 'binary'$/, [2, 'TF', Object.create(null)]],
};

test('a wrong value of an option is named, with what it must be, by every function that has the option', async () => {
  // These need another option first.
  const { hammingSql: _, 'compat fingerprint': __, ...functions } = withOptions;
  const counts = Object.fromEntries(Object.keys(wrongValues).map((option) => [option, 0]));
  for (const [name, call] of Object.entries(functions)) {
    for (const option of await optionsOf(call)) {
      const [requirement, values] = wrongValues[option] ?? [undefined, []];
      for (const value of values) {
        const error = await errorOf(() => call({ [option]: value }));
        assert.ok(error instanceof nearprint.ArgumentError, `${name}, ${option}: ${error?.stack}`);
        assert.equal(error.argument, option, `${name}: ${error.message}`);
        assert.match(error.requirement, requirement, name);
        counts[option]++;
      }
    }
  }
  for (const [option, count] of Object.entries(counts)) assert.ok(count > 0, option);
});

test('an option that no function has is named', async () => {
  for (const [name, call] of Object.entries(withOptions)) {
    await assertMessage(name, () => call({ frobnicate: 1 }), 'got "frobnicate"');
  }
});

test('a misspelt option gets the nearest name, or the functions that have it', async () => {
  const owners = 'minResemblance belongs to dedupe, clusters, isNearDuplicate and observe';
  for (const [name, call] of Object.entries(withOptions)) {
    const end = (await optionsOf(call)).includes('minResemblance') ? 'did you mean minResemblance?' : owners;
    await assertMessage(name, () => call({ minResemblence: 0.5 }), `got "minResemblence": ${end}`);
    if (end === owners) await assertMessage(name, () => call({ minResemblance: 0.5 }), `got "minResemblance": ${end}`);
  }
});

test('every option belongs to the functions that the message names', async () => {
  const callOf = {
    query: 'NearIndex.query',
    observe: 'Deduplicator.observe',
    stores: 'store observe',
  };
  const names = new Set();
  for (const call of Object.values(withOptions)) for (const name of await optionsOf(call)) names.add(name);
  for (const name of names) {
    const error = await errorOf(() => new NearIndex().query(1n, { [name]: 1 }));
    const belongs = new RegExp(`: ${name} belongs to (.*)$`).exec(error?.message ?? '');
    if (belongs === null) continue;
    for (const owner of belongs[1].split(/, | and /)) {
      const call = withOptions[callOf[owner] ?? owner];
      assert.ok(call, `${name}: ${owner}`);
      const found = await errorOf(() => call({ [name]: Symbol('wrong') }));
      assert.doesNotMatch(String(found?.message), /option must be one of/, `${owner} has no ${name}`);
    }
  }
  assert.ok(names.size > 20);
});

test('a length that lies: the bytes are read by their true length, and nothing else changes', async () => {
  const text = 'The river burst its banks early on Tuesday, the council said. '.repeat(200);
  const kept = new Deduplicator().add(1, text);
  const index = new NearIndex().add(1, 7n);
  const stream = new Sketcher().stream().update('a');
  const lying = (length) => Object.defineProperty(new TextEncoder().encode(text), 'length', { value: length });
  for (const length of [-1, 0, 5, 2 ** 16 + 1, 2 ** 31, 2 ** 32 + 5, 1e300, Number.NaN, Infinity, '9', undefined]) {
    for (const [name, call] of Object.entries(withText)) {
      // A page of a window for each byte.
      if (name !== 'rabinWindows')
        assert.equal(await errorOf(() => call(lying(length))), undefined, `${name}, ${length}`);
    }
    assert.equal(simhash.fingerprint(lying(length)), simhash.fingerprint(text));
    assert.ok(nearprint.sketch(lying(length)).equals(nearprint.sketch(text)));
    assert.deepEqual(
      Sketch.fromBytes(Object.defineProperty(nearprint.sketch('a').toBytes(), 'length', { value: length })),
      nearprint.sketch('a'),
    );
    const snapshot = Object.defineProperty(kept.toBytes(), 'length', { value: length });
    assert.equal(Deduplicator.fromBytes(snapshot).observe(2, text).status, 'duplicate');
    assert.equal(NearIndex.fromBytes(Object.defineProperty(index.toBytes(), 'length', { value: length })).size, 1);
    const hashes = Object.defineProperty(BigUint64Array.of(17n, 4n), 'length', { value: length });
    assert.equal(simhash.fingerprintHashes(hashes), simhash.fingerprintHashes(BigUint64Array.of(17n, 4n)));
    const key = Object.defineProperty(new Uint8Array(16), 'length', { value: length });
    assert.equal(simhash.fingerprint('a', { key }), simhash.fingerprint('a', { key: new Uint8Array(16) }));
  }
  assert.equal(kept.observe(2, text).status, 'duplicate');
  assert.deepEqual(index.query(7n), [{ id: 1, fingerprint: 7n, distance: 0 }]);
  assert.ok(stream.sketch().equals(nearprint.sketch('a')));
});

test('bytes with a method `subarray` of their own are read as they are', () => {
  for (const value of [() => new Uint8Array(1e6), () => ({ length: 1e9 }), () => 'abc']) {
    const bytes = Object.defineProperty(new TextEncoder().encode('Good news '.repeat(1e4)), 'subarray', { value });
    const plain = Uint8Array.from(bytes);
    assert.ok(nearprint.sketch(bytes).equals(nearprint.sketch(plain)));
    assert.ok(new Sketcher().stream().update(bytes).sketch().equals(nearprint.sketch(plain)));
    assert.equal(simhash.fingerprint(bytes), simhash.fingerprint(plain));
  }
});

test('a runtime without WebAssembly, such as React Native: every entry loads, and the first call says what is missing', () => {
  const entry = (name) => JSON.stringify(new URL(`../../pkg/${name}.js`, import.meta.url));
  const code = `delete globalThis.WebAssembly;
    const { dedupe, sketch } = await import(${entry('index')});
    const { distance, fingerprint } = await import(${entry('simhash')});
    const compat = await import(${entry('compat')});
    const { load } = await import(${entry('web')});
    const messages = [];
    for (const call of [
      () => sketch('a'),
      () => dedupe(['a']).next(),
      () => fingerprint('a'),
      () => compat.fingerprint('a', { scheme: '1e0ng' }),
      () => load({ dedupe: new Uint8Array(), simhash: false }),
    ]) {
      try {
        await call();
      } catch (error) {
        messages.push(error.message);
      }
    }
    console.log(JSON.stringify([distance(1n, 2n), ...new Set(messages), messages.length]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.deepEqual(JSON.parse(stdout), [2, 'nearprint: this runtime has no WebAssembly, which nearprint needs', 5]);
});

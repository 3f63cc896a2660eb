// Verification by text. deduplicator.test.mjs compares it with the naive model, and rules.test.mjs has its rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, Deduplicator, dedupe, sketch } from '../../pkg/index.js';
import { textOf as textOfSeed } from './command.mjs';
import { random } from './random.mjs';
import { collect, valuesOf } from './values.mjs';

test('a text that does not match the kept sketch counts as unavailable', () => {
  const [first, edited] = [textOfSeed(1), textOfSeed(1, [3, 40])];
  const estimate = sketch(first).resemblance(sketch(edited));
  const exact = compare(first, edited).exactResemblance;
  assert.notEqual(estimate, exact);
  for (const [text, resemblance] of [
    [first, exact],
    [new TextEncoder().encode(first), exact],
    [first.toUpperCase(), exact],
    [textOfSeed(2), estimate],
    [edited, estimate],
    [undefined, estimate],
  ]) {
    const textOf = (id) => (id === 'a' ? text : undefined);
    const observed = new Deduplicator().add('a', first).observe('b', edited, { textOf });
    assert.deepEqual([observed.status, observed.resemblance], ['duplicate', resemblance]);
    // The version that is kept of the same id.
    const changed = new Deduplicator().add('a', first).observe('a', edited, { textOf });
    assert.deepEqual([changed.status, changed.resemblance], ['changed', resemblance]);
  }
});

test('texts of every scheme match their sketches, and have the resemblance that compare computes', () => {
  const key = new Uint8Array(16).fill(7);
  const schemes = [
    {},
    { key },
    { features: { words: 3 } },
    { features: { words: 1 } },
    { features: { chars: 3 } },
    { features: { chars: 3 }, key },
  ];
  const texts = [
    textOfSeed(1),
    `${textOfSeed(1)} 東京都は日本の首都です`,
    'A road\u00a0is closed, so take the bridge near our town '.repeat(2000),
  ];
  for (const options of schemes) {
    for (const text of texts) {
      const edited = text.replace(/\w+ (\w+)/, '$1 Now');
      const expected = compare(text, edited, options).exactResemblance;
      const kept = new Deduplicator(options).add('a', text);
      const { resemblance } = kept.observe('a', edited, { textOf: () => text });
      assert.equal(resemblance, expected, JSON.stringify([options, text.length]));
      assert.ok(expected > 0 && expected < 1);
    }
  }
});

test('at most 16 texts are read for a document, and one for an equal one', () => {
  const kept = new Deduplicator();
  const texts = new Map();
  // Another word of each is changed.
  for (let at = 0; at < 40; at++) texts.set(at, textOfSeed(1, [5 * at + 2]));
  for (const [id, text] of texts) kept.add(id, text);
  const query = textOfSeed(1);
  let read = [];
  const textOf = (id) => {
    read.push(id);
    return texts.get(id);
  };
  const minResemblance = 0.985;
  for (const text of texts.values()) assert.ok(compare(query, text).exactResemblance < minResemblance);
  assert.equal(kept.observe('query', query, { textOf, minResemblance }).status, 'new');
  assert.equal(read.length, 16);
  assert.equal(new Set(read).size, 16);
  read = [];
  assert.equal(kept.observe('again', texts.get(7), { textOf }).duplicateOf, 7);
  assert.deepEqual(read, [7]);
});

test('a thenable may be any object with then', async () => {
  const [text, near] = [textOfSeed(1), textOfSeed(1, [3])];
  const decide = async (textOf) => {
    const [, decision] = await collect(dedupe([text, near], { textOf }));
    return [decision.status, decision.resemblance];
  };
  const thenable = (then) => Object.fromEntries([['then', then]]);
  const exact = ['duplicate', compare(text, near).exactResemblance];
  assert.deepEqual(await decide(() => thenable((resolve) => resolve(text))), exact);
  assert.deepEqual(await decide(() => thenable((resolve) => void setTimeout(resolve, 1, text))), exact);
  const estimate = ['duplicate', sketch(text).resemblance(sketch(near))];
  assert.deepEqual(await decide(() => thenable((resolve) => resolve())), estimate);
  await assert.rejects(
    decide(() => thenable((resolve) => resolve(7))),
    /^ArgumentError: nearprint: textOf\(id\) must be .*, got 7: pass String\(value\)$/,
  );
  await assert.rejects(
    decide(() => thenable((_, reject) => reject(new Error('no text')))),
    /^Error: no text$/,
  );
});

test('pairs are compared from three standard errors below their threshold on', () => {
  const below = random(9);
  const word = () => `${'bcdfghjklm'[below(10)]}${below(1e6).toString(36)}`;
  /** The numbers of pairs whose estimate is on the other side of the threshold, below it and above. */
  const found = [0, 0];
  for (let round = 0; round < 400; round++) {
    const words = Array.from({ length: 300 + below(1200) }, word);
    const [first, later] = [words, words.map((each) => (below(9) === 0 ? word() : each))].map((all) => all.join(' '));
    const [a, b] = [sketch(first), sketch(later)];
    const exact = compare(first, later).exactResemblance;
    const minResemblance = exact + [-0.001, 0.001][below(2)];
    const isNear = exact >= minResemblance;
    const estimate = a.resemblance(b);
    if (estimate < minResemblance - 0.11 || estimate >= minResemblance === isNear) continue;
    // Without a key in common, the search does not find it.
    if (!a.keys.some((key) => b.keys.includes(key))) continue;
    found[Number(!isNear)]++;
    const kept = new Deduplicator().add(0, first);
    const { status, resemblance } = kept.observe(1, later, { minResemblance, textOf: () => first });
    assert.deepEqual([status, resemblance], isNear ? ['duplicate', exact] : ['new', undefined]);
    kept.free();
  }
  assert.ok(Math.min(...found) >= 20, `${found} pairs`);
});

test('the 16 most similar documents are compared, though half of the near documents have changed', async () => {
  const words = Array.from({ length: 150 }, (_, at) => `w${at}`);
  const query = words.join(' ');
  const below = random(1);
  const texts = new Map();
  const base = new Deduplicator();
  for (let id = 0; id < 32; id++) {
    const edited = new Set(Array.from({ length: 5 + below(4) }, () => below(150)));
    texts.set(id, words.map((word, at) => (edited.has(at) ? `${word}x${id}` : word)).join(' '));
    base.add(id, texts.get(id));
  }
  const hits = base.query(query, { limit: 32 });
  const shares = hits.map(({ id }) => compare(query, texts.get(id)).exactResemblance);
  // All but one of the 16 best hits change. Only a later hit reaches the threshold.
  const minResemblance = Math.max(...shares.slice(16));
  const left = shares.slice(0, 16).findIndex((share) => share < minResemblance);
  const changed = hits.slice(0, 16).filter((_, at) => at !== left);
  const source = [...changed.map(({ id }) => ({ id, text: textOfSeed(id) })), { id: 'query', text: query }];
  const options = { minResemblance, against: base, textOf: (id) => texts.get(id) };
  const decisions = await collect(dedupe(source, options));
  const last = decisions.pop();
  assert.equal(decisions.filter(({ status }) => status === 'changed').length, 15);
  assert.equal(last.status, 'duplicate');
  assert.equal(shares[hits.findIndex(({ id }) => id === last.duplicateOf)], minResemblance);
});

test('positions stand for documents without ids, and keep: longest reads texts too', async () => {
  const texts = [textOfSeed(1), textOfSeed(1, [3]), `${textOfSeed(1)} more`];
  const asked = [];
  const textOf = (id, position) => {
    asked.push([id, position]);
    return texts[position];
  };
  const decisions = await collect(dedupe(texts, { textOf, keep: 'longest' }));
  assert.deepEqual(valuesOf(decisions, 'status'), ['duplicate', 'duplicate', 'new']);
  assert.deepEqual(asked, [
    [undefined, 2],
    [undefined, 2],
  ]);
  assert.equal(decisions[1].resemblance, compare(texts[1], texts[2]).exactResemblance);
});

test('wrong arguments of textOf are named', async () => {
  const kept = new Deduplicator().add('a', textOfSeed(1));
  const near = textOfSeed(1, [3]);
  const refused = (message) => ({ name: 'ArgumentError', message: `nearprint: ${message}` });
  const text = 'must be a string, a Uint8Array of UTF-8 or undefined';
  assert.throws(() => kept.observe('b', near, { textOf: 'a' }), refused('textOf must be a function, got "a"'));
  assert.throws(
    () => kept.observe('b', near, { textOf: () => 7 }),
    refused(`textOf(id) ${text}, got 7: pass String(value)`),
  );
  assert.throws(
    () => kept.observe('b', near, { textOf: async () => near }),
    refused(`textOf(id) ${text}, got an object (Promise): await it`),
  );
  assert.throws(
    () => kept.observe('b', sketch(near), { textOf: () => near }),
    refused('document must be a string or a Uint8Array of UTF-8, got an object (Sketch)'),
  );
  const gone = new TextEncoder().encode(near);
  structuredClone(gone, { transfer: [gone.buffer] });
  const notDetached = 'textOf(id) must be a Uint8Array that is not detached, got an object (Uint8Array)';
  assert.throws(() => kept.observe('b', near, { textOf: () => gone }), refused(notDetached));
  const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
  const outside = new Uint8Array(buffer, 32, 32);
  buffer.resize(8);
  assert.throws(() => kept.observe('b', near, { textOf: () => outside }), refused(notDetached));
  assert.equal(kept.size, 1);
  const first = (options) => dedupe([{ id: 'b', text: near }], options).next();
  await assert.rejects(first({ textOf: null }), refused('textOf must be a function, got null'));
  await assert.rejects(
    first({ textOf: () => 7, against: kept }),
    refused(`textOf(id) ${text}, got 7: pass String(value)`),
  );
  await assert.rejects(
    first({ textOf: async () => null, against: kept }),
    refused(`textOf(id) ${text}, got null: pass '' for no text`),
  );
});

// Verification by text, compared with a naive model that compares each document with all.
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { compare, Deduplicator, decideBy, dedupe, Fingerprinter, sketch, Verifier } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { decideNaively, isKept, randomDocuments, textOf as textOfSeed } from './command.mjs';
import { random } from './random.mjs';
import { collect, valuesOf } from './values.mjs';

const rounded = ({ status, duplicateOf = null, resemblance = null }) => ({
  status,
  duplicateOf,
  resemblance: resemblance === null ? null : Number(resemblance.toFixed(4)),
});

/** The decisions of dedupe, by the texts of the documents that are kept: `textOf(texts, id)`. */
async function dedupeByTexts(documents, { textOf = (texts, id) => texts.get(id), ...options }) {
  const texts = new Map();
  const decisions = [];
  for await (const decision of dedupe(documents, { ...options, textOf: (id) => textOf(texts, id) })) {
    if (isKept(decision)) texts.set(decision.id, decision.document.text);
    decisions.push(rounded(decision));
  }
  return decisions;
}

/** Observes documents with the texts of the kept ones. */
function observeAll(documents, minResemblance) {
  const kept = new Deduplicator();
  const texts = new Map();
  return documents.map(({ id, text }) => {
    const decision = kept.observe(id, text, { minResemblance, textOf: (id) => texts.get(id) });
    if (isKept(decision)) texts.set(id, text);
    return rounded(decision);
  });
}

test('observe and dedupe decide by the exact resemblance, as the model does', async () => {
  let different = 0;
  for (let seed = 0; seed < 8; seed++) {
    const documents = randomDocuments(random(seed), 150, 12, 25);
    // Texts with other words resemble each other by .94 to .98.
    const rule = { minResemblance: seed % 2 === 0 ? 0.67 : 0.96 };
    const expected = decideNaively(documents, new Map(), { ...rule, byText: true });
    assert.deepEqual(observeAll(documents, rule.minResemblance), expected);
    different += decideNaively(documents, new Map(), rule).filter(
      ({ status }, at) => status !== expected[at].status,
    ).length;
    assert.deepEqual(await dedupeByTexts(documents, rule), expected);
    const promised = { textOf: async (texts, id) => texts.get(id), against: new Deduplicator() };
    assert.deepEqual(await dedupeByTexts(documents, { ...rule, ...promised }), expected);
  }
  assert.ok(different > 10, `${different} decisions differ from the estimate's`);
});

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

test('a document whose own text has changed since it was sketched is decided by the estimate', () => {
  const [first, edited] = [textOfSeed(1), textOfSeed(1, [3, 40])];
  const kept = new Deduplicator().add('a', first);
  const resemblanceOf = (own) => {
    const document = { sketch: sketch(edited), scope: '', text: () => own };
    const versions = { now: 0, ...kept.read(document.sketch, 'b') };
    const rule = { minResemblance: 0.67, expiresIn: Number.NaN, lease: Number.NaN };
    const steps = decideBy(document, 'b', versions, rule, new Verifier(new Fingerprinter(), () => first));
    let step = steps.next();
    while (!step.done) step = steps.next(step.value);
    return step.value.resemblance;
  };
  const estimate = sketch(first).resemblance(sketch(edited));
  assert.equal(resemblanceOf(edited), compare(first, edited).exactResemblance);
  for (const own of [first, textOfSeed(2), undefined]) assert.equal(resemblanceOf(own), estimate);
});

test('texts of every scheme match their sketches, and have the resemblance that compare computes', () => {
  const key = new Uint8Array(16).fill(7);
  const schemes = [
    {},
    { key },
    { mix: false },
    { features: 'words' },
    { features: { chars: 3 } },
    { features: { chars: 3 }, key },
  ];
  const texts = [
    textOfSeed(1),
    `${textOfSeed(1)} 東京都は日本の首都です`,
    'A road\u00a0is closed, so take the bridge near our town '.repeat(20_000),
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

test('a text is read once for a version, whatever the caller does to it later', async () => {
  const [first, second] = [1, 2].map((seed) => new TextEncoder().encode(textOfSeed(seed)));
  const versions = [first, second];
  const texts = new Map();
  const asked = [];
  const textOf = (id) => {
    asked.push(id);
    return texts.get(id);
  };
  const edits = [2, 3, 4].map((at) => [textOfSeed(1, [at]), textOfSeed(2, [at])]);
  function* documents() {
    for (const [version, bytes] of versions.entries()) {
      const text = new TextDecoder().decode(bytes);
      texts.set('a', bytes);
      yield { id: 'a', text };
      for (const edit of edits) {
        yield { id: 'b', text: edit[version] };
        // The features of the version are known now.
        texts.set('a', undefined);
        bytes.fill(0x20);
      }
    }
  }
  const decisions = await collect(dedupe(documents(), { textOf }));
  for (const { status, id } of decisions) if (status === 'duplicate') assert.notEqual(id, 'a');
  const expected = versions.flatMap((_, version) => [
    ['new', 'changed'][version],
    ...edits.map((edit) => compare(textOfSeed(version + 1), edit[version]).exactResemblance),
  ]);
  assert.deepEqual(
    decisions.map(({ status, resemblance }) => (status === 'duplicate' ? resemblance : status)),
    expected,
  );
  assert.deepEqual(asked, ['a', 'a']);
});

test('features that are kept in turns of the ring stay what they are', () => {
  const next = random(12);
  const fingerprinter = new Fingerprinter();
  const textOf = (words) => Array.from({ length: words }, () => next(1 << 9)).join(' ');
  const sets = Array.from({ length: 120 }, () => fingerprinter.featureSet(textOf(15_000 + next(50_000))));
  const text = textOf(60_000);
  const document = { sketch: sketch(text), scope: '', text: () => text };
  const own = fingerprinter.featureSet(text);
  let read = 0;
  const verifier = new Verifier(fingerprinter, (at) => {
    read += sets[at].end - sets[at].start;
    return sets[at];
  });
  for (let round = 0; round < 500; round++) {
    // Often one of the last ones, which may still be kept.
    const at = (next(2) === 0 ? round : round + 80 + next(40)) % sets.length;
    const reading = verifier.exactly(document, at, sets[at].words);
    let step = reading.next();
    while (!step.done) step = reading.next(step.value);
    assert.equal(step.value, own.resemblance(sets[at]), `${round}`);
  }
  // The ring has 2^22 units of 4 bytes.
  assert.ok(read > 5 * 2 ** 22, `${read}`);
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
    /^ArgumentError: nearprint: textOf\(id\) must be .*, got 7$/,
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
  const below = random(3);
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
  const decisions = (await collect(dedupe(source, options))).map(rounded);
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
  assert.deepEqual(asked, [[undefined, 2]]);
  assert.equal(decisions[1].resemblance, compare(texts[1], texts[2]).exactResemblance);
});

test('wrong arguments', async () => {
  const kept = new Deduplicator().add('a', textOfSeed(1));
  const near = textOfSeed(1, [3]);
  const refused = (message) => ({ name: 'ArgumentError', message: `nearprint: ${message}` });
  const text = 'must be a string, a Uint8Array of UTF-8 or undefined';
  assert.throws(() => kept.observe('b', near, { textOf: 'a' }), refused('textOf must be a function, got "a"'));
  assert.throws(() => kept.observe('b', near, { textOf: () => 7 }), refused(`textOf(id) ${text}, got 7`));
  assert.throws(
    () => kept.observe('b', near, { textOf: async () => near }),
    refused(`textOf(id) ${text}, got an object (Promise)`),
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
  const against = memoryStore();
  await against.add([{ id: 'a', text: textOfSeed(1) }]);
  await assert.rejects(first({ textOf: () => 7, against }), refused(`textOf(id) ${text}, got 7`));
  await assert.rejects(first({ textOf: async () => null, against: kept }), refused(`textOf(id) ${text}, got null`));
});

test('texts that are not promises create no promise', async () => {
  // Each second text is an edited copy of the one before: its decision asks for that text.
  const texts = Array.from({ length: 80 }, (_, at) => textOfSeed(at >> 1, at % 2 ? [3] : []));
  const promisesOf = async (options) => {
    let promises = 0;
    const hook = createHook({
      init(_, type) {
        if (type === 'PROMISE') promises++;
      },
    });
    let duplicates = 0;
    hook.enable();
    for await (const { status } of dedupe(texts, options)) duplicates += Number(status === 'duplicate');
    hook.disable();
    assert.equal(duplicates, texts.length / 2);
    return promises;
  };
  const textOf = (_, position) => texts[position];
  const most = (await promisesOf({})) + texts.length / 4;
  assert.ok((await promisesOf({ textOf })) < most);
  assert.ok((await promisesOf({ textOf: async (...args) => textOf(...args) })) > most);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  Deduplicator,
  dedupe,
  distance,
  Fingerprinter,
  features,
  fingerprint,
  MIN_FEATURES,
  NearIndex,
  sketch,
} from '../../pkg/index.js';
import { random } from './random.mjs';

/** Documents of ASCII words and punctuation. Many are edits of others, and many are short. */
function documents(seed, count) {
  const next = random(seed);
  const word = () => `${'bcdfg'[next(5)]}${'aeiou'[next(5)]}${'lmnrst'[next(6)]}${next(4) ? '' : next(100)}`;
  const texts = [];
  for (let at = 0; at < count; at++) {
    const kind = next(10);
    let words = texts.length && kind < 6 ? texts[next(texts.length)].split(/[^a-z0-9]+/i).filter(Boolean) : [];
    if (kind >= 6) words = Array.from({ length: kind === 9 ? next(120) : next(9) }, word);
    for (let edits = next(3); edits > 0 && words.length > 0; edits--) words.splice(next(words.length), next(2), word());
    texts.push(words.map((w) => (next(30) ? w : w.toUpperCase())).join(next(8) ? ' ' : ', '));
  }
  return texts.map((text, at) => ({ id: next(2) ? at : `document ${at}`, text: next(5) ? text : Buffer.from(text) }));
}

/** The oracle of the Hamming rule: compares every document with every kept one. `old` has fingerprints only. */
function bruteForce(all, { maxDistance, keep = 'first', old = [], wordsOf, ...choices }) {
  const limit = maxDistance ?? { 32: 4, 64: 8, 128: 16 }[choices.bits ?? 64];
  const kept = old.map(([id, print]) => ({ id, print, old: true }));
  const results = [];
  for (const at of orderOf(all, keep)) {
    const { id, text } = all[at];
    const print = fingerprint(text, choices);
    const isShort = features(text, choices).length < 16;
    const words = wordsOf(text);
    let best = null;
    for (const other of kept) {
      const apart = distance(print, other.print);
      const is = other.old
        ? apart <= (isShort ? 0 : limit)
        : isShort
          ? other.isShort && other.words === words
          : !other.isShort && apart <= limit;
      if (is && (best === null || apart < best.apart)) best = { id: other.id, apart };
    }
    if (best === null) kept.push({ id, print, isShort, words });
    results[at] = { id, duplicateOf: best?.id ?? null, resemblance: null, distance: best?.apart ?? null };
  }
  return { results, kept: kept.map(({ id, print }) => [id, print]) };
}

/** The order in which documents are decided. */
function orderOf(all, keep) {
  const order = [...all.keys()];
  if (keep === 'longest') order.sort((a, b) => all[b].text.length - all[a].text.length || a - b);
  return order;
}

/** The oracle of the resemblance rule: a deduplicator, which deduplicator.test.mjs compares with a model. */
function oneByOne(all, keep, kept) {
  const results = [];
  for (const at of orderOf(all, keep)) results[at] = kept.addIfNew(all[at].id, all[at].text);
  return results;
}

const asciiWords = (text) =>
  (
    text
      .toString()
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).join(' ');

async function all(source, options) {
  const results = [];
  for await (const result of dedupe(source, options)) results.push(result);
  return results;
}

async function* slowly(source) {
  for (const document of source) yield document;
}

test('by resemblance: agrees with a deduplicator, for both values of keep', async () => {
  let duplicates = 0;
  for (let seed = 0; seed < 12; seed++) {
    const next = random(seed);
    const some = documents(seed, 150);
    const choices = [{}, { bits: 128 }, { features: 'words', weights: 'tf' }, { scheme: 'v1:64:chars3' }][seed % 4];
    for (const keep of ['first', 'longest']) {
      const minResemblance = [undefined, 0.3, 0.9][next(3)];
      const expected = oneByOne(some, keep, new Deduplicator({ minResemblance, ...choices }));
      const options = { keep, minResemblance, ...choices };
      assert.deepEqual(await all(seed % 2 ? some : slowly(some), options), expected);
      for (const { duplicateOf, resemblance, distance } of expected) {
        if (duplicateOf === null) continue;
        assert.ok(resemblance >= (minResemblance ?? 0.67) && resemblance <= 1 && distance <= 16);
        duplicates++;
      }
    }
  }
  assert.ok(duplicates > 500, `${duplicates}`);
});

test('by resemblance, against: documents are compared with earlier ones, and kept ones are added', async () => {
  for (const keep of ['first', 'longest']) {
    const [first, second] = [documents(7, 150), documents(7, 300).slice(100)].map((part, run) =>
      part.map(({ id, text }) => ({ id: `${run} ${id}`, text })),
    );
    const options = { minResemblance: 0.6, probes: 40 };
    const [kept, expected] = [new Deduplicator(options), new Deduplicator(options)];
    assert.deepEqual(await all(first, { keep, against: kept }), oneByOne(first, keep, expected));
    const again = Deduplicator.fromBytes(kept.toBytes());
    const today = await all(second, { keep, against: again, minResemblance: 0.6 });
    assert.deepEqual(today, oneByOne(second, keep, expected));
    assert.ok(today.some(({ duplicateOf }) => duplicateOf?.startsWith('0 ')));
    assert.ok(today.some(({ duplicateOf }) => duplicateOf?.startsWith('1 ')));
    const read = (deduplicator) => [...deduplicator].map(({ id, sketch }) => [id, sketch.toHex()]);
    assert.deepEqual(read(again), read(expected));
    // Short texts need no special case.
    assert.deepEqual(
      (await all([{ id: 'short', text: 'good NEWS' }], { against: again })).map(({ duplicateOf }) => duplicateOf),
      [null],
    );
    const [result] = await all([{ id: 'again', text: 'Good news!' }], {
      against: Deduplicator.fromBytes(again.toBytes()),
    });
    assert.deepEqual(result, { id: 'again', duplicateOf: 'short', resemblance: 1, distance: 0 });
  }
});

test('by the Hamming rule: agrees with brute force for every width and both values of keep', async () => {
  let duplicates = 0;
  for (let seed = 0; seed < 12; seed++) {
    const next = random(seed);
    const some = documents(seed, 150);
    for (const bits of [32, 64, 128]) {
      for (const keep of ['first', 'longest']) {
        const options = { bits, keep, maxDistance: [bits / 8, 0, bits / 4, next(bits / 4)][seed % 4] };
        const { results } = bruteForce(some, { ...options, wordsOf: asciiWords });
        assert.deepEqual(await all(seed % 2 ? some : slowly(some), options), results);
        duplicates += results.filter((result) => result.duplicateOf !== null).length;
      }
    }
  }
  assert.ok(duplicates > 1000);
});

test('by the Hamming rule: other schemes', async () => {
  const some = documents(99, 150);
  for (const choices of [
    { features: 'words', weights: 'tf' },
    { normalize: 'none', hash: 'fnv1a' },
    { scheme: 'v1:128:words2' },
  ]) {
    const wordsOf =
      choices.normalize === 'none' ? (text) => (text.toString().match(/\w+/g) ?? []).join(' ') : asciiWords;
    const options = { ...choices, maxDistance: choices.scheme ? 16 : 8 };
    assert.deepEqual(await all(some, options), bruteForce(some, { ...options, wordsOf }).results);
  }
});

test('against a NearIndex: documents are compared with the index, and kept ones are added', async () => {
  for (const bits of [32, 64, 128]) {
    for (const keep of ['first', 'longest']) {
      const [first, second] = [documents(7, 150), documents(7, 300).slice(100)].map((part, run) =>
        part.map(({ id, text }) => ({ id: `${run} ${id}`, text })),
      );
      const index = new NearIndex({ bits });
      const yesterday = bruteForce(first, { bits, keep, wordsOf: asciiWords });
      assert.deepEqual(await all(first, { bits, keep, against: index }), yesterday.results);
      assert.equal(index.size, yesterday.kept.length);
      const again = NearIndex.fromBytes(index.toBytes());
      const today = bruteForce(second, { bits, keep, old: yesterday.kept, wordsOf: asciiWords });
      assert.deepEqual(await all(second, { bits, keep, against: again }), today.results);
      assert.ok(today.results.some(({ duplicateOf }) => duplicateOf?.startsWith('0 ')));
      assert.ok(today.results.some(({ duplicateOf }) => duplicateOf?.startsWith('1 ')));
      for (const [id, print] of today.kept) assert.equal(again.get(id), print);
      assert.equal(again.size, today.kept.length);
    }
  }
});

test('the sample of real documents', async () => {
  const sample = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8');
  const some = sample.trimEnd().split('\n').map(JSON.parse);
  const fingerprinter = new Fingerprinter();
  const wordsOf = (text) => fingerprinter.words(text).join(' ');
  for (const keep of ['first', 'longest']) {
    const { results } = bruteForce(some, { keep, wordsOf });
    assert.deepEqual(await all(some, { keep, maxDistance: 8 }), results);
    assert.ok(results.some(({ duplicateOf }) => duplicateOf !== null));

    // By resemblance: every document is compared with every kept one, and the probes miss none of them.
    const kept = [];
    const expected = [];
    for (const at of orderOf(some, keep)) {
      const { id, text } = some[at];
      const own = sketch(text);
      const hits = kept
        .map((other) => ({
          id,
          duplicateOf: other.id,
          resemblance: own.resemblance(other.sketch),
          distance: own.distance(other.sketch),
        }))
        .filter(({ resemblance, distance }) => resemblance >= 0.67 && distance <= 16)
        .sort((a, b) => b.resemblance - a.resemblance || a.distance - b.distance);
      if (hits.length === 0) kept.push({ id, sketch: own });
      expected[at] = hits[0] ?? { id, duplicateOf: null, resemblance: null, distance: null };
    }
    assert.deepEqual(await all(some, { keep }), expected);
    assert.ok(kept.length < some.length - 50);
  }
});

test('short and empty texts', async () => {
  const duplicates = async (texts, options) =>
    (
      await all(
        texts.map((text, id) => ({ id, text })),
        options,
      )
    ).map(({ duplicateOf }) => duplicateOf);
  assert.equal(MIN_FEATURES, 16);
  for (const rule of [{}, { maxDistance: 8 }]) {
    const of = (texts, options) => duplicates(texts, { ...rule, ...options });
    assert.deepEqual(await of(['', ' \n', new Uint8Array()]), [null, 0, 0]);
    assert.deepEqual(await of(['Good news', 'good news!', 'good new', 'news good', '']), [null, 0, null, null, null]);
    assert.deepEqual(await of(['a b', 'ab', 'a\nb', 'a\u00adb']), [null, null, 0, 1]);
    assert.deepEqual(await of(['好', '坏', '好。'], rule.maxDistance && { maxDistance: 16 }), [null, null, 0]);
    // A long text with few features is short.
    const [few, as, blank] = ['tick '.repeat(20_000), 'Tick, '.repeat(20_000), ' '.repeat(70_000)];
    assert.deepEqual(await of([few, 'tick', as, '', blank]), [null, null, 0, null, 3]);
    // Texts without words can be different.
    assert.deepEqual(await of(['!!! ???', '*** +++', '!!!\n???'], { features: 'bigrams' }), [null, null, 0]);
  }
});

test('distinct and words', () => {
  const fingerprinter = new Fingerprinter();
  fingerprinter.fingerprint('one two three');
  assert.equal(fingerprinter.distinct, 5);
  assert.deepEqual(fingerprinter.words(' Straße 第一\u{1F600}\nco\u00adop '), ['strasse', '第', '一', 'coop']);
  assert.deepEqual(fingerprinter.words(Uint8Array.of(0xff, 0x41)), ['a']);
  assert.deepEqual(fingerprinter.words(''), []);
  assert.deepEqual(new Fingerprinter({ normalize: 'none' }).words('A B'), ['A', 'B']);
  for (const text of ['', 'a', 'a b c '.repeat(9), 'x'.repeat(1 << 17), '第一 a '.repeat(30_000)]) {
    for (const features of ['grams', 'words', 'bigrams', { words: 3 }]) {
      for (const weights of ['log', 'tf', 'binary']) {
        const some = new Fingerprinter({ features, weights });
        some.fingerprint(text);
        assert.equal(some.distinct, some.features(text).length);
      }
    }
  }
});

test('a repeated id is a duplicate of itself or an error, and what is kept is unchanged', async () => {
  const [a, b] = [
    'a first text, of quite a few words, so that it is not a short one',
    'and another that has nothing of it at all, and is long too',
  ];
  const twice = [
    { id: 'x', text: a },
    { id: 'x', text: a.toUpperCase() },
  ];
  for (const [options, resemblance] of [
    [{}, 1],
    [{ maxDistance: 8 }, null],
  ]) {
    assert.deepEqual(await all(twice, options), [
      { id: 'x', duplicateOf: null, resemblance: null, distance: null },
      { id: 'x', duplicateOf: 'x', resemblance, distance: 0 },
    ]);
  }
  for (const keep of ['first', 'longest']) {
    const [index, deduplicator] = [new NearIndex(), new Deduplicator()];
    for (const against of [undefined, index, deduplicator]) {
      const changed = all(
        [
          { id: 'x', text: a },
          { id: 'x', text: b },
        ],
        { keep, against },
      );
      await assert.rejects(
        changed,
        (error) =>
          error instanceof TypeError &&
          /^nearprint: source\[[01]\].id must be an id that no (document kept before|other kept document) has, got "x"$/.test(
            error.message,
          ),
      );
    }
    if (keep === 'first') {
      assert.equal(index.get('x'), fingerprint(a));
      assert.equal(deduplicator.get('x').fingerprint, fingerprint(a));
      assert.equal(deduplicator.size, 1);
    }
  }
  for (const [options, which] of [
    [{}, 'other kept document'],
    [{ maxDistance: 8 }, 'document kept before'],
  ]) {
    const message = `nearprint: source[1].id must be an id that no ${which} has, got "x"`;
    const short = [
      { id: 'x', text: 'short' },
      { id: 'x', text: 'texts' },
    ];
    await assert.rejects(all(short, options), { name: 'TypeError', message });
  }
});

test('after an early stop, what is kept is what was yielded', async () => {
  for (const index of [new NearIndex(), new Deduplicator()]) {
    let pulled = 0;
    async function* endless() {
      for (;;) yield { id: pulled, text: `document number ${pulled++}` };
    }
    for await (const { id } of dedupe(endless(), { against: index })) if (id === 4) break;
    assert.equal(pulled, 5);
    assert.equal(index.size, 5);
  }
});

test('wrong arguments are named', async () => {
  const document = { id: 1, text: 'a' };
  const cases = [
    [[7], TypeError, 'source must be an iterable or async iterable of { id, text }, got 7'],
    [['ab'], TypeError, 'source must be an iterable or async iterable of { id, text }, got "ab"'],
    [[[7]], TypeError, 'source[0] must be { id, text }, got 7'],
    [[[document, { id: 2 }]], TypeError, 'source[1].text must be a string or a Uint8Array of UTF-8, got undefined'],
    [[[{ text: 'a' }]], TypeError, 'source[0].id must be a string or a safe integer, got undefined'],
    [[[{ id: 0.5, text: 'a' }]], TypeError, 'source[0].id must be a string or a safe integer, got 0.5'],
    [[[], 7], TypeError, 'options must be an object, got 7'],
    [[[], { maxDistance: 17 }], TypeError, 'maxDistance must be a whole number from 0 to 16, got 17'],
    [[[], { maxDistance: 9, bits: 32 }], TypeError, 'maxDistance must be a whole number from 0 to 8, got 9'],
    [[[], { maxDistance: '3' }], TypeError, 'maxDistance must be a whole number from 0 to 16, got "3"'],
    [[[], { keep: 'last' }], TypeError, `keep must be 'first' or 'longest', got "last"`],
    [[[], { keep: 1 }], TypeError, `keep must be 'first' or 'longest', got 1`],
    [[[], { bits: 16 }], TypeError, 'bits must be 32, 64 or 128, got 16'],
    [[[], { minResemblance: 0 }], TypeError, 'minResemblance must be a number above 0 and up to 1, got 0'],
    [[[], { minResemblance: '0.7' }], TypeError, 'minResemblance must be a number above 0 and up to 1, got "0.7"'],
    [
      [[], { minResemblance: 0.7, maxDistance: 3 }],
      TypeError,
      'minResemblance must be no value beside maxDistance, got 0.7',
    ],
    [
      [[], { minResemblance: 0.7, against: new NearIndex() }],
      TypeError,
      'minResemblance must be no value beside a NearIndex as against, got 0.7',
    ],
    [[[], { against: [] }], TypeError, 'against must be a Deduplicator, a store or a NearIndex, got an array'],
    [
      [[], { against: new Deduplicator(), features: 'words' }],
      TypeError,
      'against must be one of the scheme v1:64:words1, got "v1:64"',
    ],
    [
      [[], { against: new Deduplicator({ minResemblance: 0.5 }), minResemblance: 0.7 }],
      TypeError,
      'minResemblance must be 0.5, that of against, or no value, got 0.7',
    ],
    [
      [[], { against: new NearIndex({ bits: 32 }) }],
      TypeError,
      'against must be an index of the scheme v1:64, got "v1:32"',
    ],
    [
      [[], { against: new NearIndex({ bits: 32, scheme: 'v1:64' }) }],
      TypeError,
      'against must be an index of 64 bits, got 32',
    ],
  ];
  for (const [[source, options], type, message] of cases) {
    await assert.rejects(all(source, options), (error) => {
      assert.equal(error.message, `nearprint: ${message}`);
      return error.constructor === type;
    });
  }
  await assert.rejects(
    all([], { distance: 3 }),
    /option must be one of minResemblance, maxDistance, keep, against, .*, got "distance"/,
  );
});

// nearprint/calibrate, checked against a comparison of all pairs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { calibrate } from '../../pkg/calibrate.js';
import { dedupe, Sketcher, sketch } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';
import { collect, valuesOf } from './values.mjs';

const { foundShare } = await importSource('js/calibrate/found.ts');
const { Sample } = await importSource('js/calibrate/sample.ts');

const examples = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const THRESHOLDS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/** Returns texts that often resemble an earlier one, by every share of their words, and short, brief and blank ones. */
function edited(count) {
  const pick = random(5);
  const word = () => `w${pick(900)}`;
  const texts = [];
  while (texts.length < count) {
    // A text of fewer than 9 words is short, and of fewer than 17 brief.
    const words = Array.from({ length: pick(4) === 0 ? pick(20) : 30 + pick(60) }, word);
    const versions = 1 + pick(5);
    for (let version = 0; version < versions; version++) {
      texts.push(words.join(' '));
      const changes = pick(Math.max(2, words.length / 8));
      for (let change = 0; change < changes; change++) words[pick(words.length)] = word();
    }
  }
  // In another order: versions of one text need not follow each other. Few ids, so that they repeat.
  return texts
    .slice(0, count)
    .map((text) => [pick(1e6), text])
    .sort(([a], [b]) => a - b)
    .map(([, text]) => ({ id: pick(40), text }));
}

/** The exact resemblance of a pair that dedupe would join at a threshold of .5 and that has a key in common, else 0. */
function nearResemblance(sketcher, a, b) {
  const [first, second] = [sketcher.sketch(a.text), sketcher.sketch(b.text)];
  const keys = new Set(first.keys);
  if (!second.keys.some((key) => keys.has(key))) return 0;
  if (first.isShort || second.isShort) return first.equals(second) ? 1 : 0;
  const { exactResemblance } = sketcher.compare(a.text, b.text);
  const isBrief = first.hasFewFeatures || second.hasFewFeatures;
  return exactResemblance >= (isBrief ? 0.75 : 0.5) ? exactResemblance : 0;
}

/** Returns, for each document, the largest resemblance to an earlier one. */
function bruteForce(documents, options) {
  const sketcher = new Sketcher(options);
  return documents.map((document, at) =>
    documents.slice(0, at).reduce((most, other) => Math.max(most, nearResemblance(sketcher, document, other)), 0),
  );
}

const key = new Uint8Array(16).fill(7);

for (const options of [{}, { key }, { features: { words: 2 } }, { features: { chars: 4 } }]) {
  test(`the figures agree with a comparison of all pairs, ${options.key ? 'keyed' : JSON.stringify(options)}`, async () => {
    const documents = edited(120);
    const expected = bruteForce(documents, options);
    const result = await calibrate(documents, { ...options, pairs: 1000 });
    assert.deepEqual([result.documents, result.sampled, result.tooLong], [120, 120, 0]);
    assert.deepEqual(valuesOf(result.thresholds, 'minResemblance'), THRESHOLDS);
    for (const { minResemblance, documents, share, labels } of result.thresholds) {
      const reaching = expected.filter((resemblance) => resemblance >= minResemblance).length;
      assert.equal(documents, reaching, `${minResemblance}`);
      assert.equal(share, reaching / 120);
      assert.equal(labels, null);
    }
    const counts = valuesOf(result.thresholds, 'documents');
    assert.ok(counts[0] > counts[4] && counts[4] > counts[9] && counts[9] > result.equal && result.equal > 0);
    const sketcher = new Sketcher(options);
    const sketches = documents.map(({ text }) => sketcher.sketch(text));
    const isEqual = (at) => sketches.slice(0, at).some((other) => !other.isBlank && other.equals(sketches[at]));
    assert.equal(result.equal, sketches.filter((_, at) => isEqual(at)).length);
    assert.equal(result.short, sketches.filter(({ isShort }) => isShort).length);

    assert.deepEqual(
      valuesOf(result.intervals, 'from', 'to'),
      THRESHOLDS.map((from, at) => [from, THRESHOLDS[at + 1] ?? 1]),
    );
    for (const [at, { from, documents: count, pairs }] of result.intervals.entries()) {
      assert.equal(count, counts[at] - (counts[at + 1] ?? 0));
      assert.ok(pairs.every((pair, place) => place === 0 || pair.resemblance >= pairs[place - 1].resemblance));
      const within = expected.flatMap((resemblance, place) =>
        resemblance >= from && resemblance < (THRESHOLDS[at + 1] ?? 2) && !isEqual(place) ? [place] : [],
      );
      assert.deepEqual(
        pairs.map(({ later }) => later.at).sort((a, b) => a - b),
        within,
        'all of them are asked for',
      );
      for (const { earlier, later, resemblance } of pairs) {
        assert.ok(earlier.at < later.at);
        assert.equal(resemblance, expected[later.at]);
        assert.equal(nearResemblance(sketcher, documents[earlier.at], documents[later.at]), resemblance);
        for (const { at, id, text } of [earlier, later]) assert.deepEqual({ id, text }, documents[at]);
      }
    }
    assert.equal(result.labels, null);
  });
}

test('dedupe drops at most the documents that reach a threshold, where all estimates are exact', async () => {
  // Up to 40 word pairs, the estimates are exact.
  const documents = edited(400).filter(({ text }) => text.split(' ').length <= 40);
  const { thresholds } = await calibrate(documents);
  for (const { minResemblance, documents: count } of thresholds) {
    const texts = documents.map(({ text }) => text);
    const dropped = (await collect(dedupe(texts, { minResemblance }))).filter(({ status }) => status === 'duplicate');
    assert.ok(
      dropped.length <= count && dropped.length > count / 2,
      `${minResemblance}: ${dropped.length} of ${count}`,
    );
  }
});

test('no document, one document, and copies of one', async () => {
  for (const count of [0, 1]) {
    const result = await calibrate(examples.slice(0, count));
    assert.deepEqual([result.documents, result.sampled, result.equal], [count, count, 0]);
    assert.deepEqual(
      valuesOf(result.thresholds, 'documents', 'share'),
      THRESHOLDS.map(() => [0, 0]),
    );
    assert.deepEqual(
      valuesOf(result.intervals, 'documents', 'pairs'),
      THRESHOLDS.map(() => [0, []]),
    );
  }
  const { text } = examples[0];
  const copies = await calibrate(
    Array.from({ length: 500 }, (_, at) => ({ id: 'a', text: at % 2 ? text.toUpperCase() : text })),
  );
  assert.equal(copies.equal, 499);
  assert.deepEqual(
    valuesOf(copies.thresholds, 'documents'),
    THRESHOLDS.map(() => 499),
  );
  assert.deepEqual(copies.intervals.at(-1), { from: 0.95, to: 1, documents: 499, pairs: [] });
});

test('short texts match equal ones only, and blank ones nothing', async () => {
  const texts = '|!|...|Page 12|page 12!|Page 13|中|中|one|two|one||$5|€5|$5'.split('|');
  const { short, equal, thresholds } = await calibrate(texts.map((text) => ({ id: 1, text })));
  // The second of: page 12, 中, one, $5.
  assert.deepEqual([short, equal], [texts.length, 4]);
  assert.deepEqual(
    valuesOf(thresholds, 'documents'),
    THRESHOLDS.map(() => 4),
  );
});

test('of texts with the same features, the equal one is the most similar', async () => {
  const text = 'The fee for the boat is $500 and it is due on Tuesday before noon at the north gate of the harbour.';
  const euros = text.replace('$', '€');
  const { equal, intervals } = await calibrate([text, euros, text].map((text, id) => ({ id, text })));
  assert.equal(equal, 1);
  const [pair, ...others] = intervals.at(-1).pairs;
  assert.deepEqual([pair.earlier.text, pair.later.text, pair.resemblance, others], [text, euros, 1, []]);
});

test('a family of versions is counted whole, although a document is compared with at most 32 others', async () => {
  const pick = random(8);
  const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
  const documents = Array.from({ length: 1000 }, (_, id) => ({ id, text: words.with(pick(60), `x${id}`).join(' ') }));
  const { thresholds } = await calibrate(documents);
  // Each changed word is in two of 59 pairs, so two versions share at least 55 of 63.
  assert.deepEqual(
    valuesOf(
      thresholds.filter(({ minResemblance }) => minResemblance <= 0.85),
      'documents',
    ),
    Array(8).fill(999),
  );
});

test('the share of pairs with a common key lies between the ones for long and for short texts', () => {
  // DESIGN.md states the bands; the guide to the search has the values.
  assert.equal(foundShare(0.67).short.toFixed(3), '0.986');
  assert.equal(foundShare(0.5).short.toFixed(2), '0.80');
  const pick = random(12);
  const word = () => `w${pick(1e6)}`;
  for (const [length, runs] of [
    [30, 400],
    [150, 400],
    [2500, 120],
  ]) {
    for (const resemblance of [0.5, 0.67, 0.8]) {
      // A passage of this length is another one.
      const changed = Math.round((length * (1 - resemblance)) / (1 + resemblance));
      let found = 0;
      for (let run = 0; run < runs; run++) {
        const words = Array.from({ length }, word);
        const start = pick(length - changed);
        const others = words.map((word, at) => (at >= start && at < start + changed ? `x${word}` : word));
        const keys = new Set(sketch(words.join(' ')).keys);
        if (sketch(others.join(' ')).keys.some((key) => keys.has(key))) found++;
      }
      const { long, short } = foundShare(resemblance);
      const share = found / runs;
      const error = (expected) => 4 * Math.sqrt((expected * (1 - expected)) / runs) + 0.01;
      assert.ok(share >= long - error(long) && share <= short + error(short), `${length}, ${resemblance}: ${share}`);
      if (length > 1000) assert.ok(share <= long + error(long) + 0.05, `${resemblance}: ${share} of long texts`);
    }
  }
});

/** Returns the figures of labels by their definitions. */
function expectedFigures(pairs, threshold) {
  const joined = pairs.filter(({ resemblance }) => resemblance >= threshold);
  const same = pairs.filter((pair) => pair.same);
  const right = joined.filter((pair) => pair.same).length;
  const [precision, recall] = [joined, same].map(({ length }) => (length === 0 ? null : right / length));
  return { precision, recall };
}

test('labels: precision and recall of pairs at random', async () => {
  const documents = edited(150).map(({ text }, id) => ({ id, text }));
  const sketcher = new Sketcher();
  const pick = random(9);
  const pairs = [];
  for (let a = 0; a < documents.length; a++) {
    for (let b = 0; b < a; b++) {
      const resemblance = nearResemblance(sketcher, documents[a], documents[b]);
      if (resemblance === 0 && pick(200) > 0) continue;
      pairs.push({ a, b, resemblance, same: pick(100) / 100 < resemblance ** 2 + 0.02 });
    }
  }
  const labels = pairs.map(({ a, b, same }) => (same ? { a, b: `${b}` } : { a, b, same }));
  const result = await calibrate(documents, { labels, sample: 10 });
  const same = pairs.filter((pair) => pair.same).length;
  const counts = { same, different: pairs.length - same, contradictory: 0, missing: 0, ambiguous: 0 };
  assert.deepEqual(result.labels, counts, 'documents outside of the sample count too');
  const expected = THRESHOLDS.map((threshold) => expectedFigures(pairs, threshold));
  for (const [at, { labels }] of result.thresholds.entries()) {
    for (const name of ['precision', 'recall']) {
      assert.ok(Math.abs(labels[name] - expected[at][name]) < 1e-12, `${THRESHOLDS[at]}: ${name}`);
    }
  }
});

test('labels: contradictory ones, missing documents and repeated ids are counted and left out', async () => {
  const { text } = examples[0];
  const documents = [1, 2, 3, 3, 4].map((id) => ({ id, text }));
  const labels = [
    { a: 1, b: 2 },
    { a: '2', b: '1', same: true },
    { a: 1, b: 4 },
    { a: 4, b: 1, same: false },
    { a: 1, b: 4 },
    { a: 1, b: 3 },
    { a: 'nobody', b: 3 },
    { a: 2, b: 4, same: undefined },
  ];
  const result = await calibrate(documents, { labels });
  assert.deepEqual(result.labels, { same: 2, different: 0, contradictory: 1, missing: 1, ambiguous: 1 });
  for (const { labels } of result.thresholds) assert.deepEqual(labels, { precision: 1, recall: 1 });
  const none = await calibrate(documents, { labels: [{ a: 'nobody', b: 'noone' }] });
  assert.deepEqual(none.labels, { same: 0, different: 0, contradictory: 0, missing: 1, ambiguous: 0 });
  assert.deepEqual(none.thresholds[0].labels, { precision: null, recall: null });
  assert.equal((await calibrate(documents, { labels: [] })).labels, null);
});

test('a sample is random, of the size that was asked for, in the order of the source, and always the same', async () => {
  const { text } = examples[0];
  // Every document is nearly equal to the others, so all but the first of the sample are in a pair.
  const documents = Array.from({ length: 400 }, (_, id) => ({ id, text: `${text} ${id}` }));
  const result = await calibrate(documents, { sample: 50, pairs: 1000 });
  assert.deepEqual([result.documents, result.sampled], [400, 50]);
  const positions = result.intervals.flatMap(({ pairs }) => pairs.map(({ later }) => later.at)).sort((a, b) => a - b);
  assert.equal(new Set(positions).size, 49);
  assert.ok(positions[0] < 100 && positions.at(-1) > 300);
  assert.deepEqual(await calibrate(documents, { sample: 50, pairs: 1000 }), result);
  const few = await calibrate(documents, { pairs: 3 });
  assert.equal(few.intervals.at(-1).pairs.length, 3);
  assert.deepEqual(await calibrate(documents, { pairs: 3 }), few);
  const none = await calibrate(documents, { pairs: 0 });
  assert.ok(none.intervals.every(({ pairs }) => pairs.length === 0));
  assert.equal(none.intervals.at(-1).documents, 399);
});

test('every item is in a sample with the same probability, and the sample keeps the order and the bound of its memory', () => {
  const seen = new Float64Array(100);
  const runs = 4000;
  for (let seed = 0; seed < runs; seed++) {
    const sample = new Sample({ size: 10, seed });
    for (let at = 0; at < 100; at++) sample.offer(() => at);
    for (const item of sample.items) seen[item]++;
  }
  // Five standard deviations of a binomial distribution.
  for (const count of seen) assert.ok(Math.abs(count - runs / 10) < 5 * Math.sqrt(0.09 * runs), `${seen}`);
  let made = 0;
  const bounded = new Sample({ size: 1000, bytes: 5000, bytesOf: (item) => 1 + (item % 100) });
  for (let at = 0; at < 3000; at++) {
    bounded.offer(() => {
      made++;
      return at;
    });
    const bytes = bounded.items.reduce((sum, item) => sum + 1 + (item % 100), 0);
    assert.ok(bytes <= 5000, `${bytes}`);
  }
  const { items } = bounded;
  assert.deepEqual(
    items,
    items.toSorted((a, b) => a - b),
  );
  assert.ok(items.length > 70 && made < 1000, `${items.length}, ${made}`);
  const huge = new Sample({ size: 5, bytes: 10, bytesOf: () => 100 });
  for (let at = 0; at < 20; at++) huge.offer(() => at);
  assert.equal(huge.items.length, 1, 'one item stays, however large it is');
});

test('a source may be asynchronous and reuse the memory of its texts', async () => {
  const texts = examples.map(({ text }) => text);
  const memory = new Uint8Array(1 << 20);
  async function* source() {
    for (const [id, text] of texts.entries()) {
      const { written } = new TextEncoder().encodeInto(text, memory);
      yield { id, text: memory.subarray(0, written), place: `p${id}` };
    }
  }
  const result = await calibrate(source());
  const { thresholds, intervals } = await calibrate(texts.map((text, id) => ({ id, text, place: `p${id}` })));
  assert.deepEqual(result.thresholds, thresholds);
  assert.deepEqual(result.intervals, intervals);
  const [{ later }] = intervals.at(-1).pairs;
  assert.deepEqual([later.place, later.text], [`p${later.at}`, texts[later.at]]);
});

test('a source that never ends: other tasks can run, and an error of progress ends it', async () => {
  let isClosed = false;
  let isStopped = false;
  function* source() {
    try {
      for (let at = 0; ; at++) yield examples[at % examples.length];
    } finally {
      isClosed = true;
    }
  }
  setTimeout(() => {
    isStopped = true;
  }, 100);
  const states = [];
  const progress = (state) => {
    states[0] = state;
    if (isStopped) throw new Error('stopped');
  };
  await assert.rejects(calibrate(source(), { sample: 100, progress }), { message: 'stopped' });
  assert.ok(isClosed);
  assert.equal(states[0].stage, 'reading');
});

test('progress: each document is read, and each of the sample is compared', async () => {
  const states = [];
  await calibrate(examples, { sample: 20, progress: (state) => states.push(state) });
  const [reading, comparing] = ['reading', 'comparing'].map((stage) => states.filter((state) => state.stage === stage));
  assert.deepEqual(
    valuesOf(reading, 'documents', 'share'),
    examples.map((_, at) => [at + 1, null]),
  );
  assert.deepEqual(
    valuesOf(comparing, 'share'),
    Array.from({ length: 20 }, (_, at) => (at + 1) / 20),
  );
});

test('a text that is too long is left out, and does not move the positions of the others', async () => {
  const text = (number) =>
    `The road number ${number} to the coast is closed, the council said early on Tuesday, for a week.`;
  const documents = [{ id: 'long', text: 'word '.repeat(900_000) }, ...[1, 2].map((id) => ({ id, text: text(id) }))];
  const labels = [{ a: 'long', b: 1 }];
  const { intervals, documents: all, sampled, tooLong, labels: counts } = await calibrate(documents, { labels });
  assert.deepEqual([all, sampled, tooLong, counts.missing], [3, 2, 1, 1]);
  const [{ earlier, later }] = intervals.flatMap(({ pairs }) => pairs);
  assert.deepEqual([earlier.at, later.at], [1, 2]);
});

test('the memory of a sample is bounded, however long ids and places are', async () => {
  const long = 'x'.repeat(1 << 20);
  const text = (at) => `Road ${at} to the coast is closed, the council said early on Tuesday, and will be for a week.`;
  for (const documentOf of [
    (at) => ({ id: `${at}${long}`, text: text(at) }),
    (at) => ({ id: at, place: long, text: text(at) }),
  ]) {
    const { documents, sampled } = await calibrate(Array.from({ length: 200 }, (_, at) => documentOf(at)));
    assert.equal(documents, 200);
    // Two bytes for each character, in 256 MB.
    assert.ok(sampled > 100 && sampled < 128, `${sampled}`);
  }
});

test('bad input is an error that names the argument', async () => {
  const documents = [{ id: 1, text: 'one' }];
  const cases = [
    [[undefined], /documents must be an iterable or async iterable of \{ id, text \}, got undefined/],
    [['text'], /documents must be an iterable or async iterable of \{ id, text \}, got "text"/],
    [[['text']], /documents\[0\] must be \{ id, text \}, got "text"/],
    [[[{ id: 1, text: 1 }]], /documents\[0\]\.text must be .*, got 1/],
    [[[...documents, { id: 1.5, text: '' }]], /documents\[1\]\.id must be .*, got 1\.5/],
    [[[{ id: 1, text: '', scope: 7 }]], /documents\[0\]\.scope must be a string without lone surrogates, got 7/],
    [[[{ id: 1, text: '', place: 7 }]], /documents\[0\]\.place must be a string, got 7/],
    [[documents, { sample: 0 }], /sample must be a whole number from 1 to 200000, got 0/],
    [[documents, { pairs: -1 }], /pairs must be a whole number from 0 to 1000, got -1/],
    [[documents, { labels: 'pairs' }], /labels must be an iterable of \{ a, b, same \}, got "pairs"/],
    [[documents, { labels: ['pairs'] }], /labels\[0\] must be \{ a, b, same \}, got "pairs"/],
    [[documents, { labels: [{ a: 1 }] }], /labels\[0\]\.b must be .*, got undefined/],
    [[documents, { labels: [{ a: 1, b: '1' }] }], /labels\[0\]\.b must be another id than a, got "1"/],
    [[documents, { labels: [{ a: 1, b: 2, same: 'yes' }] }], /labels\[0\]\.same must be true or false, got "yes"/],
    [[documents, { progress: 1 }], /progress must be a function, got 1/],
    [[documents, { minResemblance: 0.5 }], /option must be one of .*, got "minResemblance"/],
    [[documents, { key: 'secret' }], /key must be a Uint8Array of 16 bytes/],
  ];
  await checkRefusals(cases.map(([args, message]) => [() => calibrate(...args), message]));
});

// nearprint/calibrate, checked against a comparison of all pairs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { calibrate } from '../../pkg/calibrate.js';
import { dedupe, Fingerprinter, features, MIN_RESEMBLANCE, sketch } from '../../pkg/index.js';
import { importSource } from '../source.mjs';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';
import { collect, valuesOf } from './values.mjs';

const { bestThreshold, wilsonInterval, extrapolate } = await importSource('js/calibrate/figures.ts');
const { eachPair } = await importSource('js/calibrate/neighbours.ts');
const { Sample } = await importSource('js/calibrate/sample.ts');

const examples = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Returns documents that often resemble an earlier one, by every share of their words. */
function edited(count) {
  const pick = random(5);
  const word = () => `w${pick(900)}`;
  const documents = [];
  while (documents.length < count) {
    const words = Array.from({ length: 30 + pick(60) }, word);
    const versions = 1 + pick(5);
    for (let version = 0; version < versions; version++) {
      documents.push({ id: `d${documents.length}`, text: words.join(' ') });
      const changes = 1 + pick(9);
      for (let change = 0; change < changes; change++) words[pick(words.length)] = word();
    }
  }
  // In another order: versions of one text need not follow each other.
  return documents
    .slice(0, count)
    .map((document) => [pick(1e6), document])
    .sort(([a], [b]) => a - b)
    .map(([, document]) => document);
}

/** The word pairs of a text in an alphabet. */
const pairsOf = (text) =>
  new Set(
    features(text)
      .map(({ feature }) => feature)
      .filter((name) => name.includes(' ')),
  );

function jaccard(a, b) {
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return shared / (a.size + b.size - shared);
}

/** Returns what `dedupe` does, and how many of its decisions the exact resemblances of all pairs contradict. */
async function bruteForce(documents, minResemblance, { same, different }) {
  const sets = documents.map(({ text }) => pairsOf(text));
  const decisions = await collect(dedupe(documents, { minResemblance }));
  const isKept = decisions.map(({ status }) => status === 'new');
  let [wrong, left] = [0, 0];
  sets.forEach((set, at) => {
    const near = (others, least) =>
      others.some((other, place) => place !== at && isKept[place] && jaccard(set, other) >= least);
    if (isKept[at]) left += near(sets.slice(0, at), same) ? 1 : 0;
    else wrong += near(sets, different) ? 0 : 1;
  });
  return { dropped: isKept.filter((kept) => !kept).length, wrong, left };
}

test('the figures agree with a comparison of all pairs', async () => {
  const documents = edited(300);
  for (const truth of [
    { same: 0.75, different: 0.55 },
    { same: 0.8, different: 0.78 },
  ]) {
    const result = await calibrate(documents, truth);
    assert.equal(result.sampled, 300);
    assert.equal(result.unsure, 0);
    let mistakes = 0;
    for (const { minResemblance, dropped, wrong, left } of result.thresholds) {
      const expected = await bruteForce(documents, minResemblance, truth);
      assert.deepEqual({ dropped: dropped.count, wrong: wrong.count, left: left.count }, expected, `${minResemblance}`);
      mistakes += expected.wrong;
    }
    if (truth.different > 0.7) assert.ok(mistakes > 20, 'the collection has pairs that low thresholds drop wrongly');
  }
});

test('the thresholds are those from .5 to .95 and the default one', async () => {
  const { thresholds, defaultThreshold } = await calibrate(examples);
  assert.equal(defaultThreshold, MIN_RESEMBLANCE);
  const expected = [0.5, 0.55, 0.6, 0.65, defaultThreshold, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
  assert.deepEqual(valuesOf(thresholds, 'minResemblance'), expected);
});

test('the sets of features have the resemblance that compare computes, in every script and scheme', () => {
  const choices = ['words', { chars: 3 }, { words: 2 }].map((features) => ({ features }));
  for (const options of [{}, { bits: 128 }, { mix: false }, ...choices]) {
    const fingerprinter = new Fingerprinter(options);
    const setOf = (text) => fingerprinter.featureSet(text);
    const check = (a, b) =>
      assert.equal(
        setOf(a).resemblance(setOf(b)),
        fingerprinter.compare(a, b).exactResemblance,
        JSON.stringify([a, b]),
      );
    for (let at = 1; at < examples.length; at += 3) check(examples[at - 1].text, examples[at].text);
    const texts = ['', '!', 'one', '中', '12 34', 'カタカナ・テスト x', 'a中文b', 'สวัสดีครับ 2024', 'abc_カナ def'];
    for (const text of texts) {
      check(text, `${text} ${examples[0].text.slice(0, 80)}`);
      check(text, text);
    }
  }
});

test('the sample of the result has every decision at the recommended threshold', async () => {
  const { recommended, sample } = await calibrate(examples);
  const expected = await collect(dedupe(examples, { minResemblance: recommended }));
  const places = new Map(examples.map(({ id }, at) => [id, at]));
  sample.forEach(({ id, at, isDropped, nearest, resemblance, exact }, place) => {
    assert.deepEqual([id, at], [examples[place].id, place]);
    assert.equal(isDropped, expected[place].status === 'duplicate');
    if (!isDropped) return;
    assert.equal(nearest, places.get(expected[place].duplicateOf));
    assert.equal(resemblance, expected[place].resemblance);
    assert.equal(exact, new Fingerprinter().compare(examples[at].text, examples[nearest].text).exactResemblance);
  });
});

test('short texts are dropped for equal words, blank ones never, and neither is a mistake', async () => {
  const texts = ['', '!', '...', 'Page 12', 'page 12!', 'Page 13', '中', '中', 'one', 'two', 'one', ''];
  const { short, thresholds } = await calibrate(texts.map((text, id) => ({ id, text })));
  assert.equal(short, texts.length);
  const words = texts.map((text) => new Fingerprinter().words(text).join(' ')).filter((joined) => joined !== '');
  const repeated = words.length - new Set(words).size;
  assert.equal(repeated, 3);
  for (const { dropped, wrong, left } of thresholds) {
    assert.deepEqual([dropped.count, wrong.count, left.count], [repeated, 0, 0]);
  }
});

test('labels: pairs that are joined though different, and left apart though the same', async () => {
  const texts = [examples[0].text, `${examples[0].text} And a few words more.`, examples[1].text];
  const documents = texts.map((text, id) => ({ id, text }));
  const labels = [
    { a: 0, b: 1, same: false },
    { a: 1, b: 2 },
    { a: '0', b: 2, same: false },
    { a: 0, b: 'nobody' },
  ];
  const result = await calibrate(documents, { labels });
  assert.deepEqual(result.labels, { same: 1, different: 2, missing: 1 });
  const [near, far] = [1, 2].map((at) => sketch(texts[at]).resemblance(sketch(texts[at === 1 ? 0 : 1])));
  for (const { minResemblance, labels: judged } of result.thresholds) {
    assert.equal(judged.wrong.count, near >= minResemblance ? 1 : 0);
    assert.equal(judged.left.count, far >= minResemblance ? 0 : 1);
  }
  assert.equal((await calibrate(documents)).labels, null);
});

test('a sample is random, of the size that was asked for, and in the order of the source', async () => {
  const documents = edited(400);
  const result = await calibrate(documents, { sample: 50 });
  assert.deepEqual([result.documents, result.sampled, result.expected], [400, 50, 400]);
  const positions = result.sample.map(({ at }) => at);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
  assert.equal(new Set(positions).size, 50);
  assert.ok(positions[0] < 100 && positions.at(-1) > 300);
  assert.deepEqual(await calibrate(documents, { sample: 50 }), result, 'a second run gives the same');
});

test('a sample has every document with the same probability, and bounded memory', () => {
  const seen = new Float64Array(100);
  const runs = 400;
  for (let run = 0; run < runs; run++) {
    // Each run begins in another place, as the random numbers are always the same.
    const sample = new Sample(10);
    for (let at = 0; at < 100; at++) sample.take(() => ({ at, id: (at + run) % 100, set: { size: 0 } }));
    for (const { id } of sample.documents) seen[id]++;
  }
  for (const times of seen) assert.ok(times > 0);
  const bounded = new Sample(1000, 5000);
  for (let at = 0; at < 3000; at++) bounded.take(() => ({ at, set: { size: 1 + (at % 100) } }));
  const total = bounded.documents.reduce((sum, { set }) => sum + set.size, 0);
  assert.ok(total <= 5000 && total > 2500, `${total}`);
  assert.equal(bounded.seen, 3000);
});

test('a text that is too long does not move the positions of the others', async () => {
  const text = (number) =>
    `The road number ${number} to the coast is closed, the council said early on Tuesday, for a week.`;
  const documents = [{ id: 'long', text: 'word '.repeat(900_000) }, ...[1, 2].map((id) => ({ id, text: text(id) }))];
  const { sample, tooLong } = await calibrate(documents);
  assert.equal(tooLong, 1);
  assert.deepEqual(valuesOf(sample, 'at', 'id', 'nearest'), [
    [1, 1, null],
    [2, 2, 1],
  ]);
});

test('a page of a template is compared with a bounded number of others', () => {
  // Half of the features of each page come from the template.
  const count = 1500;
  const random = (at) => Math.imul(at + 1, 0x9e3779b1) >>> 0;
  const shared = Array.from({ length: 50 }, (_, at) => random(at));
  const sets = Array.from({ length: count }, (_, page) =>
    Uint32Array.from([...shared, ...Array.from({ length: 50 }, (_, at) => random(1000 + 50 * page + at))]).sort(),
  );
  const compared = new Uint32Array(count);
  const examiner = {
    isDone: () => false,
    isOther: () => true,
    examine(at) {
      compared[at]++;
      return true;
    },
  };
  const pairs = eachPair(sets, examiner);
  let step = pairs.next();
  while (!step.done) step = pairs.next();
  const most = compared.reduce((a, b) => Math.max(a, b));
  assert.equal(most, 256, 'some page has more candidates than are compared');
  assert.ok(step.value > 0, 'pages with more candidates are counted');
});

test('the intervals are those of Wilson', () => {
  // Brown, Cai and DasGupta, Interval Estimation for a Binomial Proportion (2001): the formula, worked by hand.
  const { low, high } = wilsonInterval(10, 100);
  assert.ok(Math.abs(low / 100 - 0.0552) < 1e-4 && Math.abs(high / 100 - 0.1744) < 1e-4, `${low} ${high}`);
  const none = wilsonInterval(0, 1000);
  assert.equal(none.low, 0);
  assert.ok(Math.abs(none.high - 3.827) < 1e-2, `${none.high}`);
  assert.deepEqual(wilsonInterval(5, 5).high, 5);
});

test('an extrapolation keeps the interval around the count, and no count exceeds the documents', () => {
  for (const count of [0, 3, 500, 1000]) {
    for (const expected of [10, 999, 1000, 1001, 1e6]) {
      const { count: at, low, high } = extrapolate(wilsonInterval(count, 1000), 0.5, 1000, expected);
      assert.ok(0 <= low && low <= at && at <= high && high <= expected, `${[count, expected, low, at, high]}`);
    }
  }
  const { count } = extrapolate(wilsonInterval(1, 1e6), 0.5, 1e6, 4e6);
  assert.ok(Math.abs(count - 8) < 1e-3, 'the share doubles with four times the documents at a power of a half');
});

test('another threshold is recommended only if it is clearly better', () => {
  const rows = [
    { wrong: 0, left: 0 },
    { wrong: 0, left: 3 },
    { wrong: 0, left: 40 },
  ];
  assert.equal(bestThreshold(rows, 1, 10), 1, 'three more are chance');
  assert.equal(bestThreshold(rows, 2, 10), 0, 'forty more are not');
  const many = [
    { wrong: 0, left: 1000 },
    { wrong: 0, left: 900 },
    { wrong: 0, left: 700 },
  ];
  assert.equal(bestThreshold(many.slice(0, 2), 0, 10), 0, 'a tenth is not worth another threshold');
  assert.equal(bestThreshold(many, 0, 10), 2);
  const either = [
    { wrong: 30, left: 0 },
    { wrong: 0, left: 100 },
  ];
  assert.equal(bestThreshold(either, 0, 10), 1);
  assert.equal(bestThreshold(either, 0, 1), 0);
});

test('bad input is an error that names the argument', async () => {
  const documents = [{ id: 1, text: 'one' }];
  const cases = [
    [[undefined], /documents must be an iterable or async iterable of \{ id, text \}, got undefined/],
    [[[]], /documents must be an iterable with at least one document, got an array/],
    [[['text']], /documents\[0\] must be \{ id, text \}, got "text"/],
    [[[{ id: 1, text: 1 }]], /documents\[0\]\.text must be .*, got 1/],
    [[[{ id: 1.5, text: '' }]], /documents\[0\]\.id must be .*, got 1\.5/],
    [[documents, { sample: 0 }], /sample must be a whole number from 1 to 1000000, got 0/],
    [[documents, { expect: '5' }], /expect must be a whole number from 1 to .*, got "5"/],
    [[documents, { same: 2 }], /same must be a number from 0 to 1, got 2/],
    [[documents, { same: 0.5, different: 0.6 }], /different must be a number from 0 to 0\.5, got 0\.6/],
    [[documents, { cost: Number.NaN }], /cost must be a number from 0 to 1000000, got NaN/],
    [[documents, { labels: 'pairs' }], /labels must be an iterable of \{ a, b, same \}, got "pairs"/],
    [[documents, { labels: [{ a: 1 }] }], /labels\[0\]\.b must be .*, got undefined/],
    [[documents, { labels: [{ a: 1, b: 1 }] }], /labels\[0\]\.b must be another id than a, got 1/],
    [[documents, { labels: [{ a: 1, b: 2, same: 'yes' }] }], /labels\[0\]\.same must be true or false, got "yes"/],
    [[documents, { progress: 1 }], /progress must be a function, got 1/],
    [[documents, { minResemblance: 0.5 }], /option must be one of .*, got "minResemblance"/],
  ];
  await checkRefusals(cases.map(([args, message]) => [() => calibrate(...args), message]));
});

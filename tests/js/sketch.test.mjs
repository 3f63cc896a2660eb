// Sketches: their binary form, and the estimated resemblance against the exact one of real documents.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  compare,
  Deduplicator,
  isNearDuplicate,
  MIN_FEATURES,
  MIN_RESEMBLANCE,
  resemblance,
  Sketch,
  Sketcher,
  sketch,
  sketchAll,
} from '../../pkg/index.js';
import { random } from './random.mjs';
import { checkRefusals } from './refusals.mjs';
import { hexesOf, valuesOf } from './values.mjs';

const sample = readFileSync(new URL('../../examples/sample.jsonl', import.meta.url), 'utf8');
const texts = sample
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line).text);

/** A text of 8 to 15 different features. */
const brief = 'The road to the harbour is closed';

/** The features of several words, of a text that is not blank. */
const pairsOf = (text) =>
  new Set(compare(text, '').onlyA.flatMap(({ feature, decides }) => (decides ? [feature] : [])));

/** The number of different features. */
const countOf = (text, options) => compare(text, '', options).onlyA.length;

function exactResemblance(a, b) {
  let shared = 0;
  for (const hash of a) if (b.has(hash)) shared++;
  return shared / (a.size + b.size - shared);
}

/** Errors of estimates: their mean, and the root of their mean square. */
function errorsOf(pairs) {
  const errors = pairs.map(([estimate, exact]) => estimate - exact);
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return { bias: mean(errors), deviation: Math.sqrt(mean(errors.map((error) => error * error))) };
}

test('the standard error of the estimate is the documented one', (t) => {
  const next = random(1);
  const pairs = [];
  for (const text of texts) {
    const [pairsA, a] = [pairsOf(text), sketch(text)];
    const units = text.split(/(?<=[\s\p{Script=Han}])/u);
    for (const rate of [2, 3, 4, 5, 8, 12, 20, 40, 100]) {
      const edited = units.filter(() => next(rate) !== 0).join('');
      const b = sketch(edited);
      if (!b.isShort) pairs.push([a.resemblance(b), exactResemblance(pairsA, pairsOf(edited))]);
    }
  }
  for (const [from, to, most, least] of [
    [0.2, 0.4, 0.09, 0.03],
    [0.4, 0.6, 0.055, 0.03],
    [0.65, 0.75, 0.04, 0.01],
    [0.85, 0.95, 0.02, 0.005],
  ]) {
    const some = pairs.filter(([, exact]) => exact >= from && exact < to);
    const { bias, deviation } = errorsOf(some);
    t.diagnostic(`${from} to ${to}: ${some.length} pairs, error ${deviation.toFixed(4)}, bias ${bias.toFixed(4)}`);
    assert.ok(some.length > 50, `${from}: ${some.length} pairs`);
    assert.ok(deviation <= most && deviation >= least, `${from}: standard error ${deviation}`);
    assert.ok(Math.abs(bias) < 0.01, `${from}: bias ${bias}`);
  }
});

/** Words of equal FNV hashes: anyone can find such words. */
const colliding = { is: 'bivzfosmrjblug', the: 'hswthsacrnvmgp' };
const forge = (text) => text.replace(/\b(?:is|the)\b/g, (word) => colliding[word]);

test('a forged text has an equal sketch, and exact comparison tells it apart', () => {
  // 3 of its 12 word pairs have neither "is" nor "the".
  const long = 'the river is high and the road is closed since the council met';
  for (const [text, exact] of [
    [long, 3 / 21],
    ['the road is closed', 0],
    ['the', 0],
  ]) {
    const forged = forge(text);
    assert.ok(forged !== text && sketch(text).equals(sketch(forged)));
    assert.ok(isNearDuplicate(text, forged));
    const compared = compare(text, forged);
    assert.equal(compared.resemblance, 1);
    assert.equal(compared.exactResemblance, exact);
    assert.equal(isNearDuplicate(text, forged, { resemblance: exact }), false);
    const { exactResemblance } = compare(text, text.toUpperCase());
    assert.ok(isNearDuplicate(text, text.toUpperCase(), { resemblance: exactResemblance }));
  }
});

test('blank texts resemble nothing', () => {
  for (const [options, blank, others] of [
    [undefined, ['', ' ... ', '—“”'], ['a', '$', '👍', '中']],
    [{ features: { chars: 3 } }, ['', ' \t\n', '\u3000'], ['a', '.', '?!']],
  ]) {
    for (const text of [...blank, ...others]) {
      const one = sketch(text, options);
      const isBlank = blank.includes(text);
      assert.deepEqual([one.isBlank, one.isShort, one.keys.length], [isBlank, true, Number(!isBlank)], text);
      assert.equal(Sketch.fromBytes(one.toBytes()).isBlank, isBlank);
      assert.equal(one.resemblance(one), Number(!isBlank));
      assert.equal(isNearDuplicate(one, one), !isBlank);
      assert.equal(compare(text, text, options).exactResemblance, Number(!isBlank));
    }
    assert.ok(sketch(blank[0], options).equals(sketch(blank[1], options)));
  }
});

test('documents that share nothing resemble each other little', () => {
  const sketches = sketchAll(texts);
  const sets = texts.map(pairsOf);
  let unrelated = 0;
  for (let a = 0; a < texts.length; a++) {
    for (let b = 0; b < a; b++) {
      if (exactResemblance(sets[a], sets[b]) > 0.05) continue;
      unrelated++;
      // Far from the threshold, the estimate is rough.
      assert.ok(sketches[a].resemblance(sketches[b]) < 0.5);
    }
  }
  assert.ok(unrelated > 10_000);
});

test('texts in place of sketches have the scheme of the sketch, or of the options', () => {
  const [a, b] = [texts[0], `${texts[0]} And a few words more at the end.`];
  const key = new TextEncoder().encode('sixteen bytes!!!');
  for (const options of [undefined, { features: { chars: 4 } }, { key }]) {
    const [first, second] = sketchAll([a, b], options);
    const expected = first.resemblance(second);
    assert.ok(expected > 0.7 && expected < 1);
    const keyOnly = { key: options?.key };
    const bytes = new TextEncoder().encode(b);
    assert.equal(resemblance(a, bytes, options), expected);
    assert.equal(resemblance(first, b, keyOnly), expected);
    assert.equal(resemblance(a, second, keyOnly), expected);
    for (const minResemblance of [expected, expected + 1e-9]) {
      const isNear = minResemblance === expected;
      assert.equal(isNearDuplicate(first, second, { minResemblance }), isNear);
      assert.equal(isNearDuplicate(a, bytes, { minResemblance, ...options }), isNear);
      assert.equal(isNearDuplicate(first, b, { minResemblance, ...keyOnly }), isNear);
      assert.equal(isNearDuplicate(a, second, { minResemblance, ...keyOnly }), isNear);
    }
  }
  assert.throws(() => resemblance(sketch(a, { key }), b), { argument: 'key' });
});

test('short texts resemble each other only if they have the same words', () => {
  const [news, same, other, empty, long] = sketchAll(['Good news', 'GOOD news!', 'news good', '', texts[0]]);
  assert.deepEqual(valuesOf([news, same, other, empty, long], 'isShort'), [true, true, true, true, false]);
  assert.equal(news.resemblance(same), 1);
  for (const [a, b] of [
    [news, other],
    [news, empty],
    [news, long],
    [long, empty],
  ]) {
    assert.equal(a.resemblance(b), 0);
    assert.equal(b.resemblance(a), 0);
  }
  // The same features in another order.
  assert.equal(sketch('a b a c a').resemblance(sketch('a c a b a')), 0);
});

test('the functions and the methods, with every kind of text', () => {
  for (const choices of [undefined, { features: { words: 3 } }, { features: { chars: 2 } }]) {
    const sketcher = new Sketcher(choices);
    const some = [
      ...texts.slice(0, 5),
      '',
      'one',
      Buffer.from(texts[6]),
      Uint8Array.of(0xff, 0x41),
      texts[7].repeat(40),
    ];
    const expected = some.map((text) => sketch(text, choices).toHex());
    assert.deepEqual(hexesOf(sketchAll(new Set(some), choices)), expected);
    assert.deepEqual(hexesOf(sketcher.sketchAll(some)), expected);
    for (const [at, text] of some.entries()) {
      const one = sketcher.sketch(text);
      assert.equal(one.toHex(), expected[at]);
      assert.equal(one.scheme, sketcher.id);
      assert.equal(one.isShort, countOf(text, choices) < MIN_FEATURES);
      assert.equal(one.hasFewFeatures, countOf(text, choices) < 16);
      const stream = sketcher.stream();
      for (let from = 0; from < text.length; from += 1000) stream.update(text.slice(from, from + 1000));
      assert.equal(stream.sketch().toHex(), expected[at]);
    }
  }
});

test('a stream continues after a sketch, and a half character at its end counts as U+FFFD until the rest comes', () => {
  const stream = new Sketcher().stream();
  assert.ok(stream.sketch().equals(sketch('')));
  assert.ok(stream.update('Good new').sketch().equals(sketch('Good new')));
  assert.ok(stream.update('s').sketch().equals(sketch('Good news')));
  const bytes = Buffer.from('Good news 网页');
  stream.update(bytes.subarray(9, 11));
  assert.ok(stream.sketch().equals(sketch('Good news \ufffd')));
  assert.ok(stream.update(bytes.subarray(11)).sketch().equals(sketch('Good news 网页')));
  assert.ok(stream.update('\ud842').sketch().equals(sketch('Good news 网页\ufffd')));
  assert.ok(stream.update('\udfb7').sketch().equals(sketch('Good news 网页𠮷')));
  assert.ok(
    stream.update('\ud842').update(bytes.subarray(10, 11)).sketch().equals(sketch('Good news 网页𠮷\ufffd\ufffd')),
  );
});

test('a sketch is read back from its binary form and its hexadecimal digits', () => {
  for (const text of [texts[0], brief, 'short', '']) {
    const one = sketch(text);
    const bytes = one.toBytes();
    assert.equal(bytes.length, one.isShort ? 20 : 180);
    assert.equal(one.toHex(), Buffer.from(bytes).toString('hex'));
    for (const read of [
      Sketch.fromBytes(bytes),
      Sketch.fromBytes(Buffer.concat([Buffer.of(7), bytes]).subarray(1)),
      Sketch.fromHex(one.toHex()),
      Sketch.fromHex(one.toHex().toUpperCase()),
      Sketch.fromHex(JSON.parse(JSON.stringify(one))),
    ]) {
      assert.ok(read.equals(one) && one.equals(read));
      assert.deepEqual(read.toBytes(), bytes);
      assert.deepEqual([read.scheme, read.isShort, read.hashes], [one.scheme, one.isShort, one.hashes]);
      assert.equal(read.resemblance(one), Number(text !== ''));
    }
    // A sketch does not change with the bytes that it was read from, or that it returned.
    const read = Sketch.fromBytes(bytes);
    bytes.fill(0);
    read.toBytes().fill(0);
    assert.ok(read.equals(one));
  }
  assert.equal(sketch(texts[0]).equals(sketch(texts[1])), false);
  // Sketches share an array, which is never visible.
  const [first, second] = sketchAll(['one', 'two']);
  first.toBytes().fill(0);
  assert.ok(second.equals(sketch('two')));
});

test('console.log prints the scheme, the kind and the hashes', () => {
  const stored = new Deduplicator().add('a', texts[0]).get('a');
  for (const [one, kind] of [
    [sketch('Good news'), 'short'],
    [sketch(texts[0]), 'with keys'],
    [stored, 'without keys'],
  ]) {
    const hashes = one.hashes.map((hash) => hash.toString(16).padStart(16, '0')).join(' ');
    assert.equal(inspect(one), `Sketch { scheme: 's1', ${kind}, hashes: ${hashes} }`);
  }
});

test('a sketch is cloned and sent as bytes: a clone would have lost its content', async () => {
  const [one, { port1, port2 }] = [sketch(texts[0]), new MessageChannel()];
  const expected = { name: 'DataCloneError', message: /a Sketch cannot be cloned: send toBytes\(\), and read it by/ };
  for (const clone of [
    () => structuredClone(one),
    () => structuredClone(new Map([['a', [one]]])),
    () => structuredClone({ ...one }),
    () => port1.postMessage({ id: 7, sketch: one }),
  ]) {
    assert.throws(clone, expected);
  }
  port1.postMessage(one.toBytes());
  const [bytes] = await once(port2, 'message');
  port1.close();
  assert.ok(Sketch.fromBytes(bytes).equals(one));
  assert.ok(Sketch.fromHex(JSON.parse(JSON.stringify({ one })).one).equals(one));
});

test('the sketch of a kept document has no keys, and is equal', () => {
  for (const text of [texts[0], brief]) {
    const [one, stored] = [sketch(text), new Deduplicator().add('a', text).get('a')];
    assert.ok(stored.equals(one) && one.equals(stored));
    assert.equal(stored.resemblance(one), 1);
    assert.deepEqual(stored.hashes, one.hashes);
    assert.equal(stored.hasFewFeatures, one.hasFewFeatures);
    assert.deepEqual([one.keys.length, stored.keys.length], [13, 0]);
    const head = 2 * (4 + 16 + 64);
    assert.equal(
      stored.toHex(),
      one
        .toHex()
        .slice(0, head)
        .replace(/^(027331)../, '$101'),
    );
    assert.ok(Sketch.fromHex(stored.toHex()).equals(stored));
  }
});

test('documents are equal if their normalised words or characters in order are', () => {
  const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
  const long = words.join(' ');
  const halves = [...words.slice(150), ...words.slice(0, 150)].join(' ');
  const cases = [
    [{}, long, `${long.toUpperCase()}!`, true],
    [{}, long, long.replaceAll(' ', ', '), true],
    [{}, long, words.with(17, 'other').join(' '), false],
    [{}, long, halves, false],
    [{}, long, `${long} word0`, false],
    [{}, brief, brief.toUpperCase(), true],
    [{}, 'Good news', 'good-news', true],
    [{}, 'Good news', 'Goodnews', false],
    [{}, '', ' … ', true],
    [{ features: { words: 1 } }, long, halves, false],
    [{ features: { chars: 2 } }, long, long.toUpperCase(), true],
    [{ features: { chars: 2 } }, long, `${long}!`, false],
    [{ features: { chars: 5 } }, 'Good news', 'GOOD\n NEWS', true],
  ];
  for (const [choices, a, b, areEqual] of cases) {
    const [one, other] = sketchAll([a, b], choices);
    assert.equal(one.equals(other), areEqual, `${JSON.stringify(choices)} ${b.slice(0, 20)}`);
    assert.equal(other.equals(one), areEqual);
    // The same rule for a stored one.
    assert.equal(new Deduplicator(choices).add('a', a).get('a').equals(other), areEqual);
  }
  assert.equal(sketch(long).equals(sketch(long, { features: { words: 3 } })), false);
});

test('short and brief texts, by the number of different features', () => {
  for (let count = 0; count <= 20; count++) {
    const text = Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
    const one = sketch(text, { features: { words: 1 } });
    assert.deepEqual([one.isShort, one.hasFewFeatures], [count < MIN_FEATURES, count < 16], `${count}`);
  }
  assert.deepEqual([MIN_FEATURES, MIN_RESEMBLANCE], [8, 0.67]);
});

test('isNearDuplicate has the rule of observe', () => {
  const pairs = [];
  for (const text of [brief, texts[0], texts[1], 'Good news', texts[2].slice(0, 200)]) {
    const words = text.split(' ');
    const edits = [text.toUpperCase(), `${text} more`, words.slice(1).join(' '), words.with(1, 'other').join(' ')];
    for (const other of [...edits, texts[3]]) pairs.push([sketch(text), sketch(other)]);
  }
  const isFound = (a, b) => a.keys.some((key) => b.keys.includes(key));
  const counts = { true: 0, false: 0 };
  for (const [a, b] of pairs) {
    for (const minResemblance of [undefined, 0.1, 0.67, 0.75, 0.9, 1]) {
      const { status } = new Deduplicator().add('a', a).observe('b', b, { minResemblance });
      assert.equal(status === 'duplicate', isNearDuplicate(a, b, { minResemblance }) && isFound(b, a));
      counts[status === 'duplicate']++;
    }
  }
  assert.ok(counts.true > 30 && counts.false > 30, JSON.stringify(counts));
  const [a, b] = [sketch(texts[0]), sketch(texts[1])];
  assert.equal(isNearDuplicate(a, b, { resemblance: 0.67 }), true);
  assert.equal(isNearDuplicate(a, b, { resemblance: 0.66 }), false);
  assert.equal(isNearDuplicate(sketch(brief), a, { resemblance: 0.74 }), false);
  assert.equal(isNearDuplicate(sketch(brief), a, { resemblance: 0.75 }), true);
  // No word pair, so all of them are in common.
  assert.equal(isNearDuplicate(sketch('one'), sketch('two'), { resemblance: 1 }), false);
  assert.equal(isNearDuplicate(sketch('one'), sketch('ONE'), { resemblance: 1 }), true);
});

test('wrong arguments are named', async () => {
  const one = sketch(texts[0]);
  const takesSketch = 'must be a Sketch, got';
  const takesText = 'must be a string or a Uint8Array of UTF-8, got';
  const notSketch = /^nearprint: bytes must be the binary form of a sketch, got \d+ bytes that are not$/;
  const hex = 'hex must be a string of two hexadecimal digits for each byte, got';
  const foreign = sketch(texts[0], { features: { words: 1 } });
  const otherScheme = 'other must be of the scheme s1, got one of s1:words1';
  const cases = [
    [() => sketch(7), 'text must be a string or a Uint8Array of UTF-8, got 7'],
    [() => sketch('a', { scheme: 'v1:64' }), "scheme must be an id that starts with s1, got 'v1:64'"],
    [() => sketch('a', { scheme: 7 }), "scheme must be an id such as 's1', got 7"],
    [
      () => sketch('a', { scheme: 's1', features: { words: 2 } }),
      'scheme must be absent together with features, got "s1"',
    ],
    [() => sketch('a', { features: { words: 65 } }), 'features.words must be a whole number from 1 to 64, got 65'],
    [() => sketchAll('ab'), 'texts must be an iterable of texts, got "ab"'],
    [() => sketchAll(['a', 7]), 'texts[1] must be a string or a Uint8Array of UTF-8, got 7'],
    [() => resemblance(7n, one), `a ${takesText} 7n`],
    [() => resemblance(one, {}), `b ${takesText} an object (Object)`],
    [() => resemblance(one, foreign), otherScheme],
    [() => one.resemblance(), `other ${takesSketch} undefined`],
    [() => one.equals(null), `other ${takesSketch} null`],
    [() => Sketch.fromBytes([1]), 'bytes must be a Uint8Array, got an array'],
    [() => Sketch.fromHex(7), `${hex} 7`],
    [() => Sketch.fromHex('abc'), `${hex} "abc"`],
    [() => Sketch.fromHex(''), `${hex} ""`],
    [() => Sketch.fromHex('00'), notSketch],
    [() => Sketch.fromBytes(new Uint8Array()), notSketch],
    [() => Sketch.fromBytes(one.toBytes().subarray(1)), notSketch],
    [() => Sketch.fromBytes(one.toBytes().subarray(0, -1)), notSketch],
    [() => Sketch.fromBytes(Buffer.concat([one.toBytes(), Buffer.of(0)])), notSketch],
    [() => one.resemblance(foreign), otherScheme],
    [() => isNearDuplicate(one, foreign), otherScheme],
    [() => isNearDuplicate(one, foreign, { resemblance: 0.9 }), otherScheme],
    [() => isNearDuplicate(7, one), `a ${takesText} 7`],
    [() => isNearDuplicate(one, null), `b ${takesText} null`],
    [() => isNearDuplicate(one, one, { resemblance: 2 }), 'resemblance must be a number from 0 to 1, got 2'],
  ];
  await checkRefusals(cases);
  // The engine that reads sketches works after an error.
  assert.equal(one.resemblance(one), 1);
});

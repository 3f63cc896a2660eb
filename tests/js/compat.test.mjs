// Tests nearprint/compat with the vectors, with a segmenter, and with bad input.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Jieba, TfIdf } from '@node-rs/jieba';
import { dict, idf } from '@node-rs/jieba/dict.js';
import { failures, inputOf } from './compat-vectors.mjs';

/** The tested entry of the built package. */
const COMPAT = process.env.NEARPRINT_COMPAT ?? '../../pkg/compat.js';

const { fingerprint, fingerprintAll, schemes, distance, similarity, toHex } = await import(COMPAT);

const vectors = JSON.parse(readFileSync(new URL('../compat.json', import.meta.url), 'utf8'));

test('the fingerprints are the ones of the other programs', () => {
  assert.deepEqual(failures({ fingerprint, toHex }, vectors), []);
  assert.deepEqual(new Set(vectors.map(({ scheme }) => scheme)), new Set(schemes.map(({ name }) => name)));
});

test('fingerprintAll equals fingerprint of each input', () => {
  for (const { name: scheme, bits: widths } of schemes) {
    for (const bits of widths) {
      const of = vectors.filter((vector) => vector.scheme === scheme && vector.bits === bits);
      const all = fingerprintAll(of.map(inputOf), { scheme, bits });
      assert.ok(all instanceof (bits === 32 ? Uint32Array : BigUint64Array));
      const words = bits === 128 ? 2 : 1;
      assert.equal(all.length, of.length * words);
      of.forEach(({ hex }, i) => {
        const high = bits === 128 ? BigInt(all[2 * i + 1]) << 64n : 0n;
        assert.equal(toHex(high | BigInt(all[words * i]), bits), hex);
      });
    }
  }
});

test('the default of bits is the default of the original program', () => {
  for (const { name: scheme, input, defaultBits: bits } of schemes) {
    const document =
      input === 'text'
        ? 'some words'
        : [
            ['some', 2],
            ['words', 1],
          ];
    assert.equal(fingerprint(document, { scheme }), fingerprint(document, { scheme, bits }));
  }
});

test('bytes are read as UTF-8', () => {
  for (const scheme of ['simhash-java', '1e0ng', 'charikar-py']) {
    for (const string of ['', 'naïve 网页 😀', '\ufeffmark']) {
      assert.equal(fingerprint(new TextEncoder().encode(string), { scheme }), fingerprint(string, { scheme }));
    }
    assert.equal(fingerprint(Uint8Array.of(0x61, 0xff), { scheme }), fingerprint('a\ufffd', { scheme }));
  }
});

test('pairs can be any iterable', () => {
  const options = { scheme: 'zxub' };
  const pairs = [
    ['网页', 2],
    ['内容', 1],
  ];
  assert.equal(fingerprint(new Map(pairs), options), fingerprint(pairs, options));
  assert.equal(fingerprint(pairs.values(), options), fingerprint(pairs, options));
});

test('3 differing bits of 32 are a difference of 0.09375', () => {
  assert.equal(1 - similarity(0n, 0b111n, 32), 0.09375);
  const [a, b] = vectors
    .filter(({ scheme, source }) => scheme === 'charikar-py' && source?.includes('14 of 128 bits'))
    .map((vector) => fingerprint(inputOf(vector), { scheme: 'charikar-py' }));
  assert.equal(distance(a, b), 14);
});

test('from text to fingerprint with a segmenter', async (t) => {
  const jieba = Jieba.withDict(dict);
  const tfidf = TfIdf.withDict(idf);
  // Like jieba.analyse and cppjieba: also words that are not in the dictionary.
  tfidf.setConfig({ useHmm: true });
  /** [keyword, weight] pairs, heaviest first. */
  const keywords = (text, top) =>
    tfidf.extractKeywords(jieba, text, top).map(({ keyword, weight }) => [keyword, weight]);

  await t.test('jiebaR', () => {
    const of = (text) => toHex(fingerprint(keywords(text, 2), { scheme: 'jieba' }));
    assert.equal(of('你妈妈叫你回家吃饭啊'), '48f024068dec1c16');
    assert.equal(of('你妈妈喊你回家吃饭,回家喽'), '7f752210e29e2724');
  });

  await t.test('the Python SimHash over jieba.analyse', () => {
    const of = vectors.filter(({ scheme, source }) => scheme === 'keywords-py' && source?.includes('Python on: '));
    assert.equal(of.length, 3);
    for (const { source, hex } of of) {
      const text = source.slice(source.indexOf(': ') + 2);
      assert.equal(toHex(fingerprint(keywords(text, 50), { scheme: 'keywords-py' })), hex, text);
    }
  });
});

test('bad input throws, and the message names what is right', () => {
  const wrong =
    (...parts) =>
    (error) => {
      assert.equal(error.name, 'ArgumentError', error.message);
      assert.ok(error instanceof TypeError);
      for (const part of parts) assert.ok(error.message.includes(part), error.message);
      return true;
    };
  const throws = (input, options, expected) => assert.throws(() => fingerprint(input, options), expected);

  throws('a', undefined, wrong('scheme', 'undefined', "'1e0ng'"));
  throws('a', null, wrong('options'));
  throws('a', { scheme: 1 }, wrong('scheme', "'zxub'", '1'));
  throws('a', { scheme: 'simhash' }, wrong('scheme', "'zxub'", '"simhash"'));
  throws('a', { scheme: '__proto__' }, wrong('scheme'));
  throws('a', { scheme: '1e0ng', width: 64 }, wrong('option', 'width'));
  for (const { name: scheme, input, bits: widths } of schemes) {
    const document = input === 'text' ? 'a' : [['a', 1]];
    for (const bits of [0, 1, 16, 32, 63, 64, 64.5, 128, 256, -64, Number.NaN, 2 ** 32 + 64]) {
      if (widths.includes(bits)) assert.equal(typeof fingerprint(document, { scheme, bits }), 'bigint');
      else throws(document, { scheme, bits }, wrong('bits', ...widths.map(String), `'${scheme}'`));
    }
    for (const bits of ['64', 64n, null]) throws(document, { scheme, bits }, wrong('bits', `'${scheme}'`));
    const inputs =
      input === 'text' ? [[['a', 1]], 1, null, undefined, {}] : ['a', 1, null, undefined, {}, new Uint8Array(2)];
    for (const value of inputs)
      throws(value, { scheme }, wrong('input', input === 'text' ? 'a string' : 'pairs', `'${scheme}'`));
    assert.throws(() => fingerprintAll('a', { scheme }), wrong('inputs', '"a"'));
    assert.throws(() => fingerprintAll([document, 1], { scheme }), wrong('inputs[1]', `'${scheme}'`));
  }
  for (const scheme of ['zxub', 'jieba', 'keywords-py']) {
    throws(['a'], { scheme }, wrong('input[0]', '[', '"a"'));
    throws([['a', 1], ['b']], { scheme }, wrong('input[1][1]', 'undefined'));
    throws([['a', '1']], { scheme }, wrong('input[0][1]', '"1"'));
    throws([[1, 1]], { scheme }, wrong('input[0][0]', 'a string'));
    for (const weight of [Number.NaN, Infinity])
      throws([['a', weight]], { scheme }, wrong('input[0][1]', `'${scheme}'`));
  }
  for (const count of [-1, 0.5, 2 ** 31]) throws([['a', count]], { scheme: 'zxub' }, wrong(`${count}`, '2147483647'));
  throws(
    [
      ['a', 2 ** 31 - 1],
      ['b', 1],
    ],
    { scheme: 'zxub' },
    wrong('scheme zxub', 'counts must be at most 2147483647 in all'),
  );
  throws([['\ud83d', 1]], { scheme: 'jieba' }, wrong('scheme jieba', 'lone surrogate'));
  throws([['', 1]], { scheme: 'keywords-py' }, wrong('scheme keywords-py', 'empty'));
  // The errors leave the module usable.
  assert.equal(toHex(fingerprint('', { scheme: '1e0ng' })), 'e9800998ecf8427e');
});

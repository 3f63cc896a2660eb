// The truth of benches/quality in comparison with brute force over sets of strings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAR, judge, NEAR } from '../../benches/quality/judge.mjs';
import { dropByMinHash } from '../../benches/quality/minhash.mjs';
import { tokensOf as foldedTokens } from '../../benches/quality/shingles.mjs';
import { SimilarityIndex, Truth } from '../../benches/quality/truth.mjs';
import { random } from './random.mjs';

// The texts have ASCII words and Han characters only, so brute force needs no Unicode data.
const isHan = (token) => token >= '一';

function tokensOf(text) {
  const tokens = [];
  for (const word of text.toLowerCase().split(' ')) {
    if (isHan(word)) tokens.push(...word);
    else if (word !== '') tokens.push(word);
  }
  return tokens;
}

function shinglesOf(tokens, width) {
  const shingles = new Set([tokens.slice(0, width).join(' ')]);
  for (let at = 0; at + width <= tokens.length; at++) shingles.add(tokens.slice(at, at + width).join(' '));
  return shingles;
}

/** Returns the kind of a text and its shingles of each kind. */
function parsed(text) {
  const tokens = tokensOf(text);
  const kind = 2 * tokens.filter(isHan).length > tokens.length ? 5 : 3;
  return { kind, 3: shinglesOf(tokens, 3), 5: shinglesOf(tokens, 5) };
}

function share(a, b) {
  const both = [...a].filter((shingle) => b.has(shingle)).length;
  return both / (a.size + b.size - both);
}

const resemblance = (a, b) => Math.max(share(a[a.kind], b[a.kind]), share(a[b.kind], b[b.kind]));

const below = random(30);

/** A text of a few frequent words, or of Han characters, or of as many of both. */
function makeText() {
  const share = below(3);
  const length = below(4) === 0 ? below(6) : below(40);
  const isNextHan = (at) => (share === 1 ? at % 2 === 0 : share === 2);
  const token = (_, at) => (isNextHan(at) ? String.fromCharCode(0x4e00 + below(40)) : `w${below(40)}`);
  return Array.from({ length }, token).join(' ');
}

const edited = (text) =>
  text
    .split(' ')
    .map((word) => (below(30) === 0 ? ['語', 'word'][below(2)] : word))
    .join(' ');

const texts = [];
for (let at = 0; at < 300; at++) texts.push(at < 60 ? makeText() : edited(texts[below(at)]));
const truth = new Truth(texts);
const sets = texts.map(parsed);
const exact = sets.map((a) => sets.map((b) => resemblance(a, b)));

test('the resemblance is the one of sets of strings', () => {
  let mixed = 0;
  for (const a of texts.keys()) {
    for (const b of texts.keys()) {
      assert.equal(truth.resemblance(a, b), exact[a][b], `"${texts[a]}" and "${texts[b]}"`);
      if (sets[a].kind !== sets[b].kind && exact[a][b] >= FAR) mixed++;
    }
  }
  assert.ok(mixed > 10, `${mixed} similar pairs of different kinds`);
});

for (const threshold of [FAR, NEAR, 1]) {
  test(`an index of ${threshold} finds a document if brute force does`, () => {
    const index = new SimilarityIndex(truth, threshold);
    const [kept, counts] = [[], { found: 0, none: 0 }];
    for (const document of texts.keys()) {
      const found = index.find(document);
      const exists = kept.some((other) => exact[document][other] >= threshold);
      assert.equal(found !== undefined, exists, `document ${document}`);
      if (exists) assert.ok(exact[document][found] >= threshold);
      counts[exists ? 'found' : 'none']++;
      if (exists && below(3) > 0) continue;
      index.add(document);
      kept.push(document);
    }
    assert.ok(counts.found > 40 && counts.none > 40, JSON.stringify(counts));
  });
}

test('a verdict is the one that brute force gives', () => {
  const dropped = texts.map((_, document) => (document > 0 && below(2) === 0 ? 0 : undefined));
  const kept = [...texts.keys()].filter((document) => dropped[document] === undefined);
  const expected = texts.map((_, document) => {
    if (dropped[document] !== undefined) {
      return kept.some((other) => exact[document][other] >= FAR) ? undefined : 'wrong';
    }
    return kept.some((other) => other < document && exact[document][other] >= NEAR) ? 'left' : undefined;
  });
  assert.deepEqual(judge(truth, dropped), expected);
  assert.ok(expected.includes('wrong') && expected.includes('left'));
});

test('MinHash drops what resembles a kept document', () => {
  const set = (from, to) => Uint32Array.from({ length: to - from }, (_, at) => from + at);
  const sets = [set(0, 100), set(0, 100), set(200, 300), set(1, 100), set(250, 350)];
  for (const verify of [false, true]) {
    assert.deepEqual(dropByMinHash(sets, { verify }), [undefined, 0, undefined, 0, undefined]);
  }
});

const spellings = {
  case: ['Straße STRASSE', 'ΟΔΟΣ οδος', 'ŒUVRE œuvre', 'İstanbul istanbul ıstanbul'],
  accents: ['déjà deja', 'zażółć zazolc', 'tiếng tieng', 'άλλος αλλος', 'ёлка елка', 'smørrebrød smorrebrod'],
  points: ['שָׁלוֹם שלום', 'كِتَاب كتاب', 'أحمد احمد', 'كـــتاب كتاب', 'علی علي', 'ܫܠܳܡܳܐ ܫܠܡܐ'],
  joiners: ["it's its it’s itʼs", "dogs' dogs", "'twas twas", 'col·lega collega', 'ג׳ורג גורג', "l'été2 lete2"],
  ignorable: ['co\u00adoperate cooperate', 'می\u200cروم میروم'],
};

test('the tokens of two spellings of a word are the same', () => {
  for (const words of Object.values(spellings).flat()) {
    const tokens = words.split(' ').map(foldedTokens);
    for (const [at, own] of tokens.entries()) assert.deepEqual(own, tokens[0], `${words}: ${at}`);
    assert.equal(tokens[0].length, 1, words);
  }
  const broken = ['co-\noperate', 'co\u2010\r\n  operate', 'co\u00ad\u2028operate'];
  for (const words of broken) assert.deepEqual(foldedTokens(words), ['cooperate'], words);
});

test('the tokens of other words differ', () => {
  for (const [a, b] of [
    ["5'10", '510'],
    ['3·50', '350'],
    ['हिन्दी', 'हनद'],
    ['は', 'ば'],
    ['ที่', 'ท'],
    ['co- operate', 'cooperate'],
    ['co-operate', 'cooperate'],
    ['5-\n10', '510'],
    ['語-\n語', '語語x'],
  ]) {
    assert.notDeepEqual(foldedTokens(a), foldedTokens(b), `${a} and ${b}`);
  }
  // Each character of a script without spaces is a token.
  assert.deepEqual(foldedTokens('日本ㄅㄆ ꀀꀁ ᦀᦁ'), [...'日本ㄅㄆꀀꀁᦀᦁ']);
});

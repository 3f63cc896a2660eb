// compare() against a count of words and word pairs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare, resemblance } from '../../pkg/index.js';
import { random } from './random.mjs';

/** The features of words of ASCII by their numbers, in the order in which they first end: each word, and each pair. */
function featuresOf(text) {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  const features = new Map();
  const count = (feature, decides) => {
    const known = features.get(feature);
    features.set(feature, { decides, count: (known?.count ?? 0) + 1 });
  };
  for (const [at, word] of words.entries()) {
    count(word, false);
    if (at > 0) count(`${words[at - 1]} ${word}`, true);
  }
  return features;
}

function compareNaively(a, b) {
  const [ofA, ofB] = [featuresOf(a), featuresOf(b)];
  const all = [...new Map([...ofA, ...ofB])].map(([feature, { decides }]) => ({
    feature,
    counts: { a: ofA.get(feature)?.count ?? 0, b: ofB.get(feature)?.count ?? 0 },
    decides,
  }));
  const [shared, onlyA, onlyB] = [
    all.filter(({ counts }) => counts.a > 0 && counts.b > 0),
    all.filter(({ counts }) => counts.b === 0),
    all.filter(({ counts }) => counts.a === 0),
  ];
  const deciding = (features) => features.filter(({ decides }) => decides).length;
  const share = (part, rest) => (part + rest === 0 ? 1 : part / (part + rest));
  const [inBoth, inA, inB] = [deciding(shared), deciding(onlyA), deciding(onlyB)];
  return {
    scheme: 's1',
    resemblance: resemblance(a, b),
    exactResemblance: inBoth / (inBoth + inA + inB),
    containment: { a: share(inBoth, inA), b: share(inBoth, inB) },
    shared,
    onlyA,
    onlyB,
  };
}

test('compare counts the features of both texts', () => {
  const next = random(1);
  const textOf = (count) => Array.from({ length: count }, () => `${'abcdefgh'[next(8)]}${'lmn'[next(3)]}`).join(' ');
  for (let round = 0; round < 200; round++) {
    const a = textOf(2 + next(30));
    const words = a.split(' ');
    for (let edits = next(6); edits > 0; edits--) words.splice(next(words.length), next(2), textOf(1));
    const b = next(4) === 0 ? textOf(2 + next(30)) : words.join(', ').toUpperCase();
    if (featuresOf(b).size < 3) continue;
    assert.deepEqual(compare(a, new TextEncoder().encode(b)), compareNaively(a, b), `${a} | ${b}`);
  }
});

test('compare of texts without a word pair: equal ones resemble each other, and blank ones nothing', () => {
  assert.deepEqual(compare('', 'a red house').containment, { a: 1, b: 0 });
  const exactOf = (a, b) => compare(a, b).exactResemblance;
  assert.deepEqual([exactOf('one', 'two'), exactOf('one', 'ONE!'), exactOf('', ''), exactOf('!', '...')], [0, 1, 0, 0]);
});

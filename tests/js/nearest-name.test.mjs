// The name that is suggested for a misspelt one.
import assert from 'node:assert/strict';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { random } from './random.mjs';

const { nearestName } = await importSource('js/common/nearest-name.ts');

const letters = [...'abc'];

/** Returns the words at one edit: an insertion, a deletion, a replacement, or a swap of neighbours. */
function edited(word) {
  const found = [];
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) found.push(head + letter + tail, head + letter + tail.slice(1));
    found.push(head + tail.slice(1));
    if (tail.length > 1) found.push(head + tail[1] + tail[0] + tail.slice(2));
  }
  return found;
}

test('a name is suggested for every word at one edit, and an equal name is nearer', () => {
  const below = random(1);
  const wordOf = (length) => Array.from({ length }, () => letters[below(letters.length)]).join('');
  for (let round = 0; round < 300; round++) {
    const name = wordOf(3 + below(5));
    for (const word of edited(name)) {
      assert.equal(nearestName(word, [name]), name, `${word}, ${name}`);
      assert.equal(nearestName(name, [word, name]), name, `${word}, ${name}`);
    }
  }
});

test('a name is not suggested if more than a third of the letters differ', () => {
  for (const [word, names, expected] of [
    ['min-resemblence', ['index', 'min-resemblance'], 'min-resemblance'],
    ['resemblance', ['index', 'min-resemblance'], 'min-resemblance'],
    ['jsno', ['index', 'json'], 'json'],
    ['jon', ['json'], 'json'],
    ['xy', ['x', 'y', 'xyz'], 'xyz'],
    ['x', ['q', 'h'], undefined],
    ['', ['q', 'index'], undefined],
    ['frobnicate', ['annotate', 'against', 'format'], undefined],
    ['keep-mix', ['keep', 'keep-max', 'keep-min'], 'keep-max'],
    ['index'.repeat(1e6), ['index'], undefined],
    ['index', [], undefined],
  ]) {
    assert.equal(nearestName(word, names), expected, word.slice(0, 20));
  }
});

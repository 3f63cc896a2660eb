// The text diff of both views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importSource } from '../source.mjs';

const { diff } = await importSource('js/report/text-diff.ts');
const limits = { maxEditLength: 3000, timeout: 2000 };

const cases = [
  ['', '', []],
  ['same words', 'same words', [['same', 'same words']]],
  [
    'on Tuesday night',
    'on Friday night',
    [
      ['same', 'on '],
      ['del', 'Tuesday'],
      ['ins', 'Friday'],
      ['same', ' night'],
    ],
  ],
  [
    '他父亲开的店',
    '他爷爷开的店',
    [
      ['same', '他'],
      ['del', '父亲'],
      ['ins', '爷爷'],
      ['same', '开的店'],
    ],
  ],
];

for (const [before, after, runs] of cases) {
  test(`${JSON.stringify(before)} and ${JSON.stringify(after)}`, () => {
    const found = diff(before, after, limits).map(({ op, text }) => [op, text]);
    assert.deepEqual(found, runs);
  });
}

test('beyond the limits the whole text is replaced', () => {
  const words = (prefix) => Array.from({ length: 10_000 }, (_, at) => `${prefix}${at}`).join(' ');
  const [before, after] = [words('a'), words('b')];
  assert.deepEqual(diff(before, after, limits), [
    { op: 'del', text: before },
    { op: 'ins', text: after },
  ]);
});

// The text diff of both views.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importSource } from '../source.mjs';

const { diff } = await importSource('js/report/text-diff.ts');
/** No limit of time, which a busy machine would reach. */
const limits = { maxEditLength: 3000 };

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
  ['The Council', 'the council', [['same', 'The Council']]],
  ['STRASSE, İstanbul', 'strasse, i̇stanbul', [['same', 'STRASSE, İstanbul']]],
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
    const found = diff(before, after, limits);
    assert.deepEqual(
      found.map(({ op, before, after }) => [op, op === 'ins' ? after : before]),
      runs,
    );
    assert.equal(found.map((run) => run.before).join(''), before);
    assert.equal(found.map((run) => run.after).join(''), after);
  });
}

const words = (prefix) => Array.from({ length: 10_000 }, (_, at) => `${prefix}${at}`).join(' ');

test('beyond the limits texts are compared by sentences', () => {
  const [before, after] = [words('a'), words('b')];
  assert.deepEqual(diff(`${before}. The end.`, `${after}. The end.`, limits), [
    { op: 'del', before: `${before}. `, after: '' },
    { op: 'ins', before: '', after: `${after}. ` },
    { op: 'same', before: 'The end.', after: 'The end.' },
  ]);
});

test('beyond the limits of sentences the whole text is replaced', () => {
  const [before, after] = ['a', 'b'].map((prefix) => words(prefix).replaceAll(' ', '. '));
  assert.deepEqual(diff(before, after, limits), [
    { op: 'del', before, after: '' },
    { op: 'ins', before: '', after },
  ]);
});

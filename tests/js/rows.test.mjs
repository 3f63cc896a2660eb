// The reader of tables. The oracle is csv-parse.
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { random } from './random.mjs';

const { delimiterOf, fieldsOf, RowEnds, withoutEnd } = await importSource('js/formats/rows.ts');

const below = random(Number(process.env.SEED ?? 1));

/** Returns the rows of csv-parse; null if the last one has no closing quotation mark. */
function expectedRows(text, { delimiter, quote }) {
  const dialect = { delimiter, quote, escape: quote ?? '"', record_delimiter: ['\r\n', '\n'] };
  try {
    return parse(text, { ...dialect, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch {
    return null;
  }
}

/** Returns the rows of a text that arrives in parts; null if the last one has no closing quotation mark. */
function rowsOf(text, dialect) {
  const ends = new RowEnds(dialect);
  const rows = [];
  for (let [at, start] = [0, 0]; at < text.length || start < text.length; ) {
    const part = text.slice(at, at + 1 + below(6));
    for (const end of ends.endsIn(part)) {
      rows.push(text.slice(start, at + end));
      start = at + end;
    }
    at += part.length;
    if (at < text.length || start === text.length) continue;
    if (ends.isQuoted) return null;
    rows.push(text.slice(start));
    break;
  }
  return rows
    .map(withoutEnd)
    .filter((row) => row !== '')
    .map((row) => fieldsOf(row, dialect));
}

test('tables of all characters that matter have the rows of csv-parse', () => {
  const dialects = [
    [',', '"'],
    ['\t', null],
    [';', "'"],
  ];
  let open = 0;
  for (let trial = 0; trial < 15_000; trial++) {
    const [delimiter, quote] = dialects[trial % 3];
    const units = ['a', '\n', '\r', '\r\n', delimiter, quote ?? '"', quote ?? '"'];
    const text = Array.from({ length: below(16) }, () => units[below(units.length)]).join('');
    const expected = expectedRows(text, { delimiter, quote });
    assert.deepEqual(rowsOf(text, { delimiter, quote }), expected, JSON.stringify(text));
    if (expected === null) open++;
  }
  assert.ok(open > 1000, `${open}`);
});

test('the delimiter of a header is the most frequent one outside of quotation marks', () => {
  for (const [header, delimiter] of [
    ['id,text', ','],
    ['text', ','],
    ['id;a,b;text\na,b,c,d', ';'],
    ['"a,b,c,d";text', ';'],
    ['a|b|c\r\n', '|'],
    ['a\tb', '\t'],
  ])
    assert.equal(delimiterOf(header), delimiter, header);
});

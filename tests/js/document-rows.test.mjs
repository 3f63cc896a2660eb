// Rows of documents: what is written is read, whatever pieces it is written in.
import assert from 'node:assert/strict';
import { importSource } from '../source.mjs';
import { test } from '../tier.mjs';
import { random } from './random.mjs';

const { DocumentRows, RowWriter } = await importSource('js/node/document-rows.ts');

const below = random(Number(process.env.SEED ?? 1));
const pick = (list) => list[below(list.length)];

const ids = [
  null,
  0,
  -7,
  2 ** 53 - 1,
  '',
  '7',
  'a',
  'page 1',
  '"',
  '\\',
  '\n',
  '\x7f',
  'é',
  '日本',
  '👍',
  '\ud800',
  'null',
];

function randomRow(number) {
  const start = below(1e6);
  return {
    number,
    start,
    end: start + below(1e6),
    id: pick(ids),
    length: below(1e6),
    hasScope: below(5) === 0,
    sketch: Uint8Array.from({ length: below(200) }, () => below(256)),
  };
}

/** Returns rows that are written one by one, or joined from parts of others, to some depth. */
function write(all, depth = 3) {
  const writer = new RowWriter();
  for (let at = 0; at < all.length; ) {
    if (depth === 0 || below(2) === 0) {
      writer.add(all[at++]);
      continue;
    }
    // Rows in the middle of others.
    const part = all.slice(at, at + below(5));
    const around = Array.from({ length: 2 }, () => Array.from({ length: below(3) }, () => randomRow(0)));
    const other = write([...around[0], ...part, ...around[1]], depth - 1);
    writer.addAll(other, around[0].length, around[0].length + part.length);
    at += part.length;
  }
  assert.equal(writer.count, all.length);
  return writer.finish();
}

test('rows are what was written', () => {
  for (let round = 0; round < 300; round++) {
    const all = Array.from({ length: below(12) }, (_, at) => randomRow(at));
    // Another thread receives them in this form.
    const rows = new DocumentRows(structuredClone(write(all).packed));
    assert.equal(rows.count, all.length);
    assert.deepEqual(
      rows.ids(),
      all.map(({ id }) => id),
    );
    assert.equal(
      rows.hasScopes,
      all.some(({ hasScope }) => hasScope),
    );
    assert.equal(
      rows.hasIds,
      all.some(({ id }) => id !== null),
    );
    for (const [at, { number, start, end, length, sketch }] of all.entries()) {
      assert.deepEqual(rows.spanAt(at), { number, start, end });
      assert.equal(rows.lengthAt(at), length);
      assert.equal(rows.isUnread(at), false);
      assert.deepEqual(rows.sketches.slice(rows.sketchStart(at), rows.sketchEnd(at)), sketch);
      assert.equal(rows.sketchEnds()[at], rows.sketchEnd(at));
    }
  }
});

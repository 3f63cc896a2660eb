// Documents of millions of levels or values between others, in each form of input. Such a document is bad, and all others
// are kept.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { dedupe, forms, indexOf, inFolder, lines, trials } from './common.mjs';

const OTHERS = 100;

const TOO_DEEP = 'nested more than 1,000 levels deep';
const TOO_MANY = 'more than 1,000,000 values';

const repeat = (piece, count) => Buffer.alloc(piece.length * count, piece);

/** Functions of a number of levels that return a value of JSON, or the start of one. */
const nests = {
  arrays: (depth) => [repeat('[', depth), repeat(']', depth)],
  objects: (depth) => [repeat('{"a":', depth), Buffer.from('0'), repeat('}', depth)],
  'objects in arrays': (depth) => [repeat('[{"a":', depth / 2), Buffer.from('0'), repeat('}]', depth / 2)],
  'arrays without an end': (depth) => [repeat('[', depth)],
};

/** Functions of a number of values that return a value of JSON. */
const lists = {
  numbers: (count) => [Buffer.from('['), repeat('0,', count - 1), Buffer.from('0]')],
  'empty objects': (count) => [Buffer.from('['), repeat('{},', count / 2 - 1), Buffer.from('{}]')],
  members: (count) => [Buffer.from('{'), repeat('"a":0,', count / 2 - 1), Buffer.from('"a":0}')],
};

const documentOf = (value) => ['{"id":"long","a":', ...value, ',"text":"one long document"}'];
const elementsOf = (part) => part.trimEnd().replaceAll('\n', ',');

const ofLines = (before, value, after) => [before, ...documentOf(value), '\n', after];
const ofArray = (before, value, after) => [
  ...['[', elementsOf(before), ','],
  ...documentOf(value),
  ...[',', elementsOf(after), ']'],
];

/** Functions that return the parts of an input, with the documents before and after a value as lines. */
const containers = {
  'in.jsonl': ofLines,
  'in.jsonl.gz': ofLines,
  'in.json': ofArray,
  'in.json.gz': ofArray,
  /** A cell is text, so the document is kept. */
  'in.csv': (_before, value) => [
    forms.table.render(0, OTHERS / 2),
    ...['"', ...value, '",long\n'],
    forms.table.render(OTHERS / 2, OTHERS / 2).replace('text,id\n', ''),
  ],
};

/** Returns the number of failures. */
export function nested(depth) {
  const all = Object.keys(containers).flatMap((input) => [
    ...Object.keys(nests).flatMap((kind) => [
      { input, kind, size: 998 },
      { input, kind, size: 1000, reason: TOO_DEEP },
      { input, kind, size: depth, reason: TOO_DEEP },
    ]),
    ...Object.keys(lists).flatMap((kind) => [
      { input, kind, size: 999_000 },
      { input, kind, size: 1_000_002, reason: TOO_MANY },
    ]),
  ]);
  // The rest of a JSON array belongs to a value without an end, and a quotation mark ends a cell.
  const isTried = ({ input, kind }) =>
    !(containers[input] === ofArray && kind === 'arrays without an end') &&
    !(input === 'in.csv' && /objects|members/.test(kind));
  return trials('nested documents', all.filter(isTried), ({ input, kind, size, reason }) =>
    inFolder(async (folder) => {
      const value = (nests[kind] ?? lists[kind])(size);
      const parts = containers[input](lines(0, OTHERS / 2), value, lines(OTHERS / 2, OTHERS / 2));
      const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
      writeFileSync(join(folder, input), input.endsWith('.gz') ? gzipSync(content, { level: 1 }) : content);
      const { code, messages } = await dedupe(folder, input, 'out', { args: [] });
      const ids = new Set(indexOf(folder));
      const isKept = ids.delete('long');
      assert.equal(ids.size, OTHERS, `${ids.size} other documents are kept: ${messages}`);
      const isText = input === 'in.csv';
      const isWhole = kind !== 'arrays without an end' || isText;
      const bad = messages.split('\n').filter((line) => /^nearprint: in\.[a-z.]+(?::\d+|\[\d+\]): /.test(line));
      if (isText || (isWhole && reason === undefined)) {
        assert.deepEqual([code, isKept, bad], [0, true, []]);
      } else {
        assert.deepEqual([code, isKept, bad.length], [2, false, 1], messages);
        assert.ok(bad[0].endsWith(reason ?? bad[0].match(/: (not JSON: .{1,200}$)/)?.[1]), bad[0]);
      }
    }),
  );
}

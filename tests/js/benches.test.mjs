// The modules that the benches share: their files and their medians.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { readLines, readObjects, splitLines } from '../../benches/lines.mjs';
import { median } from '../../benches/times.mjs';
import { test } from '../tier.mjs';
import { temporary } from './temporary.mjs';

test('bytes are split into lines like a string', () => {
  for (const text of ['a', 'a\n', 'a\nb', 'a\n\nb\n', '\n', '\n\n', 'ä中\r\nb\n']) {
    const lines = splitLines(Buffer.from(text)).map((line) => line.toString());
    assert.deepEqual(lines, text.replace(/\n$/, '').split('\n'), JSON.stringify(text));
  }
  assert.deepEqual(splitLines(Buffer.from('')), []);
});

test('files are read plain, packed, and as the packed file of the name', () => {
  const folder = temporary();
  const text = '{"id":1}\n\n{"id":2}\n';
  const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
  write('plain.jsonl', text);
  write('zipped.jsonl.gz', gzipSync(text));
  write('packed.jsonl.br', brotliCompressSync(text));
  for (const name of ['plain.jsonl', 'zipped.jsonl.gz', 'packed.jsonl.br', 'packed.jsonl']) {
    assert.deepEqual(readObjects(join(folder, name)), [{ id: 1 }, { id: 2 }], name);
    assert.deepEqual(readLines(join(folder, name)), ['{"id":1}', '', '{"id":2}'], name);
  }
  assert.throws(() => readLines(join(folder, 'missing.jsonl')), { code: 'ENOENT' });
});

test('the median is a value, whatever the order, and leaves the values as they are', () => {
  const values = [10, 9, 100];
  assert.equal(median(values), 10);
  assert.deepEqual(values, [10, 9, 100]);
  assert.equal(median([4, 1, 3, 2]), 3);
  assert.equal(median([7]), 7);
});

// Lines of 240 and of 600 MB among 500 others, with an index. Each is kept or a bad line, and all others are kept.
import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, dedupe, indexOf, inFolder, lines, trials } from './common.mjs';

const MEGABYTE = 1_000_000;
const OTHERS = 500;

/** The start of a line, its pieces by number, and its end. */
const kinds = {
  'different words': { start: '{"id":"long","text":"', piece: (at) => `w${at} `, end: '"}' },
  'one word': { start: '{"id":"long","text":"', piece: () => 'word ', end: '"}' },
  escapes: { start: '{"id":"long","text":"', piece: () => '\\u00e9 ', end: '"}' },
  'no end': { start: '{"id":"long","text":"', piece: () => 'word ', end: '' },
  'nested arrays': { start: '', piece: () => '[', end: '' },
  'nested values of another field': { start: '{"id":"long","text":"","a":', piece: () => '[', end: '' },
  'no JSON': { start: '', piece: (at) => `w${at} `, end: '' },
};

function writeLine(fd, { start, piece, end }, size) {
  let [block, written, at] = [start, 0, 0];
  while (written + block.length < size) {
    while (block.length < MEGABYTE) block += piece(at++);
    written += writeSync(fd, block);
    block = '';
  }
  writeSync(fd, `${end}\n`);
}

export async function longLines(sizes) {
  const all = Object.keys(kinds).flatMap((kind) => sizes.map((size) => ({ kind, megabytes: size })));
  return trials('lines of many megabytes', all, ({ kind, megabytes }) =>
    inFolder(async (folder) => {
      const fd = openSync(join(folder, 'in.jsonl'), 'w');
      writeSync(fd, lines(0, OTHERS / 2));
      writeLine(fd, kinds[kind], megabytes * MEGABYTE);
      writeSync(fd, lines(OTHERS / 2, OTHERS / 2));
      closeSync(fd);
      const { code, messages } = await dedupe(folder, 'in.jsonl', 'out', { args: [] });
      const ids = new Set(indexOf(folder));
      const isKept = ids.delete('long');
      assert.equal(ids.size, OTHERS, `${ids.size} other lines are kept: ${messages}`);
      const bad = messages.split('\n').filter((line) => line.startsWith('nearprint: in.jsonl:'));
      if (isKept) {
        assert.deepEqual([code, bad], [0, []]);
      } else {
        assert.equal(code, 2, messages);
        assert.equal(bad.length, 1, messages);
        assert.match(
          bad[0],
          /^nearprint: in\.jsonl:251: (?:a line of more than |not JSON: |nested more than |more than [\d,]+ values|the text cannot be ).{1,200}$/,
        );
      }
      assert.equal(contentOf(folder, 'out').split('\n').length - 1, isKept ? OTHERS + 1 : OTHERS);
      console.log(`  ${kind}, ${megabytes} MB: ${isKept ? 'kept' : bad[0].slice('nearprint: in.jsonl:251: '.length)}`);
    }),
  );
}

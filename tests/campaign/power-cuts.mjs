// Simulated power cuts. The calls of a run are recorded, and replayed up to each one.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Disk, survivors } from '../js/disk.mjs';
import { checkIndex, dedupe, idsIn, indexed, inFolder, lines, randomFrom, trials, writeInput } from './common.mjs';

const { none, all, first } = survivors;

const random = randomFrom(3);
const some = { name: 'a part', data: first(random), names: first(random) };

/** The calls since the last fsync that survive. */
const modes = [
  { name: 'nothing', data: none, names: none },
  { name: 'everything', data: all, names: all },
  { name: 'names only', data: none, names: all },
  { name: 'data only', data: all, names: none },
  some,
  some,
];

/** The descriptor of the standard output, which the shell has opened. */
const STDOUT = 1;

/** Makes calls on a disk. */
function replay(calls, disk) {
  const open = new Map([[STDOUT, disk.open('out')]]);
  for (const { op, fd, path, from, to, flags, data, position, length } of calls) {
    const file = open.get(fd);
    if (op === 'openSync') {
      // Only folders are opened to be read.
      const isFolder = flags === 'r' || flags === undefined;
      open.set(fd, isFolder ? disk : disk.open(basename(path)));
      if (!isFolder) open.get(fd).truncate(0);
    } else if (op === 'write') file.write(Buffer.from(data, 'base64'), position ?? undefined);
    else if (op === 'ftruncateSync') file.truncate(length);
    else if (op === 'fsyncSync') file.beginSync()();
    else if (op === 'renameSync') disk.rename(basename(from), basename(to));
    else if (op === 'rmSync') disk.remove(basename(path));
  }
}

export async function powerCuts(most) {
  let failures = 0;
  for (const hasIndex of [false, true]) {
    failures += await inFolder(async (folder) => {
      const input = writeInput(folder, 6000);
      const before = {};
      let known = '';
      if (hasIndex) {
        writeFileSync(join(folder, 'old.jsonl'), lines(0, 1000));
        await dedupe(folder, 'old.jsonl', 'old');
        before.i = readFileSync(join(folder, 'i'));
        known = readFileSync(join(folder, 'old'), 'utf8');
      }
      await dedupe(folder, input, 'out', { settings: { log: join(folder, 'log') } });
      const calls = readFileSync(join(folder, 'log'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
      const cuts = calls.flatMap((_, cut) => modes.map((mode) => ({ cut: cut + 1, mode })));
      const chosen = cuts.filter((_, at) => (at * most) % cuts.length < most);
      const title = `power cuts ${hasIndex ? 'with an index' : 'of a first run'}`;
      return trials(title, chosen, ({ cut, mode }) => {
        const disk = new Disk(before);
        replay(calls.slice(0, cut), disk);
        const files = disk.contentsAfter(mode);
        const ids = indexed(files.get('i'));
        if (hasIndex) assert.ok(ids.length >= idsIn(known).length, 'the old index is gone');
        checkIndex(ids, known + (files.get('out') ?? ''));
      });
    });
  }
  return failures;
}

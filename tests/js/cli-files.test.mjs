// Which files are read, and in which order. The oracles are the files that are made here.
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from '../source.mjs';
import { exhaustive, test } from '../tier.mjs';
import { makeCommandFolder, textOf } from './command.mjs';
import { random } from './random.mjs';

const { bytesOf, pathOf } = await importSource('js/cli/path.ts');
const { inReadingOrder } = await importSource('js/cli/file-order.ts');

const isWindows = process.platform === 'win32';

for (let round = 0; round < 6; round++) {
  const run = round === 0 ? test : exhaustive;
  run(`each file of a random tree of links is decided once: ${round}`, { skip: isWindows }, () => {
    const below = random(60 + round);
    const command = makeCommandFolder();
    /** The files by their numbers, each with the paths that lead to it. */
    const paths = [];
    const folders = ['.', 'a', 'a/b', 'c'];
    for (const folder of folders) mkdirSync(command.path(folder), { recursive: true });
    for (let at = 0; at < 20; at++) {
      const name = join(folders[below(folders.length)], `${at}.txt`);
      const file = paths.length > 0 && below(2) > 0 ? paths[below(paths.length)] : undefined;
      if (file === undefined) {
        paths.push([name]);
        command.write(name, textOf(100 * round + at));
      } else {
        if (below(2) > 0) symlinkSync(command.path(file[0]), command.path(name));
        else linkSync(command.path(file[0]), command.path(name));
        file.push(name);
      }
    }
    const args = Array.from({ length: 3 }, () => folders[below(folders.length)]);
    const inside = (path) => args.some((folder) => folder === '.' || path.startsWith(`${folder}/`));
    const read = paths.map((file) => file.filter(inside)).filter((file) => file.length > 0);
    const found = command
      .outputOf(['dedupe', '-q', ...args])
      .split('\n')
      .slice(0, -1);
    assert.deepEqual(
      found.map((path) => read.findIndex((file) => file.includes(path))).sort(),
      read.map((_, at) => at).sort(),
    );
    assert.equal(command.outputOf(['dedupe', '-q', '-v', ...args]), '');
    assert.equal(command.outputOf(['clusters', '-q', ...args]), '');
  });
}

test('a folder that cannot be read is an error, and the others are read', () => {
  const command = makeCommandFolder();
  for (const name of ['top/a.txt', 'top/locked/b.txt']) {
    mkdirSync(command.path(join(name, '..')), { recursive: true });
    command.write(name, textOf(name.length));
  }
  // Root can read every folder.
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { readdirSync } = fs;
    fs.readdirSync = (path, options) => {
      if (path.endsWith('locked')) throw new Error('EACCES: permission denied, scandir');
      return readdirSync(path, options);
    };
    syncBuiltinESMExports();`;
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  const { status, stdout, stderr } = command.run('dedupe top', { env });
  assert.deepEqual([status, stdout], [2, `${join('top', 'a.txt')}\n`]);
  assert.match(stderr, /top.locked: /);
  assert.match(stderr, /kept 1 of 1 document; 1 file with an error/);
});

test('a folder is read in the order of its names, an original before its copies', () => {
  const below = random(12);
  // Each list is in the order in which it is read.
  for (const names of [
    [
      'note.txt',
      'Copy of note.txt',
      'note (2).txt',
      'note - Copy.txt',
      'note - Copy (2).txt',
      'note copy.txt',
      'note2.txt',
    ],
    ['a.txt', 'Copy of a.txt', 'a (1).txt', 'a - Copy.txt'],
    ['note.txt', 'copy of note.md', 'Copy of Copy of note.txt', 'notebook.txt'],
    ['note.md', 'note.txt', 'Copy (2) of note.md', 'Copy of note.md', 'note_1.html'],
    ['note', 'note.html', 'note.txt.gz', 'note/', 'Copy of note/', 'note (1)/'],
    ['page.html.gz', 'page.html (1).gz', 'page.old.html'],
    ['Zebra.txt', 'apple.txt', 'Äpfel.txt'],
    ['10.txt', '9.txt', 'Mr. Smith', 'Mr. Smith.txt', 'Mr. Smithson'],
    // A name that is only a mark is a name.
    ['Copy of.txt', 'Copying.txt', 'copy.txt'],
    // By UTF-16 code units: U+1F600 is D83D DE00.
    ['a\u{1f600}.txt', 'a\uff5e.txt'],
  ]) {
    const entries = names.map((name) => ({ name: name.replace('/', ''), isFolder: name.endsWith('/') }));
    for (let round = 0; round < 10; round++) {
      const shuffled = entries.map((entry) => ({ entry, key: below(1000) })).sort((a, b) => a.key - b.key);
      const sorted = inReadingOrder(shuffled.map(({ entry }) => entry));
      assert.deepEqual(
        sorted.map(({ name, isFolder }) => name + (isFolder ? '/' : '')),
        names,
      );
    }
  }
});

test('a path of any bytes is a string of its own, which gives the bytes back', () => {
  for (const [hex, path] of [
    ['61', 'a'],
    ['4ae4727669', 'J\udce4rvi'],
    ['4ac3a4', 'Jä'],
    ['ff80', '\udcff\udc80'],
    // An incomplete character, an overlong one, a surrogate, and a code point above U+10FFFF.
    ['e282', '\udce2\udc82'],
    ['c0af', '\udcc0\udcaf'],
    ['edb3a4', '\udced\udcb3\udca4'],
    ['f4908080', '\udcf4\udc90\udc80\udc80'],
    ['f09f9880e4', '\u{1f600}\udce4'],
    ['efbfbdc3', '\ufffd\udcc3'],
  ]) {
    assert.equal(pathOf(Buffer.from(hex, 'hex')), path);
    assert.equal(bytesOf(path).toString('hex'), hex);
  }
  const below = random(13);
  const bytes = [0x41, 0x80, 0xa0, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff];
  const found = new Set();
  const all = new Set();
  for (let round = 0; round < 20_000; round++) {
    const name = Buffer.from(Array.from({ length: 1 + below(5) }, () => bytes[below(bytes.length)]));
    assert.deepEqual(bytesOf(pathOf(name)), name);
    all.add(name.toString('hex'));
    found.add(pathOf(name));
  }
  assert.equal(found.size, all.size);
});

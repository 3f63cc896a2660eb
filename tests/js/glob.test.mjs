// The files of folders and patterns. The oracle enumerates all files and matches their paths by recursion.
import assert from 'node:assert/strict';
import fs, { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { importSource } from '../source.mjs';
import { random } from './random.mjs';
import { temporary } from './temporary.mjs';

const glob = await importSource('js/cli/glob.ts');

/** Returns a search that enters all folders. */
function newSearch() {
  const skipped = [];
  return { isClosed: () => false, unreadable: [], skipped, skip: (...entry) => skipped.push(entry) };
}

/** Returns what a search finds, if it can read all folders. */
const found = (find) => {
  const search = newSearch();
  const files = [...find(search)];
  assert.deepEqual(search.unreadable, []);
  return files;
};
const filesIn = (path) => found((search) => glob.filesIn(path, search));
const filesLike = (pattern) => found((search) => glob.filesLike(pattern, search));

const folder = temporary();
const home = process.cwd();
process.chdir(folder);
after(() => process.chdir(home));

/** Returns whether items match parts. The part `many` matches any number of items. */
function isLike([part, ...parts], items, many, isOne) {
  if (part === undefined) return items.length === 0;
  const [item, ...rest] = items;
  if (part === many)
    return isLike(parts, items, many, isOne) || (items.length > 0 && isLike([part, ...parts], rest, many, isOne));
  return items.length > 0 && isOne(part, item) && isLike(parts, rest, many, isOne);
}

const isNameLike = (pattern, name) =>
  isLike([...pattern], [...name], '*', (part, character) => part === '?' || part === character);

const isPathLike = (pattern, path) =>
  isLike(pattern.replace(/(?<=^|\/)\*\*$/, '**/*').split('/'), path.split('/'), '**', isNameLike);

test('the files of patterns are those that a naive matcher finds', () => {
  const below = random(2);
  const pick = (list) => list[below(list.length)];
  const all = new Set();
  while (all.size < 40) {
    const path = Array.from({ length: 1 + below(4) }, () => `${pick(['a', 'b'])}${pick(['', 'a', '[a]'])}`).join('/');
    all.add(`${path}.${pick(['x', 'y', '🎉'])}`);
  }
  for (const path of all) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  assert.deepEqual(filesIn('.').sort(), [...all].sort());
  let count = 0;
  for (let at = 0; at < 1000; at++) {
    const parts = Array.from({ length: 1 + below(4) }, () =>
      pick(['**', '**', '*', 'a', 'b*', '*a', '?', '*.?', '*[a]*', '?a.x']),
    );
    const pattern = parts.join('/');
    if (!/[*?]/.test(pattern)) continue;
    const expected = [...all].filter((path) => isPathLike(pattern, path)).sort();
    assert.deepEqual(filesLike(pattern), expected, pattern);
    assert.deepEqual(
      filesLike(join(folder, pattern)),
      expected.map((path) => join(folder, path)),
    );
    count += expected.length;
  }
  assert.ok(count > 1000);
  assert.deepEqual(filesLike('missing/*'), []);
});

test('patterns with many ways to match are matched', () => {
  const [deep, long] = ['d/'.repeat(60), 'a'.repeat(250)];
  mkdirSync(deep, { recursive: true });
  for (const path of [`${deep}file`, `${long}b`, `${long}c`]) writeFileSync(path, '');
  // A search that tries all ways does not end.
  assert.deepEqual(filesLike(`${'*a'.repeat(100)}*b`), [`${long}b`]);
  assert.deepEqual(filesLike(`${'**/d/'.repeat(20)}**/file`), [`${deep}file`]);
  assert.deepEqual(filesLike(`${'**/d/'.repeat(20)}**/none`), []);
});

test('a folder that cannot be read is named, and the others are searched', () => {
  const locked = join('top', 'readable', 'locked');
  mkdirSync(locked, { recursive: true });
  for (const file of ['top/readable/x', 'top/x']) writeFileSync(file, '');
  const { readdirSync } = fs;
  // Root can read every folder.
  fs.readdirSync = (path, options) => {
    if (path === locked) throw new Error(`EACCES: permission denied, scandir '${path}'`);
    return readdirSync(path, options);
  };
  syncBuiltinESMExports();
  try {
    for (const find of [(search) => glob.filesIn('top', search), (search) => glob.filesLike('top/**/x', search)]) {
      const search = newSearch();
      assert.deepEqual([...find(search)], [join('top', 'readable', 'x'), join('top', 'x')]);
      assert.deepEqual(search.unreadable, [locked]);
    }
    assert.deepEqual(filesLike('top/*/x'), [join('top', 'readable', 'x')]);
  } finally {
    fs.readdirSync = readdirSync;
    syncBuiltinESMExports();
  }
});

test('links to folders are not followed', { skip: process.platform === 'win32' }, () => {
  mkdirSync('links');
  symlinkSync('.', 'links/loop');
  writeFileSync('links/file', '');
  symlinkSync('file', 'links/link');
  assert.deepEqual(filesIn('links'), ['links/file', 'links/link']);
  assert.deepEqual(filesLike('links/**'), ['links/file', 'links/link']);
  assert.deepEqual(filesLike('links/l*/file'), []);
  assert.deepEqual(filesLike('links/loop/fil?'), ['links/loop/file']);
});

test('each entry of a folder is yielded, searched or skipped', { skip: process.platform === 'win32' }, () => {
  mkdirSync('entries/.hidden/folder', { recursive: true });
  for (const name of ['.file', '.hidden/inner', 'file']) writeFileSync(join('entries', name), '');
  symlinkSync('.', 'entries/to-folder');
  symlinkSync('missing', 'entries/to-nothing');
  const search = newSearch();
  assert.deepEqual([...glob.filesIn('entries', search)], ['entries/file']);
  assert.deepEqual(search.skipped.sort(), [
    ['entries/.file', 'hidden'],
    ['entries/.hidden', 'hidden'],
    ['entries/to-folder', 'link'],
    ['entries/to-nothing', 'special'],
  ]);
});

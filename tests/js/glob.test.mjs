// The files of patterns. The oracle enumerates all files and matches their paths by recursion.
import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { importSource } from '../source.mjs';
import { secondsOf } from './cpu-time.mjs';
import { random } from './random.mjs';

const { filesIn, filesLike, matches } = await importSource('js/cli/glob.ts');

let folder;
const home = process.cwd();
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nearprint-glob-'));
  process.chdir(folder);
});
after(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

/** Whether a list matches a list of parts. `isMany` says which parts match any number, and `isOne` which match one. */
function isLike([part, ...parts], items, isMany, isOne) {
  if (part === undefined) return items.length === 0;
  const [item, ...rest] = items;
  if (isMany(part))
    return isLike(parts, items, isMany, isOne) || (items.length > 0 && isLike([part, ...parts], rest, isMany, isOne));
  return items.length > 0 && isOne(part, item) && isLike(parts, rest, isMany, isOne);
}

const isNameLike = (pattern, name) =>
  isLike(
    pattern.match(/\[.*?\]|./g) ?? [],
    [...name],
    (part) => part === '*',
    (part, character) =>
      part === '?' || part === character || (part.length > 1 && new RegExp(part.replace('[!', '[^')).test(character)),
  );

const isPathLike = (pattern, path) =>
  isLike(
    pattern.replace(/(?<=^|\/)\*\*$/, '**/*').split('/'),
    path.split('/'),
    (part) => part === '**',
    (part, name) => isNameLike(part, name),
  );

/** The patterns of a pattern with braces, which are not nested. */
function expanded(pattern) {
  const [, start, list, end] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return list === undefined ? [pattern] : list.split(',').flatMap((one) => expanded(start + one + end));
}

test('names match patterns as a naive matcher says', () => {
  const below = random(1);
  const pick = (list) => list[below(list.length)];
  const some = (list, max) => Array.from({ length: below(max + 1) }, () => pick(list)).join('');
  let count = 0;
  for (let at = 0; at < 20_000; at++) {
    const pattern = some(['*', '*', '?', 'a', 'b', '.', '[ab]', '[!a]', '[a-c-]', '[^b.]'], 7);
    const name = some(['a', 'b', 'c', '.', '-', '🎉'], 8);
    const expected = isNameLike(pattern, name.replaceAll('🎉', 'z'));
    assert.equal(matches(name, pattern), expected, `${name} ${pattern}`);
    if (expected) count++;
  }
  assert.ok(count > 1000 && count < 19_000, `${count}`);
  assert.equal(matches('🎉', '[🎉x]'), true);
});

test('the files of patterns are those that a naive matcher finds', () => {
  const below = random(2);
  const pick = (list) => list[below(list.length)];
  const all = new Set();
  while (all.size < 40) {
    const path = Array.from({ length: 1 + below(4) }, () => `${pick(['a', 'b'])}${pick(['', 'a'])}`).join('/');
    all.add(`${path}.${pick(['x', 'y'])}`);
  }
  for (const path of all) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
  }
  assert.deepEqual([...filesIn('.')].sort(), [...all].sort());
  let count = 0;
  for (let at = 0; at < 500; at++) {
    const parts = Array.from({ length: 1 + below(4) }, () =>
      pick(['**', '**', '*', 'a', 'b*', '[ab]', '{a,b}', '{a/b,b}', '*.{x,y}']),
    );
    const pattern = parts.join('/');
    const patterns = expanded(pattern);
    const expected = [...all].filter((path) => patterns.some((each) => isPathLike(each, path))).sort();
    assert.deepEqual(filesLike(pattern), expected, pattern);
    count += expected.length;
  }
  assert.ok(count > 1000);
});

test('patterns that take long to match naively take no time', () => {
  const deep = 'd/'.repeat(60);
  mkdirSync(deep, { recursive: true });
  writeFileSync(`${deep}file`, '');
  const seconds = secondsOf(() => {
    const long = 'a'.repeat(250);
    assert.equal(matches(`${long}c`, `${'*a'.repeat(100)}*b`), false);
    assert.equal(matches(`${long}b`, `${'*a'.repeat(100)}*b`), true);
    assert.deepEqual(filesLike(`${'**/d/'.repeat(20)}**/file`), [`${deep}file`]);
    assert.deepEqual(filesLike(`${'**/d/'.repeat(20)}**/none`), []);
  });
  assert.ok(seconds < 10, `${seconds} s`);
});

test('the alternatives of a pattern are bounded', () => {
  const many = '{a,b}'.repeat(20);
  assert.throws(() => filesLike(`x${many}`), { message: `x${many}: the pattern has too many alternatives` });
  const wide = `{${'ab,'.repeat(20_000)}}`;
  assert.throws(
    () => filesLike(`${wide}${wide}`),
    /^Error: \{ab,ab,[^\n]{1,250}: the pattern has too many alternatives$/,
  );
  writeFileSync('found3', '');
  assert.deepEqual(filesLike(`{${Array.from({ length: 5000 }, (_, at) => `found${at}`)}}`), ['found3']);
  assert.deepEqual(filesLike('{foun{c,d},x}3'), ['found3']);
});

test('a folder that cannot be read is named', () => {
  mkdirSync('top/readable/locked', { recursive: true });
  const { readdirSync } = fs;
  // Root can read every folder.
  fs.readdirSync = (path, options) => {
    if (path === join('top', 'readable', 'locked')) throw new Error(`EACCES: permission denied, scandir '${path}'`);
    return readdirSync(path, options);
  };
  syncBuiltinESMExports();
  try {
    for (const find of [() => [...filesIn('top')], () => filesLike('top/**/x'), () => filesLike('**')]) {
      assert.throws(find, { message: `${join('top', 'readable', 'locked')}: permission denied` });
    }
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
  assert.deepEqual([...filesIn('links')], ['links/file', 'links/link']);
  assert.deepEqual(filesLike('links/**'), ['links/file', 'links/link']);
  assert.deepEqual(filesLike('links/l*/file'), []);
  assert.deepEqual(filesLike('links/loop/fil?'), ['links/loop/file']);
});

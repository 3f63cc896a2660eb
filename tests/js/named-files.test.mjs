// The files of the project that comments and documents name exist.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '../tier.mjs';
import { root } from './packed.mjs';

/** Made by the build, or installed. */
const made = new Set(['.git', 'build', 'corpus', 'node_modules', 'pkg', 'target']);

/** Returns the paths of the project's files. */
const filesIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (made.has(entry.name)) return [];
    return entry.isDirectory() ? filesIn(name) : [name];
  });

const files = filesIn('');
const folders = [...new Set(files.filter((name) => name.includes('/')).map((name) => name.split('/')[0]))];
const known = new Set([...files, ...files.map((name) => basename(name))]);

/** A comment of JavaScript, Rust or Python, from its sign to the end of the line. */
const comment = /(?:^|\s)(?:\/\/[/!]?|\/?\*\*?|#)\s(.*)$/;
const path = new RegExp(
  `(?<![\\w./-])(?:${folders.join('|')})/[\\w./-]*\\w\\.(?:rs|tsx?|m?js|md|py|css|html|json[cl]?)\\b`,
  'g',
);
const bareName = /`([\w-]+\.(?:rs|ts|mjs))`/g;

/** Returns the names of files in a text that do not exist. */
const missingIn = (text) =>
  [...(text.match(path) ?? []), ...[...text.matchAll(bareName)].map(([, name]) => name)].filter(
    (name) => !known.has(name),
  );

const isProse = (name) => name.endsWith('.md');
const isCode = (name) => /\.(rs|ts|mjs|py)$/.test(name);

test('comments and documents name files that exist', () => {
  const missing = files
    .filter((name) => isProse(name) || isCode(name))
    .flatMap((name) => {
      const lines = readFileSync(join(root, name), 'utf8').split('\n');
      return lines.flatMap((line, at) => {
        const text = isProse(name) ? line : (comment.exec(line)?.[1] ?? '');
        return missingIn(text).map((file) => `${name}:${at + 1}: ${file}`);
      });
    });
  assert.deepEqual(missing, []);
});

test('a file that does not exist is found in prose, and a path within another path is not', () => {
  assert.deepEqual(missingIn('`gone.rs` and src/gone/mod.rs'), ['src/gone/mod.rs', 'gone.rs']);
  assert.deepEqual(missingIn('src/lib.rs, `rule.rs`, ../js/gone.ts'), []);
});

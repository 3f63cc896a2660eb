// The code blocks of the documents, and programs that run them. An info string names what runs a block:
//
//     js, sh            Node and bash, in a folder where the package is installed, one block of a document after the other
//     sh clone          nothing: each line must be a script of package.json
//     js stores ...     the same, in tests/stores, which has the clients and the servers
//     sh python         bash with the packages warcio and duckdb of Python, in recipes.test.mjs
//     js worker         Node: a Worker, which gets a request
//     js file=PATH      the block is a part of that file, which has tests of its own
//     html              Chromium, in tests/browser
//     sql ..., python   DuckDB, ClickHouse, Spark and PostgreSQL, in batch.test.mjs
//     text              what the block before it prints
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.mjs';
import { temporary } from './temporary.mjs';

const folder = (path) => readdirSync(join(root, path)).map((name) => `${path}/${name}`);

/** The documents with code that a reader may run. */
export const documents = ['README.md', ...folder('docs'), ...folder('docs/guides')].filter((name) =>
  name.endsWith('.md'),
);

/** The blocks of a document: `{ name, language, runner, file, code, output }`. `output` is undefined if none is stated. */
export function blocks(document) {
  const text = readFileSync(join(root, document), 'utf8');
  const found = [];
  let end = 0;
  for (const match of text.matchAll(/^```(\w*) *(.*)\n([\s\S]*?)^```$/gm)) {
    const [all, language, attributes, code] = match;
    const isOutput = language === 'text' && text.slice(end, match.index).trim() === '' && found.length > 0;
    if (isOutput) {
      found.at(-1).output = code;
    } else {
      const line = text.slice(0, match.index).split('\n').length;
      const [, file] = /^file=(\S+)$/.exec(attributes) ?? [];
      found.push({ name: `${document}:${line}`, language, runner: file ? 'file' : attributes, file, code });
    }
    end = match.index + all.length;
  }
  return found;
}

/** The examples in the comments of a source or a declaration file. */
export const examples = (path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^ +\* ```js\n(.*?)^ +\* ```/gms)].map(([, lines]) =>
    lines.replace(/^ +\* ?/gm, ''),
  );

/** Makes a folder whose modules are those of `modules`, with files for the command line. */
export function makeFolder(modules) {
  const folder = temporary();
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  symlinkSync(modules, join(folder, 'node_modules'), 'junction');
  for (const name of ['pages.jsonl', 'today.jsonl']) cpSync(join(root, 'examples', 'sample.jsonl'), join(folder, name));
  const text = 'The river burst its banks early on Tuesday, the council said, and the road to the harbour is closed.';
  writeFileSync(join(folder, 'old.txt'), text);
  writeFileSync(join(folder, 'new.txt'), `Print. ${text}`);
  return folder;
}

/**
 * The package is already installed. In tests/stores it is a link in the folder that also holds the database drivers.
 */
const prelude = `set -euo pipefail
npm() { [ "$1" = install ]; }
npx() { [ "$1" = nearprint ] && shift && node --preserve-symlinks-main node_modules/nearprint/cli.js "$@"; }
`;

/** Runs a block and compares what it prints. */
export function runBlock({ name, language, code, output }, folder, env = {}) {
  if (language === 'js') writeFileSync(join(folder, 'block.mjs'), code);
  const [command, args] = language === 'js' ? [process.execPath, ['block.mjs']] : ['bash', ['-c', prelude + code]];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
  });
  assert.equal(status, 0, `${name} fails:\n${stderr}`);
  if (output !== undefined) assert.equal(stdout, output, name);
}

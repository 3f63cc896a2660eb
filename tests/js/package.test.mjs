// The package as npm would publish it: packed, installed into an empty project, and used there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shell = process.platform === 'win32';
let project;

before(() => {
  project = mkdtempSync(join(tmpdir(), 'nearprint-'));
  const packed = execFileSync('npm', ['pack', join(root, 'pkg'), '--json', '--silent'], { cwd: project, shell });
  const [{ filename }] = Object.values(JSON.parse(packed));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', `./${filename}`, '--offline', '--no-audit', '--no-fund', '--silent'], {
    cwd: project,
    shell,
  });
});
after(() => rmSync(project, { recursive: true, force: true }));

/** Runs a module in the project, and gives what it prints. */
function runThere(code) {
  writeFileSync(join(project, 'run.mjs'), code);
  return execFileSync(process.execPath, ['run.mjs'], { cwd: project, encoding: 'utf8' });
}

test('it is imported by name, with no initialisation', () => {
  const printed = runThere(`import { fingerprint, toHex } from 'nearprint'; console.log(toHex(fingerprint('hello')));`);
  assert.match(printed, /^[0-9a-f]{16}\n$/);
});

test('nearprint/compat passes every vector', () => {
  const helper = JSON.stringify(new URL('./compat-vectors.mjs', import.meta.url).href);
  const vectors = new URL('../compat.json', import.meta.url);
  const count = JSON.parse(readFileSync(vectors, 'utf8')).length;
  const printed = runThere(`
    import { readFileSync } from 'node:fs';
    import * as compat from 'nearprint/compat';
    import { failures } from ${helper};
    const vectors = JSON.parse(readFileSync(new URL(${JSON.stringify(vectors.href)}), 'utf8'));
    console.log(failures(compat, vectors).length, 'of', vectors.length);
  `);
  assert.equal(printed, `0 of ${count}\n`);
});

// The imports of the sources: no circles, and neither of the two wings, fingerprints and sketches, imports the other.
// package.test.mjs has the modules that bundles import.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import * as nearprint from '../../pkg/index.js';
import { root } from './packed.mjs';

const js = join(root, 'js');

/** Returns the files of a folder that each of its TypeScript files imports, also types of: a Map of paths relative to the folder. */
function importsOf(folder) {
  const imports = new Map();
  for (const file of readdirSync(folder, { recursive: true })) {
    const name = file.replaceAll('\\', '/');
    if (!name.endsWith('.ts') || name.endsWith('.d.ts')) continue;
    const code = readFileSync(join(folder, name), 'utf8');
    const found = code.matchAll(/^(?:import|export)\b[^;]*?'(\.[^']*|#\w+)';/gm);
    const pathOf = (path) => (path.startsWith('#') ? path : posix.join(dirname(name), path).replace(/\.js$/, '.ts'));
    imports.set(
      name,
      Array.from(found, ([, path]) => pathOf(path)),
    );
  }
  return imports;
}

const imports = importsOf(js);

/** All that a file imports, directly or not. */
function reachedFrom(name, { among = imports, reached = new Set() } = {}) {
  for (const next of among.get(name) ?? []) {
    if (reached.has(next)) continue;
    reached.add(next);
    reachedFrom(next, { among, reached });
  }
  return reached;
}

test('no files import each other in a circle', () => {
  for (const folder of ['js', 'www']) {
    const among = importsOf(join(root, folder));
    assert.ok(among.size > 20);
    for (const name of among.keys()) assert.ok(!reachedFrom(name, { among }).has(name), `${folder}/${name}`);
  }
});

const wings = {
  simhash: /^(simhash(\/|\.)|boot\/simhash\.|#simhash$)/,
  dedupe: /^((sketch|dedupe)\/|index\.|boot\/dedupe\.|#dedupe$)/,
};
/** The files of the entries for decisions. */
const ofDecisions = /^((sketch|dedupe|stores|calibrate)\/|(index|crawl|calibrate)\.ts$)/;
const ofFingerprints = /^(simhash\/|compat\/|simhash\.ts$|compat\.ts$)/;

test('neither wing imports the other, directly or not', () => {
  const count = { simhash: 0, dedupe: 0 };
  for (const name of imports.keys()) {
    const other = ofDecisions.test(name) ? 'simhash' : ofFingerprints.test(name) ? 'dedupe' : undefined;
    if (other === undefined) continue;
    count[other]++;
    for (const reached of reachedFrom(name)) assert.doesNotMatch(reached, wings[other], `${name} imports ${reached}`);
  }
  assert.ok(count.simhash > 40 && count.dedupe > 10, JSON.stringify(count));
});

test('what both wings share imports neither of them, and starts no module', () => {
  const shared = [...imports.keys()].filter((name) => name.startsWith('common/'));
  assert.ok(shared.length > 10);
  for (const name of shared) {
    for (const reached of reachedFrom(name)) assert.match(reached, /^common\//, `${name} imports ${reached}`);
  }
});

test('the main entry has few exports, and none of them is internal', () => {
  const names = Object.keys(nearprint);
  assert.ok(names.length <= 16, names.join());
  for (const name of names) {
    const declarations = [...imports.keys()].flatMap((file) => {
      const code = readFileSync(join(js, file), 'utf8');
      const declared = new RegExp(
        `/\\*\\*((?:(?!\\*/)[^])*)\\*/\\nexport (?:const|function|async function\\*?|class) ${name}\\b`,
      );
      return ofDecisions.test(file) || file.startsWith('common/') ? (declared.exec(code)?.[1] ?? []) : [];
    });
    assert.ok(declarations.length > 0, `${name} has no documentation`);
    for (const comment of declarations) assert.ok(!comment.includes('@internal'), name);
  }
});

// The two wings of the package, fingerprints and sketches: neither imports the other. package.test.mjs has the modules that bundles
// import, and circles of imports.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import * as nearprint from '../../pkg/index.js';
import { root } from './packed.mjs';

const js = join(root, 'js');
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .sort();

/** The files of js/ that each one imports, also types of, relative to js/. */
const imports = new Map(
  filesIn(js)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const code = readFileSync(join(js, name), 'utf8');
      const found = code.matchAll(/^(?:import|export)\b[^;]*?'(\.[^']*|#\w+)';/gm);
      const pathOf = (path) => (path.startsWith('#') ? path : posix.join(dirname(name), path).replace(/\.js$/, '.ts'));
      return [name, Array.from(found, ([, path]) => pathOf(path))];
    }),
);

/** All that a file imports, directly or not. */
function reachedFrom(name, reached = new Set()) {
  for (const next of imports.get(name) ?? []) {
    if (reached.has(next)) continue;
    reached.add(next);
    reachedFrom(next, reached);
  }
  return reached;
}

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

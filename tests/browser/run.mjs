// npm run test:browser: builds the package and the page, then runs the browser tests. Arguments select test files by name.
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { isMain, readArguments } from '../../scripts/arguments.mjs';
import { browserPath, noBrowser } from '../../scripts/browsers.mjs';
import { build } from '../../scripts/build.mjs';
import { buildPage } from '../../scripts/page.mjs';
import { fail, root, run, say, testTimeout } from '../../scripts/run.mjs';
import { testFiles } from '../tier.mjs';

/** In CI a missing browser is a failure. Elsewhere its tests are skipped with a warning. */
export function findBrowser(variable) {
  const path = browserPath(variable);
  if (!path && process.env.CI) fail(noBrowser(variable));
  if (!path) console.error(`\n*** BROWSER TESTS ARE SKIPPED: ${noBrowser(variable)} ***\n`);
  return path ?? '';
}

export async function testInBrowsers(names = []) {
  // The quick tests need no Firefox.
  const FIREFOX = process.env.TESTS === 'quick' ? '' : findBrowser('FIREFOX');
  const env = { CHROMIUM: findBrowser('CHROMIUM'), FIREFOX };
  const nameOf = (file) => basename(file, '.test.mjs');
  const files = testFiles(join(root, 'tests', 'browser'))
    .filter((file) => names.length === 0 || names.includes(nameOf(file)))
    // These tests run without Chromium.
    .filter((file) => env.CHROMIUM || ['firefox', 'locales', 'text-diff'].includes(nameOf(file)));
  if (files.length === 0) fail(`no browser test that can run is named ${names.join(' or ')}`);
  await buildPage();
  say('the page, in browsers');
  const options = ['--test', `--test-concurrency=${availableParallelism()}`, testTimeout];
  run(process.execPath, [...options, ...files], { env });
}

if (isMain(import.meta.url)) {
  const { name: names } = readArguments('[NAME ...]');
  await build();
  await testInBrowsers(names);
}

// npm run test:browser: builds the package and the page, then runs the browser tests. Arguments select test files by name.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { buildPage } from '../../scripts/page.mjs';
import { fail, root, run, say, testTimeout } from '../../scripts/run.mjs';

const folder = join('tests', 'browser');

/** Each variable can name an installed browser. */
const browsers = {
  CHROMIUM: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ],
  FIREFOX: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
};

/** In CI a missing browser is a failure. Elsewhere its tests are skipped with a warning. */
export function findBrowser(variable) {
  const path = [process.env[variable], ...browsers[variable]].find((path) => path && existsSync(path));
  const message = `no ${variable.toLowerCase()} was found; set ${variable} to its path`;
  if (!path && process.env.CI) fail(message);
  if (!path) console.error(`\n*** BROWSER TESTS ARE SKIPPED: ${message} ***\n`);
  return path ?? '';
}

export async function testInBrowsers(names = []) {
  const env = { CHROMIUM: findBrowser('CHROMIUM'), FIREFOX: findBrowser('FIREFOX') };
  const selected = readdirSync(join(root, folder)).filter(
    (file) => file.endsWith('.test.mjs') && (names.length === 0 || names.includes(file.replace('.test.mjs', ''))),
  );
  // These tests run without Chromium.
  const files = selected.filter((file) => env.CHROMIUM || /^(firefox|locales|text-diff)\./.test(file));
  await buildPage();
  say('the page, in browsers');
  // One file at a time: browsers in parallel would slow each other down.
  const options = ['--test', '--test-concurrency=1', testTimeout];
  run(process.execPath, [...options, ...files.map((file) => join(folder, file))], { env });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  await testInBrowsers(process.argv.slice(2));
}

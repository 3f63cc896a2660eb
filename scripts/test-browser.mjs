// npm run test:browser: sets up, builds, and runs the tests in browsers and only those; with names, only those files.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { fail, root, run, say } from './run.mjs';

const folder = join('tests', 'browser');

/** Fails without a Chromium in CI, and elsewhere says loudly that nothing was tested. */
export function testInBrowsers(names = []) {
  const chromium = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ].find((path) => path && existsSync(path));
  if (!chromium && process.env.CI) {
    fail('no Chromium was found, so the browser tests did not run; set CHROMIUM to the path of one');
  }
  if (!chromium) {
    console.error(
      '\n*** THE BROWSER TESTS WERE SKIPPED: no Chromium was found; set CHROMIUM to the path of one. ***\n',
    );
    return;
  }
  say(`the page, in ${chromium}`);
  const files = readdirSync(join(root, folder)).filter(
    (file) => file.endsWith('.test.mjs') && (names.length === 0 || names.includes(file.replace('.test.mjs', ''))),
  );
  // Browsers are hungry: one file at a time, so that none waits for another.
  const all = files.map((file) => join(folder, file));
  run(process.execPath, ['--test', '--test-concurrency=1', ...all], { env: { CHROMIUM: chromium } });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build();
  testInBrowsers(process.argv.slice(2));
}

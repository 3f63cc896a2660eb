// npm test: sets up, builds, and runs every test.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { fail, root, run, say } from './run.mjs';

/** The test files of a folder. */
const tests = (...folder) =>
  readdirSync(join(root, ...folder), { recursive: true })
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(...folder, name));

await build();

say('Rust: unit tests, integration tests, doc tests');
run('cargo', ['test', '--locked', '--quiet', '--features', 'compat']);

say('types: the declarations and the examples in them');
run('tsc', ['--project', 'tests/types'], { shell: process.platform === 'win32' });

say('JavaScript, against the built package');
run(process.execPath, ['--test', ...tests('tests', 'js')]);

const chromium = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
].find((path) => path && existsSync(path));
if (chromium) {
  say(`the page, in ${chromium}`);
  run(process.execPath, ['--test', ...tests('tests', 'browser')], { env: { CHROMIUM: chromium } });
} else if (process.env.CI) {
  fail('no Chromium was found, so the browser tests did not run; set CHROMIUM to the path of one');
} else {
  console.error('\n*** THE BROWSER TESTS WERE SKIPPED: no Chromium was found; set CHROMIUM to the path of one. ***\n');
}

// Which tests run. `npm test` sets TESTS=quick, which skips the tests that call `exhaustive` in place of `test`.
// `npm run test:all` sets TESTS=exhaustive, which runs only them. Without TESTS, both run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as always } from 'node:test';

const { TESTS } = process.env;

export const test = TESTS === 'exhaustive' ? always.skip : always;
export const exhaustive = TESTS === 'quick' ? always.skip : always;

/** Whether a test file has tests that run, by the names that it imports from this one. */
function hasTests(file) {
  const code = readFileSync(file, 'utf8');
  if (TESTS === 'quick') return !code.includes('import { exhaustive as test }');
  return TESTS !== 'exhaustive' || /import \{ exhaustive/.test(code);
}

/** Returns the test files of a folder and its subfolders that have tests that run. */
export const testFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(folder, name))
    .filter(hasTests);

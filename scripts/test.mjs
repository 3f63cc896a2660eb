// npm test: sets up, builds, and runs every test.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testInBrowsers } from '../tests/browser/run.mjs';
import { build } from './build.mjs';
import { root, run, rustPackages, say, testTimeout } from './run.mjs';
import { installPackages } from './setup.mjs';

/** The test files of a folder. */
const tests = (...folder) =>
  readdirSync(join(root, ...folder), { recursive: true })
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => join(...folder, name));

await build();

say('Rust: unit tests, integration tests, doc tests');
run('cargo', ['test', '--locked', '--quiet', ...rustPackages, '--features', 'nearprint/compat']);

installPackages(join(root, 'tests', 'types'), 'the compilers and checkers of the declarations');
say('JavaScript and its types, against the built package');
run(process.execPath, ['--test', testTimeout, ...tests('tests', 'js')]);

await testInBrowsers();

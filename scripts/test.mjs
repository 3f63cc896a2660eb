// npm test: sets up, builds, and runs some tests of every kind. `-- --exhaustive`, which is npm run test:all, runs the others.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { build } from './build.mjs';
import { root, run, runAside, rustPackages, say, testTimeout } from './run.mjs';
import { installPackages, setup } from './setup.mjs';

const { exhaustive } = readArguments('[--exhaustive]');
process.env.TESTS = exhaustive ? 'exhaustive' : 'quick';
const { testFiles } = await import('../tests/tier.mjs');
const { testInBrowsers } = await import('../tests/browser/run.mjs');

setup();
// tests/it tries more if the tests are exhaustive. The others are the same.
const targets = process.env.TESTS === 'quick' ? [] : ['--test', 'it'];
const cargo = ['test', '--locked', '--quiet', ...rustPackages, '--all-features', ...targets];
const rust = runAside('Rust: unit tests, integration tests, doc tests', 'cargo', cargo);

await build();
installPackages(join(root, 'tests', 'types'), 'the compilers and checkers of the declarations');
say('JavaScript and its types, against the built package');
// By default, Node leaves one processor to itself: half of two.
const concurrency = `--test-concurrency=${availableParallelism()}`;
run(process.execPath, ['--test', concurrency, testTimeout, ...testFiles(join(root, 'tests', 'js'))]);
await testInBrowsers();
await rust;

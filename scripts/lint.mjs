// Checks the format, the lints, the types, the licence notices and the messages of commits; `npm run lint -- --fix` corrects
// what tools can correct.
import { readArguments } from './arguments.mjs';
import { buildWasm } from './build-wasm.mjs';
import { checkCommits } from './commits.mjs';
import { checkLicenses } from './licenses.mjs';
import { run, rustPackages } from './run.mjs';
import { setup } from './setup.mjs';

const { fix } = readArguments('[--fix]');
const shell = process.platform === 'win32';

setup();
// The sources import the declarations of the bindings.
await buildWasm();
const wasm = ['--package', 'nearprint-wasm', '--target', 'wasm32-unknown-unknown'];
run('cargo', ['fmt', '--all', ...(fix ? [] : ['--check'])]);
for (const packages of [[...rustPackages, '--all-targets'], wasm]) {
  run('cargo', ['clippy', '--locked', ...packages, '--all-features', '--quiet', '--', '--deny', 'warnings']);
}
run('cargo', ['doc', '--locked', '--all-features', '--no-deps', '--quiet'], {
  env: { RUSTDOCFLAGS: '--deny warnings' },
});
run('biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])], { shell });
// Sources for every runtime and the page; sources for Node; sources for the page's workers.
for (const project of ['tsconfig.json', 'tsconfig.node.json', 'tsconfig.worker.json']) {
  run('tsc', ['--project', project], { shell });
}
checkLicenses();
checkCommits();

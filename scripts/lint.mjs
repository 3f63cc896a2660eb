// Checks the format, the lints, the types and the licence notices; `npm run lint -- --fix` corrects what tools can correct.
import { buildWasm } from './build-wasm.mjs';
import { checkLicenses } from './licenses.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

const fix = process.argv.includes('--fix');
const shell = process.platform === 'win32';

setup();
// The sources import the declarations of the bindings.
buildWasm();
run('cargo', ['fmt', ...(fix ? [] : ['--check'])]);
run('cargo', ['clippy', '--locked', '--all-targets', '--all-features', '--quiet', '--', '--deny', 'warnings']);
run('cargo', ['doc', '--locked', '--no-deps', '--quiet'], { env: { RUSTDOCFLAGS: '--deny warnings' } });
run('biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])], { shell });
// Sources for every runtime and the page; sources for Node; sources for the page's workers.
for (const project of ['tsconfig.json', 'tsconfig.node.json', 'tsconfig.worker.json']) {
  run('tsc', ['--project', project], { shell });
}
checkLicenses();

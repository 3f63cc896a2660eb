// Checks the format, the lints and the licence notices; `npm run lint -- --fix` corrects what tools can correct.
import { checkLicenses } from './licenses.mjs';
import { run } from './run.mjs';
import { setup } from './setup.mjs';

const fix = process.argv.includes('--fix');

setup();
run('cargo', ['fmt', ...(fix ? [] : ['--check'])]);
run('cargo', ['clippy', '--locked', '--all-targets', '--all-features', '--quiet', '--', '--deny', 'warnings']);
run('cargo', ['doc', '--locked', '--no-deps', '--quiet'], { env: { RUSTDOCFLAGS: '--deny warnings' } });
run('biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])], { shell: process.platform === 'win32' });
checkLicenses();

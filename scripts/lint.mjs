// Formatting and lints of both languages; `npm run lint -- --fix` mends what can be mended.
import { run } from './run.mjs';
import { setup } from './setup.mjs';

const fix = process.argv.includes('--fix');

setup();
run('cargo', ['fmt', ...(fix ? [] : ['--check'])]);
run('cargo', ['clippy', '--locked', '--all-targets', '--all-features', '--quiet', '--', '--deny', 'warnings']);
run('cargo', ['doc', '--locked', '--no-deps', '--quiet'], { env: { RUSTDOCFLAGS: '--deny warnings' } });
run('biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : [])], { shell: process.platform === 'win32' });

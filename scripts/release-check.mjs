// npm run release:check: everything that must hold before a release, from clean to packed.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, npm, root, run, say } from './run.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

say('one version everywhere, and a changelog of it');
const { version } = JSON.parse(read('package.json'));
if (!read('Cargo.toml').includes(`\nversion = "${version}"\n`)) fail(`Cargo.toml is not of version ${version}`);
const tag = process.env.GITHUB_REF_NAME;
if (tag?.startsWith('v') && tag !== `v${version}`) fail(`the tag is ${tag}, and the version ${version}`);
if (tag?.startsWith('v') && !read('CHANGELOG.md').includes(`\n## ${version}`)) {
  fail(`CHANGELOG.md has no part "## ${version}"`);
}

for (const folder of ['build', 'pkg']) rmSync(join(root, folder), { recursive: true, force: true });
for (const script of ['lint', 'test', 'sizes', 'test:runtimes', 'test:soak', 'docs']) {
  say(`npm run ${script}`);
  npm('run', script);
}
say('what npm would publish');
npm('pack', join(root, 'pkg'), '--dry-run');
say('what crates.io would get');
run('cargo', [
  'publish',
  '--dry-run',
  '--locked',
  '--package',
  'nearprint',
  ...(process.env.CI ? [] : ['--allow-dirty']),
]);

// npm run release:check: runs every check that must pass before a release, from a clean build to the packed package.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './arguments.mjs';
import { isPublished, NOT_PUBLISHED, readDocuments, wrongDocuments } from './publication.mjs';
import { fail, npm, root, run, say } from './run.mjs';
import { installTools } from './setup.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

readArguments('');
say('checking the version and the changelog');
const manifest = JSON.parse(read('package.json'));
const { version } = manifest;
if (!read('Cargo.toml').includes(`\nversion = "${version}"\n`))
  fail(`package.json has version ${version}, and Cargo.toml another`);
const tag = process.env.GITHUB_REF_NAME;
if (tag?.startsWith('v') && tag !== `v${version}`) fail(`the tag is ${tag}, but the version is ${version}`);
if (tag?.startsWith('v') && !read('CHANGELOG.md').includes(`\n## ${version}`)) {
  fail(`CHANGELOG.md has no section "## ${version}"`);
}
if (tag?.startsWith('v') && !isPublished(manifest)) fail('a release needs a package.json that is not private');
const wrong = wrongDocuments(readDocuments(), isPublished(manifest));
if (wrong.length > 0) {
  const rule = isPublished(manifest)
    ? `must not say "${NOT_PUBLISHED}", since package.json is not private`
    : `must say "${NOT_PUBLISHED}" above its first command, since package.json is private`;
  fail(`${wrong.join(', ')}: each ${rule}`);
}

for (const folder of ['build', 'pkg']) rmSync(join(root, folder), { recursive: true, force: true });
for (const script of ['lint', 'test', 'test:all', 'sizes', 'test:runtimes', 'test:soak', 'docs']) {
  say(`npm run ${script}`);
  npm('run', script);
}
// The changelog lists the releases. The first one has no earlier release to be compatible with.
const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, release]) => release);
const previous = releases.find((release) => release !== version);
if (previous !== undefined) {
  say(`the API of the crate, compared with ${previous}`);
  const name = 'cargo-semver-checks';
  installTools([{ name, bin: name, version: '0.51.0', options: ['--locked'] }]);
  run('cargo', ['semver-checks', '--package', 'nearprint', '--all-features', '--baseline-version', previous]);
}
say('the files that npm would publish');
npm('pack', join(root, 'pkg'), '--dry-run');
say('the files that crates.io would receive');
const dirty = process.env.CI ? [] : ['--allow-dirty'];
run('cargo', ['publish', '--dry-run', '--locked', '--package', 'nearprint', ...dirty]);

// The packages on which the project is built: the crates in the manifests, and wasm-pack in the set-up. The crate's own package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exhaustive, test } from '../tier.mjs';
import { root } from './packed.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

/** Returns the names of the crates in the section `[dependencies]` of a manifest. */
function dependenciesOf(manifest) {
  const [section] = read(manifest).split('\n[dependencies]\n')[1].split('\n[');
  return [...section.matchAll(/^([\w-]+) = /gm)].map(([, name]) => name);
}

for (const [manifest, crates] of [
  ['Cargo.toml', ['fnv', 'unicode-segmentation']],
  ['wasm/Cargo.toml', ['wasm-bindgen', 'js-sys']],
]) {
  test(`${manifest} depends on ${crates.join(' and ')}`, () => {
    const dependencies = dependenciesOf(manifest);
    for (const name of crates) assert.ok(dependencies.includes(name), `${name} is one of ${dependencies.join(', ')}`);
  });
}

test('wasm-pack builds the modules, and the set-up installs it', () => {
  assert.match(read('scripts/setup.mjs'), /name: 'wasm-pack', bin: 'wasm-pack', version: '\d+\.\d+\.\d+'/);
  assert.match(read('scripts/build-wasm.mjs'), /^ +'wasm-pack',\n/m);
});

exhaustive('the crate is packaged without warnings', () => {
  const args = ['package', '--package', 'nearprint', '--locked', '--no-verify', '--allow-dirty'];
  const { status, stderr } = spawnSync('cargo', args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /warning/);
});

// Builds pkg/, the npm package, from the crate and js/. A part whose sources are unchanged is not rebuilt.
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, readArguments } from './arguments.mjs';
import { bundlePackage } from './build-bundles.mjs';
import { copyDocuments } from './build-documents.mjs';
import { entries, toEntries, writeManifest } from './build-manifest.mjs';
import { writeTypes } from './build-types.mjs';
import { buildWasm, moduleFile, packageModules } from './build-wasm.mjs';
import { rebuild, root } from './run.mjs';
import { setup } from './setup.mjs';

const at = (...path) => join(root, ...path);

/** The sources of everything in pkg/ except the documents. */
const sources = [
  'js',
  'build/wasm',
  'package.json',
  'package-lock.json',
  'scripts',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Returns the CommonJS of an entry. An old Node cannot parse the bundle, which is therefore in another file. */
function checkedEntryOf(name) {
  const folder = toEntries(name);
  return `'use strict';\nrequire('${folder}check-node.cjs');\nmodule.exports = require('${folder}cjs/${name}.cjs');\n`;
}

async function writePackage() {
  for (const name of packageModules) cpSync(moduleFile(name), at('pkg', `${name}.wasm`));
  await bundlePackage();
  chmodSync(at('pkg', 'cli.js'), 0o755);
  writeTypes(at('pkg', 'types'), ['web'], Object.values(entries));
  cpSync(at('js', 'check-node.cjs'), at('pkg', 'check-node.cjs'));
  for (const name of Object.keys(entries)) writeFileSync(at('pkg', `${name}.cjs`), checkedEntryOf(name));
  writeManifest();
}

/** Builds the package. The documents are copied each time: they need no build. */
export async function build() {
  setup();
  await buildWasm();
  await rebuild(at('pkg'), sources, '', writePackage);
  copyDocuments();
}

if (isMain(import.meta.url)) {
  readArguments('');
  await build();
}

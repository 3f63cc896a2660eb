// Compares LICENSE-THIRD-PARTY with the crates that are compiled into the WebAssembly modules and the packages that
// are bundled into the command line. `--write` writes the file.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMain, readArguments } from './arguments.mjs';
import { fail, root } from './run.mjs';

const file = join(root, 'LICENSE-THIRD-PARTY');

/** The standard library is compiled in too, but `cargo metadata` does not list it. */
const standardLibrary = {
  title: 'The Rust standard library (core, alloc, compiler_builtins): MIT OR Apache-2.0',
  text: [
    'Copyright (c) The Rust Project Contributors',
    readFileSync(join(root, 'LICENSE-MIT'), 'utf8').replace(/^.*?(?=Permission is)/s, ''),
  ].join('\n\n'),
};

/** The packages that the modules link. Macros run at compile time, so they and their dependencies are not linked. */
function linkedPackages() {
  const cargo = (command, ...options) => {
    const manifest = ['--locked', '--all-features', '--manifest-path', join(root, 'wasm', 'Cargo.toml')];
    return execFileSync('cargo', [command, ...manifest, ...options], { encoding: 'utf8', maxBuffer: 1e8 });
  };
  const tree = ['--edges', 'normal,no-proc-macro', '--prefix', 'none', '--format', '{p},'];
  const linked = cargo('tree', '--target', 'wasm32-unknown-unknown', ...tree);
  return JSON.parse(cargo('metadata', '--format-version', '1', '--filter-platform', 'wasm32-unknown-unknown'))
    .packages.filter(({ name, version, source }) => source !== null && linked.includes(`${name} v${version},`))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the name of the licence file in the folder of a package. If two licences are offered, MIT is chosen. */
function licenseFileIn(folder) {
  const candidates = ['LICENSE-MIT', 'LICENSE.md', 'LICENSE.txt', 'LICENSE'];
  const main = candidates.find((candidate) => existsSync(join(folder, candidate)));
  if (main === undefined) fail(`${folder} has no licence file that scripts/licenses.mjs knows`);
  return main;
}

/** Returns the texts of a package's licences. */
function licenseOf({ name, version, license, manifest_path }) {
  const folder = dirname(manifest_path);
  const main = licenseFileIn(folder);
  const names = license.includes('AND Unicode-3.0') ? [main, 'LICENSE-UNICODE'] : [main];
  // In the file of libm, the licence for users is followed by a licence for contributors.
  const texts = names.map((each) => readFileSync(join(folder, each), 'utf8').split(/\n-{20,}\n\nAs a contributor/)[0]);
  return { title: `${name} ${version}: ${license}`, text: texts.join('\n\n') };
}

/** The npm packages in the command line and in the page: the encodings of pages, and the word diffs. */
const bundledNames = ['@exodus/bytes', 'diff', 'html-encoding-sniffer'];

const folderOf = (name) => join(root, 'node_modules', name);

const bundledPackages = () =>
  bundledNames.map((name) => {
    const manifest = join(folderOf(name), 'package.json');
    return { ...JSON.parse(readFileSync(manifest, 'utf8')), manifest_path: manifest };
  });

/** Copies the licences of the bundled packages into a folder, as `LICENSE-diff.txt` and so on. */
export function copyBundledLicenses(to) {
  for (const name of bundledNames) {
    cpSync(join(folderOf(name), licenseFileIn(folderOf(name))), join(to, `LICENSE-${basename(name)}.txt`));
  }
}

/** Returns a text without trailing white space, so that equal licences compare equal. */
const trimmed = (text) =>
  text
    .replaceAll('\r', '')
    .replace(/[ \t]+$/gm, '')
    .trim();

function notices() {
  const packages = [...linkedPackages(), ...bundledPackages()];
  const titlesOf = new Map();
  for (const { title, text } of [standardLibrary, ...packages.map(licenseOf)]) {
    titlesOf.set(trimmed(text), [...(titlesOf.get(trimmed(text)) ?? []), title]);
  }
  const sections = [...titlesOf].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
  const intro = `Third-party software in the WebAssembly modules, their glue code and the command line, and its licences.
Written by scripts/licenses.mjs. LICENSE-UNICODE is the licence of Unicode's data, from which tables are derived.
`;
  return [intro, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Fails if LICENSE-THIRD-PARTY does not list what is linked. */
export function checkLicenses() {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== notices()) {
    fail('LICENSE-THIRD-PARTY is out of date: node scripts/licenses.mjs --write');
  }
}

if (isMain(import.meta.url)) {
  const { write } = readArguments('[--write]');
  if (write) writeFileSync(file, notices());
  else checkLicenses();
}

// Compiles the crate to the WebAssembly modules of the package and of the demo page, each in a folder of build/wasm.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { rebuild, root, run, say } from './run.mjs';

const at = (...path) => join(root, ...path);

/** The modules of the package, each named after the crate's feature for it. */
export const packageModules = ['dedupe', 'simhash', 'compat', 'cli'];

/** All modules: the demo page has one of its own (scripts/page.mjs). */
export const modules = [...packageModules, 'page'];

export const moduleFile = (name) => at('build', 'wasm', name, `${name}_bg.wasm`);
/** Returns the file of a module's glue, the generated bindings. */
export const glueFile = (name) => at('build', 'wasm', name, `${name}.js`);

const sources = ['Cargo.toml', 'Cargo.lock', '.cargo', 'src', 'wasm', 'scripts/build-wasm.mjs'];

/**
 * Flags for the compiler, without which panic locations would contain this machine's folders of crates. Locations in the
 * standard library do not need them. `tests/reproducible.mjs` builds in two places.
 */
function remapping() {
  const registries = join(process.env.CARGO_HOME || join(homedir(), '.cargo'), 'registry', 'src');
  // It is missing if the tools are from an earlier build and the crates have since been removed.
  if (!existsSync(registries)) run('cargo', ['fetch', '--locked', '--quiet', '--target', 'wasm32-unknown-unknown']);
  return readdirSync(registries).map((name) => `--remap-path-prefix=${join(registries, name)}=`);
}

function compile(name, flags) {
  say(`compiling the crate to WebAssembly: ${name}`);
  // wasm-pack finds wasm-bindgen and wasm-opt on the PATH (scripts/setup.mjs). RUSTFLAGS would override
  // .cargo/config.toml, and with it SIMD.
  run(
    'wasm-pack',
    [
      ...['--log-level', 'error', 'build', 'wasm', '--release', '--target', 'web', '--mode', 'no-install', '--no-pack'],
      // wasm-pack optimises every module in the folder.
      ...['--out-dir', `../build/wasm/${name}`, '--out-name', name],
      ...['--', '--locked', '--quiet', '--features', name],
      ...['--config', `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`],
    ],
    { env: { RUSTFLAGS: undefined } },
  );
}

/** Overwrites the paths of source files by zeros: no panic prints its location. Code has no such run of bytes. */
function removePaths(name) {
  const bytes = readFileSync(moduleFile(name), 'latin1');
  writeFileSync(
    moduleFile(name),
    bytes.replace(/[\w./-]*src\/[\w./-]+\.rs\b/g, (path) => '\0'.repeat(path.length)),
    'latin1',
  );
}

/** Replaces the hashes in the names of imports by numbers of the same length: hashes cannot be compressed. */
function removeHashes(name) {
  const hash = /(?<=_)[0-9a-f]{16}\b/g;
  const glue = readFileSync(glueFile(name), 'utf8');
  const hashes = [...new Set(glue.match(hash))];
  const replace = (text) =>
    text.replace(hash, (found) => (hashes.includes(found) ? `${hashes.indexOf(found)}`.padStart(16, '0') : found));
  writeFileSync(glueFile(name), replace(glue));
  writeFileSync(moduleFile(name), replace(readFileSync(moduleFile(name), 'latin1')), 'latin1');
}

/** Compiles the modules unless their sources are unchanged. */
export function buildWasm() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  return rebuild(at('build', 'wasm'), sources, packages['node_modules/binaryen'].version, () => {
    const flags = remapping();
    for (const name of modules) {
      compile(name, flags);
      removePaths(name);
      removeHashes(name);
    }
  });
}

// Compiles the crate to the WebAssembly modules of the package and of the demo page, each in a folder of build/wasm.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fail, rebuild, root, run, say } from './run.mjs';

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
  const printed = run(
    'wasm-pack',
    [
      ...['--log-level', 'error', 'build', 'wasm', '--release', '--target', 'web', '--mode', 'no-install', '--no-pack'],
      // wasm-pack optimises every module in the folder.
      ...['--out-dir', `../build/wasm/${name}`, '--out-name', name],
      ...['--', '--locked', '--quiet', '--features', name],
      ...['--config', `target.wasm32-unknown-unknown.rustflags=${JSON.stringify(flags)}`],
    ],
    { env: { RUSTFLAGS: undefined }, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  // One list for each round of --converge: later ones change no name.
  const [names, ...others] = printed.trim().split(/\n(?=\{)/);
  for (const { imports, exports } of others.map((list) => JSON.parse(list))) {
    const isRenamed = (names) => names.at(-2) !== names.at(-1);
    if ([...imports, ...exports].some(isRenamed)) fail(`wasm-opt renames the imports or exports of ${name} twice`);
  }
  writeFileSync(namesFile(name), names);
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

/** The names of a module's imports and exports, as wasm-opt prints them. The last item of each list is the short name. */
const namesFile = (name) => at('build', 'wasm', name, 'names.json');

/** Returns the names of a module's imports, and maps the names of its exports in Rust to the short ones. */
function namesOf(name) {
  const { imports, exports } = JSON.parse(readFileSync(namesFile(name), 'utf8'));
  return { imports, exported: Object.fromEntries(exports) };
}

/** Returns the short names of a module's exports by their names in Rust. */
export const exportsOf = (name) => namesOf(name).exported;

/** Replaces a part of the glue. Ends the script if the glue lacks it: another version of wasm-bindgen may write other code. */
function replaceIn(glue, part, replacement) {
  if (!glue.includes(part)) fail(`the glue of wasm-bindgen has no ${part}`);
  return glue.replace(part, replacement);
}

/** Changes the glue of a module to the short names, which wrangler and other tools upload once in the glue and once in the module. */
function shortenNames(name) {
  const { imports, exported } = namesOf(name);
  let glue = readFileSync(glueFile(name), 'utf8');
  for (const [, long, short] of imports) glue = replaceIn(glue, `${long}: function`, `${short}: function`);
  glue = replaceIn(glue, `"./${name}_bg.js": import0`, 'a: import0');
  glue = glue.replace(/\bwasm\.(\w+)/g, (_, long) => {
    if (!(long in exported)) fail(`the module ${name} has no export ${long}`);
    return `wasm.${exported[long]}`;
  });
  writeFileSync(glueFile(name), `${glue}\nexport const memory = () => wasm.${exported.memory};\n`);
}

/** Compiles the modules unless their sources are unchanged. */
export function buildWasm() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  return rebuild(at('build', 'wasm'), sources, packages['node_modules/binaryen'].version, () => {
    const flags = remapping();
    for (const name of modules) {
      compile(name, flags);
      removePaths(name);
      shortenNames(name);
    }
  });
}

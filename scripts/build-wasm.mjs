// Compiles the crate to the WebAssembly modules of the package, in build/wasm.
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root, run, say } from './run.mjs';
import { isUpToDate, stamp } from './stamp.mjs';

const at = (...path) => join(root, ...path);

/** Each module is a feature of the crate; `bindings` is the file of js/boot that starts it. */
export const modules = {
  nearprint: { feature: 'wasm', bindings: 'nearprint.js' },
  nearprint_compat: { feature: 'wasm-compat', bindings: 'compat.js' },
  nearprint_tools: { feature: 'wasm-tools', bindings: 'tools.js' },
};

export const moduleFile = (name) => at('build', 'wasm', `${name}_bg.wasm`);

const sources = ['Cargo.toml', 'Cargo.lock', '.cargo', 'src', 'wasm', 'scripts/build-wasm.mjs'];

function compile(name, { feature }) {
  say(`compiling the crate to WebAssembly: ${name}`);
  // Panic locations would name this machine's folders, and make the module different on every machine.
  const crates = process.env.CARGO_HOME || join(homedir(), '.cargo');
  const flags = JSON.stringify([`--remap-path-prefix=${crates}=`]);
  // wasm-pack finds wasm-bindgen and wasm-opt on the PATH (scripts/setup.mjs). RUSTFLAGS would override
  // .cargo/config.toml, and with it SIMD.
  run(
    'wasm-pack',
    [
      ...['--log-level', 'error', 'build', 'wasm', '--release', '--target', 'web', '--mode', 'no-install'],
      ...['--no-pack', '--no-typescript', '--out-dir', '../build/wasm', '--out-name', name],
      ...['--', '--locked', '--quiet', '--features', feature],
      ...['--config', `target.wasm32-unknown-unknown.rustflags=${flags}`],
    ],
    { env: { RUSTFLAGS: undefined } },
  );
}

/** Compiles the modules unless their sources are unchanged. */
export function buildWasm() {
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'));
  const wasmOpt = packages['node_modules/binaryen'].version;
  if (isUpToDate('wasm', sources, wasmOpt) && Object.keys(modules).every((name) => existsSync(moduleFile(name))))
    return;
  for (const [name, module] of Object.entries(modules)) compile(name, module);
  stamp('wasm', sources, wasmOpt);
}

/** Copies the modules into the package. */
export function copyModules(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(modules)) cpSync(moduleFile(name), join(folder, `${name}.wasm`));
}

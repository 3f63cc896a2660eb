// Installs everything that the other scripts need, on a machine that has only Node and rustup. It takes no time when
// everything is installed. The tools go into the user's cache, one folder per version; no other file of the user changes.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fail, npm, output, root, run, say } from './run.mjs';

const tools = [
  { name: 'wasm-pack', bin: 'wasm-pack', version: '0.15.1', options: ['--locked'] },
  {
    name: 'wasm-bindgen-cli',
    bin: 'wasm-bindgen',
    version: /^wasm-bindgen = .*"=([\d.]+)"/m.exec(readFileSync(join(root, 'wasm', 'Cargo.toml'), 'utf8'))[1],
    // Not --locked: the lock file of this crate names a withdrawn crate. The default features only add TLS for the test
    // runner.
    options: ['--no-default-features', '--bin', 'wasm-bindgen'],
  },
];

/** Optimising the tools takes more time than it saves, since they run only briefly in a build. */
const unoptimised = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  CARGO_PROFILE_RELEASE_DEBUG: '0',
  CARGO_PROFILE_RELEASE_STRIP: 'true',
};

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nearprint');
const exe = process.platform === 'win32' ? '.exe' : '';

function checkRust() {
  if (output('rustup', ['--version']) === null) fail('rustup is not installed: see https://rustup.rs');
  if (output('rustc', ['--version']) === null) fail('rustup has no toolchain: rustup toolchain install stable');
  if (process.platform !== 'win32' && output('cc', ['--version']) === null) {
    fail('Rust needs a C linker, cc: apt-get install gcc libc6-dev, or xcode-select --install on a Mac');
  }
}

/** Folders without a lock file get the newest versions of this day that their package.json permits: the same on every machine. */
const before = '2026-11-20';

/** Installs the packages of a folder anew, unless its node_modules was installed from the present versions. */
export function installPackages(folder = root, what = 'the npm packages that build and test') {
  const modules = join(folder, 'node_modules');
  const stamp = join(modules, '.nearprint-versions');
  const isLocked = existsSync(join(folder, 'package-lock.json'));
  const versions = readFileSync(join(folder, isLocked ? 'package-lock.json' : 'package.json'));
  const hash = createHash('sha256').update(versions).update(before).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  say(`installing ${what}`);
  // The present packages would decide which versions are chosen.
  rmSync(modules, { recursive: true, force: true });
  const command = isLocked ? ['ci'] : ['install', '--no-package-lock', '--before', before];
  npm(...command, '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, hash);
}

/** Installs the tools that are neither on the PATH nor in the cache, and adds their folders to the PATH. */
export function installTools(wanted) {
  for (const { name, bin, version, options } of wanted) {
    if (output(bin, ['--version'])?.endsWith(` ${version}`)) continue;
    const folder = join(cache, `${name}-${version}`);
    if (!existsSync(join(folder, 'bin', bin + exe))) {
      say(`compiling ${name} ${version}, once per machine: about a minute`);
      run('cargo', ['install', '--root', folder, ...options, `${name}@${version}`], { env: unoptimised });
    }
    addToPath(join(folder, 'bin'));
  }
}

/** Adds a folder to the front of this process's PATH. */
function addToPath(folder) {
  process.env.PATH = [folder, process.env.PATH].join(delimiter);
}

/** Checks and installs everything, and adds the tools to the PATH of this process. */
export function setup() {
  checkRust();
  run('rustup', ['--quiet', 'target', 'add', 'wasm32-unknown-unknown']);
  installPackages();
  installTools(tools);
  addToPath(join(root, 'node_modules', '.bin'));
}

// Everything that the other scripts need, on a machine with only Node and rustup. Quick when it is
// all there. Tools go into the user's cache, one folder a version: nothing of the user's is touched.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fail, npm, output, root, run, say } from './run.mjs';

const read = (name) => readFileSync(join(root, name), 'utf8');

/** wasm-pack's lock file is sound; that of the wasm-bindgen tool names a withdrawn crate. */
const tools = [
  { name: 'wasm-pack', bin: 'wasm-pack', version: '0.15.1', locked: true },
  {
    name: 'wasm-bindgen-cli',
    bin: 'wasm-bindgen',
    version: /^wasm-bindgen = .*"=([\d.]+)"/m.exec(read('Cargo.toml'))[1],
    locked: false,
  },
];

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nearprint');
const exe = process.platform === 'win32' ? '.exe' : '';

/** Whether version `a`, as in 1.91.0, is older than `b`. */
function older(a, b) {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  return (x[0] - y[0] || x[1] - y[1]) < 0;
}

function checkRust() {
  if (output('rustup', ['--version']) === null) fail('rustup is not installed: see https://rustup.rs');
  const rustc = output('rustc', ['--version']);
  if (rustc === null) fail('rustup has no toolchain: rustup toolchain install stable');
  const [, wanted] = /^rust-version = "([\d.]+)"/m.exec(read('Cargo.toml'));
  const [, version] = /rustc ([\d.]+)/.exec(rustc);
  if (older(version, wanted)) fail(`Rust ${wanted} or newer is needed, and this is ${version}: rustup update stable`);
  if (process.platform !== 'win32' && output('cc', ['--version']) === null) {
    fail('Rust needs a C linker, cc: apt-get install gcc libc6-dev, or xcode-select --install on a Mac');
  }
}

/** Adds a target to the toolchain if it is not there. */
export function addTarget(target) {
  if (output('rustup', ['target', 'list', '--installed'])?.split('\n').includes(target)) return;
  say(`adding the Rust target ${target}`);
  run('rustup', ['target', 'add', target]);
}

/** Runs npm ci in a folder unless its node_modules is of this very lock file. */
export function installPackages(folder = root, what = 'the npm packages that build and test') {
  const stamp = join(folder, 'node_modules', '.nearprint-lock');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  say(`installing ${what}`);
  npm('ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, hash);
}

/** The folder of a tool's program of the right version, which is built if there is none. */
function install({ name, bin, version, locked }) {
  if (output(bin, ['--version'])?.endsWith(` ${version}`)) return null;
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(join(folder, 'bin', bin + exe))) {
    say(`building ${name} ${version}, once: a minute or two`);
    run('cargo', ['install', '--quiet', '--root', folder, ...(locked ? ['--locked'] : []), `${name}@${version}`]);
  }
  return join(folder, 'bin');
}

/** Sets up, and puts the tools on this process's PATH. */
export function setup() {
  checkRust();
  addTarget('wasm32-unknown-unknown');
  installPackages();
  const folders = [join(root, 'node_modules', '.bin'), ...tools.map(install)].filter(Boolean);
  process.env.PATH = [...folders, process.env.PATH].join(delimiter);
}

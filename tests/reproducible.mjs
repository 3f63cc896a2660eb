// npm run test:reproducible: builds the WebAssembly modules twice from nothing, in two folders and with two folders of
// Cargo's. The modules must be equal. Takes some minutes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readArguments } from '../scripts/arguments.mjs';
import { moduleFile, modules } from '../scripts/build-wasm.mjs';
import { fail, output, root, run, say } from '../scripts/run.mjs';
import { setup } from '../scripts/setup.mjs';

const cargoHome = process.env.CARGO_HOME || join(homedir(), '.cargo');

/** Copies the files that git knows, as they are now. */
function copySources(folder) {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const name of stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** A folder with the content of Cargo's, and another name. */
function linkCargoHome(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(cargoHome)) symlinkSync(join(cargoHome, name), join(folder, name));
}

const code = `
  const { setup } = await import('./scripts/setup.mjs');
  const { buildWasm } = await import('./scripts/build-wasm.mjs');
  setup();
  await buildWasm();`;

/** Returns the hash of each module. */
function build(folder, home) {
  const env = { CARGO_HOME: home, CARGO_TARGET_DIR: undefined };
  run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder, env });
  return modules.map((name) => {
    const bytes = readFileSync(join(folder, relative(root, moduleFile(name))));
    return { name, hash: createHash('sha256').update(bytes).digest('hex') };
  });
}

readArguments('');
setup();
const temporary = mkdtempSync(join(tmpdir(), 'nearprint-'));
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
const [one, other] = [join(temporary, 'a'), join(temporary, 'another', 'folder', 'with a longer name')];
for (const folder of [one, other]) copySources(folder);
const home = join(temporary, 'cargo home');
linkCargoHome(home);
say(`two builds with ${output('rustc', ['--version'])}`);
const [first, second] = [build(one, cargoHome), build(other, home)];
for (const [at, { name, hash }] of first.entries()) {
  console.log(`${name}.wasm ${hash}`);
  if (second[at].hash !== hash) fail(`${name}.wasm differs in another folder: ${second[at].hash}`);
}

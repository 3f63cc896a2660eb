// Shared by the scripts: the project's folder, commands, bundles, and the parts of the build.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends a test file after half an hour: processes that a failed test has left would keep the run alive. */
export const testTimeout = '--test-timeout=1800000';

/** Arguments of Cargo: the packages that run natively. */
export const rustPackages = ['nearprint', 'nearprint-tests', 'nearprint-lines'].flatMap((name) => ['--package', name]);

/** Prints an error message and ends the script. */
export function fail(message) {
  console.error(`nearprint: ${message}`);
  process.exit(1);
}

export const say = (message) => console.error(`\x1b[2m» ${message}\x1b[0m`);

/**
 * Runs a command in the project's folder and shows its output, or returns what `options` does not show. Ends the script if the
 * command fails.
 */
export function run(command, args, { env = {}, ...options } = {}) {
  const { status, signal, error, stdout } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    ...options,
  });
  if (error) fail(`${command} does not start: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${signal ?? `exit code ${status}`}`);
  return stdout;
}

/**
 * Starts a command in the background. Returns a promise of its end, which shows its output. Ends the script if the command
 * fails.
 */
export function runAside(what, command, args) {
  say(`${what}, in the background`);
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
  // A pipe would be full while this process waits for a command of `run`.
  const log = join(folder, 'log');
  const file = openSync(log, 'w');
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', file, file] });
  process.on('exit', () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${command} does not start: ${error.message}`));
    child.on('close', (status, signal) => {
      say(what);
      process.stderr.write(readFileSync(log));
      if (status !== 0) fail(`${command} ${args.join(' ')}: ${signal ?? `exit code ${status}`}`);
      resolve();
    });
  });
}

/** Returns the output of a command, or null if it is not installed or fails. */
export function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Runs npm: the one that runs this script, if any. */
export const npm = process.env.npm_execpath?.endsWith('.js')
  ? (...args) => run(process.execPath, [process.env.npm_execpath, ...args])
  : (...args) => run('npm', args, { shell: process.platform === 'win32' });

/**
 * Bundles files with esbuild, which is imported at the first call: setup.mjs may have to install it before. `setup` is the
 * setup of a plugin that changes how imports resolve.
 */
export async function bundle(options, setup = () => {}) {
  const { build } = await import('esbuild');
  return build({
    absWorkingDir: root,
    bundle: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [{ name: 'nearprint', setup }],
    ...options,
  });
}

/** Returns the files of a source, which is a file or a folder. */
function filesOf(source) {
  const path = join(root, source);
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Empties a folder and fills it with `write`, unless it was filled from the present sources before. Its file `.stamp` has the
 * hash of the sources and of `extra`.
 */
export async function rebuild(folder, sources, extra, write) {
  const hash = createHash('sha256').update(extra);
  for (const file of sources.flatMap(filesOf).sort()) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  const digest = hash.digest('hex');
  const stamp = join(folder, '.stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await write();
  writeFileSync(stamp, digest);
}

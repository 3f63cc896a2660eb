// Shared by the scripts: the project's folder, and functions that run commands.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Prints an error message and ends the script. */
export function fail(message) {
  console.error(`nearprint: ${message}`);
  process.exit(1);
}

export const say = (message) => console.error(`\x1b[2m» ${message}\x1b[0m`);

/** Runs a command in the project's folder and shows its output. Ends the script if the command fails. */
export function run(command, args, { env = {}, ...options } = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    ...options,
  });
  if (error) fail(`${command} does not start: ${error.message}`);
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${signal ?? `exit code ${status}`}`);
}

/** Returns what a command prints, or null if it is not installed or fails. */
export function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Runs npm: the one that runs this script, if any. */
export const npm = process.env.npm_execpath?.endsWith('.js')
  ? (...args) => run(process.execPath, [process.env.npm_execpath, ...args])
  : (...args) => run('npm', args, { shell: process.platform === 'win32' });

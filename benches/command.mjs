// Runs the command line and measures the whole process.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, root } from '../scripts/run.mjs';

const atExit = `
  import { readFileSync, writeSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    // Not maxRSS: it is at least the value of the process that started this one.
    const [, peak] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'latin1'));
    writeSync(2, JSON.stringify({ processor: (user + system) / 1e6, megabytes: peak / 1024 }));
  });`;

/** Runs the command, with input from a pipe, and returns `{ wall, processor, megabytes }`, in seconds and MB. It takes Linux. */
export function measured(args, input = '') {
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, join(root, 'pkg', 'cli.js'), ...args],
    { input, encoding: 'utf8', stdio: ['pipe', 'ignore', 'pipe'] },
  );
  if (status !== 0) fail(`nearprint ${args.join(' ')}: ${stderr}`);
  return { wall: (performance.now() - start) / 1000, ...JSON.parse(stderr) };
}

// Runs a program of Node and measures the whole process, by Linux's /proc.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

/** The time between two looks at the threads, in milliseconds. At most so much of a thread's time is not seen. */
const INTERVAL = 10;

/** Adds the processor time of each thread of a process so far, in seconds by its id. Threads that have ended keep theirs. */
function addThreads(pid, threads) {
  try {
    for (const id of readdirSync(`/proc/${pid}/task`)) {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ');
      threads.set(Number(id), Number(nanoseconds) / 1e9);
    }
  } catch {
    // The process or the thread has ended meanwhile.
  }
}

/** Resolves to what a stream has, as a string. */
async function textOf(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return text;
}

/**
 * Runs Node with arguments, and with input from a pipe. Resolves to `{ wall, processor, megabytes, main, others }`: seconds on the
 * clock, seconds of processor time of all threads, the peak of memory in MB, and the processor time of the main thread and of each
 * other one, the busiest first.
 */
export async function measuredNode(args, input = '') {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, ...args], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const threads = new Map();
  const timer = setInterval(() => addThreads(child.pid, threads), INTERVAL);
  child.stdin.on('error', () => {}).end(input);
  const stderr = await textOf(child.stderr);
  const status = await ended;
  clearInterval(timer);
  if (status !== 0) fail(`node ${args.join(' ')}: ${stderr}`);
  const { [child.pid]: main, ...others } = Object.fromEntries(threads);
  return {
    wall: (performance.now() - start) / 1000,
    ...JSON.parse(stderr),
    main,
    others: Object.values(others).toSorted((a, b) => b - a),
  };
}

/** Runs the command line. See {@link measuredNode}. */
export const measured = (args, input) => measuredNode([join(root, 'pkg', 'cli.js'), ...args], input);

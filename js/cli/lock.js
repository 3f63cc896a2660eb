// The lock of an index file: one run at a time. Node has no lock of the operating system's.
//
// Each run announces itself by a file beside the index, with a name of its own, and then looks for those of others. If
// there is one of a living run, it withdraws and waits. Of two runs, the one that looks last sees the other. A file of a
// dead run is removed: no other run ever has its name, so nothing else is removed by mistake.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { removeFile } from './replace-file.js';

/** Milliseconds between the signs of life of a run, and without one until a run elsewhere counts as dead. */
const BEAT = 5_000;
const DEAD = 60_000;

function attempt(read) {
  try {
    return read();
  } catch {
    return '';
  }
}

/** The machine since its start, and the container: where a process number names one process. */
function place() {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'));
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return createHash('sha256').update(`${hostname()} ${boot} ${namespace}`).digest('hex').slice(0, 12);
}

/** The start of a process in clock ticks, 0 where there is no /proc, or null if there is no such process. */
function startOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return null;
  }
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name of the program, in parentheses, may contain spaces. The state Z is a process that has ended.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat !== '' && fields[0] === 'Z') return null;
  return Number(fields[19] ?? 0);
}

export class Lock {
  #folder;
  #prefix;
  #place = place();
  #own;
  #timer;
  /** When each file of a run elsewhere was first seen with its present sign of life. */
  #seen = new Map();

  /** Of a path without symbolic links. */
  constructor(path) {
    this.#folder = dirname(path);
    this.#prefix = `${basename(path)}.lock-`;
    this.#own = `${this.#prefix}${this.#place}-${process.pid}-${startOf(process.pid)}`;
  }

  get #path() {
    return join(this.#folder, this.#own);
  }

  /** Waits for other runs. Returns false if the signal is aborted before. */
  async acquire(io, name) {
    let isNoted = false;
    for (;;) {
      try {
        closeSync(openSync(this.#path, 'wx', 0o644));
      } catch (error) {
        // Left by a process with the same number and start, which is this one.
        if (error.code !== 'EEXIST') throw new UserError(`--index ${name}: its lock cannot be made: ${reason(error)}`);
      }
      const other = this.#livingOther();
      if (other === undefined) break;
      this.release();
      if (!isNoted) io.note(`${name} is in use by another run (${join(this.#folder, other)}); waiting for its end`);
      isNoted = true;
      // At random, so that two runs that withdraw together do not announce themselves together again.
      await setTimeout(50 + 200 * Math.random(), null, { signal: io.signal }).catch(() => {});
      if (io.signal.aborted) return false;
    }
    this.#timer = setInterval(() => attempt(() => utimesSync(this.#path, new Date(), new Date())), BEAT).unref();
    return true;
  }

  /** Whether no other run has taken this one for dead. */
  isHeld() {
    return attempt(() => statSync(this.#path)) !== '';
  }

  release() {
    clearInterval(this.#timer);
    removeFile(this.#path);
  }

  #livingOther() {
    for (const file of readdirSync(this.#folder)) {
      if (!file.startsWith(this.#prefix) || file === this.#own) continue;
      if (this.#isAlive(file)) return file;
      removeFile(join(this.#folder, file));
    }
    return undefined;
  }

  #isAlive(file) {
    const [where, pid, start] = file.slice(this.#prefix.length).split('-');
    if (where === this.#place) return startOf(Number(pid)) === Number(start);
    const stats = attempt(() => statSync(join(this.#folder, file)));
    if (stats === '') return false;
    // By the clock of this machine: that of another one may be wrong.
    const beat = this.#seen.get(file);
    if (beat?.mtime !== stats.mtimeMs) this.#seen.set(file, { mtime: stats.mtimeMs, at: performance.now() });
    return performance.now() - this.#seen.get(file).at < DEAD;
  }
}

// The lock of an index file: one run at a time. Node has no interface to the locks of the operating system.
//
// Each run announces itself by a file next to the index, with a name of its own, and then looks for the files of other
// runs. If another run is alive, it withdraws and waits. If two runs start together, the one that checks last sees the
// other. The file of a dead run is removed. No other run ever has its name, so nothing else is removed by mistake.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readlinkSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { codeOf, reason, UserError } from '../node/errors.js';
import { attempt, ownFiles, removeFile } from './file-system.js';
import type { Io } from './io.js';

/** Milliseconds between two heartbeats of a run. */
const HEARTBEAT = 5_000;
/** Milliseconds without a heartbeat after which a run elsewhere counts as dead. */
const MAX_SILENCE = 60_000;

/** Matches the name of a lock after its prefix: the place, the id and the start time of a process. */
const LOCK = /^[0-9a-f]{12}-\d+-\d+$/;

/** Returns a name for the machine since its start, and the container: there, a process number names one process. */
function placeOfProcess(): string {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')) ?? '';
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '';
  return createHash('sha256').update(`${hostname()} ${boot} ${namespace}`).digest('hex').slice(0, 12);
}

/** Returns the start time of a process in clock ticks; 0 without /proc, and null if the process does not exist. */
function startTimeOf(pid: number): number | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return null;
  }
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  // The name of the program, in parentheses, may contain spaces. The state Z is a process that has ended.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat !== '' && fields[0] === 'Z') return null;
  return Number(fields[19] ?? 0);
}

export class Lock {
  readonly #folder: string;
  readonly #prefix: string;
  readonly #place = placeOfProcess();
  readonly #path: string;
  #timer: NodeJS.Timeout | undefined;
  /** The last heartbeat of each run elsewhere, and when this run first saw it. */
  readonly #seen = new Map<string, { mtime: number; at: number }>();

  /** `path` has no symbolic links. */
  constructor(path: string) {
    this.#folder = dirname(path);
    this.#prefix = `${basename(path)}.lock-`;
    this.#path = join(this.#folder, `${this.#prefix}${this.#place}-${process.pid}-${startTimeOf(process.pid)}`);
  }

  /** Waits for other runs. Resolves to false if the signal is aborted before. `name` names the file in messages. */
  async acquire(io: Pick<Io, 'signal' | 'note'>, name: string): Promise<boolean> {
    let isNoted = false;
    for (;;) {
      try {
        closeSync(openSync(this.#path, 'wx', 0o644));
      } catch (error) {
        // A file with this name is this process's own, or was left by a dead process with its number.
        if (codeOf(error) !== 'EEXIST') throw new UserError(`${name}: its lock cannot be created: ${reason(error)}`);
      }
      const other = this.#livingOther();
      if (other === undefined) break;
      this.release();
      if (!isNoted) io.note(`${name} is in use by another run; waiting for it (remove ${other} if no such run exists)`);
      isNoted = true;
      // A random delay, so that two runs that withdrew together do not collide again.
      await setTimeout(50 + 200 * Math.random(), null, { signal: io.signal }).catch(() => {});
      if (io.signal.aborted) return false;
    }
    this.#timer = setInterval(() => attempt(() => utimesSync(this.#path, new Date(), new Date())), HEARTBEAT).unref();
    return true;
  }

  /** Returns whether the lock is still held: another run that took this one for dead has removed its file. */
  isHeld(): boolean {
    return attempt(() => statSync(this.#path)) !== undefined;
  }

  release(): void {
    clearInterval(this.#timer);
    removeFile(this.#path);
  }

  /** Returns the file of another run that is alive, if there is one, and removes the files of dead runs. */
  #livingOther(): string | undefined {
    for (const file of ownFiles(this.#folder, this.#prefix, LOCK)) {
      const path = join(this.#folder, file);
      if (path === this.#path) continue;
      if (this.#isAlive(path)) return path;
      removeFile(path);
    }
    return undefined;
  }

  #isAlive(path: string): boolean {
    const [place, pid, start] = path.split('-').slice(-3);
    if (place === this.#place) return startTimeOf(Number(pid)) === Number(start);
    const mtime = attempt(() => statSync(path).mtimeMs);
    if (mtime === undefined) return false;
    // Measures the silence by the clock of this machine, since the clock of another one may be wrong.
    const seen = this.#seen.get(path);
    if (seen?.mtime === mtime) return performance.now() - seen.at < MAX_SILENCE;
    this.#seen.set(path, { mtime, at: performance.now() });
    return true;
  }
}

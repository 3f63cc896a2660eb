// Traces of the calls of the system by which processes change files and print, and their repetition on a disk that loses power
// (tests/js/disk.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { has, temporary } from './engines.mjs';

/** A reason to skip a test with traces, or false. */
export const withoutStrace = !has('strace') && 'strace is not installed';

const options = (file) => [
  ...['-f', '-y', '-xx', '-s', '1000000', '-o', file],
  ...['-e', 'trace=openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename'],
];

/** The form of each call after the number of its thread. One that another thread interrupts has two lines. */
const forms = {
  open: /^openat\(.*, "([^"]*)", [^"]*\bO_CREAT\b/,
  writeAt: /^pwrite64\(\d+<([^>]*)>, "([^"]*)", \d+, (\d+)/,
  print: /^write\(1<[^>]*>, "([^"]*)"/,
  write: /^write\(\d+<([^>]*)>, "([^"]*)"/,
  truncate: /^ftruncate\(\d+<([^>]*)>, (\d+)/,
  sync: /^(?:fsync|fdatasync)\(\d+<([^>]*)>/,
  endSync: /^<\.\.\. (?:fsync|fdatasync) resumed>()/,
  remove: /^unlink\("([^"]*)"/,
  rename: /^rename\("([^"]*)", "([^"]*)"/,
};

/** Returns the bytes that strace prints as `\x00\x01`. */
function bytesOf(printed) {
  const characters = printed.replaceAll(/\\x(..)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(characters, 'latin1');
}

/**
 * Returns the call of a line: the kind and the thread, the path of the file or what is printed, and the other arguments as strace
 * prints them.
 */
function callOf(line) {
  const [, thread, text] = /^(\d+) +(.*)$/.exec(line) ?? [];
  for (const [kind, form] of Object.entries(forms)) {
    const [, path, ...rest] = form.exec(text) ?? [];
    if (path !== undefined)
      return { kind, thread, path: String(bytesOf(path)), rest, hasEnded: !text.endsWith('<unfinished ...>') };
  }
  return undefined;
}

/** The calls of a trace, repeated on the disk of a folder. */
export class Trace {
  #folder;
  #disk;
  #file = join(temporary(), 'trace');
  /** The end of the lines that have been read. */
  #position = 0;
  /** For each thread, the function that ends its fsync. */
  #syncs = new Map();
  /** The number of calls of fsync and fdatasync that have ended. */
  synced = 0;

  constructor(folder, disk) {
    [this.#folder, this.#disk] = [folder, disk];
  }

  /** Runs a program to its end. */
  run(command, input) {
    const { status, stderr } = spawnSync('strace', [...options(this.#file), ...command], { input });
    if (status !== 0) throw new Error(String(stderr));
  }

  /** Traces processes and those that they start. Resolves to the promise of their end. */
  async attach(processes) {
    const which = processes.flatMap((process) => ['-p', String(process)]);
    const tracer = spawn('strace', [...options(this.#file), ...which], { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(tracer, 'exit');
    // It prints a line for each of them.
    let messages = '';
    tracer.stderr.on('data', (data) => {
      messages += data;
    });
    while (messages.split(' attached').length <= processes.length) await once(tracer.stderr, 'data');
    return { ended };
  }

  /** Repeats the calls since the last one, and yields what each prints, or undefined. */
  *repeat() {
    const whole = readFileSync(this.#file, 'latin1');
    const end = whole.lastIndexOf('\n') + 1;
    const lines = whole.slice(this.#position, end).split('\n');
    this.#position = end;
    for (const line of lines) {
      const call = callOf(line);
      if (call !== undefined) yield this.#repeat(call);
    }
  }

  #repeat({ kind, thread, path, rest, hasEnded }) {
    if (kind === 'print') return path;
    if (kind === 'endSync') this.#endSync(thread);
    // The first client of SQLite after a power cut makes the index of the write-ahead log anew.
    if ((dirname(path) !== this.#folder && path !== this.#folder) || path.endsWith('-shm')) return undefined;
    const name = basename(path);
    if (kind === 'remove') this.#disk.remove(name);
    else if (kind === 'rename') this.#disk.rename(name, basename(String(bytesOf(rest[0]))));
    else if (kind === 'sync') {
      this.#syncs.set(thread, (path === this.#folder ? this.#disk : this.#disk.open(name)).beginSync());
      if (hasEnded) this.#endSync(thread);
    } else {
      const file = this.#disk.open(name);
      if (kind === 'write') file.write(bytesOf(rest[0]));
      else if (kind === 'writeAt') file.write(bytesOf(rest[0]), Number(rest[1]));
      else if (kind === 'truncate') file.truncate(Number(rest[0]));
    }
    return undefined;
  }

  /** Repeats the calls since the last one. */
  catchUp() {
    for (const _ of this.repeat());
  }

  #endSync(thread) {
    if (!this.#syncs.has(thread)) return;
    this.#syncs.get(thread)();
    this.#syncs.delete(thread);
    this.synced++;
  }
}

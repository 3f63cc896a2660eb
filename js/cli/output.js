// What is written: each byte once, in order, and an error that says how far it got. Node's own streams lose what a disk
// that fills up takes only in part.
import { close, closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, write, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';

const writeSome = promisify(write);
const closeFile = promisify(close);

/** Says what could not be written, and with what loss. */
export class WriteError extends Error {
  constructor(name, error, written) {
    super(`${name}: ${reason(error)}`);
    this.isClosedPipe = error.code === 'EPIPE';
    /** How many bytes of the last call were written. */
    this.written = written;
  }
}

export class Output {
  #fd;
  #name;

  constructor(fd, name) {
    this.#fd = fd;
    this.#name = name;
  }

  static stdout = new Output(1, 'standard output');

  /** A file that is made, or emptied. */
  static create(path, argument) {
    try {
      return new Output(openSync(path, 'w'), path);
    } catch (error) {
      throw new UserError(`${argument} ${path}: ${reason(error)}`);
    }
  }

  /** Resolves when all is written: that is the back-pressure. */
  async write(bytes) {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    let at = 0;
    while (at < buffer.length) {
      try {
        at += (await writeSome(this.#fd, buffer, at, buffer.length - at)).bytesWritten;
      } catch (error) {
        // A pipe that another process has made non-blocking is full.
        if (error.code !== 'EAGAIN') throw new WriteError(this.#name, error, at);
        await setTimeout(5);
      }
    }
  }

  async close() {
    await closeFile(this.#fd).catch((error) => {
      throw new WriteError(this.#name, error, 0);
    });
  }
}

/** Where a file really is, if it is a link. */
function target(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Replaces a file as a whole: whatever happens, it is the old one or the new one. */
export function replaceFile(path, bytes) {
  const real = target(path);
  const draft = `${real}.tmp`;
  try {
    const fd = openSync(draft, 'w');
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, real);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UserError(`${path} is not saved: ${reason(error)}`);
  }
}

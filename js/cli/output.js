// Writes output: each byte once, in order. An error has the number of bytes written; the streams of Node lose it when a
// full disk accepts a part of a write.
import { close, closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, write, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';

const writeSome = promisify(write);
const closeFile = promisify(close);

/** A failed write to an output. */
export class WriteError extends Error {
  constructor(name, error, written) {
    super(`${name}: ${reason(error)}`);
    this.isClosedPipe = error.code === 'EPIPE';
    /** The number of bytes that the call has written. */
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

  /** Creates or empties a file. */
  static create(path, argument) {
    try {
      return new Output(openSync(path, 'w'), path);
    } catch (error) {
      throw new UserError(`${argument} ${path}: ${reason(error)}`);
    }
  }

  /** Resolves when everything is written, which is the back-pressure. */
  async write(bytes) {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    let at = 0;
    while (at < buffer.length) {
      try {
        at += (await writeSome(this.#fd, buffer, at, buffer.length - at)).bytesWritten;
      } catch (error) {
        // The pipe is full, and another process has made it non-blocking.
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

/** The path of a file without symbolic links. */
function target(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Replaces a file atomically: after any failure it is the old one or the new one. */
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

// Writes output: each byte once, in order. An error has the number of bytes written; the streams of Node lose it when a
// full disk accepts a part of a write.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf, reason, UserError, WriteError } from '../node/errors.js';
import { LINE_FEED } from '../node/lines.js';
import { attempt, realPath, syncFolder } from './file-system.js';
import type { Values } from './options.js';
import { systemPath } from './path.js';
import { joinParts, returnBuffer } from './spare-buffers.js';

const writeSome = promisify(fs.write);
const closeFile = promisify(fs.close);

const { O_CREAT, O_NONBLOCK, O_TRUNC, O_WRONLY } = fs.constants;

/** The number of UTF-16 units that `writeAll` collects before it writes. */
const MAX_TEXT = 1 << 18;

/** The codes of fsync for a pipe or a device. */
const cannotSync = new Set<string | undefined>(['EINVAL', 'ENOTSUP', 'EROFS', 'EPERM', 'EBADF']);

export const rounded = (resemblance: number): number => Number(resemblance.toFixed(4));

/** Standard output, or a file that a command writes. */
export class Output {
  readonly #fd: number;
  readonly #name: string;
  readonly #path: string;
  #isFolderSynced = false;

  /** `name` names the output in messages. Only Linux names the file of standard output. */
  constructor(fd: number, name: string, path = `/proc/self/fd/${fd}`) {
    this.#fd = fd;
    this.#name = name;
    this.#path = path;
  }

  static readonly stdout = new Output(1, 'standard output');

  /** Creates or empties the file of an option, if it is given. For a named pipe without a reader, it fails instead of waiting. */
  static create(values: Values, option: 'report' | 'report-html' | 'json-summary'): Output | undefined {
    const path = values[option];
    if (path === undefined) return undefined;
    try {
      return new Output(
        fs.openSync(systemPath(path), O_WRONLY | O_CREAT | O_TRUNC | (O_NONBLOCK ?? 0), 0o666),
        path,
        path,
      );
    } catch (error) {
      const why = codeOf(error) === 'ENXIO' ? 'no program reads this pipe' : reason(error);
      throw new UserError(`--${option} ${path}: ${why}`);
    }
  }

  /** Resolves when everything is written, which is the back-pressure. */
  async write(bytes: string | Uint8Array): Promise<void> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    let at = 0;
    while (at < buffer.length) {
      try {
        at += (await writeSome(this.#fd, buffer, at, buffer.length - at)).bytesWritten;
      } catch (error) {
        // The pipe is full, and another process has made it non-blocking.
        if (codeOf(error) !== 'EAGAIN') throw new WriteError(this.#name, error, at, this.#fd === 1);
        await setTimeout(5);
      }
    }
  }

  async writeAll(texts: Iterable<string>): Promise<void> {
    let text = '';
    for (const next of texts) {
      text += next;
      if (text.length < MAX_TEXT) continue;
      await this.write(text);
      text = '';
    }
    await this.write(text);
  }

  /**
   * Writes whole lines. After an error, a file ends with a whole line, and the error has the number of bytes of whole lines.
   * `ends` are the ends of lines that may have line feeds within, such as the rows of CSV.
   */
  async writeLines(bytes: string | Uint8Array, ends?: readonly number[]): Promise<void> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const before = this.#size();
    try {
      await this.write(buffer);
    } catch (error) {
      if (!(error instanceof WriteError)) throw error;
      const { written } = error;
      const whole =
        ends === undefined
          ? buffer.subarray(0, written).lastIndexOf(LINE_FEED) + 1
          : (ends.findLast((end) => end <= written) ?? 0);
      // The file may have more bytes than the error counts.
      if (this.#size() > before + whole) attempt(() => fs.ftruncateSync(this.#fd, before + whole));
      error.written = whole;
      throw error;
    }
  }

  /** Writes whole lines, in parts, by one call: each would take a system call of its own. */
  async writeParts(parts: readonly Uint8Array[], ends: readonly number[]): Promise<void> {
    if (parts.length === 1) return this.writeLines(parts[0], ends);
    const bytes = joinParts(parts, ends.at(-1) ?? 0);
    await this.writeLines(bytes, ends);
    returnBuffer(bytes);
  }

  /** Returns whether the output is a file that begins with a line, to which more is appended. */
  beginsWith(line: Buffer): boolean {
    if (this.#size() === 0) return false;
    // Standard output is open for writing alone.
    const fd = attempt(() => fs.openSync(this.#path, 'r'));
    if (fd === undefined) return true;
    try {
      const start = Buffer.alloc(line.length);
      return fs.readSync(fd, start) === line.length && start.equals(line);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Returns the size of a regular file; 0 for another output. */
  #size(): number {
    const stats = attempt(() => fs.fstatSync(this.#fd));
    return stats?.isFile() ? stats.size : 0;
  }

  /** Makes the written bytes survive a power cut, if the output is a file. */
  sync(): void {
    try {
      if (!fs.fstatSync(this.#fd).isFile()) return;
      fs.fsyncSync(this.#fd);
      if (this.#isFolderSynced) return;
      // The entry of a new file in its folder.
      const path = attempt(() => realPath(this.#path));
      if (path !== undefined) syncFolder(dirname(path));
      this.#isFolderSynced = true;
    } catch (error) {
      if (!cannotSync.has(codeOf(error))) throw new WriteError(this.#name, error, 0);
    }
  }

  async close(): Promise<void> {
    await closeFile(this.#fd).catch((error) => {
      throw new WriteError(this.#name, error, 0);
    });
  }
}

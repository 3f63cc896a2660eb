// Refuses two files that are one: a report or standard output that is also an input or the index, for example.
import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { UserError } from '../node/user-error.js';
import { reason } from './errors.js';
import { realPath } from './file-system.js';
import type { Input } from './input.js';

/** A file by its path, and what it is. */
interface NamedFile {
  name: string;
  path: string | null;
  stats: BigIntStats | undefined;
}

/** Returns what is at a path; undefined if that cannot be examined, which the reader of the file reports. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

function outputStats(): BigIntStats {
  try {
    return fstatSync(1, { bigint: true });
  } catch (error) {
    throw new UserError(`standard output: ${reason(error)}`);
  }
}

const named = (path: string, name = path): NamedFile => ({ name, path: realPath(path), stats: statsOf(path) });

const isSame = (a: NamedFile, b: NamedFile): boolean =>
  a.path === b.path ||
  (a.stats?.isFile() === true &&
    b.stats?.isFile() === true &&
    a.stats.dev === b.stats.dev &&
    a.stats.ino === b.stats.ino);

/** The files of a run besides its inputs. */
export interface RunFiles {
  /** Files that are only read. */
  read?: readonly string[];
  /** Files with the state of the run, such as an index. */
  kept?: readonly string[];
  /** Other files that are written, by their options. */
  written: Readonly<Record<string, string | undefined>>;
}

/** Checks that nothing overwrites another file. */
export function checkFiles(inputs: readonly Input[], { read = [], kept = [], written }: RunFiles): void {
  const known: NamedFile[] = [];
  const check = (writer: NamedFile) => {
    const other = known.find((other) => isSame(writer, other));
    if (other !== undefined) throw new UserError(`${writer.name} would overwrite ${other.name}`);
  };
  for (const { path } of inputs) if (path !== '-') known.push(named(path));
  known.push(...read.map((path) => named(path)));
  const state = kept.map((path) => named(path));
  for (const file of state) check(file);
  known.push(...state);
  const output: NamedFile = { name: 'standard output', path: null, stats: outputStats() };
  check(output);
  known.push(output);
  for (const [option, path] of Object.entries(written)) {
    if (path === undefined) continue;
    const file = named(path, `${option} ${path}`);
    check(file);
    known.push(file);
  }
}

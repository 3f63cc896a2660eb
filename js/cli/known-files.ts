// Which paths lead to one file: a file is read once.
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { countOf, shorten } from '../node/errors.js';
import { attempt, realPath } from './file-system.js';
import { systemPath } from './path.js';

/**
 * Returns what identifies a regular file, whatever path leads to it, or standard input. Undefined for a pipe or a device, and for a
 * path that cannot be examined; the reader of the file reports the reason.
 */
export function identityOf(path: string): string | undefined {
  if (path === '-') return path;
  const stats = attempt(() => statSync(systemPath(path), { bigint: true }));
  return stats && identityIn(stats, path);
}

/** Returns what identifies a regular file by what the system knows about it. */
export function identityIn(stats: BigIntStats, path: string): string | undefined {
  if (!stats.isFile()) return undefined;
  // Some file systems have no inodes.
  return stats.ino === 0n ? realPath(path) : `${stats.dev}:${stats.ino}`;
}

const isLink = (path: string): boolean => attempt(() => lstatSync(systemPath(path)).isSymbolicLink()) === true;

/** Files, each with one path that leads to it. */
export class KnownFiles {
  readonly #paths = new Map<string, string>();

  /** Returns the path of a file by what identifies it. */
  pathOf(identity: string): string | undefined {
    return this.#paths.get(identity);
  }

  /** Returns whether the file of a path is known. */
  has(path: string): boolean {
    const identity = identityOf(path);
    return identity !== undefined && this.#paths.has(identity);
  }

  /**
   * Adds the file of a path, and returns its identity. If several paths lead to a file, it is listed under the first that is not a
   * symbolic link: a program that deletes all files outside the list would otherwise delete the target of the link.
   */
  add(path: string): string | undefined {
    const identity = identityOf(path);
    if (identity === undefined) return undefined;
    const known = this.#paths.get(identity);
    if (known === undefined || (known !== path && isLink(known) && !isLink(path))) this.#paths.set(identity, path);
    return identity;
  }
}

/** A path of the input that is not read, since its file is read under another path or is a reference. */
export interface RepeatedPath {
  readonly path: string;
  readonly readAs: string;
  /** Whether `readAs` is a file of --against. */
  readonly isReference: boolean;
}

/** Returns each file once, without references. `report` receives the paths that are left out. */
export function withoutRepeated<File extends { readonly path: string }>(
  files: readonly File[],
  references: KnownFiles | undefined,
  report: (repeated: RepeatedPath) => void,
): File[] {
  const known = new KnownFiles();
  const identities = files.map(({ path }) => known.add(path));
  const read = new Set<string>();
  return files.filter(({ path }, at) => {
    const identity = identities[at];
    if (identity === undefined) return true;
    const reference = references?.pathOf(identity);
    const readAs = reference ?? (known.pathOf(identity) as string);
    const isRead = reference === undefined && readAs === path && !read.has(identity);
    if (isRead) read.add(identity);
    else report({ path, readAs, isReference: reference !== undefined });
    return isRead;
  });
}

/** Returns sentences about paths that are not read. */
export function repetitionWarnings(repeated: readonly RepeatedPath[]): string[] {
  const warnings: string[] = [];
  const references = repeated.filter(({ isReference }) => isReference);
  const others = repeated.filter(({ isReference }) => !isReference);
  if (others.length > 0) {
    const [{ path, readAs }] = others;
    const example = `${shorten(path)} (read as ${shorten(readAs)})`;
    warnings.push(
      others.length === 1
        ? `1 path is not read, since another one leads to the same file: ${example}`
        : `${countOf(others.length, 'path')} are not read, since others lead to the same files, such as ${example}`,
    );
  }
  if (references.length > 0) {
    const path = shorten(references[0].path);
    warnings.push(
      references.length === 1
        ? `1 path leads to a file of --against, which is only compared with: ${path}`
        : `${countOf(references.length, 'path')} lead to files of --against, which are only compared with, such as ${path}`,
    );
  }
  return warnings;
}

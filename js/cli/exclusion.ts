// The files and folders that --exclude leaves out.
import { ArgumentError } from '../index.js';
import { count, shorten } from '../node/errors.js';
import { areLike, partsOf } from './glob.js';

/** Returns the names of a path or a pattern: `./a//b/` has two. */
const namedParts = (path: string): string[] => partsOf(path).filter((name) => name !== '' && name !== '.');

/** Returns a pattern of paths. */
export function checkExcluded(value: unknown, argument: string): string {
  if (namedParts(String(value)).length > 0) return String(value);
  throw new ArgumentError(argument, 'a pattern of paths, such as *.bak or drafts', value);
}

/** Patterns of paths. It counts the paths that it leaves out. */
export class Exclusion {
  /** The number of files and of folders that are left out. What is in such a folder is not counted. */
  count = 0;
  #first = '';
  readonly #patterns: readonly (readonly string[])[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => ['**', ...namedParts(pattern)]);
  }

  /** Returns whether a path, or a folder on it, matches a pattern, and counts it then. */
  has(path: string): boolean {
    if (this.#patterns.length === 0) return false;
    const names = namedParts(path);
    const isOut = this.#patterns.some((pattern) => names.some((_, at) => areLike(names.slice(0, at + 1), pattern)));
    if (isOut && this.count++ === 0) this.#first = path;
    return isOut;
  }

  /** Returns a sentence about the paths that are left out, if there are any. */
  warnings(): string[] {
    if (this.count === 0) return [];
    const example = shorten(this.#first);
    return [
      this.count === 1
        ? `1 file or folder is left out by --exclude: ${example}`
        : `${count(this.count)} files and folders are left out by --exclude, such as ${example}`,
    ];
  }
}

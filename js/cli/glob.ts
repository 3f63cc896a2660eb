// Finds the files of folders and of patterns such as `pages/**/*.html`.
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A name in a folder. */
interface Entry {
  name: string;
  isFolder: boolean;
  isFile: boolean;
}

/** Returns the names in a folder in order, without hidden ones. A link to a folder is not followed: it may lead back. */
function entriesOf(folder: string): Entry[] {
  const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
      isFile: entry.isFile() || (entry.isSymbolicLink() && isFile(join(folder, entry.name))),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns what is at a path; undefined if that cannot be examined, which the reader of the file reports. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

const isFile = (path: string): boolean => kindOf(path) === 'file';

/** Yields the files in a folder and its subfolders, in order. */
export function* filesIn(folder: string): Generator<string, void, undefined> {
  for (const { name, isFolder, isFile } of entriesOf(folder)) {
    const path = join(folder, name);
    if (isFolder) yield* filesIn(path);
    else if (isFile) yield path;
  }
}

/** Returns whether a path is a pattern. */
export const isPattern = (path: string): boolean => /[*?[{]/.test(path);

/** Returns the patterns of a pattern with alternatives such as `{a,b}`, which are not nested. */
function alternativesOf(pattern: string): string[] {
  const [whole, before, list, after] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return list.split(',').flatMap((each) => alternativesOf(before + each + after));
}

/** Returns the regular expression for a name. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(/\[!?[^\]/]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 2) return part.replaceAll('\\', '\\\\').replace(/^\[!/, '[^');
    return part.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    // A range such as [4-0] has no characters.
    return /(?!)/;
  }
}

function* matches(folder: string, [first, ...rest]: string[]): Generator<string, void, undefined> {
  if (first === '**') {
    yield* matches(folder, rest.length === 0 ? ['*'] : rest);
    for (const { name, isFolder } of entriesOf(folder))
      if (isFolder) yield* matches(join(folder, name), [first, ...rest]);
    return;
  }
  if (!isPattern(first)) {
    const path = folder === '' ? first || sep : join(folder, first);
    if (rest.length > 0) yield* kindOf(path) === 'folder' ? matches(path, rest) : [];
    else if (isFile(path)) yield path;
    return;
  }
  const expression = expressionOf(first);
  for (const entry of entriesOf(folder)) {
    if (!expression.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (rest.length === 0 && entry.isFile) yield path;
    if (rest.length > 0 && entry.isFolder) yield* matches(path, rest);
  }
}

/**
 * Returns the files of a pattern, in order: `*` and `?` are any characters but `/`, `**` any folders, `[a-z]` one character of
 * a set, and `{a,b}` alternatives.
 */
export function filesLike(pattern: string): string[] {
  const separator = sep === '/' ? '/' : /[\\/]/;
  const found = alternativesOf(pattern).flatMap((each) => [...matches('', each.split(separator))]);
  return [...new Set(found)].sort();
}

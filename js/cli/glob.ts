// Finds the files of folders and of patterns such as `pages/**/*.html`.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { inReadingOrder } from './file-order.js';
import { attempt } from './file-system.js';
import { pathOf, systemPath } from './path.js';
import type { OtherEntry } from './skipped-files.js';

/** Returns the kind of a path; undefined if it cannot be examined. The reader of the file reports the reason. */
export function fileKind(path: string): 'file' | 'folder' | 'other' | undefined {
  const stats = attempt(() => statSync(systemPath(path)));
  return stats && (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other');
}

type FolderEntry = { readonly name: string; readonly isFolder: boolean; readonly dirent: Dirent | Dirent<Buffer> };

/** Returns what is in a folder. */
function entriesOf(folder: string): FolderEntry[] {
  const path = systemPath(folder);
  const entries = readdirSync(path, { withFileTypes: true });
  if (!entries.some(({ name }) => name.includes('\ufffd')))
    return entries.map((dirent) => ({ name: dirent.name, isFolder: dirent.isDirectory(), dirent }));
  // The names as bytes, which takes longer: Node replaces what is not UTF-8.
  const bytes = readdirSync(path, { withFileTypes: true, encoding: 'buffer' });
  return bytes.map((dirent) => ({ name: pathOf(dirent.name), isFolder: dirent.isDirectory(), dirent }));
}

/** Returns a path of a folder's entry that no program takes for an option. */
function pathIn(folder: string, name: string): string {
  const path = join(folder, name);
  return path.startsWith('-') ? `.${sep}${path}` : path;
}

/** How folders are searched. */
export interface Search {
  /** Returns whether a folder is not entered. */
  isClosed(folder: string): boolean;
  /** Receives the folders that cannot be read. The rest is searched. */
  readonly unreadable: string[];
  /** Receives what is neither yielded nor searched. */
  skip(path: string, kind: OtherEntry): void;
}

/**
 * Yields the files of a folder, and of folders in it down to `depth` levels, in the order of file-order.ts, without hidden ones. A
 * link to a folder is not followed: it may lead back.
 */
export function* filesIn(folder: string, search: Search, depth: number = Infinity): Generator<string, void, undefined> {
  let entries: FolderEntry[];
  try {
    entries = entriesOf(folder || '.');
  } catch {
    search.unreadable.push(folder || '.');
    return;
  }
  for (const { name, isFolder, dirent } of inReadingOrder(entries)) {
    const path = pathIn(folder, name);
    if (name.startsWith('.')) search.skip(path, 'hidden');
    else if (isFolder) {
      if (depth > 0 && !search.isClosed(path)) yield* filesIn(path, search, depth - 1);
    } else if (dirent.isFile()) yield path;
    else {
      const kind = dirent.isSymbolicLink() ? fileKind(path) : 'other';
      if (kind === 'file') yield path;
      else search.skip(path, kind === 'folder' ? 'link' : 'special');
    }
  }
}

export const isPattern = (path: string): boolean => /[*?]/.test(path);

/** Returns whether items match parts of a pattern. The part `star` matches any number of items. O(items · parts). */
function matches<T>(
  items: readonly T[],
  parts: readonly string[],
  star: string,
  isLike: (item: T, part: string) => boolean,
): boolean {
  // On a mismatch, the last star takes one more item: extending an earlier star could not help.
  let [part, afterStar, from] = [0, -1, 0];
  for (let at = 0; at < items.length; ) {
    if (parts[part] === star) [afterStar, from] = [++part, at];
    else if (part < parts.length && isLike(items[at], parts[part])) [part, at] = [part + 1, at + 1];
    else if (afterStar >= 0) [part, at] = [afterStar, ++from];
    else return false;
  }
  return parts.slice(part).every((left) => left === star);
}

const isNameLike = (name: string, pattern: string): boolean =>
  matches([...name], [...pattern], '*', (character, part) => part === '?' || part === character);

/** Returns the names of a path or a pattern. */
export const partsOf = (path: string): string[] => path.split(sep === '/' ? '/' : /[\\/]/);

/** Returns whether the names of a path match the names of a pattern, where `**` matches any number of folders. */
export const areLike = (names: readonly string[], pattern: readonly string[]): boolean =>
  matches(names, pattern, '**', isNameLike);

/** Returns the files of a pattern, in the order of their folders: `*` is any characters but `/`, `?` one, and `**` any folders. */
export function filesLike(pattern: string, search: Search): string[] {
  const parts = partsOf(pattern);
  const wild = parts.splice(parts.findIndex(isPattern));
  if (wild.at(-1) === '**') wild.push('*');
  const folder = parts.map((part) => part + sep).join('');
  if (fileKind(folder || '.') !== 'folder') return [];
  const isLike = (path: string) => areLike(partsOf(relative(folder, path)), wild);
  const depth = wild.includes('**') ? Infinity : wild.length - 1;
  return [...filesIn(folder, search, depth)].filter(isLike);
}

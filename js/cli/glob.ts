// Finds the files of folders and of patterns such as `pages/**/*.html`.
import { readdirSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UserError } from '../node/user-error.js';
import { reason, shorten } from './errors.js';
import { attempt } from './file-system.js';

type Kind = 'file' | 'folder' | 'other' | undefined;

/** Returns the names in a folder in order, without hidden ones. A link to a folder is not followed: it may lead back. */
function entriesOf(folder: string): { name: string; kind: Kind }[] {
  try {
    return readdirSync(folder || '.', { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => {
        const isFile = entry.isFile() || (entry.isSymbolicLink() && kindOf(join(folder, entry.name)) === 'file');
        return { name: entry.name, kind: entry.isDirectory() ? 'folder' : isFile ? 'file' : 'other' } as const;
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new UserError(`${folder || '.'}: ${reason(error)}`);
  }
}

/** Returns the kind of a path; undefined if it cannot be examined. The reader of the file reports the reason. */
export function kindOf(path: string): Kind {
  const stats = attempt(() => statSync(path));
  return stats && (stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other');
}

export function* filesIn(folder: string): Generator<string, void, undefined> {
  for (const { name, kind } of entriesOf(folder)) {
    const path = join(folder, name);
    if (kind === 'folder') yield* filesIn(path);
    else if (kind === 'file') yield path;
  }
}

export const isPattern = (path: string): boolean => /[*?[{]/.test(path);

/** The maximum number of characters that expanding a pattern may produce: `{a,b}` 20 times has a million alternatives. */
const MAX_EXPANDED = 1 << 18;

/** Expands alternatives such as `{a,b}`: returns patterns without them. */
function alternativesOf(pattern: string): string[] {
  const expanded: string[] = [];
  let size = 0;
  for (let left = [pattern]; left.length > 0; ) {
    left = left.flatMap((each) => {
      // The innermost braces.
      const [braces = '', list = ''] = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(each) ?? [];
      const alternatives = braces === '' ? [] : list.split(',');
      size += each.length + alternatives.length * (each.length - braces.length);
      if (size > MAX_EXPANDED) throw new UserError(`${shorten(pattern)}: the pattern has too many alternatives`);
      if (braces === '') expanded.push(each);
      return alternatives.map((one) => each.replace(braces, () => one));
    });
  }
  return [...new Set(expanded)];
}

/** Returns whether a character is in a set such as `[a-z_]` or `[!0-9]`. */
function isInSet(character: string, set: string): boolean {
  const [, not, members] = /^\[([!^]?)(.*)\]$/su.exec(set) as RegExpExecArray;
  const ranges = [...members.matchAll(/(.)(?:-(.))?/gsu)];
  return ranges.some(([, low, high = low]) => low <= character && character <= high) === (not === '');
}

/** Returns whether a name matches a pattern. O(length of the pattern · length of the name). */
export function matches(name: string, pattern: string): boolean {
  const parts = pattern.match(/\[!?[^\]/]+\]|./gsu) ?? [];
  const characters = [...name];
  // On a mismatch, the last star takes one more character: extending an earlier star could not help.
  let [part, star, from] = [0, -1, 0];
  for (let at = 0; at < characters.length; ) {
    const own = parts[part];
    if (own === '*') [star, from] = [part++, at];
    else if (own === '?' || own === characters[at] || (own?.length > 2 && isInSet(characters[at], own)))
      [part, at] = [part + 1, at + 1];
    else if (star >= 0) [part, at] = [star + 1, ++from];
    else return false;
  }
  return parts.slice(part).every((left) => left === '*');
}

/**
 * Returns the files of a pattern, in order: `*` is any characters but `/`, `?` one, `**` any folders, `[a-z]` one character
 * of a set, and `{a,b}` alternatives.
 */
export function filesLike(pattern: string): string[] {
  const found = new Set<string>();
  for (const each of alternativesOf(pattern)) {
    const parts = each.split(sep === '/' ? '/' : /[\\/]/);
    /** Folders, and the parts that their entries must match. Several `**` reach a folder in many ways. */
    const work = new Map<string, { folder: string; at: number }>();
    const add = (path: string, kind: Kind, at: number): void => {
      if (at < parts.length) {
        if (kind === 'folder') work.set(`${at}:${path}`, { folder: path, at });
      } else if (kind === 'file') found.add(path);
    };
    work.set('', { folder: '', at: 0 });
    // A map also yields the entries that are added meanwhile.
    for (const { folder, at } of work.values()) {
      const part = parts[at];
      if (!isPattern(part)) {
        const path = folder === '' ? part || sep : join(folder, part);
        add(path, kindOf(path), at + 1);
        continue;
      }
      if (part === '**' && at + 1 < parts.length) add(folder, 'folder', at + 1);
      for (const { name, kind } of entriesOf(folder)) {
        const path = join(folder, name);
        if (part === '**' && kind === 'folder') add(path, kind, at);
        else if (matches(name, part)) add(path, kind, at + 1);
      }
    }
  }
  return [...found].sort();
}

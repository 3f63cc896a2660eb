// The files that options name, apart from documents.
import { reason, UserError } from '../node/errors.js';
import { nameOf } from './chunks.js';
import type { Io } from './io.js';
import { contentOf } from './whole-text.js';

/** Returns what a list has, one in each line, or with NULs in between as `find -print0` writes them. */
export const itemsOf = (list: string): string[] =>
  list.split(list.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');

/** Resolves to the text of the file of an option. */
export async function readOption(path: string, option: string, io: Io): Promise<string> {
  try {
    return await contentOf(path, io, { isPage: false });
  } catch (error) {
    throw new UserError(`${option} ${nameOf(path)}: ${reason(error)}`);
  }
}

/** Resolves to what the file of an option lists. */
export const readList = async (path: string, option: string, io: Io): Promise<string[]> =>
  itemsOf(await readOption(path, option, io));

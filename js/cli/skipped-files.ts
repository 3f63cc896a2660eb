// Files of folders and patterns that are of another kind than documents, or of another shape than the files before them; and what else
// a folder has.
import { basename } from 'node:path';
import { splitName } from '../formats/names.js';
import { count, countOf, jsonLine, shorten } from '../node/errors.js';
import { BadDocument } from '../node/fields.js';

/** Thrown for a file that is not of a kind or shape that is read. It is an error only if an argument names the file. */
export class UnfitFile extends BadDocument {}

/** The number of groups that are named on standard error. */
const MAX_NAMED = 10;

/** Entries of a folder that are neither files to read nor folders to search: the words for one, for several, and why it is not read. */
const others = {
  hidden: ['hidden file or folder', 'hidden files or folders', 'pass its path to read it'],
  link: ['link to a folder', 'links to folders', 'pass its path to read it'],
  special: ['broken link or special file', 'broken links or special files', 'a folder is searched for regular files'],
} as const;

export type OtherEntry = keyof typeof others;

interface SkippedGroup {
  readonly nameOf: (files: number) => string;
  files: number;
  readonly first: string;
  /** Why the first is not read. */
  readonly why: string;
}

/** Files by their extensions, and other entries of folders by their kinds. */
export class SkippedFiles {
  readonly #groups = new Map<string, SkippedGroup>();

  /** The number of files. */
  get count(): number {
    return [...this.#groups.values()].reduce((sum, { files }) => sum + files, 0);
  }

  add(path: string, why: string): void {
    const extension = splitName(basename(path))[1].toLowerCase();
    const kind = extension === '' ? 'without an extension' : `with the extension ${extension}`;
    this.#count(kind, { nameOf: (files) => `${countOf(files, 'file')} ${kind}`, files: 1, first: path, why });
  }

  addOther(path: string, kind: OtherEntry): void {
    const [one, several, why] = others[kind];
    const nameOf = (files: number) => `${count(files)} ${files === 1 ? one : several}`;
    this.#count(kind, { nameOf, files: 1, first: path, why });
  }

  #count(kind: string, group: SkippedGroup): void {
    const known = this.#groups.get(kind);
    if (known !== undefined) known.files++;
    else this.#groups.set(kind, group);
  }

  /** Returns a message for each group, those with the most files first, and one for what is left. */
  messages(): string[] {
    const groups = [...this.#groups.values()].sort((a, b) => b.files - a.files);
    const messages = groups.slice(0, MAX_NAMED).map((group) => {
      const { nameOf, files, first, why } = group;
      return `${nameOf(files)} not read${files === 1 ? ': ' : ', such as '}${shorten(first)}: ${why}`;
    });
    const rest = groups.slice(MAX_NAMED);
    const files = rest.reduce((sum, group) => sum + group.files, 0);
    if (files > 0) messages.push(`${countOf(files, 'file')} of ${count(rest.length)} other kinds not read`);
    return messages;
  }

  /** Returns a row of the report for each group. */
  rows(): string[] {
    return Array.from(this.#groups.values(), ({ nameOf, first, files, why }) =>
      jsonLine({ id: first, status: 'skipped', files, message: `${nameOf(files)} not read: ${why}` }),
    );
  }
}

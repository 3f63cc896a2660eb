// Files of folders and patterns that are of another kind than documents, or of another shape than the files before them.
import { basename } from 'node:path';
import { splitName } from '../formats/names.js';
import { count, countOf, jsonLine, shorten } from '../node/errors.js';
import { BadDocument } from '../node/fields.js';

/** Thrown for a file that is not of a kind or shape that is read. It is an error only if an argument names the file. */
export class UnfitFile extends BadDocument {}

/** The number of extensions that are named on standard error. */
const MAX_NAMED = 10;

interface ExtensionGroup {
  extension: string;
  files: number;
  first: string;
  /** Why the first is not read. */
  why: string;
}

const subjectOf = ({ extension, files }: ExtensionGroup): string =>
  `${countOf(files, 'file')} ${extension === '' ? 'without an extension' : `with the extension ${extension}`}`;

/** Files by their extensions. */
export class SkippedFiles {
  readonly #groups = new Map<string, ExtensionGroup>();

  /** The number of files. */
  get count(): number {
    return [...this.#groups.values()].reduce((sum, { files }) => sum + files, 0);
  }

  add(path: string, why: string): void {
    const extension = splitName(basename(path))[1].toLowerCase();
    const group = this.#groups.get(extension);
    if (group !== undefined) group.files++;
    else this.#groups.set(extension, { extension, files: 1, first: path, why });
  }

  /** Returns a message for each extension, those with the most files first, and one for what is left. */
  messages(): string[] {
    const groups = [...this.#groups.values()].sort((a, b) => b.files - a.files);
    const messages = groups.slice(0, MAX_NAMED).map((group) => {
      const { files, first, why } = group;
      return `${subjectOf(group)} not read${files === 1 ? ': ' : ', such as '}${shorten(first)}: ${why}`;
    });
    const others = groups.slice(MAX_NAMED);
    const files = others.reduce((sum, group) => sum + group.files, 0);
    if (files > 0) messages.push(`${countOf(files, 'file')} with ${count(others.length)} other extensions not read`);
    return messages;
  }

  /** Returns a row of the report for each extension. */
  rows(): string[] {
    return Array.from(this.#groups.values(), (group) => {
      const { first, files, why } = group;
      return jsonLine({ id: first, status: 'skipped', files, message: `${subjectOf(group)} not read: ${why}` });
    });
  }
}

// Finds the files of the arguments: files, folders, patterns, and lists of paths.
import { formatOfName, formats, isWholeFile } from '../formats/names.js';
import { reason, UserError } from '../node/errors.js';
import { chunks, collect, nameOf } from './chunks.js';
import { checkedText, decoded } from './encoding.js';
import { Exclusion } from './exclusion.js';
import { fileKind, filesIn, filesLike, isPattern } from './glob.js';
import type { Input } from './input-file.js';
import type { Io } from './io.js';
import { type KnownFiles, withoutRepeated } from './known-files.js';
import { oneOf } from './option-checks.js';
import type { Values } from './options.js';
import { pathOf } from './path.js';
import { isDocumentName } from './recognise.js';
import type { OtherEntry } from './skipped-files.js';

/** Returns what a list has, one in each line, or with NULs in between as `find -print0` writes them. */
const itemsOf = (list: string): string[] =>
  list.split(list.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');

/** Resolves to the paths of --files-from. In UTF-8, they may have other bytes. */
async function readPaths(list: string, io: Io): Promise<string[]> {
  try {
    const text = await decoded(chunks(list, io), { stated: undefined, isPage: false });
    const bytes = await collect(text.content);
    return itemsOf(text.encoding === 'utf-8' ? pathOf(bytes) : checkedText(bytes, text.encoding));
  } catch (error) {
    throw new UserError(`--files-from ${nameOf(list)}: ${reason(error)}`);
  }
}

/** Returns files whose lines, rows or elements are documents, whatever their names are. */
export const recordInputs = (files: readonly string[], { encoding }: Values): Input[] =>
  files.map((path) => {
    const format = formatOfName(path);
    return { path, name: nameOf(path), format: isWholeFile(format) ? undefined : format, encoding };
  });

/**
 * Resolves to the files of the arguments, in order, each once. With --html, whole files are HTML pages. `references` are files
 * that are read already.
 */
export async function findInputs(values: Values, io: Io, references?: KnownFiles): Promise<Input[]> {
  const { files, 'files-from': filesFrom, html, delimiter, quote, encoding } = values;
  const format = values.format === undefined ? undefined : oneOf(...formats)(values.format, '--format');
  const listed = filesFrom === undefined ? [] : await readPaths(filesFrom, io);
  const paths = files.length === 0 && filesFrom === undefined ? ['-'] : [...files, ...listed];
  const inputOf = (path: string): Input => {
    const stated = format ?? (path === '-' ? undefined : formatOfName(path));
    return {
      path,
      name: nameOf(path),
      format: stated === 'text' && html ? 'html' : stated,
      delimiter,
      quote,
      encoding,
    };
  };
  io.exclusion ??= new Exclusion(values.exclude ?? []);
  const { exclusion } = io;
  const isExcluded = (path: string) => exclusion.has(path);
  const found = paths.flatMap((path) => {
    if (path === '-') return inputOf(path);
    const kind = fileKind(path);
    const isSearched = kind === undefined && isPattern(path);
    if (!isSearched && isExcluded(path)) return [];
    if (!isSearched && kind !== 'folder') return inputOf(path);
    const skip = (path: string, kind: OtherEntry) => {
      // A pattern names the files that it wants.
      if (!isSearched && !isExcluded(path)) io.skipped.addOther(path, kind);
    };
    const search = { isClosed: isExcluded, unreadable: [] as string[], skip };
    const files = isSearched ? filesLike(path, search) : [...filesIn(path, search)];
    // Reading a folder as a file reports why it cannot be read.
    const unreadable = search.unreadable.map(inputOf);
    const all = files.filter((file) => !isExcluded(file));
    const found = kind === undefined || format !== undefined ? all : all.filter(isDocumentName);
    if (found.length < all.length)
      for (const file of all)
        if (!isDocumentName(file)) io.skipped.add(file, 'another kind of file; --format reads all files');
    const none =
      kind === undefined ? 'no file matches' : 'no file in this folder has a known extension; --format reads all files';
    if (found.length + unreadable.length === 0 && all.length === files.length) io.error(`${path}: ${none}`);
    return [...found.map((file) => ({ ...inputOf(file), isFound: true })), ...unreadable];
  });
  return withoutRepeated(found, references, (repeated) => io.repeatedPaths.push(repeated));
}

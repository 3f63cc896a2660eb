// Finds the files of the arguments: files, folders, patterns, and lists of paths.
import { formatOfName, formats } from '../formats/names.js';
import { reason, UserError } from '../node/errors.js';
import { textReader } from '../node/html.js';
import { chunks, collect, nameOf } from './chunks.js';
import type { Input } from './document.js';
import { checkedText, decoded } from './encoding.js';
import { Exclusion } from './exclusion.js';
import { filesIn, filesLike, isPattern, kindOf } from './glob.js';
import type { Io } from './io.js';
import { type KnownFiles, withoutRepeated } from './known-files.js';
import { oneOf } from './option-checks.js';
import type { Values } from './options.js';
import { Output } from './output.js';
import { reportPage } from './pages.js';
import { bytesOf, pathOf } from './path.js';
import { isDocumentName } from './recognise.js';

async function contents(path: string, io: Io, encoding: string | undefined, isPage: boolean): Promise<string> {
  const text = await decoded(chunks(path, io), { stated: encoding, isPage });
  return checkedText(await collect(text.content), text);
}

export async function readOption(path: string, option: string, io: Io): Promise<string> {
  try {
    return await contents(path, io, undefined, false);
  } catch (error) {
    throw new UserError(`${option} ${nameOf(path)}: ${reason(error)}`);
  }
}

/** Returns what a list has, one in each line, or with NULs in between as `find -print0` writes them. */
const itemsOf = (list: string): string[] =>
  list.split(list.includes('\0') ? '\0' : /\r?\n/).filter((line) => line !== '');

/** Resolves to what the file of an option lists. */
export const readList = async (path: string, option: string, io: Io): Promise<string[]> =>
  itemsOf(await readOption(path, option, io));

/** Resolves to the paths of --files-from. In UTF-8, they may have other bytes. */
async function readPaths(list: string, io: Io): Promise<string[]> {
  try {
    const text = await decoded(chunks(list, io), { stated: undefined, isPage: false });
    const bytes = await collect(text.content);
    return itemsOf(text.encoding === 'utf-8' ? pathOf(bytes) : checkedText(bytes, text));
  } catch (error) {
    throw new UserError(`--files-from ${nameOf(list)}: ${reason(error)}`);
  }
}

/** Returns files whose lines, rows or elements are documents, whatever their names are. */
export const recordInputs = (files: readonly string[], { encoding }: Values): Input[] =>
  files.map((path) => {
    const format = formatOfName(path);
    return { path, name: nameOf(path), format: format === 'text' || format === 'html' ? undefined : format, encoding };
  });

export const isPage = (path: string, html = false): boolean => html || formatOfName(path) === 'html';

/** Resolves to the text of a whole file that is compared: of a page its main text, without what is ignored. */
export async function wholeText(path: string, { html, encoding, ignore }: Values, io: Io): Promise<string> {
  const readText = await textReader({ isHtml: isPage(path, html), ignore });
  const { text, words } = readText(await contents(path, io, encoding, isPage(path, html)));
  reportPage(io, nameOf(path), words);
  return text;
}

/** Prints a line for each file, which is read as one text. A file that cannot be read is reported. */
export async function printForEach(
  files: readonly string[],
  io: Io,
  lineOf: (path: string) => Promise<string>,
): Promise<void> {
  const records = files.find((path) => ['jsonl', 'csv', 'tsv'].includes(formatOfName(path) ?? ''));
  if (records !== undefined) io.note(`${records} is read as one text; with --jsonl, each line or row is a document`);
  const inputs = files.map((path) => ({ path, name: nameOf(path) }));
  const lines = io.eachFile(inputs, async function* ({ path }) {
    yield await lineOf(path);
  });
  for await (const line of lines) if (!io.signal.aborted) await Output.stdout.write(bytesOf(line));
}

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
    const kind = kindOf(path);
    const isSearched = kind === undefined && isPattern(path);
    if (!isSearched && isExcluded(path)) return [];
    if (!isSearched && kind !== 'folder') return inputOf(path);
    const files = isSearched ? filesLike(path, isExcluded) : [...filesIn(path, isExcluded)];
    const all = files.filter((file) => !isExcluded(file));
    const found = kind === undefined || format !== undefined ? all : all.filter(isDocumentName);
    if (found.length < all.length)
      for (const file of all)
        if (!isDocumentName(file)) io.skipped.add(file, 'another kind of file; --format reads all files');
    const none =
      kind === undefined ? 'no file matches' : 'no file in this folder has a known extension; --format reads all files';
    if (found.length === 0 && all.length === files.length) io.error(`${path}: ${none}`);
    return found.map((file) => ({ ...inputOf(file), isFound: true }));
  });
  return withoutRepeated(found, references, (repeated) => io.repeatedPaths.push(repeated));
}

// Whole files as single texts.
import { formatOfName } from '../formats/names.js';
import { textReader } from '../node/html.js';
import { chunks, collect, nameOf } from './chunks.js';
import { checkedText, decoded } from './encoding.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { Output } from './output.js';
import { reportPage } from './pages.js';
import { bytesOf } from './path.js';

/** Resolves to the text of a whole file. The encoding is `stated`, declared by a page, or recognised. */
export async function contentOf(
  path: string,
  io: Io,
  { stated, isPage }: { stated?: string | undefined; isPage: boolean },
): Promise<string> {
  const text = await decoded(chunks(path, io), { stated, isPage });
  return checkedText(await collect(text.content), text.encoding);
}

export const isPage = (path: string, html = false): boolean => html || formatOfName(path) === 'html';

/** Resolves to the text of a whole file that is compared: of a page its main text, without what is ignored. */
export async function wholeText(path: string, { html, encoding, ignore }: Values, io: Io): Promise<string> {
  const readText = await textReader({ isHtml: isPage(path, html), ignore });
  const { text, words } = readText(await contentOf(path, io, { stated: encoding, isPage: isPage(path, html) }));
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

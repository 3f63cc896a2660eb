// Whole files as single texts.
import { formatOfName } from '../formats/names.js';
import { textReader } from '../node/html.js';
import { chunks, collect, nameOf } from './chunks.js';
import { checkedText, decoded } from './encoding.js';
import type { Io } from './io.js';
import type { Values } from './options.js';
import { reportPage } from './pages.js';

/** Resolves to the text of a whole file. The encoding is `stated`, declared by a page, or recognised. */
export async function contentOf(
  path: string,
  io: Io,
  { stated, isPage }: { stated?: string | undefined; isPage: boolean },
): Promise<string> {
  const text = await decoded(chunks(path, io), { stated, isPage });
  return checkedText(await collect(text.content), text.encoding);
}

const isPage = (path: string, html = false): boolean => html || formatOfName(path) === 'html';

/** Resolves to the text of a whole file that is compared: of a page its main text, without what is ignored. */
export async function wholeText(path: string, { html, encoding, ignore }: Values, io: Io): Promise<string> {
  const readText = await textReader({ isHtml: isPage(path, html), ignore });
  const { text, words } = readText(await contentOf(path, io, { stated: encoding, isPage: isPage(path, html) }));
  reportPage(io, nameOf(path), words);
  return text;
}

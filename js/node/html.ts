// The main text of HTML pages for the command line, which has parse5 only if the user has installed it.
import { MAX_PAGE_LENGTH, type Parse5, readBlocks } from '../html/page.js';
import { UserError } from './user-error.js';

/** Resolves to a function from HTML to its main text. A page without text is an error. */
export async function htmlReader(): Promise<(html: string) => string> {
  // Not a literal: the bundles do not contain it.
  const name = 'parse5';
  const parse5: Parse5 = await import(name).catch((error: { code?: unknown }) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('--html takes one more package: npm install parse5');
  });
  return (html) => {
    if (html.length > MAX_PAGE_LENGTH) throw new Error(`a page of more than ${MAX_PAGE_LENGTH >> 20} MiB`);
    const text = readBlocks(html, parse5).mainText();
    if (text === '') throw new Error('the page has no text');
    return text;
  };
}

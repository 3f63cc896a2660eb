// The main text of HTML pages for the command line, which has parse5 only if the user has installed it.

import type { Parse5 } from '../html/bounded-parser.js';
import { mainTextOf } from '../html/main-text.js';
import { MAX_PAGE_LENGTH, readBlocks } from '../html/page.js';
import { BadDocument } from './fields.js';
import { importPackage } from './packages.js';

/** Resolves to a function that returns the text to compare: of a page its main text. It throws a `BadDocument` if there is none. */
export async function textReader(isHtml: boolean): Promise<(text: string) => string> {
  if (!isHtml) return (text) => text;
  const parse5 = await importPackage<Parse5>('parse5', '--html');
  return (html) => {
    if (html.length > MAX_PAGE_LENGTH) throw new BadDocument(`a page of more than ${MAX_PAGE_LENGTH >> 20} MiB`);
    let text: string;
    try {
      text = mainTextOf(readBlocks(html, parse5)).text;
    } catch (error) {
      // One page that the parser fails on must not end a run.
      throw new BadDocument(`the page cannot be read: ${(error as Error).message}`);
    }
    if (text === '') throw new BadDocument('the page has no text');
    return text;
  };
}

/**
 * Extracts text from HTML for comparison. This entry needs the package `parse5`: `npm install parse5`.
 *
 * @packageDocumentation
 */

import * as parse5 from 'parse5';
import { ArgumentError } from './core/argument-error.js';
import { nodeText, type TextNode } from './html/node-text.js';
import { MAX_PAGE_LENGTH, readBlocks } from './html/page.js';

export type { TextNode };

function checkPage(html: unknown, argument: string, requirement: string): string {
  if (typeof html === 'string' && html.length <= MAX_PAGE_LENGTH) return html;
  throw new ArgumentError(argument, `${requirement} of up to ${MAX_PAGE_LENGTH} UTF-16 units`, html);
}

/**
 * Returns the main text of a page, without the navigation, banners, headers and footers that the pages of a site have in common.
 * Returns `''` if the page has no text. The command line uses it for `--html`.
 *
 * 1. The text of `<main>` (or `role=main`), or else of the only `<article>`, is the main text, however short it is.
 * 2. In a page without either, blocks are chosen by their lengths and by their share of links (Kohlschütter, Fankhauser and Nejdl:
 *    Boilerplate Detection using Shallow Text Features, 2010), then by their containers, as Readability does. An item of a list,
 *    such as a post of a thread, stands for the list.
 * 3. If the result has fewer than 25 words, all text outside the following parts counts.
 *
 * Text in `<nav>`, `<aside>`, `<footer>`, dialogs, elements with an ARIA role of the same meaning, hidden elements, and parts whose class
 * or id names a notice about cookies, a newsletter, a footer, comments or related pages counts only if the page has no other; so does the
 * page's `<header>` in step 3. Such names may be wrong: parts with them that have most of the page count. Each block of text is on
 * a line of its own. O(length of the page).
 *
 * @example
 * ```js
 * mainText('<nav><a href="/">Home</a></nav><p>The river burst its banks.</p><p>The road is closed.</p>');
 * // 'The river burst its banks.\nThe road is closed.'
 * ```
 * @throws {@link ArgumentError}: `html` is not a string of up to 2^25 UTF-16 units
 */
export const mainText = (html: string): string => readBlocks(checkPage(html, 'html', 'a string'), parse5).mainText();

/**
 * Returns all text of a page, or of a node of a document (of a browser, Cheerio, linkedom or jsdom), with white space
 * between blocks. `textContent` and Cheerio's `text()` insert none, so the last word of a paragraph and the first of the
 * next become one word, unless the page happens to have white space between its tags. O(size of the page or node).
 *
 * @example
 * ```js
 * blockText('<ul><li>one</li><li>two</li></ul>').split(/\s+/).filter(Boolean); // ['one', 'two']
 * ```
 * @throws {@link ArgumentError}: `page` is not a string of up to 2^25 UTF-16 units, and not a node
 */
export function blockText(page: string | TextNode): string {
  if (typeof page === 'object' && page !== null && typeof page.nodeType === 'number') return nodeText(page);
  return readBlocks(checkPage(page, 'page', 'a node, or a string'), parse5).allText();
}

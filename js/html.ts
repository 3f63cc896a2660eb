/**
 * Extracts text from HTML for comparison. This entry needs the package `parse5`: `npm install parse5`.
 *
 * @packageDocumentation
 */

import * as parse5 from 'parse5';
import { ArgumentError } from './common/argument-error.js';
import { allTextOf, mainTextOf } from './html/main-text.js';
import { nodeText, type TextNode } from './html/node-text.js';
import { MAX_PAGE_LENGTH, readBlocks } from './html/page.js';
import type { PageText, PageWords } from './html/page-text.js';

export type { PageText, PageWords, TextNode };

function checkPage(html: unknown, argument: string, requirement: string): string {
  if (typeof html === 'string' && html.length <= MAX_PAGE_LENGTH) return html;
  throw new ArgumentError(argument, `${requirement} of up to ${MAX_PAGE_LENGTH} UTF-16 units`, html);
}

/**
 * Returns the main text of a page: all its text, without what is certainly not content. Returns `''` if the page has no text. The command
 * line uses it for `--html`.
 *
 * It leaves out `nav`, `footer`, dialogs and controls of forms, elements with an ARIA role of the same meaning, and `aside` outside of
 * the main element and of articles; parts that `hidden` or `style` hides; parts with `aria-hidden` that have no prose or are closed
 * dialogs by their names; parts whose id or class names navigation, a notice about consent or a subscription, sharing, advertising, or
 * comments on the text before them; and lists of links.
 *
 * 1. `body`, the main element (`<main>` or `role=main`) and the only `<article>` are never left out, whatever their names or attributes.
 *    A part that has 90 % of the page's words is not left out because of its name; one named as navigation only if it has no prose, that is,
 *    no paragraph of ten or more words outside links.
 * 2. The rest of the page is left out too if there is a main element or an only article, and no prose outside of it. If it has
 *    `aria-hidden`, the prose of a shorter text without that attribute does not count: it is a dialog over the page.
 * 3. Lists of links stay if the rest has no more words than they have.
 * 4. If no text of ten words stays, lists of links come back, then comments, hidden parts and the whole page, until one does.
 *
 * Each block of text is on a line of its own. O(length of the page).
 *
 * @example
 * ```js
 * mainText('<nav><a href="/">Home</a></nav><p>The river burst its banks.</p><p>The road is closed.</p>');
 * // 'The river burst its banks.\nThe road is closed.'
 * ```
 * @throws {@link ArgumentError}: `html` is not a string of up to 2^25 UTF-16 units
 */
export const mainText = (html: string): string => pageText(html).text;

/**
 * Returns the main text of a page, as {@link mainText} does, with the number of its words and of all words of the page. If few of them are
 * used, look at the page: `whenNew` of `nearprint/crawl` passes the numbers on to the crawler. O(length of the page).
 *
 * @example
 * ```js
 * pageText('<nav><a href="/">Home</a></nav><p>The river burst its banks.</p>');
 * // { text: 'The river burst its banks.', words: { used: 5, all: 6 } }
 * ```
 * @throws {@link ArgumentError}: `html` is not a string of up to 2^25 UTF-16 units
 */
export const pageText = (html: string): PageText => mainTextOf(readBlocks(checkPage(html, 'html', 'a string'), parse5));

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
  return allTextOf(readBlocks(checkPage(page, 'page', 'a node, or a string'), parse5));
}

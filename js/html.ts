/**
 * Extracts text from HTML for comparison. This entry needs the package `parse5`: `npm install parse5`.
 *
 * @packageDocumentation
 */

import * as parse5 from 'parse5';
import { ArgumentError } from './common/argument-error.js';
import { describeNoString } from './common/text-advice.js';
import { allTextOf, mainTextOf } from './html/main-text.js';
import { nodeText, type TextNode } from './html/node-text.js';
import { MAX_PAGE_LENGTH, readBlocks } from './html/page.js';
import type { PageText, PageWords } from './html/page-text.js';

export type { PageText, PageWords, TextNode };

function checkPage(html: unknown, argument: string, requirement: string): string {
  if (typeof html === 'string' && html.length <= MAX_PAGE_LENGTH) return html;
  const got = typeof html === 'string' ? undefined : describeNoString(html);
  throw new ArgumentError(argument, `${requirement} of up to ${MAX_PAGE_LENGTH} UTF-16 units`, html, got);
}

/**
 * Returns the main text of a page: all its text, except parts that are certainly not content. Returns `''` if the page has no text.
 * The command line uses it for `--html`. These parts are left out:
 *
 * - `nav`, `footer`, dialogs and controls of forms, and elements with an ARIA role of the same meaning; `aside` outside of the main
 *   element and of articles, or with hardly any text but links; `button`, `menu` and `svg` without prose;
 * - parts that `hidden` or `style` hides, and parts with `aria-hidden` that have no prose or are closed dialogs by their names;
 * - parts whose id or class names navigation, related pages, a notice about consent or a subscription, sharing, advertising, or comments on
 *   the text before them. A name that only mentions one of them, such as `cookie-recipes`, leaves out nothing but links;
 * - lists of links.
 *
 * *Prose* is a paragraph of ten or more words outside links. Exceptions:
 *
 * 1. Hidden prose stays if the reader opens it: in a panel of tabs, in `details`, or by a control whose `aria-controls` names it.
 * 2. `body`, the main element (`<main>` or `role=main`) and the only `<article>` are never left out, whatever their names or attributes.
 *    A notice or an advertisement by its name stays if it has most of the words of the page. Navigation by its name stays if it has
 *    prose, and so does a part named after sharing or cookies if it also has no link or control.
 * 3. If there is a main element or an only article, and no prose outside of it, the rest of the page is left out. If the main element
 *    has `aria-hidden`, a shorter text without that attribute is a dialog over the page, and its prose does not count.
 * 4. Lists of links stay if they have at least as many words as the rest.
 * 5. If no text of ten words stays, parts come back in this order, until one does: lists of links, comments, hidden parts, the whole
 *    page.
 *
 * Each block of text is on a line of its own. O(length of the page).
 *
 * @example
 * ```js
 * const text = 'The river burst its banks early on Tuesday, the council said.';
 * mainText(`<nav><a href="/">Home</a></nav><p>${text}</p>`) === text; // true
 * ```
 * @throws {@link ArgumentError}: `html` is not a string of up to 2^25 UTF-16 units
 */
export const mainText = (html: string): string => pageText(html).text;

/**
 * Returns the main text of a page, as {@link mainText} does, with the number of its words and of all words of the page. If it has few of
 * them, look at the page: `whenNew` of `nearprint/crawl` passes the numbers on to the crawler. O(length of the page).
 *
 * @example
 * ```js
 * const { words } = pageText('<nav>Home</nav><p>The river burst its banks early on Tuesday, the council said.</p>');
 * words; // { used: 11, all: 12 }
 * ```
 * @throws {@link ArgumentError}: `html` is not a string of up to 2^25 UTF-16 units
 */
export const pageText = (html: string): PageText => mainTextOf(readBlocks(checkPage(html, 'html', 'a string'), parse5));

/**
 * Returns all text of a page, or of a node of a document (of a browser, Cheerio, linkedom or jsdom), with white space
 * between blocks. `textContent` and Cheerio's `text()` insert none: the last word of a paragraph and the first word of the
 * next become one word, unless the page has white space between its tags. O(size of the page or node).
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

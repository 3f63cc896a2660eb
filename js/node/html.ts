// The main text of HTML pages for the command line, which has parse5 only if the user has installed it.
import { MIN_WORDS } from '../html/blocks.js';
import type { Parse5 } from '../html/bounded-parser.js';
import { mainTextOf } from '../html/main-text.js';
import { MAX_PAGE_LENGTH, readBlocks } from '../html/page.js';
import type { PageText, PageWords } from '../html/page-text.js';
import { BadDocument, whyUnread } from './fields.js';
import { withoutMatches } from './ignore.js';
import { importPackage } from './packages.js';

/** The text of a document that is compared, and of a page the numbers of its words. */
export type TextToCompare = Pick<PageText, 'text'> & Partial<PageText> & { whyNoText?: string };

/** The share of the words of a page below which it is reported. */
const MIN_SHARE = 1 / 3;

export const isShortPage = ({ used }: PageWords): boolean => used < MIN_WORDS;

export const isPartlyCompared = ({ used, all }: PageWords): boolean => used < MIN_SHARE * all;

/** Returns whether the numbers of words of a page are reported, since it is probably not the page that is meant. */
export const isReported = (words: PageWords): boolean => isShortPage(words) || isPartlyCompared(words);

/** How the text of a document is taken. */
interface TextSettings {
  isHtml: boolean;
  /** Whether a page without text is a document without one. Otherwise it is not a document. */
  keepBad?: boolean | undefined;
  /** The patterns of what is not compared. */
  ignore?: readonly string[] | undefined;
}

/**
 * Resolves to a function that returns the text to compare: of a page its main text, without what is ignored. It throws a
 * `BadDocument` if a page has no text.
 */
export async function textReader({
  isHtml,
  keepBad,
  ignore = [],
}: TextSettings): Promise<(text: string) => TextToCompare> {
  const rest = withoutMatches(ignore);
  if (!isHtml) return (text) => ({ text: rest(text) });
  const readPage = pageReader(await importPackage<Parse5>('parse5', '--html'));
  return (html) => {
    try {
      const page = readPage(html);
      return { ...page, text: rest(page.text) };
    } catch (error) {
      if (!keepBad || !(error instanceof BadDocument)) throw error;
      return { text: '', whyNoText: error.message };
    }
  };
}

/** Returns a function that returns the main text of a page. It throws a `BadDocument` if there is none. */
function pageReader(parse5: Parse5): (html: string) => PageText {
  return (html) => {
    if (html.length > MAX_PAGE_LENGTH) throw new BadDocument(`a page of more than ${MAX_PAGE_LENGTH >> 20} MiB`);
    let page: PageText;
    try {
      page = mainTextOf(readBlocks(html, parse5));
    } catch (error) {
      throw new BadDocument(`the page cannot be read: ${whyUnread(error)}`);
    }
    if (page.text === '') throw new BadDocument('the page has no text');
    return page;
  };
}

// Pages that are compared by a small part of their words, for the messages of the commands.
import type { PageWords } from '../html/page-text.js';
import { count, countOf, shorten } from '../node/errors.js';
import { isPartlyCompared, isReported, isShortPage } from '../node/html.js';
import type { Io, Noticed } from './io.js';

/** The number of pages of a kind, and the place of the first. */
export interface PagesNoticed {
  count: number;
  first: string;
}

/** Counts a page if little of it is compared. */
export function noticePage({ shortPages, partialPages }: Noticed, place: string, words: PageWords): void {
  const notice = (pages: PagesNoticed) => {
    if (pages.count++ === 0) pages.first = place;
  };
  if (isShortPage(words)) notice(shortPages);
  else if (isPartlyCompared(words)) notice(partialPages);
}

/** Reports at once how much of a page is compared, if it is little. */
export function reportPage(io: Io, place: string, words: PageWords | undefined): void {
  if (words === undefined || !isReported(words)) return;
  const { used, all } = words;
  const total = countOf(all, 'word');
  const compared = used === all ? `the page has ${total}` : `the text has ${count(used)} of the ${total} of the page`;
  io.note(`${shorten(place)}: ${compared}`);
}

/** Returns sentences about the pages that were counted. */
export function pageWarnings({ shortPages, partialPages }: Noticed): string[] {
  const sentence = ({ count, first }: PagesNoticed, [one, many]: readonly [string, string]) =>
    `${countOf(count, 'page')} ${count === 1 ? `${one}: ` : `${many}, such as `}${shorten(first)}`;
  const warnings: string[] = [];
  if (shortPages.count > 0)
    warnings.push(sentence(shortPages, ['has fewer than ten words', 'have fewer than ten words']));
  if (partialPages.count > 0) {
    const predicate = 'compared by less than a third of';
    warnings.push(sentence(partialPages, [`is ${predicate} its words`, `are ${predicate} their words`]));
  }
  return warnings;
}

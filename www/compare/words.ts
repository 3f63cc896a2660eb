// Where a text can be cut: at white space if there is some in reach, otherwise between words, which in scripts written
// without spaces are characters.
import { tokensOf } from '../../js/report/text-diff.js';

/** No emoji has more UTF-16 code units. */
const LONGEST_EMOJI = 40;

/** Returns the length of a start of the text, at most `limit`, that ends with a whole word. */
export function wholeWords(text: string, limit: number): number {
  let [length, beforeSpace] = [0, 0];
  // The characters after the limit show whether the last word or emoji within it is whole.
  for (const token of tokensOf(text.slice(0, limit + LONGEST_EMOJI))) {
    if (token.trim() === '') beforeSpace = length;
    if (length + token.length > limit) break;
    length += token.length;
  }
  return beforeSpace >= limit / 2 ? beforeSpace : length;
}

/** Returns the position of an end of the text, at most `limit` long, that begins with a whole word. */
export function lastWords(text: string, limit: number): number {
  const from = Math.max(0, text.length - limit);
  // Begins before the limit, so that the first tokens show where a word begins.
  let at = Math.max(0, from - limit);
  let [first, afterSpace, isAfterSpace] = [text.length, text.length, false];
  for (const token of tokensOf(text.slice(at))) {
    const isSpace = token.trim() === '';
    if (at >= from && !isSpace) {
      first = Math.min(first, at);
      if (isAfterSpace) afterSpace = Math.min(afterSpace, at);
    }
    isAfterSpace = isSpace;
    at += token.length;
  }
  return text.length - afterSpace >= limit / 2 ? afterSpace : first;
}

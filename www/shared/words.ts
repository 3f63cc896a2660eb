// The words of a text, and where it can be cut: never within a word, and in scripts written without spaces never within a character.
import { tokensOf } from '../../js/report/text-diff.js';

/** The maximum number of UTF-16 code units of an emoji. */
const MAX_EMOJI = 40;

export const isWord = (token: string): boolean => /[\p{L}\p{N}]/u.test(token);

const isSpace = (token: string): boolean => token.trim() === '';

/** Returns the positions between the tokens of a text where it can be cut: not between the parts of "it's" or "3.14". */
function cutsOf(text: string): number[] {
  const tokens = tokensOf(text);
  let end = 0;
  return tokens.flatMap((token, at) => {
    end += token.length;
    const next = tokens[at + 1];
    return next === undefined || isSpace(token) || isSpace(next) || isWord(token) === isWord(next) ? [end] : [];
  });
}

/** Returns the length of the longest start of a text, at most `limit`, that ends with a whole word. */
export const wholeWords = (text: string, limit: number): number =>
  // The characters after the limit show whether the last word or emoji within it is whole.
  cutsOf(text.slice(0, limit + MAX_EMOJI)).findLast((cut) => cut <= limit) ?? 0;

/** Returns the position of the longest end of a text, at most `limit`, that begins with a whole word. */
export function lastWords(text: string, limit: number): number {
  const from = Math.max(0, text.length - limit);
  // Begins before the limit, so that the first tokens show where a word begins.
  const start = Math.max(0, from - limit);
  const cut = [0, ...cutsOf(text.slice(start))].find(
    (cut) => start + cut >= from && !/^\s/.test(text[start + cut] ?? ''),
  );
  return cut === undefined ? text.length : start + cut;
}

let segmenter: Intl.Segmenter | undefined;

/** The characters before and after a part of a text in which its words, and the ones next to it, are looked for. */
const NEAR = 100;

/**
 * Returns the start and the end of each word in a part of a text, and of words around it. In scripts written without spaces, a word
 * has several characters.
 */
export function wordsNear(text: string, [start, end]: [start: number, end: number]): [start: number, end: number][] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const from = Math.max(0, start - NEAR);
  return [...segmenter.segment(text.slice(from, end + NEAR))].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [[from + index, from + index + segment.length] as [number, number]] : [],
  );
}

/** A class of characters: those of scripts that are written without spaces. */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';

const unspacedText = new RegExp(`[${unspaced}]`, 'u');

/** Whether a text has characters of scripts that are written without spaces. Each of them is a word, and votes in pairs and triples. */
export const hasUnspaced = (text: string): boolean => unspacedText.test(text);

const longWord = new RegExp(`[^\\s${unspaced}]{100,}`, 'gu');

/** Returns a text without the middle of its very long words, such as data in base64. */
export const clipped = (text: string): string =>
  text.replace(longWord, (word) => word.replace(/^(.{32}).*(.{12})$/su, '$1…$2'));

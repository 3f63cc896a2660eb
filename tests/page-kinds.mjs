// Pages of many kinds, written after real ones: tests/data/pages. Their elements with main text have the attribute `data-main`.
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'parse5';

const folder = new URL('data/pages/', import.meta.url);
const wordsOf = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the words in elements with `data-main`. */
function mainWordsOf(html) {
  const words = [];
  const visit = ({ childNodes = [] }, isMain) => {
    for (const node of childNodes) {
      if ('value' in node && isMain) words.push(...wordsOf(node.value));
      else visit(node, isMain || Boolean(node.attrs?.some(({ name }) => name === 'data-main')));
    }
  };
  visit(parse(html), false);
  return words;
}

/** Pages `{ kind, html, words }`: `words` are the words of the main text. */
export const kindsOfPages = readdirSync(folder).map((file) => {
  const html = readFileSync(new URL(file, folder), 'utf8');
  return { kind: file.replace('.html', ''), html, words: mainWordsOf(html) };
});

/** Returns the share of the main words that a text has, and the share of its words that are main words. Both count repetitions. */
export function scoreOf({ words }, text) {
  const left = new Map();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  const found = wordsOf(text);
  const common = found.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  }).length;
  return { recall: common / words.length, precision: found.length === 0 ? 1 : common / found.length };
}

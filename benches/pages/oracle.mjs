// The paragraphs of a page, found without the program: `p`, `dd`, `li` and `td` with ten or more words, outside `nav`, `footer`,
// elements with their ARIA roles, and hidden parts.
import { parse } from 'parse5';

/** The number of words from which an element is a paragraph. */
const MIN_WORDS = 10;

const paragraphs = new Set(['p', 'dd', 'li', 'td']);
const notProse = new Set(['nav', 'footer', 'head', 'script', 'style', 'template', 'noscript', 'iframe', 'title']);
/** Words that the text of neighbouring blocks would otherwise join. */
const isBlock = (name) =>
  /^(?:p|d[ltd]|[uo]l|li|t[dhr]|table|tbody|div|pre|h[1-6]|br|section|article|blockquote|button)$/.test(name);

export const wordsOf = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns whether an element is navigation or the end of the page by its ARIA role. */
const isAround = ({ attrs = [] }) =>
  attrs.some(({ name, value }) => name === 'role' && ['navigation', 'contentinfo'].includes(value));

function isHidden({ attrs = [] }) {
  return attrs.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'aria-hidden' && value === 'true') ||
      (name === 'style' && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(value)),
  );
}

/** Returns the words of each paragraph of a page. The words of a paragraph in another one belong to the inner one. */
export function paragraphsOf(html) {
  const found = [];
  const visit = (node, texts) => {
    for (const child of node.childNodes ?? []) {
      if ('value' in child) texts?.push(child.value);
      else if ('tagName' in child && !notProse.has(child.tagName) && !isHidden(child) && !isAround(child)) {
        if (isBlock(child.tagName)) texts?.push(' ');
        if (paragraphs.has(child.tagName)) {
          const inner = [];
          visit(child, inner);
          const own = wordsOf(inner.join(''));
          if (own.length >= MIN_WORDS) found.push(own);
        } else visit(child, texts);
        if (isBlock(child.tagName)) texts?.push(' ');
      }
    }
  };
  visit(parse(html), null);
  return found;
}

/** Returns the share of words that a text lacks. Both count repetitions. */
export function lostShare(words, text) {
  const left = new Map();
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1);
  let lost = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count === 0) lost++;
    else left.set(word, count - 1);
  }
  return words.length === 0 ? 0 : lost / words.length;
}

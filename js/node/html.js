// Extracts the main text of an HTML page: the blocks of text that are not navigation, decided by their lengths and by
// their share of links. The parser is parse5, which implements the parsing algorithm of the HTML standard.
//
// The time is linear in the page. A page that would take the tree builder longer (deeply nested elements, for example) is
// read tag by tag, without a tree.
import { UserError } from './user-error.js';

/** A longer page is refused: its tree takes some hundred bytes for each element. In UTF-16 units. */
export const LONGEST_PAGE = 1 << 25;

/** The deepest nesting of a tree, that of browsers. The tree builder searches all open elements for many tags. */
const DEEPEST = 512;

const names = (text) => new Set(text.split(' '));

/**
 * Elements that start and end a block. Otherwise the last word of one item and the first of the next would be joined.
 */
const borders = names(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol ' +
    'optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp',
);
/** Elements whose content is no text of the page. */
const hidden = names('iframe noembed noframes noscript script style template title');
/** Elements that have no main text, and ARIA roles with the same meaning. */
const beside = names(
  'aside audio button canvas datalist dialog footer menu nav object search select svg textarea video',
);
const besideRoles = names('alert banner complementary contentinfo dialog menu menubar navigation search');
/** Elements whose text the tokenizer reads as text up to their end tag, and its state for them. */
const rawStates = {
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  noscript: 'RAWTEXT',
  plaintext: 'PLAINTEXT',
  script: 'SCRIPT_DATA',
  style: 'RAWTEXT',
  textarea: 'RCDATA',
  title: 'RCDATA',
  xmp: 'RAWTEXT',
};

function isBeside({ tagName, attrs }) {
  if (beside.has(tagName)) return true;
  return attrs.some(
    ({ name, value }) =>
      name === 'hidden' || (name === 'aria-hidden' && value === 'true') || (name === 'role' && besideRoles.has(value)),
  );
}

/** The text of a node of a browser's document, with line breaks around blocks. */
export function textOf(node) {
  if (node.nodeType === 3) return node.data;
  const name = node.localName?.toLowerCase();
  if (hidden.has(name) || name === 'head' || name === 'svg') return '';
  const text = Array.from(node.childNodes, textOf).join('');
  return borders.has(name) ? `\n${text}\n` : text;
}

/** The length of a text in words. Scripts without spaces have about two characters a word. */
function lengthOf(text) {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/gu);
  return (text.match(/\S+/g)?.length ?? 0) + (dense?.length ?? 0) / 2;
}

const totalLength = (blocks) => blocks.reduce((sum, { length }) => sum + length, 0);

/** The blocks of a page: pieces of text without a border between them. */
class Blocks {
  #blocks = [];
  #text = [];
  #linked = [];
  /** The number of open links, and of open elements beside the main text. */
  links = 0;
  beside = 0;
  /** The innermost open element with borders. */
  box = { parent: null, score: 0 };

  add(text) {
    this.#text.push(text);
    if (this.links > 0) this.#linked.push(text);
  }

  /** Ends a block. */
  border() {
    const text = this.#text.join('');
    const length = lengthOf(text);
    if (length > 0) {
      const linked = lengthOf(this.#linked.join('')) / length;
      this.#blocks.push({ text, length, linked, isBeside: this.beside > 0, box: this.box });
    }
    this.#text = [];
    this.#linked = [];
  }

  /** The text of the main blocks, or of all blocks if none is main. */
  mainText() {
    this.border();
    const blocks = this.#blocks.filter(({ isBeside }) => !isBeside);
    const main = blocks.filter((block, at) => isMain(block, blocks[at - 1], blocks[at + 1]));
    const inside = insideBest(main, blocks);
    const chosen = [inside, main, blocks].find(({ length }) => length > 0) ?? this.#blocks;
    return chosen.map(({ text }) => text).join('\n');
  }
}

const NONE = { length: 0, linked: 0 };

/** Kohlschütter, Fankhauser and Nejdl: Boilerplate Detection using Shallow Text Features (2010), the rule by words. */
function isMain(block, before = NONE, after = NONE) {
  if (block.linked > 1 / 3) return false;
  if (before.linked > 5 / 9) return block.length > 40 || after.length > 17;
  return block.length > 16 || after.length > 15 || before.length > 4;
}

/** How many boxes around a block get a part of its score. */
const LEVELS = 5;

/**
 * The blocks of the box that has most of the main text around it, without those that are mostly links; none if the other
 * boxes have much more. The scores are those of Readability: long blocks with commas, passed on to the boxes around.
 */
function insideBest(main, blocks) {
  let best = null;
  for (const { box, length, text } of main) {
    const score = 1 + (text.match(/[,;،、，；。]/g)?.length ?? 0) + Math.min(length / 16, 3);
    let to = box.parent;
    for (let level = 0; to !== null && level < LEVELS; level++, to = to.parent) {
      to.score += score / [1, 2, 6, 9, 12][level];
      if (best === null || to.score > best.score) best = to;
    }
  }
  const isInside = ({ box, linked }) => {
    if (linked > 0.5) return false;
    let at = box;
    while (at !== null && at !== best) at = at.parent;
    return at === best;
  };
  const inside = blocks.filter(isInside);
  return totalLength(inside) > 0.4 * totalLength(main) ? inside : [];
}

/** Thrown when the tree takes more than linear work. */
class TooComplex extends Error {}

/**
 * A tree adapter that throws when the work exceeds a bound. Its steps are the changes of the tree; a change in the midst
 * of a long list takes as many steps as the list is long.
 */
function boundedAdapter(adapter, most) {
  let steps = 0;
  let depth = 0;
  const step = (parent, node) => {
    const children = parent?.childNodes ?? [];
    steps += children.at(-1) === node ? 1 : 1 + children.length / 8;
    if (steps > most) throw new TooComplex();
  };
  const bounded = { ...adapter };
  for (const name of ['appendChild', 'insertText', 'insertBefore', 'insertTextBefore']) {
    bounded[name] = (parent, ...rest) => {
      step(null);
      if (rest.length > 1 || name === 'insertBefore') step(parent, rest.at(-1));
      adapter[name](parent, ...rest);
    };
  }
  bounded.detachNode = (node) => {
    step(node.parentNode, node);
    adapter.detachNode(node);
  };
  bounded.createCommentNode = () => adapter.createCommentNode('');
  bounded.onItemPush = () => {
    if (++depth > DEEPEST) throw new TooComplex();
  };
  bounded.onItemPop = () => {
    depth--;
  };
  return bounded;
}

/** The blocks of a page by its tree. */
function readTree(html, { parse, defaultTreeAdapter }) {
  const blocks = new Blocks();
  const visitElement = (element) => {
    const { tagName, childNodes } = element;
    if (hidden.has(tagName)) return;
    const { box, links, beside } = blocks;
    const hasBorder = borders.has(tagName) || isBeside(element);
    if (hasBorder) {
      blocks.border();
      blocks.box = { parent: box, score: 0 };
    }
    if (tagName === 'a') blocks.links++;
    if (isBeside(element)) blocks.beside++;
    visitAll(childNodes);
    if (hasBorder) blocks.border();
    Object.assign(blocks, { box, links, beside });
  };
  // Recursive: the depth is bounded.
  const visitAll = (nodes) => {
    for (const node of nodes) {
      if (node.nodeName === '#text') blocks.add(node.value);
      else if (node.tagName !== undefined) visitElement(node);
    }
  };
  const treeAdapter = boundedAdapter(defaultTreeAdapter, 8 * html.length + 10_000);
  visitAll(parse(html, { treeAdapter }).childNodes);
  return blocks;
}

/** The blocks of a page by its tags alone. */
function readTags(html, { Tokenizer, TokenizerMode }) {
  const blocks = new Blocks();
  let skipped = null;
  const add = ({ chars }) => {
    if (skipped === null) blocks.add(chars);
  };
  const onTag = ({ tagName }, isStart) => {
    if (skipped !== null && (isStart || tagName !== skipped)) return;
    skipped = null;
    if (borders.has(tagName)) blocks.border();
    if (tagName === 'a') blocks.links = isStart ? 1 : 0;
    if (!isStart || rawStates[tagName] === undefined) return;
    tokenizer.state = TokenizerMode[rawStates[tagName]];
    if (hidden.has(tagName)) skipped = tagName;
  };
  const handler = {
    onStartTag: (token) => onTag(token, true),
    onEndTag: (token) => onTag(token, false),
    onCharacter: add,
    onWhitespaceCharacter: add,
    onNullCharacter() {},
    onComment() {},
    onDoctype() {},
    onEof() {},
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
  tokenizer.write(html, true);
  return blocks;
}

/** Returns a function from HTML to its main text. A page without text is an error. */
export async function htmlReader() {
  // Not a literal: the bundles do not contain it.
  const name = 'parse5';
  const parse5 = await import(name).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError('--html takes one more package: npm install parse5');
  });
  return (html) => {
    if (html.length > LONGEST_PAGE) throw new Error(`a page of more than ${LONGEST_PAGE >> 20} MiB`);
    let blocks;
    try {
      blocks = readTree(html, parse5);
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      blocks = readTags(html, parse5);
    }
    const text = blocks.mainText();
    if (text === '') throw new Error('the page has no text');
    return text;
  };
}

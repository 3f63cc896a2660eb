// Extracts the main text of an HTML page: the blocks of text that are not navigation, decided by their lengths and by
// their share of links. The parser is parse5, which implements the parsing algorithm of the HTML standard.
//
// The time is linear in the page. A page that would take the tree builder longer (deeply nested elements, for example) is
// read tag by tag, without a tree.
import type { Token, DefaultTreeAdapterTypes as Tree, TreeAdapter } from 'parse5';

export type Parse5 = typeof import('parse5');
type Adapter = TreeAdapter<Tree.DefaultTreeAdapterMap>;

/** The maximum length of a page in UTF-16 units: its tree takes some hundred bytes for each element. */
export const MAX_PAGE_LENGTH: number = 1 << 25;

/** The maximum depth of a tree, as in browsers. The tree builder searches all open elements for many tags. */
const MAX_DEPTH = 512;

const setOf = (names: string): Set<string> => new Set(names.split(' '));

/**
 * Elements that start and end a block. Otherwise the last word of one item and the first of the next would be joined.
 */
const borders = setOf(
  'address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol ' +
    'optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp',
);
/** Elements whose content is not text of the page. */
const hidden = setOf('iframe noembed noframes noscript script style template title');
/** Elements that have no main text, and ARIA roles with the same meaning. */
const secondary = setOf(
  'aside audio button canvas datalist dialog footer menu nav object search select svg textarea video',
);
const secondaryRoles = setOf('alert banner complementary contentinfo dialog menu menubar navigation search');
/** Elements whose content the tokenizer reads as text up to their end tag, and its state for them. */
const rawStates = new Map<string, keyof Parse5['TokenizerMode']>([
  ['iframe', 'RAWTEXT'],
  ['noembed', 'RAWTEXT'],
  ['noframes', 'RAWTEXT'],
  ['noscript', 'RAWTEXT'],
  ['plaintext', 'PLAINTEXT'],
  ['script', 'SCRIPT_DATA'],
  ['style', 'RAWTEXT'],
  ['textarea', 'RCDATA'],
  ['title', 'RCDATA'],
  ['xmp', 'RAWTEXT'],
]);

/** Returns whether the text of an element is not main text, whatever its blocks look like. */
function isSecondary({ tagName, attrs }: Tree.Element): boolean {
  if (secondary.has(tagName)) return true;
  return attrs.some(
    ({ name, value }) =>
      name === 'hidden' ||
      (name === 'aria-hidden' && value === 'true') ||
      (name === 'role' && secondaryRoles.has(value)),
  );
}

/** Returns the text of a node of a browser's document, with line breaks around blocks. */
export function textOf(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue ?? '';
  const name = (node as Partial<Element>).localName?.toLowerCase() ?? '';
  if (hidden.has(name) || name === 'head' || name === 'svg') return '';
  const text = Array.from(node.childNodes, textOf).join('');
  return borders.has(name) ? `\n${text}\n` : text;
}

/** Returns the length of a text in words. Scripts without spaces have about two characters a word. */
function lengthOf(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/gu);
  return (text.match(/\S+/g)?.length ?? 0) + (dense?.length ?? 0) / 2;
}

/** An element with borders. */
interface Box {
  /** The innermost element with borders around it. */
  parent: Box | null;
  /** The likelihood that it contains the main text, see `insideBest`. */
  score: number;
}

/** A piece of text without a border within it. */
interface Block {
  text: string;
  /** In words. */
  length: number;
  /** The share of its text that is in links. */
  linked: number;
  isSecondary: boolean;
  /** The innermost element with borders around it. */
  box: Box;
}

const totalLength = (blocks: Block[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

/** Collects the blocks of a page. */
class Blocks {
  #blocks: Block[] = [];
  #text: string[] = [];
  #linked: string[] = [];
  /** The number of open links. */
  links = 0;
  /** The number of open secondary elements. */
  secondary = 0;
  /** The innermost open element with borders. */
  box: Box = { parent: null, score: 0 };

  add(text: string): void {
    this.#text.push(text);
    if (this.links > 0) this.#linked.push(text);
  }

  /** Ends a block. */
  border(): void {
    const text = this.#text.join('');
    const length = lengthOf(text);
    if (length > 0) {
      const linked = lengthOf(this.#linked.join('')) / length;
      this.#blocks.push({ text, length, linked, isSecondary: this.secondary > 0, box: this.box });
    }
    this.#text = [];
    this.#linked = [];
  }

  /** Returns the text of the main blocks, or of all blocks if none is main. */
  mainText(): string {
    this.border();
    const blocks = this.#blocks.filter(({ isSecondary }) => !isSecondary);
    const main = blocks.filter((block, at) => isMain(block, blocks[at - 1], blocks[at + 1]));
    const inside = insideBest(main, blocks);
    const chosen = [inside, main, blocks].find(({ length }) => length > 0) ?? this.#blocks;
    return chosen.map(({ text }) => text).join('\n');
  }
}

const NONE = { length: 0, linked: 0 };

/** Kohlschütter, Fankhauser and Nejdl: Boilerplate Detection using Shallow Text Features (2010), the rule by words. */
function isMain(block: typeof NONE, before = NONE, after = NONE): boolean {
  if (block.linked > 1 / 3) return false;
  if (before.linked > 5 / 9) return block.length > 40 || after.length > 17;
  return block.length > 16 || after.length > 15 || before.length > 4;
}

/** The divisors of a block's score for the boxes around its own, from the inside. Boxes further out get nothing. */
const DIVISORS = [1, 2, 6, 9, 12];

/**
 * Returns the blocks of the box with the highest score, without blocks that are mostly links; none if the other boxes
 * have much more of the main text. The scores are those of Readability: long blocks with commas, passed on to the boxes
 * around them.
 */
function insideBest(main: Block[], blocks: Block[]): Block[] {
  let best: Box | null = null;
  for (const { box, length, text } of main) {
    const score = 1 + (text.match(/[,;،、，；。]/g)?.length ?? 0) + Math.min(length / 16, 3);
    let to = box.parent;
    for (const divisor of DIVISORS) {
      if (to === null) break;
      to.score += score / divisor;
      if (best === null || to.score > best.score) best = to;
      to = to.parent;
    }
  }
  const isInside = ({ box, linked }: Block) => {
    if (linked > 0.5) return false;
    let at: Box | null = box;
    while (at !== null && at !== best) at = at.parent;
    return at === best;
  };
  const inside = blocks.filter(isInside);
  return totalLength(inside) > 0.4 * totalLength(main) ? inside : [];
}

/** Thrown when the tree takes more than linear work. */
class TooComplex extends Error {}

/**
 * Returns a tree adapter that throws when the work exceeds `maxSteps`. Its steps are the changes of the tree; a change
 * within a long list takes as many steps as the list is long.
 */
function boundedAdapter(adapter: Adapter, maxSteps: number): Adapter {
  let steps = 0;
  let depth = 0;
  const count = (more: number) => {
    steps += more;
    if (steps > maxSteps) throw new TooComplex();
  };
  const countMove = (parent: Tree.ParentNode | null, child: Tree.ChildNode) => {
    const children = parent?.childNodes ?? [];
    count(children.at(-1) === child ? 1 : 1 + children.length / 8);
  };
  return {
    ...adapter,
    appendChild(parent, node) {
      count(1);
      adapter.appendChild(parent, node);
    },
    insertText(parent, text) {
      count(1);
      adapter.insertText(parent, text);
    },
    insertBefore(parent, node, next) {
      count(1);
      countMove(parent, next);
      adapter.insertBefore(parent, node, next);
    },
    insertTextBefore(parent, text, next) {
      count(1);
      countMove(parent, next);
      adapter.insertTextBefore(parent, text, next);
    },
    detachNode(node) {
      countMove(node.parentNode, node);
      adapter.detachNode(node);
    },
    createCommentNode: () => adapter.createCommentNode(''),
    onItemPush() {
      if (++depth > MAX_DEPTH) throw new TooComplex();
    },
    onItemPop() {
      depth--;
    },
  };
}

/** Returns the blocks of a page by its tree. */
function readTree(html: string, { parse, defaultTreeAdapter }: Parse5): Blocks {
  const blocks = new Blocks();
  const visitElement = (element: Tree.Element) => {
    const { tagName, childNodes } = element;
    if (hidden.has(tagName)) return;
    const { box, links, secondary } = blocks;
    const isAside = isSecondary(element);
    const hasBorder = borders.has(tagName) || isAside;
    if (hasBorder) {
      blocks.border();
      blocks.box = { parent: box, score: 0 };
    }
    if (tagName === 'a') blocks.links++;
    if (isAside) blocks.secondary++;
    visitAll(childNodes);
    if (hasBorder) blocks.border();
    Object.assign(blocks, { box, links, secondary });
  };
  // Recursive: the depth is bounded.
  const visitAll = (nodes: Tree.ChildNode[]) => {
    for (const node of nodes) {
      if ('value' in node) blocks.add(node.value);
      else if ('tagName' in node) visitElement(node);
    }
  };
  const treeAdapter = boundedAdapter(defaultTreeAdapter, 8 * html.length + 10_000);
  visitAll(parse(html, { treeAdapter }).childNodes);
  return blocks;
}

/** Returns the blocks of a page by its tags alone. */
function readTags(html: string, { Tokenizer, TokenizerMode }: Parse5): Blocks {
  const blocks = new Blocks();
  /** The open element whose content is skipped. */
  let skipped: string | null = null;
  const add = ({ chars }: Token.CharacterToken) => {
    if (skipped === null) blocks.add(chars);
  };
  const onTag = ({ tagName }: Token.TagToken, isStart: boolean) => {
    if (skipped !== null && (isStart || tagName !== skipped)) return;
    skipped = null;
    if (borders.has(tagName)) blocks.border();
    if (tagName === 'a') blocks.links = isStart ? 1 : 0;
    const state = rawStates.get(tagName);
    if (!isStart || state === undefined) return;
    tokenizer.state = TokenizerMode[state];
    if (hidden.has(tagName)) skipped = tagName;
  };
  const handler = {
    onStartTag: (token: Token.TagToken) => onTag(token, true),
    onEndTag: (token: Token.TagToken) => onTag(token, false),
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
export function mainTextReader(parse5: Parse5): (html: string) => string {
  return (html) => {
    if (html.length > MAX_PAGE_LENGTH) throw new Error(`a page of more than ${MAX_PAGE_LENGTH >> 20} MiB`);
    let blocks: Blocks;
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

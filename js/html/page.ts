// Reads the blocks of a page. A page whose tree would take more than linear time (deeply nested elements, for example) is
// read tag by tag, without a tree.
import type { Token, DefaultTreeAdapterTypes as Tree, TreeAdapter } from 'parse5';
import { Blocks } from './blocks.js';
import { borders, hidden, rawStates, rolesOf } from './elements.js';

/** The part of parse5 that is used. It implements the parsing algorithm of the HTML standard. */
export type Parse5 = Pick<typeof import('parse5'), 'parse' | 'defaultTreeAdapter' | 'Tokenizer' | 'TokenizerMode'>;
type Adapter = TreeAdapter<Tree.DefaultTreeAdapterMap>;

/** The maximum length of a page in UTF-16 units: a tree takes several hundred bytes for each element. */
export const MAX_PAGE_LENGTH: number = 1 << 25;

/** The maximum depth of a tree, as in browsers. The tree builder searches all open elements for many tags. */
const MAX_DEPTH = 512;

/** Thrown when building the tree takes more than linear work. */
class TooComplex extends Error {}

/**
 * Returns a tree adapter that throws after `maxSteps` steps, or if the tree is too deep. Each change of the tree is a step; a
 * change within a list counts one step more for every eight items of the list.
 */
function boundedAdapter(adapter: Adapter, maxSteps: number): Adapter {
  let [steps, depth] = [0, 0];
  const count = (more = 1) => {
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
      count();
      adapter.appendChild(parent, node);
    },
    insertText(parent, text) {
      count();
      adapter.insertText(parent, text);
    },
    insertBefore(parent, node, next) {
      count();
      countMove(parent, next);
      adapter.insertBefore(parent, node, next);
    },
    insertTextBefore(parent, text, next) {
      count();
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

function readTree(html: string, { parse, defaultTreeAdapter }: Parse5): Blocks {
  const blocks = new Blocks();
  const visitElement = (element: Tree.Element) => {
    const { tagName, childNodes } = element;
    if (hidden.has(tagName)) return;
    const { box, links, inside } = blocks;
    const roles = rolesOf(element);
    const hasBorder = borders.has(tagName) || roles.length > 0;
    if (hasBorder) {
      blocks.border();
      blocks.open(element);
    }
    if (tagName === 'a') blocks.links++;
    blocks.enter(roles);
    visitAll(childNodes);
    if (hasBorder) blocks.border();
    Object.assign(blocks, { box, links, inside });
  };
  // Recursion is safe, since the depth is bounded.
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

/** Returns the blocks of a page. Linear in the length of the page. */
export function readBlocks(html: string, parse5: Parse5): Blocks {
  try {
    return readTree(html, parse5);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return readTags(html, parse5);
  }
}

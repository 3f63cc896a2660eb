// Reads the blocks of a page. A page whose tree would take more than linear time (deeply nested elements, for example) is
// read tag by tag, without a tree.
import type { Token, DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Blocks } from './blocks.js';
import { newTokenizer, type Parse5, parseBounded, TooComplex } from './bounded-parser.js';
import { attributeOf, borders, isControl, isLink, rawStates, rolesOf, withoutText } from './elements.js';

/** The maximum length of a page in UTF-16 units: a tree takes several hundred bytes for each element. */
export const MAX_PAGE_LENGTH: number = 1 << 25;

/** Returns whether an element is a template whose content the browser shows, in the shadow tree of its parent. */
const isShadow = (element: Tree.Element): element is Tree.Template =>
  element.tagName === 'template' && /^(?:open|closed)$/i.test(attributeOf(element, 'shadowrootmode') ?? '');

function readTree(html: string, parse5: Parse5): Blocks {
  const blocks = new Blocks();
  let isInFrame = false;
  /** Visits the page that an attribute of a frame has. A frame in it is not read, so that the time is linear. */
  const visitFrame = (page: string) => {
    if (isInFrame) return;
    isInFrame = true;
    blocks.border();
    visitAll(parseBounded(page, parse5).childNodes);
    blocks.border();
    isInFrame = false;
  };
  const visitElement = (element: Tree.Element) => {
    const { tagName, childNodes } = element;
    if (tagName === 'iframe') visitFrame(attributeOf(element, 'srcdoc') ?? '');
    if (isShadow(element)) {
      blocks.border();
      visitAll(element.content.childNodes);
      blocks.border();
    }
    if (withoutText.has(tagName)) return;
    for (const id of attributeOf(element, 'aria-controls')?.split(/\s+/) ?? []) blocks.controlledIds.add(id);
    const { part, openLinks } = blocks;
    const named = rolesOf(element);
    const hasBorder = borders.has(tagName) || named.roles.length > 0;
    if (hasBorder) blocks.border();
    if (isLink(element)) blocks.openLink();
    blocks.enter(named);
    if (isControl(element)) blocks.part.hasControl = true;
    visitAll(childNodes);
    if (hasBorder) blocks.border();
    Object.assign(blocks, { part, openLinks });
  };
  // Recursion is safe, since the depth is bounded.
  const visitAll = (nodes: Tree.ChildNode[]) => {
    for (const node of nodes) {
      if ('value' in node) blocks.add(node.value);
      else if ('tagName' in node) visitElement(node);
    }
  };
  visitAll(parseBounded(html, parse5).childNodes);
  return blocks;
}

function readTags(html: string, parse5: Parse5): Blocks {
  const blocks = new Blocks();
  /** The open element whose content is skipped. */
  let skipped: string | null = null;
  const add = ({ chars }: Token.CharacterToken) => {
    if (skipped === null) blocks.add(chars);
  };
  const onTag = (token: Token.TagToken, isStart: boolean) => {
    const { tagName, selfClosing } = token;
    if (skipped !== null && (isStart || tagName !== skipped)) return;
    skipped = null;
    if (borders.has(tagName)) blocks.border();
    if (tagName === 'a') {
      blocks.openLinks = 0;
      if (isStart && isLink(token)) blocks.openLink();
    }
    const state = rawStates.get(tagName);
    if (!isStart || selfClosing || state === undefined) return;
    tokenizer.state = parse5.TokenizerMode[state];
    if (withoutText.has(tagName)) skipped = tagName;
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
  const tokenizer = newTokenizer(handler, parse5);
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

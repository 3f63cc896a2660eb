// The text of nodes of a document: of a browser, or of Cheerio, linkedom or jsdom.
import { borders, withoutText } from './elements.js';

/** The part of a node that is used. */
export interface TextNode {
  /** The type of the node, 3 for text. */
  readonly nodeType: number;
  /** The text of a text node. */
  readonly nodeValue?: string | null;
  /** The name of an element, in a document of a browser. */
  readonly localName?: string;
  /** The name of an element, in a document of Cheerio. */
  readonly name?: string;
  /** The children of the node. */
  readonly childNodes?: ArrayLike<TextNode>;
}

const TEXT = 3;

/** Returns the text of a node, with line breaks around blocks. Linear in the size of the node, whatever its depth. */
export function nodeText(node: TextNode): string {
  const parts: string[] = [];
  const open: (TextNode | string)[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (next.nodeType === TEXT) parts.push(next.nodeValue ?? '');
    else {
      const name = (next.localName ?? next.name ?? '').toLowerCase();
      if (withoutText.has(name)) continue;
      if (borders.has(name)) {
        parts.push('\n');
        open.push('\n');
      }
      const children = next.childNodes ?? [];
      for (let at = children.length - 1; at >= 0; at--) open.push(children[at]);
    }
  }
  return parts.join('');
}

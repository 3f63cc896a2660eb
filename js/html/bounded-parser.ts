// A parser of HTML whose work is bounded.
import type { ParserOptions, Token, TokenHandler, DefaultTreeAdapterTypes as Tree, TreeAdapter } from 'parse5';
import { knownAttributes, rawStates } from './elements.js';

/** The part of parse5 that is used. It implements the parsing algorithm of the HTML standard. */
export type Parse5 = Pick<typeof import('parse5'), 'Parser' | 'defaultTreeAdapter' | 'Tokenizer' | 'TokenizerMode'>;
type Adapter = TreeAdapter<Tree.DefaultTreeAdapterMap>;

/** The maximum depth of a tree, as in browsers. The tree builder searches all open elements for many tags. */
const MAX_DEPTH = 512;

/** Thrown when building the tree takes more than linear work. */
export class TooComplex extends Error {}

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
    // Attributes that nothing reads would take most of the memory of some pages. The parser reads `encoding` of MathML.
    createElement: (tagName, namespace, attributes) =>
      adapter.createElement(
        tagName,
        namespace,
        attributes.filter(({ name }) => knownAttributes.has(name) || name === 'encoding'),
      ),
    adoptAttributes() {},
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

/** The maximum number of attributes of a tag that are read. More of them would be looked up in a growing table. */
const MAX_ATTRIBUTES = 64;

/** Returns the tokenizer of parse5 with the further attributes of a tag left out. */
function boundedTokenizer({ Tokenizer }: Parse5): Parse5['Tokenizer'] {
  return class extends Tokenizer {
    protected override _leaveAttrName(): void {
      const { attrs } = this.currentToken as Token.TagToken;
      if (attrs.length < MAX_ATTRIBUTES) super._leaveAttrName();
    }
  };
}

interface Bounded {
  Tokenizer: Parse5['Tokenizer'];
  Parser: Parse5['Parser'];
}

/** A class that is made for each page would be compiled for each page. */
const classes = new WeakMap<Parse5['Parser'], Bounded>();

function boundedClasses(parse5: Parse5): Bounded {
  const known = classes.get(parse5.Parser);
  if (known !== undefined) return known;
  const Tokenizer = boundedTokenizer(parse5);
  class Parser<T extends Tree.DefaultTreeAdapterMap> extends parse5.Parser<T> {
    constructor(options?: ParserOptions<T>) {
      super(options);
      this.tokenizer = new Tokenizer(this.options, this);
    }

    /** Ends elements such as `<title/>`, as XHTML writes them. In HTML, all that follows would be their text. */
    override onStartTag(token: Token.TagToken): void {
      super.onStartTag(token);
      if (!token.selfClosing || token.ackSelfClosing || !rawStates.has(token.tagName)) return;
      this.tokenizer.state = parse5.TokenizerMode.DATA;
      this.onEndTag(token);
    }
  }
  const made = { Tokenizer, Parser: Parser as Parse5['Parser'] };
  classes.set(parse5.Parser, made);
  return made;
}

/** Returns the tree of a page. Throws a {@link TooComplex} if that takes more than linear work. */
export function parseBounded(html: string, parse5: Parse5): Tree.Document {
  const treeAdapter = boundedAdapter(parse5.defaultTreeAdapter, 8 * html.length + 10_000);
  return boundedClasses(parse5).Parser.parse(html, { treeAdapter });
}

/** Reads a page tag by tag. */
export const newTokenizer = (handler: TokenHandler, parse5: Parse5): InstanceType<Parse5['Tokenizer']> =>
  new (boundedClasses(parse5).Tokenizer)({ sourceCodeLocationInfo: false }, handler);

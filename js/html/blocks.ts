// The text of a page as a sequence of blocks, and which of them are the main text.
import type { Role } from './elements.js';

/** Returns the length of a text in words. Scripts without spaces have about two characters a word. */
function lengthOf(text: string): number {
  const dense = text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/gu);
  return (text.match(/\S+/g)?.length ?? 0) + (dense?.length ?? 0) / 2;
}

/** An element with borders. */
interface Box {
  /** The innermost element with borders around it. */
  parent: Box | null;
  /** Items of a list of posts, answers or results have the same kind: the element and its first class, if it has one. */
  kind: string;
  /** The likelihood that it contains the main text, see `insideBest`. */
  score: number;
  /** The words of the main text in it. */
  main: number;
}

/** A part of a page that is told by a name. */
interface Named {
  parent: Named | null;
  length: number;
  isSecondary: boolean;
}

/** What is around a block. */
interface Inside {
  readonly main?: true;
  /** The number of the outermost article. */
  readonly article?: number;
  readonly header?: true;
  readonly heading?: true;
  readonly secondary?: true;
  readonly extra?: true;
  /** The innermost part with a name of boilerplate. */
  readonly named: Named | null;
}

/** A piece of text without a border within it. */
interface Block {
  text: string;
  length: number;
  /** The share of its text that is in links. */
  linked: number;
  inside: Inside;
  /** The innermost element with borders around it. */
  box: Box;
}

/** The number of words from which a text is taken for the main text. */
const MIN_WORDS = 25;

/** The maximum share of a page's words that a part named as boilerplate has. */
const MAX_BOILERPLATE = 0.9;

const totalLength = (blocks: Block[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

export class Blocks {
  readonly #blocks: Block[] = [];
  readonly #boxes: Box[] = [];
  readonly #named: Named[] = [];
  #text: string[] = [];
  #linked: string[] = [];
  #articles = 0;
  links = 0;
  /** What is around the present place. */
  inside: Inside = { named: null };
  /** The innermost open element with borders. */
  box: Box = { parent: null, kind: '', score: 0, main: 0 };

  add(text: string): void {
    this.#text.push(text);
    if (this.links > 0) this.#linked.push(text);
  }

  open({ tagName, attrs }: { tagName: string; attrs: readonly { name: string; value: string }[] }): void {
    const [name = ''] = /\S+/.exec(attrs.find(({ name }) => name === 'class')?.value ?? '') ?? [];
    this.box = { parent: this.box, kind: name && `${tagName} ${name}`, score: 0, main: 0 };
    this.#boxes.push(this.box);
  }

  /** Enters an element with roles. The header of an article belongs to it, and the main part is main whatever is around it. */
  enter(roles: readonly Role[]): void {
    for (const role of roles) {
      const { main, article, secondary, named } = this.inside;
      if (role === 'main') this.inside = { main: true, named: null, ...(secondary && { secondary }) };
      else if (role === 'article') this.inside = { ...this.inside, article: article ?? ++this.#articles };
      else if (role === 'boilerplate') {
        this.inside = { ...this.inside, named: { parent: named, length: 0, isSecondary: false } };
        this.#named.push(this.inside.named as Named);
      } else if (role !== 'header' || !(main || article)) this.inside = { ...this.inside, [role]: true };
    }
  }

  border(): void {
    const text = this.#text.join('');
    const length = lengthOf(text);
    if (length > 0) {
      const linked = lengthOf(this.#linked.join('')) / length;
      this.#blocks.push({ text, length, linked, inside: this.inside, box: this.box });
    }
    this.#text = [];
    this.#linked = [];
  }

  allText(): string {
    this.border();
    return this.#blocks.map(({ text }) => text).join('\n');
  }

  /**
   * Returns the text of the `main` element or the only article, however short its blocks are, or else of the blocks that look like an
   * article. If these have fewer than {@link MIN_WORDS} words, returns the page without its header and secondary parts.
   */
  mainText(): string {
    this.border();
    const body = this.#body();
    const hasMain = body.some(({ inside }) => inside.main);
    const articles = new Set(body.map(({ inside }) => inside.article)).size;
    const hasArticle = body.some(({ inside }) => inside.article) && articles <= 2;
    const primary = body.filter(({ inside }) => (hasMain ? inside.main : hasArticle && inside.article));
    const text = primary.length > 0 ? primary.filter(isText) : articleOf(body, this.#boxes);
    const withoutHeader = body.filter(({ inside }) => !inside.header);
    const chosen =
      [text, primary, withoutHeader.filter(isText)].find((blocks) => totalLength(blocks) >= MIN_WORDS) ??
      [withoutHeader, body, this.#blocks].find(({ length }) => length > 0);
    return chosen?.map(({ text }) => text).join('\n') ?? '';
  }

  /** Returns the blocks outside secondary parts. Parts with such a name that have most of the page are not secondary. */
  #body(): Block[] {
    const blocks = this.#blocks.filter(({ inside }) => !inside.secondary);
    for (const { inside, length } of blocks) if (inside.named !== null) inside.named.length += length;
    // Elements come before the elements in them.
    for (const { parent, length } of this.#named.toReversed()) if (parent !== null) parent.length += length;
    const total = totalLength(blocks);
    for (const named of this.#named)
      named.isSecondary = named.parent?.isSecondary || named.length <= MAX_BOILERPLATE * total;
    const body = blocks.filter(({ inside }) => !inside.named?.isSecondary);
    const withoutExtras = body.filter(({ inside }) => !inside.extra);
    const isSure =
      withoutExtras.some(({ inside }) => inside.main || inside.article) ||
      2 * totalLength(withoutExtras) >= totalLength(body);
    return isSure ? withoutExtras : body;
  }
}

const isText = ({ linked, inside }: Block): boolean => linked <= 0.5 || inside.heading === true;

/** Returns the blocks of the article among blocks, none if none looks like one. */
function articleOf(blocks: Block[], boxes: Box[]): Block[] {
  const main = blocks.filter((block, at) => isMain(block, blocks[at - 1], blocks[at + 1]));
  const inside = insideBest(main, blocks, boxes);
  return inside.length > 0 ? inside : main;
}

const NONE = { length: 0, linked: 0 };

/** Kohlschütter, Fankhauser and Nejdl: Boilerplate Detection using Shallow Text Features (2010), the rule by words. */
function isMain(block: typeof NONE, before = NONE, after = NONE): boolean {
  if (block.linked > 1 / 3) return false;
  if (before.linked > 5 / 9) return block.length > 40 || after.length > 17;
  return block.length > 16 || after.length > 15 || before.length > 4;
}

/** The divisors of a block's score for the boxes around its own, from the inside. Boxes further out do not receive a score. */
const DIVISORS = [1, 2, 6, 9, 12];

/**
 * Returns the blocks of the box with the highest score, without blocks that are mostly links; none if the other boxes have
 * much more of the main text. Scores are computed as in Readability: long blocks with commas score highest, and pass their
 * score on to the boxes around them. A box that is one of a list, such as a post of a thread, stands for the list.
 */
function insideBest(main: Block[], blocks: Block[], boxes: Box[]): Block[] {
  let best: Box | null = null;
  for (const { box, length, text } of main) {
    const score = 1 + (text.match(/[,;،、，；。]/g)?.length ?? 0) + Math.min(length / 16, 3);
    box.main += length;
    let to = box.parent;
    for (const divisor of DIVISORS) {
      if (to === null) break;
      to.score += score / divisor;
      if (best === null || to.score > best.score) best = to;
      to = to.parent;
    }
  }
  best = listAround(best, boxes);
  const isIn = (box: Box | null): boolean => box === best || (box !== null && isIn(box.parent));
  const inside = blocks.filter((block) => isText(block) && isIn(block.box));
  return totalLength(inside) > 0.4 * totalLength(main) ? inside : [];
}

/** Returns the outermost box of a list of boxes with main text of the kind of a box, or of one around it; without one, the box. */
function listAround(best: Box | null, boxes: Box[]): Box | null {
  const items = new Map<Box, Map<string, number>>();
  for (const { parent, kind, main } of boxes.toReversed()) {
    if (parent === null || main === 0) continue;
    parent.main += main;
    if (kind === '') continue;
    const kinds = items.get(parent) ?? new Map<string, number>();
    items.set(parent, kinds.set(kind, (kinds.get(kind) ?? 0) + main));
  }
  let list = best;
  for (let box = best; box !== null && box.parent !== null; box = box.parent) {
    const ofKind = items.get(box.parent)?.get(box.kind) ?? 0;
    if (ofKind > box.main) list = box.parent;
  }
  return list;
}

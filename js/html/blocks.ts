// The text of a page as a sequence of blocks, and which of them are the main text.
import type { Part } from './elements.js';

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
  /** The length in words. */
  length: number;
  /** The share of its text that is in links. */
  linked: number;
  parts: Parts;
  /** The innermost element with borders around it. */
  box: Box;
}

/** The number of words from which a text is taken for the main text. */
const MIN_WORDS = 25;

/** The parts of a page around a block. */
type Parts = { readonly [part in Part]?: true };

const totalLength = (blocks: Block[]): number => blocks.reduce((sum, { length }) => sum + length, 0);

/** Collects the blocks of a page. */
export class Blocks {
  #blocks: Block[] = [];
  #text: string[] = [];
  #linked: string[] = [];
  links = 0;
  /** The parts of the open elements. */
  parts: Parts = {};
  #articles = 0;
  /** The innermost open element with borders. */
  box: Box = { parent: null, score: 0 };

  add(text: string): void {
    this.#text.push(text);
    if (this.links > 0) this.#linked.push(text);
  }

  /** Enters a part of the page. The header of an article belongs to it. */
  enter(part: Part): void {
    const isOwn = part === 'header' && (this.parts.main || this.parts.article);
    if (part === 'article' && !this.parts.article) this.#articles++;
    if (!isOwn) this.parts = { ...this.parts, [part]: true };
  }

  /** Ends a block. */
  border(): void {
    const text = this.#text.join('');
    const length = lengthOf(text);
    if (length > 0) {
      const linked = lengthOf(this.#linked.join('')) / length;
      this.#blocks.push({ text, length, linked, parts: this.parts, box: this.box });
    }
    this.#text = [];
    this.#linked = [];
  }

  /** Returns the text of all blocks. */
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
    const hasMain = body.some(({ parts }) => parts.main);
    const primary = body.filter(({ parts }) => (hasMain ? parts.main : parts.article && this.#articles === 1));
    const text = primary.length > 0 ? primary.filter(isText) : articleOf(body);
    const withoutHeader = body.filter(({ parts }) => !parts.header);
    const chosen =
      [text, primary].find((blocks) => totalLength(blocks) >= MIN_WORDS) ??
      [withoutHeader, body, this.#blocks].find(({ length }) => length > 0);
    return chosen?.map(({ text }) => text).join('\n') ?? '';
  }

  /** Returns the blocks outside secondary parts and notices. Notices that are most of a page without a main part are text. */
  #body(): Block[] {
    const blocks = this.#blocks.filter(({ parts }) => !parts.secondary);
    const body = blocks.filter(({ parts }) => !parts.notice);
    const isSure =
      body.some(({ parts }) => parts.main || parts.article) || 2 * totalLength(body) >= totalLength(blocks);
    return isSure ? body : blocks;
  }
}

const isText = ({ linked }: Block): boolean => linked <= 0.5;

/** Returns the blocks of the article among blocks, none if none looks like one. */
function articleOf(blocks: Block[]): Block[] {
  const main = blocks.filter((block, at) => isMain(block, blocks[at - 1], blocks[at + 1]));
  const inside = insideBest(main, blocks);
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
 * score on to the boxes around them.
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
  const isIn = (box: Box | null): boolean => box === best || (box !== null && isIn(box.parent));
  const inside = blocks.filter((block) => isText(block) && isIn(block.box));
  return totalLength(inside) > 0.4 * totalLength(main) ? inside : [];
}

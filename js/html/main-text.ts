// The main text of a page: all its text, without what is certainly not content.
import { type Block, type Blocks, isMostlyLinks, MIN_WORDS } from './blocks.js';
import type { PageText } from './page-text.js';
import { REASON, Reasons } from './parts.js';

/** The factor by which parts that are not content outweigh a text without prose, so that they are taken for it. */
const MIN_FACTOR = 3;

const wordsOf = (blocks: Iterable<Block>): number => {
  let sum = 0;
  for (const { words } of blocks) sum += words;
  return sum;
};

/** Returns the blocks of an open dialog: those without `aria-hidden`, if the content of the page has it, and more words than they have. */
function dialogOver(content: readonly Block[], blocks: readonly Block[]): ReadonlySet<Block> {
  if (!content.every(({ part }) => part.isAriaHidden)) return new Set();
  const dialog = blocks.filter(({ part }) => !part.isAriaHidden);
  return new Set(wordsOf(dialog) < wordsOf(content) ? dialog : []);
}

/** Returns the blocks of the main element or the only article; undefined if the page has neither, or has prose outside of it. */
function narrow(blocks: readonly Block[], reasons: Reasons): readonly Block[] | undefined {
  for (const isInside of [({ part }: Block) => part.isInMain, ({ part }: Block) => reasons.isCertain(part.article)]) {
    const inside = blocks.filter(isInside);
    const dialog = dialogOver(inside, blocks);
    const isLost = (block: Block) => block.isProse && !isInside(block) && !dialog.has(block);
    if (wordsOf(inside) > 0 && !blocks.some(isLost)) return inside;
  }
  return undefined;
}

/** Returns the blocks of lists and tables of links: neighbouring blocks that are mostly links, with two links or more. */
function listsOfLinks(blocks: readonly Block[]): ReadonlySet<Block> {
  const lists = new Set<Block>();
  let run: Block[] = [];
  const endRun = () => {
    if (run.reduce((sum, { links }) => sum + links, 0) > 1) for (const block of run) lists.add(block);
    run = [];
  };
  for (const block of blocks) {
    // Separators have no words.
    if (block.words === 0) continue;
    if (isMostlyLinks(block) && !block.isProse && !block.isHeading && !block.isInContent) run.push(block);
    else endRun();
  }
  endRun();
  return lists;
}

/** Returns the blocks of the main text, see `mainText`. */
function mainBlocks(page: Blocks): readonly Block[] {
  const { blocks } = page;
  const reasons = new Reasons(page);
  const blocksOf = (reason: number) => blocks.filter(({ part }) => reasons.of(part) === reason);
  const open = blocksOf(REASON.none);
  const inside = narrow(open, reasons);
  const content = inside ?? open;
  const lists = listsOfLinks(content);
  const kept = new Set(content.filter((block) => !lists.has(block)));
  if (wordsOf(kept) <= wordsOf(lists)) for (const block of lists) kept.add(block);
  for (const others of [content, blocksOf(REASON.comments), blocksOf(REASON.hidden), blocks]) {
    if ([...kept].some(({ words, isHeading }) => words >= MIN_WORDS && !isHeading)) break;
    const words = wordsOf(kept);
    // A short main element or article is sure.
    if (others === blocks && inside !== undefined && words >= MIN_WORDS) break;
    const added = others.filter((block) => !kept.has(block));
    const prose = added.filter(({ isProse }) => isProse);
    if (words < MIN_WORDS || wordsOf(prose) > MIN_FACTOR * words) for (const block of added) kept.add(block);
  }
  return blocks.filter((block) => kept.has(block));
}

/** Returns the main text of a page. */
export function mainTextOf(page: Blocks): PageText {
  page.end();
  const used = mainBlocks(page);
  return {
    text: used.map(({ text }) => text).join('\n'),
    words: { used: Math.round(wordsOf(used)), all: Math.round(wordsOf(page.blocks)) },
  };
}

/** Returns all text of a page. */
export function allTextOf(page: Blocks): string {
  page.border();
  return page.blocks.map(({ text }) => text).join('\n');
}

// The text of a page as a sequence of blocks, and the parts of the page that they are in.
import type { ElementRoles, Role } from './elements.js';

/** The number of words from which a text is prose. */
export const MIN_WORDS = 10;

/** The number of UTF-16 units of a heading that are compared with ids. */
const MAX_HEADING = 500;

/** Words, and how many of them are in links. */
export interface Length {
  words: number;
  linked: number;
}

const add = (to: Length, { words, linked }: Readonly<Length>): void => {
  to.words += words;
  to.linked += linked;
};

export const isMostlyLinks = ({ words, linked }: Readonly<Length>): boolean => linked > words / 2;

/** Returns whether a text has enough words outside links, or has enough words and is not mostly links. */
const isLong = (length: Readonly<Length>): boolean =>
  length.words - length.linked >= MIN_WORDS || (length.words >= MIN_WORDS && !isMostlyLinks(length));

/** An element whose roles say something about the text in it. An element with several roles has a part for each. */
export class Part {
  readonly role: Role;
  /** The innermost part around it; null for the page. */
  readonly parent: Part | null;
  /** The innermost part around its element. */
  readonly around: Part | null;
  /** The id of its element, if the id has named the role. */
  readonly id: string | undefined;
  /** The id of its element, if the element is hidden and no dialog. */
  readonly hiddenId: string | undefined;
  /** The innermost paragraph that it is or is in. */
  readonly paragraph: Part | null;
  /** The innermost table that it is or is in. */
  readonly table: Part | null;
  /** The outermost part that it is or is in whose name says that it is comments, or else that it is a comment. */
  readonly comments: Part | null;
  /** The innermost such part. */
  readonly comment: Part | null;
  /** The outermost article that it is or is in. */
  readonly article: Part | null;
  readonly isInMain: boolean;
  /** Whether it is or is in an element that the reader opens. */
  readonly isInDetails: boolean;
  /** Whether an element or an ARIA role around it, which are not names, says that it is not content. */
  readonly isSurroundings: boolean;
  /** Whether it is or is in a part with `aria-hidden`: while a dialog is open, the page behind it is. */
  readonly isAriaHidden: boolean;
  readonly total: Length = { words: 0, linked: 0 };
  /** The length without the paragraphs in it. */
  readonly own: Length = { words: 0, linked: 0 };
  hasProse = false;
  /** Whether it has a link or a control. */
  hasControl = false;
  /** Whether it is a table with a header, so that its cells are data. */
  hasHeader = false;
  /** The beginning of its first heading. */
  heading: string | undefined;

  constructor(role: Role, parent: Part | null, around: Part | null, { id, hiddenId }: Partial<ElementRoles> = {}) {
    this.role = role;
    this.parent = parent;
    this.around = around;
    this.id = id;
    this.hiddenId = hiddenId;
    this.paragraph = role === 'paragraph' ? this : (parent?.paragraph ?? null);
    this.table = role === 'table' ? this : (parent?.table ?? null);
    if (role === 'headerCell' && this.table !== null) this.table.hasHeader = true;
    const outer = parent?.comments ?? null;
    const isOutermost = role === 'comments' ? outer?.role !== 'comments' : role === 'comment' && outer === null;
    this.comments = isOutermost ? this : outer;
    this.comment = role === 'comments' || role === 'comment' ? this : (parent?.comment ?? null);
    this.article = parent?.article ?? (role === 'article' ? this : null);
    this.isInMain = role === 'main' || (parent?.isInMain ?? false);
    this.isInDetails = role === 'details' || (parent?.isInDetails ?? false);
    this.isSurroundings = role === 'surroundings' || (parent?.isSurroundings ?? false);
    this.isAriaHidden = role === 'ariaHidden' || (parent?.isAriaHidden ?? false);
  }

  /** Adds its lengths to the part around it, after the parts in it have been added to it. */
  addToParent(): void {
    const { parent } = this;
    if (this.role === 'paragraph') this.hasProse ||= isLong(this.own);
    if (parent === null) return;
    add(parent.total, this.total);
    if (this.role !== 'paragraph') add(parent.own, this.own);
    parent.hasProse ||= this.hasProse;
    parent.hasControl ||= this.hasControl;
  }
}

/** A piece of text without a border within it. */
export class Block implements Length {
  readonly text: string;
  readonly words: number;
  readonly linked: number;
  /** The number of links that begin in it. */
  readonly links: number;
  /** The innermost part around it. */
  readonly part: Part;

  constructor(text: string, { words, linked }: Length, links: number, part: Part) {
    this.text = text;
    this.words = words;
    this.linked = linked;
    this.links = links;
    this.part = part;
  }

  get isHeading(): boolean {
    return this.part.role === 'heading';
  }

  /** Whether it, or the paragraph that it is in, is prose. */
  get isProse(): boolean {
    const { paragraph } = this.part;
    return isLong(this) || (paragraph !== null && isLong(paragraph.own));
  }

  /** Whether it is in a paragraph of enough words, in links or not, or in a table of data. */
  get isInContent(): boolean {
    const { paragraph, table } = this.part;
    return (paragraph !== null && paragraph.own.words >= MIN_WORDS) || (table?.hasHeader ?? false);
  }
}

/** The last character of each word. A pattern of whole words would need stack in proportion to the longest word. */
const wordEnds = /[\p{L}\p{N}](?![\p{L}\p{N}])/gu;
/** The characters of scripts without spaces. */
const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mymr}]/gu;

function countMatches(pattern: RegExp, text: string): number {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count++;
  return count;
}

/** Returns the number of words of a text. Scripts without spaces have about two characters a word. */
const countWords = (text: string): number => countMatches(wordEnds, text) + countMatches(dense, text) / 2;

/** Collects the blocks and the parts of a page, in the order of the page. */
export class Blocks {
  readonly blocks: Block[] = [];
  /** The page, and the parts that elements make. */
  readonly parts: Part[] = [new Part('page', null, null)];
  /** The ids of the elements that controls open and close. */
  readonly controlledIds = new Set<string>();
  /** The innermost open part. */
  part: Part = this.parts[0];
  /** The number of open links. */
  openLinks = 0;
  #text: string[] = [];
  #linked: string[] = [];
  #links = 0;

  add(text: string): void {
    this.#text.push(text);
    if (this.openLinks > 0) this.#linked.push(text);
  }

  openLink(): void {
    // The last word of a link and the first of the next one are two words.
    this.#linked.push(' ');
    this.openLinks++;
    this.#links++;
  }

  /** Enters an element. The caller sets `part` again at its end. */
  enter(element: ElementRoles): void {
    const around = this.part;
    for (const role of element.roles) {
      this.part = new Part(role, this.part, around, element);
      this.parts.push(this.part);
    }
  }

  /** Ends a block. */
  border(): void {
    const text = this.#text.join('');
    if (/\S/.test(text)) {
      const length = { words: countWords(text), linked: countWords(this.#linked.join('')) };
      const block = new Block(text, length, this.#links, this.part);
      this.blocks.push(block);
      add(this.part.total, length);
      add(this.part.own, length);
      this.part.hasProse ||= isLong(length);
      if (block.isHeading) this.#setHeading(text);
    }
    this.#text = [];
    this.#linked = [];
    this.#links = 0;
  }

  /** Sets the heading of the open parts without one. If a part has one, all parts around it have. */
  #setHeading(text: string): void {
    const heading = text.slice(0, MAX_HEADING);
    for (let part: Part | null = this.part; part !== null && part.heading === undefined; part = part.parent)
      part.heading = heading;
  }

  /** Ends the page. */
  end(): void {
    this.border();
    for (const part of this.parts.toReversed()) part.addToParent();
  }
}

// Which parts of a page are certainly not content.
import type { Block, Blocks, Part } from './blocks.js';
import { isMostlyLinks } from './blocks.js';
import { isMadeFrom } from './names.js';

/** Why a part is left out. If nothing else has text, comments come back first, then hidden parts, and then the others. */
export const REASON = { none: 0, comments: 1, hidden: 2, other: 3 } as const;
type Reason = (typeof REASON)[keyof typeof REASON];

/** The maximum share of the words of a page that a part has which is left out because of a name that may mislead. */
const MAX_NOTICE = 0.9;
const MAX_SHARE = 0.5;

/** Decides on the parts of a page. */
export class Reasons {
  readonly #parts: readonly Part[];
  readonly #controlledIds: ReadonlySet<string>;
  readonly #reasons = new Map<Part, Reason>();
  /** The words of the page outside surroundings and hidden parts. */
  #words = Number.POSITIVE_INFINITY;
  /** The main element and the only article. */
  #certain: ReadonlySet<Part> = new Set();
  /** Parts named as comments that are content. */
  #content: ReadonlySet<Part> = new Set();

  constructor({ parts, blocks, controlledIds }: Blocks) {
    [this.#parts, this.#controlledIds] = [parts, controlledIds];
    this.#decide();
    const isSeen = ({ part }: Block) => !part.isSurroundings && this.of(part) !== REASON.hidden;
    this.#words = blocks.filter(isSeen).reduce((sum, { words }) => sum + words, 0);
    this.#decide();
    this.#certain = new Set([...this.#mains(), ...this.#onlyArticle()]);
    this.#decide();
    this.#content = this.#commentsWithContent(blocks);
    this.#decide();
  }

  of(part: Part): Reason {
    return this.#reasons.get(part) ?? REASON.none;
  }

  isCertain(part: Part | null): boolean {
    return part !== null && this.#certain.has(part);
  }

  /** Decides on each part, from the outside to the inside. */
  #decide(): void {
    for (const part of this.#parts) this.#reasons.set(part, this.#decideOn(part));
  }

  #decideOn(part: Part): Reason {
    const { parent, around } = part;
    if (parent === null) return REASON.none;
    if (this.#certain.has(part)) {
      // Names and attributes do not count around the main element, nor on the article itself.
      if (part.role === 'main') return part.isSurroundings ? REASON.other : REASON.none;
      return around === null ? REASON.none : this.of(around);
    }
    return Math.max(this.of(parent), this.#reasonOf(part)) as Reason;
  }

  /** Returns why a part is left out because of its own role. */
  #reasonOf(part: Part): Reason {
    const { role, parent, id, heading, total, hasProse } = part;
    // Without a link or a control, prose asks for nothing.
    const isPlainProse = hasProse && !part.hasControl;
    if (id !== undefined && heading !== undefined && isMadeFrom(heading, id)) return REASON.none;
    const isIn = parent !== null && (parent.isInMain || parent.article !== null);
    switch (role) {
      case 'surroundings':
        return REASON.other;
      case 'aside':
        return isIn && !isMostlyLinks(total) ? REASON.none : REASON.other;
      case 'label':
        return hasProse ? REASON.none : REASON.other;
      case 'hidden':
        return hasProse && this.#isOpened(part) ? REASON.none : REASON.hidden;
      case 'ariaHidden':
        return hasProse || total.words > MAX_SHARE * this.#words ? REASON.none : REASON.hidden;
      case 'comments':
      case 'comment':
        return this.#content.has(part.comments ?? part) ? REASON.none : REASON.comments;
      case 'notice':
        return total.words > MAX_NOTICE * this.#words ? REASON.none : REASON.other;
      case 'cookies':
        return isPlainProse || total.words > MAX_NOTICE * this.#words ? REASON.none : REASON.other;
      case 'promotion':
        return total.words > MAX_SHARE * this.#words ? REASON.none : REASON.other;
      case 'sharing':
        return isPlainProse || total.words > MAX_SHARE * this.#words ? REASON.none : REASON.other;
      case 'related':
        return hasProse || !isMostlyLinks(total) ? REASON.none : REASON.other;
      case 'navigation':
        return hasProse ? REASON.none : REASON.other;
      default:
        return REASON.none;
    }
  }

  /** Returns whether the reader opens a hidden part: an answer to a question, for example. */
  #isOpened({ isInDetails, hiddenId }: Part): boolean {
    return isInDetails || (hiddenId !== undefined && this.#controlledIds.has(hiddenId));
  }

  /** Returns the main element, or those that are not hidden. */
  #mains(): Part[] {
    const mains = this.#parts.filter(({ role, isSurroundings }) => role === 'main' && !isSurroundings);
    const visible = mains.filter((part) => this.of(part) !== REASON.hidden);
    return mains.length === 1 || visible.length === 0 ? mains : visible;
  }

  /** Returns the only article, whatever its names, or the only one whose names do not say that it is a comment, for example. */
  #onlyArticle(): Part[] {
    const isOuter = (part: Part) => part.role === 'article' && part.article === part;
    const articles = this.#parts.filter((part) => isOuter(part) && this.of(part.around ?? part) === REASON.none);
    const unnamed = articles.filter((part) => this.of(part) === REASON.none);
    return [unnamed, articles].find(({ length }) => length === 1) ?? [];
  }

  /**
   * Returns the parts named as comments that are not comments on the text before them. In manuals, the text about each function may be
   * a `comment`: there are several such parts, with other text between them, such as the function's name.
   */
  #commentsWithContent(blocks: readonly Block[]): ReadonlySet<Part> {
    const content = new Set<Part>();
    const texts = blocks.filter((block) => !isMostlyLinks(block) && this.of(block.part) <= REASON.comments);
    const comments = texts.map(({ part }) => (this.of(part) === REASON.comments ? part.comments : null));
    const firstText = texts.findIndex(({ isProse, isHeading }, at) => isProse && !isHeading && comments[at] === null);
    for (const role of ['comments', 'comment'] as const) {
      const isOfRole = (part: Part | null) => part?.role === role;
      const [first, last] = [comments.findIndex(isOfRole), comments.findLastIndex(isOfRole)];
      const isAfterText = firstText >= 0 && firstText < first;
      const hasTextWithin = comments.slice(first, last).includes(null);
      const single = new Set(texts.filter((_, at) => isOfRole(comments[at])).map(({ part }) => part.comment));
      const areComments =
        role === 'comments' ? isAfterText || first < 0 : isAfterText && !hasTextWithin && single.size > 1;
      if (!areComments) for (const part of this.#parts) if (part.comments?.role === role) content.add(part.comments);
    }
    return content;
  }
}

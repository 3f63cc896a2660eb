// Writes pairs of texts with their differences, in a report of bounded size.
import { html, type Markup } from './markup.js';
import type { Messages } from './messages.js';
import { Numbers } from './page.js';
import { type DiffLimits, type DiffRun, diff } from './text-diff.js';

export interface ReportText {
  name: string;
  text: string;
}

/** Two texts. A *role* says what a text is, such as `kept`. */
export interface TextPair {
  first: ReportText & { role: string };
  second: ReportText & { role: string };
  resemblance: number;
}

const MAX_COMPARED = 20_000;
/** The number of characters of pairs, as HTML, after which a report compares no more pairs. */
const MAX_PAIRS_LENGTH = 6_000_000;
/** The limits of a comparison: a pair of very different texts is not worth more time. Without a clock, reports repeat. */
const limits: DiffLimits = { maxEditLength: 1500 };
const CONTEXT = 160;
const EXCERPT = 160;

/** Returns the name and the beginning of a text. */
export function titleOf({ name, text }: ReportText): Markup {
  const start = text
    .slice(0, 3 * EXCERPT)
    .replace(/\s+/g, ' ')
    .trim();
  const excerpt = start.length > EXCERPT ? `${start.slice(0, EXCERPT)}…` : start;
  return html`<bdi class="name">${name}</bdi><span class="excerpt" dir="auto">${excerpt}</span>`;
}

/** Writes the pairs of one report. */
export class PairWriter {
  readonly #t: Messages;
  readonly #numbers: Numbers;
  #length = 0;

  constructor(t: Messages) {
    this.#t = t;
    this.#numbers = new Numbers(t);
  }

  /** Writes a pair: closed, and open with both texts side by side. */
  write(pair: TextPair): Markup {
    return html`<details><summary><span class="share"><b>${this.#numbers.percent(pair.resemblance)}</b></span>
${titleOf(pair.second)}</summary>
${this.#sides(pair)}</details>
`;
  }

  #sides({ first, second, resemblance }: TextPair): Markup {
    const t = this.#t;
    if (this.#length > MAX_PAIRS_LENGTH) return html`<p class="sides">${t.notShown}</p>`;
    const [before, after] = [first.text.slice(0, MAX_COMPARED), second.text.slice(0, MAX_COMPARED)];
    const runs = diff(before, after, limits);
    const isReplaced = runs.length > 0 && runs.every(({ op }) => op !== 'same');
    const isSame = runs.every(({ op }) => op === 'same') && before.length === first.text.length;
    const isCut = Math.max(first.text.length, second.text.length) > MAX_COMPARED;
    const notes = [
      t.resemblance({ share: this.#numbers.percent(resemblance, 1) }),
      isSame && t.equal,
      isReplaced && t.replaced,
      isCut && t.cut({ count: this.#numbers.whole(MAX_COMPARED) }),
    ];
    const side = ({ name, role }: TextPair['first'], op: 'del' | 'ins') => {
      const text = isReplaced
        ? html`${(op === 'del' ? before : after).slice(0, 10 * CONTEXT)}`
        : runs.map((run, place) => this.#markRun(run, op, place === 0, place === runs.length - 1));
      return html`<div><p class="which">${role} <bdi class="name">${name}</bdi></p><p class="text" dir="auto">${text}</p></div>
`;
    };
    const sides = html`<div class="sides"><p class="note">${notes.filter((note) => note !== false).join(' ')}</p>
${side(first, 'del')}${side(second, 'ins')}</div>
`;
    this.#length += sides.text.length;
    return sides;
  }

  /** Writes a run of one side. The middle of a long run of equal text is omitted. */
  #markRun(run: DiffRun, side: 'del' | 'ins', isFirst: boolean, isLast: boolean): Markup | string {
    const { op, [side === 'del' ? 'before' : 'after']: text } = run;
    if (op === side) return op === 'del' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
    if (op !== 'same') return '';
    if (text.length <= 2.5 * CONTEXT) return text;
    const [before, after] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
    const count = this.#numbers.whole(text.length - before.length - after.length);
    // `dir` keeps the direction of the note independent of the direction of the text.
    return html`${before}<span class="gap" dir="auto">${this.#t.gap({ count })}</span>${after}`;
  }
}

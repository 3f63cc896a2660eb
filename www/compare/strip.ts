// The bits of two fingerprints as one strip, eight bits a group, the highest bit first: the difference of two texts at a glance.
import { t } from '../locales/locale.js';
import { type Content, type Markup, markup, nodeOf } from '../shared/markup.js';
import { type Side, sides } from '../shared/pair.js';
import { type BitResult, hasVotes, isOne } from './bits.js';
import { signed } from './flip.js';

/** The bits of a group: two hexadecimal digits of each fingerprint. */
const GROUP = 8;

/** The number of sizes of a mark. */
const SIZES = 5;

/** One bit of both fingerprints. */
interface Cell {
  bit: number;
  /** Its classes: the sizes and the values that it has. */
  look: string;
  label: string;
}

/** The fingerprint of a text in hexadecimal. */
export const hexOf = (result: BitResult, side: Side): string =>
  result[side].fingerprint.toString(16).padStart(result.bits / 4, '0');

/** Returns the cells of a strip, the highest bit first. */
function cellsOf(result: BitResult): Cell[] {
  const known = hasVotes(result) ? result : undefined;
  const marginOf = (bit: number) => Math.min(...sides.map((side) => Math.abs(known?.[side].sums[bit] ?? 1)));
  const largest = Math.max(1, ...Array.from({ length: result.bits }, (_, bit) => marginOf(bit)));
  return Array.from({ length: result.bits }, (_, at) => {
    const bit = result.bits - 1 - at;
    const [a, b] = sides.map((side) => isOne(result[side], bit));
    const size = Math.max(1, Math.ceil(SIZES * Math.sqrt(marginOf(bit) / largest)));
    const sums = known && { a: signed(known.a.sums[bit]), b: signed(known.b.sums[bit]) };
    return {
      bit,
      look: a === b ? `${a ? 'one' : 'zero'} size-${size}` : `differs ${a ? 'one-zero' : 'zero-one'}`,
      label: t('cellLabel', { bit, a: Number(a), b: Number(b), sums }),
    };
  });
}

/** Returns the two digits of a group, marked if the other fingerprint has another one. */
const digitsOf = (side: Side, at: number, hex: readonly string[]): Markup =>
  markup(
    'b',
    { class: `hex hex-${side}` },
    ...[2 * at, 2 * at + 1].map((digit): Content => {
      const [own, other] = side === 'a' ? hex : hex.toReversed();
      return markup('span', { class: own[digit] === other[digit] ? undefined : 'other' }, own[digit]);
    }),
  );

/** Returns the groups of a strip. `chosen` is the bit that the Tab key reaches. */
function groupsOf(result: BitResult, chosen: number): Markup[] {
  const hex = sides.map((side) => hexOf(result, side));
  const cells = cellsOf(result).map(({ bit, look, label }) =>
    markup('i', {
      class: look,
      role: 'gridcell',
      tabindex: bit === chosen ? 0 : -1,
      'data-bit': bit,
      'aria-label': label,
    }),
  );
  return Array.from({ length: result.bits / GROUP }, (_, at) =>
    markup(
      'div',
      { class: 'group', role: 'row' },
      digitsOf('a', at, hex),
      ...cells.slice(at * GROUP, (at + 1) * GROUP),
      digitsOf('b', at, hex),
    ),
  );
}

/** Returns the element of a strip. */
export const stripOf = (result: BitResult, chosen: number): Markup =>
  markup('div', { id: 'strip', role: 'grid', 'aria-label': t('stripLabel', result) }, ...groupsOf(result, chosen));

/** Receives the bit of a cell that is pointed at, clicked, or reached by the keyboard. */
export interface BitEvents {
  point: (bit: number) => void;
  click: (bit: number) => void;
  focus: (bit: number) => void;
}

const bitOf = (cell: HTMLElement): number => Number(cell.dataset.bit);

/** The strip of the page. It is one tab stop; arrow keys move between cells. */
export class Strip {
  #element: HTMLElement;

  constructor(element: HTMLElement, events: BitEvents) {
    this.#element = element;
    const on = (kind: string, receive: (bit: number) => void) =>
      element.addEventListener(kind, ({ target }) => {
        if (target instanceof HTMLElement && target.dataset.bit !== undefined) receive(bitOf(target));
      });
    on('pointermove', events.point); // Not pointerover, which also fires when the page scrolls under a resting pointer.
    on('click', events.click);
    on('focusin', events.focus);
    element.addEventListener('keydown', (event) => this.#move(event));
    element.addEventListener('animationend', ({ target }) => {
      if (target instanceof HTMLElement) target.classList.remove('turning');
    });
  }

  /** Shows a result. Cells whose bits have changed turn. */
  show(result: BitResult, chosen: number): void {
    const cells = this.#cells();
    const groups = groupsOf(result, chosen);
    this.#element.setAttribute('aria-label', t('stripLabel', result));
    if (cells.length !== result.bits) {
      this.#element.replaceChildren(...groups.map(nodeOf));
      return;
    }
    for (const [at, { look, label }] of cellsOf(result).entries()) {
      const cell = cells[at];
      const before = cell.className.split(' ', 1)[0];
      cell.className = look;
      cell.classList.toggle('turning', before !== look.split(' ', 1)[0]);
      cell.setAttribute('aria-label', label);
    }
    const digits = groups.flatMap(({ children }) => [children[0], children[children.length - 1]]);
    this.#element.querySelectorAll('.hex').forEach((element, at) => {
      element.replaceWith(nodeOf(digits[at]));
    });
  }

  choose(bit: number, isHeld: boolean): void {
    for (const cell of this.#cells()) {
      const isChosen = bitOf(cell) === bit;
      cell.tabIndex = isChosen ? 0 : -1;
      cell.classList.toggle('chosen', isChosen);
      cell.classList.toggle('held', isChosen && isHeld);
    }
  }

  /** Lights each bit in proportion to the votes on it: its upper half for 1, its lower half for 0. */
  light(votes?: readonly number[]): void {
    const most = Math.max(1, ...(votes ?? []).map(Math.abs));
    for (const cell of this.#cells()) {
      const vote = votes?.[bitOf(cell)] ?? 0;
      cell.classList.toggle('for-one', vote > 0);
      cell.classList.toggle('for-zero', vote < 0);
      cell.style.setProperty('--lit', (Math.abs(vote) / most).toFixed(2));
    }
  }

  #cells(): HTMLElement[] {
    return [...this.#element.querySelectorAll('i')];
  }

  #move(event: KeyboardEvent): void {
    const cells = this.#cells();
    const at = event.target instanceof HTMLElement ? cells.indexOf(event.target) : -1;
    const columns = cells.filter(({ offsetTop }) => offsetTop === cells[0].offsetTop).length;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
    };
    if (event.key === 'Home') cells[0].focus();
    else if (event.key === 'End') cells.at(-1)?.focus();
    else if (event.key in steps) cells[at + steps[event.key]]?.focus();
    else return;
    event.preventDefault();
  }
}

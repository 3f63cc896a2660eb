// Shows fingerprints as grids: eight bits a row, the highest bit first.
import { type Attributes, el } from '../shared/dom.js';

const COLUMNS = 8;

/** Chooses a bit. */
export type ChooseBit = (bit: number) => void;

/** Receives the bit of a cell that is pointed at, clicked, or reached by the keyboard. */
export interface BitEvents {
  point: ChooseBit;
  click: ChooseBit;
  focus: ChooseBit;
}

/** One bit of a fingerprint. `strength` is from 0 to 1. */
export interface Mark {
  one: boolean;
  differs: boolean;
  strength: number;
}

/** One bit of the exclusive or. */
export interface XorCell {
  differs: boolean;
  label: string;
}

/** Creates the cells of a grid, in rows. */
function rowsOf(bits: number, attributes: Attributes): HTMLElement[][] {
  const cell = (bit: number) => el('i', { ...attributes, 'data-bit': bit });
  return Array.from({ length: bits / COLUMNS }, (_, row) =>
    Array.from({ length: COLUMNS }, (_, column) => cell(bits - 1 - row * COLUMNS - column)),
  );
}

const cellsOf = (grid: HTMLElement): HTMLElement[] => [...grid.querySelectorAll('i')];

const bitOf = (cell: HTMLElement): number => Number(cell.dataset.bit);

/** Reports the events of the cells of a grid. */
function listen(grid: HTMLElement, events: BitEvents): void {
  const on = (kind: string, receive: ChooseBit) =>
    grid.addEventListener(kind, ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.bit !== undefined) receive(bitOf(target));
    });
  on('pointermove', events.point); // Not pointerover, which also fires when the page scrolls under a resting pointer.
  on('click', events.click);
  on('focusin', events.focus);
}

/** Marks and returns the cell of a bit. */
function markChosen(grid: HTMLElement, bit: number, isHeld: boolean): Element | null {
  grid.querySelector('.chosen')?.classList.remove('chosen', 'held');
  const cell = grid.querySelector(`[data-bit="${bit}"]`);
  cell?.classList.add('chosen');
  cell?.classList.toggle('held', isHeld);
  return cell;
}

/** Marks the cells of a set of bits, and no others. */
function markFlipped(grid: HTMLElement, bits: ReadonlySet<number>): void {
  for (const cell of cellsOf(grid)) cell.classList.toggle('flipped', bits.has(bitOf(cell)));
}

/** The fingerprint of one text, with two hexadecimal digits next to each row. */
export class FingerprintGrid {
  readonly element: HTMLElement = el('div', { class: 'grid print', role: 'img' });

  #digitsFirst: boolean;

  /** `digitsFirst` puts the digits before the cells. */
  constructor(events: BitEvents, digitsFirst: boolean) {
    this.#digitsFirst = digitsFirst;
    listen(this.element, events);
  }

  /** `marks` has one element for each bit, the lowest bit first. */
  show(marks: Mark[], hex: string, label: string): void {
    if (cellsOf(this.element).length !== marks.length) {
      const rows = rowsOf(marks.length, {}).map((cells) => {
        const digits = el('b', { class: 'hex' });
        return el('div', { class: 'row' }, ...(this.#digitsFirst ? [digits, ...cells] : [...cells, digits]));
      });
      this.element.replaceChildren(...rows);
    }
    this.element.setAttribute('aria-label', label);
    for (const cell of cellsOf(this.element)) {
      const { one, differs, strength } = marks[bitOf(cell)];
      cell.classList.toggle('one', one);
      cell.classList.toggle('differs', differs);
      cell.style.setProperty('--strength', strength.toFixed(2));
    }
    this.element.querySelectorAll('b').forEach((element, row) => {
      element.textContent = hex.slice(2 * row, 2 * row + 2);
    });
  }

  choose(bit: number, isHeld: boolean): void {
    markChosen(this.element, bit, isHeld);
  }

  markFlipped(bits: ReadonlySet<number>): void {
    markFlipped(this.element, bits);
  }
}

/** The number of cells by which an arrow key moves the focus. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

/** The exclusive or of both fingerprints, with the numbers of the first and the last bit of each row. It is one tab stop; arrow keys move between cells. */
export class XorGrid {
  readonly element: HTMLElement = el('div', { class: 'grid xor', role: 'grid' });

  constructor(events: BitEvents) {
    listen(this.element, events);
    this.element.addEventListener('keydown', (event) => this.#move(event));
  }

  /** `cells` has one element for each bit, the lowest bit first. */
  show(cells: XorCell[], label: string): void {
    if (cellsOf(this.element).length !== cells.length) {
      const rows = rowsOf(cells.length, { role: 'gridcell', tabindex: -1 });
      const numbered = rows.map((row, at) => {
        const first = cells.length - 1 - at * COLUMNS;
        const attributes = { class: 'row', role: 'row', 'data-first': first, 'data-last': first - COLUMNS + 1 };
        return el('div', attributes, ...row);
      });
      this.element.replaceChildren(...numbered);
    }
    this.element.setAttribute('aria-label', label);
    for (const cell of cellsOf(this.element)) {
      const { differs, label } = cells[bitOf(cell)];
      cell.classList.toggle('differs', differs);
      cell.setAttribute('aria-label', label);
    }
  }

  choose(bit: number, isHeld: boolean): void {
    this.element.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    markChosen(this.element, bit, isHeld)?.setAttribute('tabindex', '0');
  }

  /** Moves the focus to the chosen bit. */
  focus(): void {
    this.element.querySelector<HTMLElement>('.chosen')?.focus();
  }

  markFlipped(bits: ReadonlySet<number>): void {
    markFlipped(this.element, bits);
  }

  #move(event: KeyboardEvent): void {
    const cells = cellsOf(this.element);
    const at = event.target instanceof HTMLElement ? cells.indexOf(event.target) : -1;
    if (event.key === 'Home') cells[0].focus();
    else if (event.key === 'End') cells.at(-1)?.focus();
    else if (event.key in steps) cells[at + steps[event.key]]?.focus();
    else return;
    event.preventDefault();
  }
}

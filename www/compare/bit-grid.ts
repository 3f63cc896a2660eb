// Shows fingerprints as grids: eight bits a row, the highest bit first.
import { type Attributes, el } from '../shared/dom.js';

const COLUMNS = 8;

/** Chooses a bit. */
export type ChooseBit = (bit: number) => void;

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

/** Calls `choose` with the bit of the cell that is pointed at, tapped or focused. */
function chooseOnPoint(grid: HTMLElement, choose: ChooseBit): void {
  // Not pointerover, which the browser also sends when the page scrolls under a pointer at rest.
  for (const kind of ['pointermove', 'click', 'focusin']) {
    grid.addEventListener(kind, ({ target }) => {
      if (!(target instanceof HTMLElement) || target.dataset.bit === undefined) return;
      if (!target.classList.contains('chosen')) choose(bitOf(target));
    });
  }
}

/** Marks and returns the cell of a bit. */
function markChosen(grid: HTMLElement, bit: number): Element | null {
  grid.querySelector('.chosen')?.classList.remove('chosen');
  const cell = grid.querySelector(`[data-bit="${bit}"]`);
  cell?.classList.add('chosen');
  return cell;
}

/** Marks the cells of a set of bits, and no others. */
function markTurned(grid: HTMLElement, bits: ReadonlySet<number>): void {
  for (const cell of cellsOf(grid)) cell.classList.toggle('turned', bits.has(bitOf(cell)));
}

/** The fingerprint of one text, with two hexadecimal digits next to each row. */
export class FingerprintGrid {
  readonly element: HTMLElement = el('div', { class: 'grid print', role: 'img' });

  #digitsFirst: boolean;

  /** `digitsFirst` puts the digits before the cells. */
  constructor(choose: ChooseBit, digitsFirst: boolean) {
    this.#digitsFirst = digitsFirst;
    chooseOnPoint(this.element, choose);
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

  choose(bit: number): void {
    markChosen(this.element, bit);
  }

  markTurned(bits: ReadonlySet<number>): void {
    markTurned(this.element, bits);
  }
}

/** The distance between cells that an arrow key moves the focus by. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

/** The exclusive or of both fingerprints. It is one tab stop; arrow keys move between cells. */
export class XorGrid {
  readonly element: HTMLElement = el('div', { class: 'grid xor', role: 'grid' });

  constructor(choose: ChooseBit) {
    chooseOnPoint(this.element, choose);
    this.element.addEventListener('keydown', (event) => this.#move(event));
  }

  /** `cells` has one element for each bit, the lowest bit first. */
  show(cells: XorCell[], label: string): void {
    if (cellsOf(this.element).length !== cells.length) {
      const rows = rowsOf(cells.length, { role: 'gridcell', tabindex: -1 });
      this.element.replaceChildren(...rows.map((row) => el('div', { class: 'row', role: 'row' }, ...row)));
    }
    this.element.setAttribute('aria-label', label);
    for (const cell of cellsOf(this.element)) {
      const { differs, label } = cells[bitOf(cell)];
      cell.classList.toggle('differs', differs);
      cell.setAttribute('aria-label', label);
    }
  }

  choose(bit: number): void {
    this.element.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    markChosen(this.element, bit)?.setAttribute('tabindex', '0');
  }

  /** Moves the focus to the chosen bit. */
  focus(): void {
    this.element.querySelector<HTMLElement>('.chosen')?.focus();
  }

  markTurned(bits: ReadonlySet<number>): void {
    markTurned(this.element, bits);
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

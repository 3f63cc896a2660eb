// Shows fingerprints as grids: eight bits a row, the highest bit first.
import { el } from '../shared/dom.js';

const COLUMNS = 8;

const cellsOf = (bits, attributes) =>
  Array.from({ length: bits }, (_, at) => el('i', { ...attributes, 'data-bit': bits - 1 - at }));

/** Calls `choose(bit)` for the cell that is pointed at, tapped or focused. */
function chooseOnPoint(grid, choose) {
  // Not pointerover, which also comes when the page scrolls under a pointer at rest.
  for (const kind of ['pointermove', 'click', 'focusin']) {
    grid.addEventListener(kind, ({ target }) => {
      const { bit } = target.dataset;
      if (bit !== undefined && !target.classList.contains('chosen')) choose(Number(bit));
    });
  }
}

/** Marks and returns the cell of a bit. */
function markChosen(grid, bit) {
  grid.querySelector('.chosen')?.classList.remove('chosen');
  const cell = grid.querySelector(`[data-bit="${bit}"]`);
  cell?.classList.add('chosen');
  return cell;
}

/** Marks the cells of a set of bits, and no others. */
function markTurned(grid, bits) {
  for (const cell of grid.querySelectorAll('i')) cell.classList.toggle('turned', bits.has(Number(cell.dataset.bit)));
}

/** The fingerprint of one text, with two hexadecimal digits beside each row. */
export class FingerprintGrid {
  element = el('div', { class: 'grid print', role: 'img' });

  #digitsFirst;

  /** `digitsFirst` puts the digits before the cells. */
  constructor(choose, digitsFirst) {
    this.#digitsFirst = digitsFirst;
    chooseOnPoint(this.element, choose);
  }

  /** `marks[bit]` is `{ one, differs, strength }`, the strength from 0 to 1. */
  show(marks, hex, label) {
    if (this.element.querySelectorAll('i').length !== marks.length) {
      const cells = cellsOf(marks.length, {});
      const rows = Array.from({ length: marks.length / COLUMNS }, (_, row) => {
        const eight = cells.slice(row * COLUMNS, (row + 1) * COLUMNS);
        const digits = el('b', { class: 'hex' });
        return el('div', { class: 'row' }, ...(this.#digitsFirst ? [digits, ...eight] : [...eight, digits]));
      });
      this.element.replaceChildren(...rows);
    }
    this.element.setAttribute('aria-label', label);
    for (const cell of this.element.querySelectorAll('i')) {
      const { one, differs, strength } = marks[cell.dataset.bit];
      cell.classList.toggle('one', one);
      cell.classList.toggle('differs', differs);
      cell.style.setProperty('--strength', strength.toFixed(2));
    }
    this.element.querySelectorAll('b').forEach((element, row) => {
      element.textContent = hex.slice(2 * row, 2 * row + 2);
    });
  }

  choose(bit) {
    markChosen(this.element, bit);
  }

  markTurned(bits) {
    markTurned(this.element, bits);
  }
}

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

/** The exclusive or of both fingerprints. It is one tab stop; arrow keys move between cells. */
export class XorGrid {
  element = el('div', { class: 'grid xor', role: 'grid' });

  constructor(choose) {
    chooseOnPoint(this.element, choose);
    this.element.addEventListener('keydown', (event) => this.#move(event));
  }

  /** `cells[bit]` is `{ differs, label }`. */
  show(cells, label) {
    if (this.element.querySelectorAll('i').length !== cells.length) {
      const all = cellsOf(cells.length, { role: 'gridcell', tabindex: -1 });
      const rows = Array.from({ length: cells.length / COLUMNS }, (_, row) =>
        el('div', { class: 'row', role: 'row' }, ...all.slice(row * COLUMNS, (row + 1) * COLUMNS)),
      );
      this.element.replaceChildren(...rows);
    }
    this.element.setAttribute('aria-label', label);
    for (const cell of this.element.querySelectorAll('i')) {
      const { differs, label } = cells[cell.dataset.bit];
      cell.classList.toggle('differs', differs);
      cell.setAttribute('aria-label', label);
    }
  }

  choose(bit) {
    this.element.querySelector('[tabindex="0"]')?.setAttribute('tabindex', -1);
    markChosen(this.element, bit)?.setAttribute('tabindex', 0);
  }

  markTurned(bits) {
    markTurned(this.element, bits);
  }

  #move(event) {
    const cells = [...this.element.querySelectorAll('i')];
    const at = cells.indexOf(event.target);
    if (event.key === 'Home') cells[0].focus();
    else if (event.key === 'End') cells.at(-1).focus();
    else if (event.key in steps) cells[at + steps[event.key]]?.focus();
    else return;
    event.preventDefault();
  }
}

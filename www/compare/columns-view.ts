// The changes of two texts side by side. Equal passages between them are folded, never within a word.
import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { type Pair, sides } from '../shared/pair.js';
import { lastWords, wholeWords } from '../shared/words.js';
import type { Change } from './changes.js';

/** The maximum number of equal characters shown on each side of a change. */
const CONTEXT = 140;

/** The minimum length of an equal passage that is folded. */
const MIN_FOLD = 2.5 * CONTEXT;

/** The numbers of characters and of lines that a fold opens at once. Browsers are slow to lay out larger tables. */
const [OPENED, OPENED_LINES] = [20_000, 300];

/** The number of folds that are opened together: at most 400,000 characters. */
const MAX_OPENED = 20;

/** A row of the table: the contents of its two cells, or an equal passage to fold. */
type Row = Pair<(Node | string)[]> | { folded: string };

/** Returns the parts of an equal passage: the shown start, the folded middle, and the shown end. */
function fold(text: string, isFirst: boolean, isLast: boolean): [start: string, middle: string, end: string] {
  if (text.length <= MIN_FOLD) return [text, '', ''];
  const start = isFirst ? 0 : wholeWords(text, CONTEXT);
  const end = isLast ? text.length : lastWords(text, CONTEXT);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

/** Returns the rows of the changes, which are in the order of the text. Each equal line break begins a row. */
function rowsOf(changes: Change[], text: Pair<string>): Row[] {
  const rows: Row[] = [];
  let row: Pair<(Node | string)[]> = { a: [], b: [] };
  const endRow = () => {
    if (row.a.length + row.b.length > 0) rows.push(row);
    row = { a: [], b: [] };
  };
  const addEqual = (equal: string) => {
    for (const [at, line] of equal.split('\n').entries()) {
      if (at > 0) endRow();
      if (line === '') continue;
      row.a.push(line);
      row.b.push(line);
    }
  };
  let last = 0;
  for (const [at, change] of [...changes, null].entries()) {
    const [start, folded, end] = fold(text.a.slice(last, change?.a[0]), at === 0, change === null);
    addEqual(start);
    if (folded !== '') {
      endRow();
      rows.push({ folded });
    }
    addEqual(end);
    if (change === null) break;
    for (const side of sides) {
      const changed = text[side].slice(...change[side]);
      const sign = changed.trim() === '' && changed.includes('\n') ? '¶' : ''; // Otherwise the change would be invisible.
      if (changed !== '') row[side].push(el(side === 'a' ? 'del' : 'ins', { 'data-at': at }, sign, changed));
    }
    last = change.a[1];
  }
  endRow();
  return rows;
}

const equalRow = (text: string): HTMLElement =>
  el('tr', {}, el('td', { dir: 'auto' }, text), el('td', { dir: 'auto' }, text));

/** Returns the row of a folded passage. Its button opens the passage from its start, a limited part at a time. */
function foldedRow(text: string): HTMLElement {
  const count = t('equalWords', { count: number(text.length), n: text.length });
  const button = el('button', { type: 'button', class: 'fold' }, count);
  const row = el('tr', { class: 'folded' }, el('td', { colspan: 2 }, button));
  button.addEventListener('click', () => {
    const fitting = text.length <= OPENED ? text.length : wholeWords(text, OPENED) || text.length;
    const lines = text.slice(0, fitting).split('\n', OPENED_LINES);
    const rest = text.slice(lines.join('\n').length);
    const rows = lines.filter((line) => line !== '').map(equalRow);
    const next = [...rows, ...(rest === '' ? [] : [foldedRow(rest)])];
    row.replaceWith(...next);
    if (document.activeElement === document.body) next.at(-1)?.querySelector('button')?.focus();
  });
  return row;
}

/** Returns the heading and the table of at least one change. */
export function columnsView(changes: Change[], text: Pair<string>): HTMLElement[] {
  const rows = rowsOf(changes, text).map((row) =>
    'folded' in row
      ? foldedRow(row.folded)
      : el('tr', {}, el('td', { dir: 'auto' }, ...row.a), el('td', { dir: 'auto' }, ...row.b)),
  );
  const names = el('tr', {}, el('th', { scope: 'col' }, t('firstText')), el('th', { scope: 'col' }, t('secondText')));
  const table = el('table', { class: 'columns' }, el('thead', {}, names), el('tbody', {}, ...rows));
  const folds = () => table.querySelectorAll<HTMLElement>('.fold');
  const unfold = el('button', { type: 'button', class: 'quiet' }, t('unfoldAll'));
  unfold.hidden = folds().length === 0;
  unfold.addEventListener('click', () => {
    for (const button of [...folds()].slice(0, MAX_OPENED)) button.click();
    unfold.hidden = folds().length === 0;
  });
  return [el('div', { class: 'columns-head' }, el('h4', {}, t('sideBySide')), unfold), table];
}

/** Marks the chosen change in the table. */
export function markColumns(table: HTMLElement, chosen: number | null): void {
  table.querySelectorAll<HTMLElement>('[data-at]').forEach((element) => {
    element.classList.toggle('chosen', Number(element.dataset.at) === chosen);
  });
}

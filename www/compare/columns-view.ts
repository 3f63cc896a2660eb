// The changes of two texts side by side. Equal passages between them are folded, never within a word.
import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { type Pair, sides } from '../shared/pair.js';
import { clipped, lastWords, wholeWords } from '../shared/words.js';
import type { Change } from './changes.js';

/** The maximum number of equal characters shown on each side of a change. */
const CONTEXT = 140;

/** The minimum length of an equal passage that is folded. */
const MIN_FOLD = 2.5 * CONTEXT;

/** The numbers of characters and of lines that a fold opens at once. Browsers are slow to lay out larger tables. */
const [OPENED, OPENED_LINES] = [20_000, 300];

/** The number of folds that are opened together: at most 400,000 characters. */
const MAX_OPENED = 20;

/** A row of the table: the contents of its two cells, or a passage to fold that is the same in both texts except for case. */
type Row = Pair<(Node | string)[]> | { folded: Pair<string> };

/** Returns where the folded middle of an equal passage starts and ends. */
function foldOf(text: string, isFirst: boolean, isLast: boolean): [start: number, end: number] {
  if (text.length <= MIN_FOLD) return [text.length, text.length];
  return [isFirst ? 0 : wholeWords(text, CONTEXT), isLast ? text.length : lastWords(text, CONTEXT)];
}

/** Returns the same part of an equal passage in both texts. */
const partOf = (equal: Pair<string>, start: number, end?: number): Pair<string> => ({
  a: equal.a.slice(start, end),
  b: equal.b.slice(start, end),
});

/** Returns the rows of the changes, which are in the order of the text. Each equal line break begins a row. */
function rowsOf(changes: Change[], text: Pair<string>): Row[] {
  const rows: Row[] = [];
  let row: Pair<(Node | string)[]> = { a: [], b: [] };
  const endRow = () => {
    if (row.a.length + row.b.length > 0) rows.push(row);
    row = { a: [], b: [] };
  };
  const addEqual = ({ a, b }: Pair<string>) => {
    const others = b.split('\n');
    for (const [at, line] of a.split('\n').entries()) {
      if (at > 0) endRow();
      if (line === '') continue;
      row.a.push(clipped(line));
      row.b.push(clipped(others[at]));
    }
  };
  let [lastA, lastB] = [0, 0];
  for (const [at, change] of [...changes, null].entries()) {
    const [a, b] = [text.a.slice(lastA, change?.a[0]), text.b.slice(lastB, change?.b[0])];
    // Letters whose lower case is longer than the upper case: then both columns show the first text.
    const equal = { a, b: a.length === b.length ? b : a };
    const [start, end] = foldOf(a, at === 0, change === null);
    addEqual(partOf(equal, 0, start));
    if (start < end) {
      endRow();
      rows.push({ folded: partOf(equal, start, end) });
    }
    addEqual(partOf(equal, end));
    if (change === null) break;
    for (const side of sides) {
      const changed = clipped(text[side].slice(...change[side]));
      const sign = changed.trim() === '' && changed.includes('\n') ? '¶' : ''; // Otherwise the change would be invisible.
      const attributes = { class: change.isMoved && 'moved', title: change.isMoved && t('moved') };
      if (changed !== '') row[side].push(el(side === 'a' ? 'del' : 'ins', attributes, sign, changed));
    }
    [lastA, lastB] = [change.a[1], change.b[1]];
  }
  endRow();
  return rows;
}

const equalRow = (...cells: string[]): HTMLElement =>
  el('tr', {}, ...cells.map((text) => el('td', { dir: 'auto' }, clipped(text))));

/** Returns the row of a folded passage. Its button opens the passage from its start, a limited part at a time. */
function foldedRow(passage: Pair<string>): HTMLElement {
  const text = passage.a;
  const count = t('equalWords', { count: number(text.length), n: text.length });
  const button = el('button', { type: 'button', class: 'fold' }, count);
  const row = el('tr', { class: 'folded' }, el('td', { colspan: 2 }, button));
  button.addEventListener('click', () => {
    const fitting = text.length <= OPENED ? text.length : wholeWords(text, OPENED) || text.length;
    const lines = text.slice(0, fitting).split('\n', OPENED_LINES);
    const end = lines.join('\n').length;
    const others = passage.b.slice(0, end).split('\n');
    const rows = lines.flatMap((line, at) => (line === '' ? [] : [equalRow(line, others[at])]));
    const next = [...rows, ...(end === text.length ? [] : [foldedRow(partOf(passage, end))])];
    row.replaceWith(...next);
    if (document.activeElement === document.body) next.at(-1)?.querySelector('button')?.focus();
  });
  return row;
}

/** Returns the table of at least one change, and a button that unfolds it. */
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
  return [el('div', { class: 'columns-head' }, unfold), table];
}

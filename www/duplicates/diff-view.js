// Shows a text diff.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

/** The equal characters shown on each side of a change. */
const CONTEXT = 120;

function equalRun(text, isFirst, isLast) {
  if (text.length <= 2.5 * CONTEXT) return [text];
  const [before, after] = [isFirst ? '' : text.slice(0, CONTEXT), isLast ? '' : text.slice(-CONTEXT)];
  const count = number(text.length - before.length - after.length);
  return [before, el('span', { class: 'gap' }, t('diffGap', { count })), after];
}

/** Shows the runs of `diff`. */
export function diffView(runs) {
  if (runs.every(({ op }) => op === 'same')) return el('p', { class: 'none' }, t('diffNone'));
  const parts = runs.flatMap(({ op, text }, at) =>
    op === 'same' ? equalRun(text, at === 0, at === runs.length - 1) : [el(op, {}, text)],
  );
  return el('p', { class: 'diff', dir: 'auto' }, ...parts);
}

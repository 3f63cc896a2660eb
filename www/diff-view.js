// The text diff of two documents.
import { el } from './dom.js';
import { number, t } from './i18n.js';

/** Of what is alike, so much is shown around a change. */
const AROUND = 120;

function same(text, isFirst, isLast) {
  if (text.length <= 2.5 * AROUND) return [text];
  const [before, after] = [isFirst ? '' : text.slice(0, AROUND), isLast ? '' : text.slice(-AROUND)];
  const count = number(text.length - before.length - after.length);
  return [before, el('span', { class: 'gap' }, t('diffGap', { count })), after];
}

/** Shows the runs of `diff`. */
export function diffView(runs) {
  if (runs.every(({ op }) => op === 'same')) return el('p', { class: 'none' }, t('diffNone'));
  const parts = runs.flatMap(({ op, text }, at) =>
    op === 'same' ? same(text, at === 0, at === runs.length - 1) : [el(op, {}, text)],
  );
  return el('p', { class: 'diff', dir: 'auto' }, ...parts);
}

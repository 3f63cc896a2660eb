// Shows a text diff.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { clipped, lastWords, wholeWords } from '../shared/words.js';
import type { Runs } from '../shared/worker-messages.js';

/** The number of equal characters shown on each side of a change. */
const CONTEXT = 120;

function equalRun(text: string, isFirst: boolean, isLast: boolean): (Node | string)[] {
  if (text.length <= 2.5 * CONTEXT) return [clipped(text)];
  const [before, after] = [
    isFirst ? '' : text.slice(0, wholeWords(text, CONTEXT)),
    isLast ? '' : text.slice(lastWords(text, CONTEXT)),
  ];
  const count = number(text.length - before.length - after.length);
  // Its own direction keeps it from determining the direction of the text.
  return [before, el('span', { class: 'gap', dir: 'auto' }, t('diffGap', { count })), after];
}

export function diffView(runs: Runs): HTMLElement {
  if (runs.every(({ op }) => op === 'same')) return el('p', { class: 'none' }, t('diffNone'));
  const parts = runs.flatMap(({ op, before, after }, at) =>
    op === 'same' ? equalRun(after, at === 0, at === runs.length - 1) : [el(op, {}, clipped(before + after))],
  );
  return el('p', { class: 'diff', dir: 'auto' }, ...parts);
}

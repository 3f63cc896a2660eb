// The line that shows how far a search is.
import { percent, t } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import type { Progress } from './slices.js';

/** Returns the line, with a button that cancels the search. It is hidden until a search begins. */
export function workingLine(cancel: HTMLButtonElement): HTMLElement {
  const bar = el('progress', { id: 'progress', max: 1, value: 0, 'aria-labelledby': 'progress-stage' });
  const stage = el('span', { id: 'progress-stage' });
  return el('div', { class: 'working', id: 'working', hidden: true }, stage, bar, cancel);
}

/** Returns a function that shows the progress of a stage. */
export const progress =
  (stage: 'reading' | 'sketching' | 'searching'): Progress =>
  (share) => {
    byId('progress', HTMLProgressElement).value = share;
    byId('progress-stage').textContent = t(stage, { share: percent(share) });
  };

/** Shows the line, and disables the last result, or the reverse. */
export function setWorking(working: boolean): void {
  byId('working').hidden = !working;
  byId('found').inert = working;
}

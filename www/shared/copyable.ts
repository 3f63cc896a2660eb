// A block of code with a button that copies it.
import { type PlainKey, t } from '../locales/locale.js';
import { el } from './dom.js';

/** The time for which the button says that it has copied, in milliseconds. */
const COPIED_FOR = 2000;

/** Returns a block of code, whose element has an id, with a label and a button that copies its present text. */
export function copyable(id: string, label: PlainKey, text: string): HTMLElement {
  const code = el('code', { id }, text);
  const button = el('button', { type: 'button', 'data-t': 'copy' }, t('copy'));
  let timer: number | undefined;
  const say = (key: PlainKey) => {
    button.dataset.t = key;
    button.textContent = t(key);
  };
  button.addEventListener('click', async () => {
    clearTimeout(timer);
    try {
      await navigator.clipboard.writeText(code.textContent);
      say('copied');
    } catch {
      getSelection()?.selectAllChildren(code); // No permission to write to the clipboard.
      say('copyFailed');
    }
    timer = setTimeout(() => say('copy'), COPIED_FOR);
  });
  const caption = el('figcaption', {}, el('span', { 'data-t': label }, t(label)), button);
  // It scrolls, so the keyboard has to reach it.
  const frame = el('pre', { tabindex: 0, role: 'region', 'data-t-label': label, 'aria-label': t(label) }, code);
  return el('figure', { class: 'code' }, caption, frame);
}

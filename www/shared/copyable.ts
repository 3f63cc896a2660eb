// A block of code with a button that copies it.
import { type PlainKey, t } from '../locales/locale.js';
import { el } from './dom.js';

/** The time in milliseconds for which the button confirms the copy. */
const COPIED_FOR = 2000;

/** Returns a labelled block of code with this id, and a button that copies its current text. */
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
      getSelection()?.selectAllChildren(code); // The page may not write to the clipboard.
      say('copyFailed');
    }
    timer = setTimeout(() => say('copy'), COPIED_FOR);
  });
  const caption = el('figcaption', {}, el('span', { 'data-t': label }, t(label)), button);
  // The block scrolls, so it must be reachable by keyboard.
  const frame = el('pre', { tabindex: 0, role: 'region', 'data-t-label': label, 'aria-label': t(label) }, code);
  return el('figure', { class: 'code' }, caption, frame);
}

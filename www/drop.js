// Files that are dropped on an element, or chosen with a button.
import { el } from './dom.js';

/** Tells `take(files)` of what is dropped on the element, which has the class `over` meanwhile. */
export function acceptDrops(element, take) {
  let depth = 0; // the pointer also enters and leaves what is inside
  const over = (by) => {
    depth = by === 0 ? 0 : depth + by;
    element.classList.toggle('over', depth > 0);
  };
  const hasFiles = (event) => event.dataTransfer.types.includes('Files');
  element.addEventListener('dragenter', (event) => hasFiles(event) && over(1));
  element.addEventListener('dragleave', (event) => hasFiles(event) && over(-1));
  element.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(0);
    take([...event.dataTransfer.files]);
  });
}

/** A file that misses its field must not replace the page, and with it what was typed. */
export function refuseStrayDrops() {
  for (const kind of ['dragover', 'drop']) {
    addEventListener(kind, (event) => event.dataTransfer.types.includes('Files') && event.preventDefault());
  }
}

/** A button that opens the file dialogue; `key` names its words. */
export function fileButton(id, key, take, attributes = {}) {
  const input = el('input', { type: 'file', id, class: 'hidden', ...attributes });
  input.addEventListener('change', () => {
    take([...input.files]);
    input.value = ''; // so that the same file can be chosen again
  });
  return el('span', { class: 'choose' }, input, el('label', { for: id, class: 'button', 'data-t': key }));
}

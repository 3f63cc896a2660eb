// Takes files that are dropped on an element or chosen with a button.
import { el } from '../shared/dom.js';

/** Calls `take(files)` on a drop. While files are over the element, it has the class `over`. */
export function acceptDrops(element, take) {
  let depth = 0; // Child elements send enter and leave events too.
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

/** Stops the browser from opening a file that is dropped beside a field, which would lose the typed text. */
export function refuseStrayDrops() {
  for (const kind of ['dragover', 'drop']) {
    addEventListener(kind, (event) => event.dataTransfer.types.includes('Files') && event.preventDefault());
  }
}

/** A button that opens the file dialog. `key` is the message key of its label. */
export function fileButton(id, key, take, attributes = {}) {
  const input = el('input', { type: 'file', id, class: 'hidden', ...attributes });
  input.addEventListener('change', () => {
    take([...input.files]);
    input.value = ''; // Otherwise the same file cannot be chosen twice.
  });
  return el('span', { class: 'choose' }, input, el('label', { for: id, class: 'button', 'data-t': key }));
}

// Receives files that are dropped on an element or chosen with a button.
import type { PlainKey } from '../locales/locale.js';
import { type Attributes, el } from '../shared/dom.js';

export type ReceiveFiles = (files: File[]) => void;

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Calls `receive` with the files of a drop. While files are over the element, it has the class `over`. */
export function acceptDrops(element: HTMLElement, receive: ReceiveFiles): void {
  let depth = 0; // Child elements send enter and leave events too.
  const setDepth = (value: number) => {
    depth = value;
    element.classList.toggle('over', depth > 0);
  };
  element.addEventListener('dragenter', (event) => {
    if (hasFiles(event)) setDepth(depth + 1);
  });
  element.addEventListener('dragleave', (event) => {
    if (hasFiles(event)) setDepth(depth - 1);
  });
  element.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setDepth(0);
    receive([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Stops the browser from opening a file that is dropped outside a field, which would lose the typed text. */
export function refuseStrayDrops(): void {
  for (const kind of ['dragover', 'drop'] as const) {
    addEventListener(kind, (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
  }
}

/** Calls `receive` with the files that are chosen in an input. */
export function receiveFrom(input: HTMLInputElement, receive: ReceiveFiles): void {
  input.addEventListener('change', () => {
    receive([...(input.files ?? [])]);
    input.value = ''; // Otherwise the same file cannot be chosen twice.
  });
}

/** Returns a button that opens the file dialog. `key` is the message key of its label. */
export function fileButton(id: string, key: PlainKey, receive: ReceiveFiles, attributes: Attributes = {}): HTMLElement {
  const input = el('input', { type: 'file', id, class: 'hidden', ...attributes });
  receiveFrom(input, receive);
  return el('span', { class: 'choose' }, input, el('label', { for: id, class: 'button', 'data-t': key }));
}

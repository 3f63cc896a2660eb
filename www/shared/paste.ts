/** Leaves a field at the start of its text after a paste that replaces all of it: the browser would show the end. */
export function showStartOfPaste(area: HTMLTextAreaElement): void {
  area.addEventListener('paste', () => {
    const { value, selectionStart, selectionEnd } = area;
    if (selectionEnd - selectionStart < value.length) return;
    const toStart = () => {
      area.setSelectionRange(0, 0);
      area.scrollTop = 0;
    };
    area.addEventListener('input', toStart, { once: true });
    setTimeout(() => area.removeEventListener('input', toStart)); // A paste that is refused has no input.
  });
}

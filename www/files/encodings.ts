// The choice of an encoding for files that do not declare one.
import { el } from '../shared/dom.js';

const encodings =
  'utf-8 gb18030 big5 shift_jis euc-jp euc-kr windows-1250 windows-1251 windows-1252 koi8-r iso-8859-2 utf-16le utf-16be'.split(
    ' ',
  );

/** Returns a hidden list of encodings. `choose` receives the chosen one. */
export function encodingChoice(id: string, choose: (encoding: string) => void): HTMLLabelElement {
  const options = encodings.map((name) => el('option', { value: name }, name));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => choose(select.value));
  return el(
    'label',
    { id: `${id}-choice`, class: 'choice', hidden: true },
    el('span', { 'data-t': 'encoding' }),
    select,
  );
}

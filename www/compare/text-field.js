// The field of one text, which is typed, dropped or chosen as a file.

import { acceptDrops, fileButton } from '../files/choose-files.js';
import { readText } from '../files/read-file.js';
import { number, onLanguage, t } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import { messageIn } from '../shared/message.js';
import { onChange, state, update } from '../shared/state.js';

const FILE_LIMIT = 4e6;

/** `side` is 'a' or 'b'. */
export function textField(side, key) {
  const id = `text-${side}`;
  const area = el('textarea', { id, dir: 'auto', spellcheck: 'false', 'aria-describedby': `${id}-note ${id}-error` });
  const count = el('span', { class: 'hint', id: `${id}-note` });
  const error = el('p', { class: 'error', id: `${id}-error`, role: 'alert' });
  const showError = messageIn(error);

  const show = () => {
    if (area.value !== state[side]) area.value = state[side];
    count.textContent = t('characters', { count: number(area.value.length), n: area.value.length });
  };

  async function take([file]) {
    if (file === undefined) return;
    try {
      const text = await readText(file, FILE_LIMIT);
      showError();
      update({ [side]: text, fingerprints: null });
    } catch ({ key, values }) {
      showError(key, values);
    }
  }

  area.addEventListener('input', () => {
    showError();
    update({ [side]: area.value, fingerprints: null });
  });
  const accept = { accept: '.txt,.md,.html,.htm,.csv,.json,.xml,text/*' };
  const foot = el('div', { class: 'foot' }, count, fileButton(`${id}-file`, `choose-${side}`, take, accept));
  const field = el('div', { class: 'text' }, el('label', { for: id, 'data-t': key }), area, foot, error);
  acceptDrops(field, take);
  onChange((changed) => changed.has(side) && show());
  onLanguage(show);
  byId('texts').append(field);
  show();
}

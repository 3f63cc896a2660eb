// One of the two texts: typed, dropped or chosen.
import { byId, el } from './dom.js';
import { acceptDrops, fileButton } from './drop.js';
import { number, onLanguage, t } from './i18n.js';
import { messageIn } from './message.js';
import { readText } from './read-file.js';
import { onChange, state, update } from './state.js';

const FILE_LIMIT = 4e6;

/** `side` is 'a' or 'b'. */
export function textField(side, key) {
  const id = `text-${side}`;
  const area = el('textarea', { id, dir: 'auto', spellcheck: 'false', 'aria-describedby': `${id}-note ${id}-error` });
  const count = el('span', { class: 'hint', id: `${id}-note` });
  const error = el('p', { class: 'error', id: `${id}-error`, role: 'alert', hidden: true });
  const say = messageIn(error);

  const show = () => {
    if (area.value !== state[side]) area.value = state[side];
    count.textContent = t('characters', { count: number(area.value.length), n: area.value.length });
  };

  async function take([file]) {
    if (file === undefined) return;
    try {
      const text = await readText(file, FILE_LIMIT);
      say();
      update({ [side]: text, prints: null });
    } catch ({ key, values }) {
      say(key, values);
    }
  }

  area.addEventListener('input', () => {
    say();
    update({ [side]: area.value, prints: null });
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

// The field of one text, which is typed, dropped or chosen as a file. Marks lie behind its text.

import { acceptDrops, fileButton } from '../files/choose-files.js';
import { readText } from '../files/read-file.js';
import { number, onLanguage, t } from '../locales/locale.js';
import { byId, el } from '../shared/dom.js';
import { messageIn } from '../shared/message.js';
import { onChange, state, update } from '../shared/state.js';

/** The most bytes of a file, and characters of a field: laying out more text blocks the browser. */
const LIMIT = 4e6;

/** A longer text gets one direction. `dir="auto"` gives each line its own, which blocks the browser in a text of megabytes. */
const MOST_AUTO = 1e5;

const rightToLeft = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function directionOf(text) {
  if (text.length <= MOST_AUTO) return 'auto';
  return rightToLeft.test(text.match(/\p{L}/u)?.[0] ?? '') ? 'rtl' : 'ltr';
}

/**
 * `side` is 'a' or 'b'. `chooseAt` gets the position of the cursor whenever it moves. Returns `{ mark, scrollTo }`:
 * `mark(text, spans, chosen)` marks the spans `[start, end]` of that text, and `scrollTo(at)` shows a mark.
 */
export function textField(side, key, chooseAt) {
  const id = `text-${side}`;
  const area = el('textarea', { id, dir: 'auto', spellcheck: 'false', 'aria-describedby': `${id}-note ${id}-error` });
  // It has the same text in the same place, invisible but for its marks.
  const marks = el('div', { class: 'marks', dir: 'auto', 'aria-hidden': 'true' });
  const count = el('span', { class: 'hint', id: `${id}-note` });
  const error = el('p', { class: 'error', id: `${id}-error`, role: 'alert' });
  const showError = messageIn(error);

  const follow = () => {
    marks.scrollTop = area.scrollTop;
  };

  const show = () => {
    area.dir = directionOf(state[side]);
    if (area.value !== state[side]) area.value = state[side];
    count.textContent = t('characters', { count: number(area.value.length), n: area.value.length });
  };

  /** Without spans it removes all marks. */
  function mark(text, spans = [], chosen = null) {
    marks.replaceChildren();
    if (spans.length === 0 || text !== area.value) return;
    marks.dir = area.dir;
    let last = 0;
    for (const [at, [start, end]] of spans.entries()) {
      marks.append(text.slice(last, start), el('mark', { class: at === chosen && 'chosen' }, text.slice(start, end)));
      last = end;
    }
    // A line feed at the end of a block element is not shown, unlike one at the end of a text area.
    marks.append(`${text.slice(last)}\n`);
    follow();
  }

  function scrollTo(at) {
    const { offsetTop, offsetHeight } = marks.querySelectorAll('mark')[at] ?? {};
    const isVisible = offsetTop >= area.scrollTop && offsetTop + offsetHeight <= area.scrollTop + area.clientHeight;
    if (offsetTop !== undefined && !isVisible) area.scrollTop = offsetTop - area.clientHeight / 3;
  }

  async function take([file]) {
    if (file === undefined) return;
    try {
      const text = await readText(file, LIMIT);
      showError();
      update({ [side]: text, summaries: null });
    } catch ({ key, values }) {
      showError(key, values);
    }
  }

  area.addEventListener('beforeinput', (event) => {
    const { value, selectionStart, selectionEnd } = area;
    const inserted = event.data ?? '';
    const length = value.length - (selectionEnd - selectionStart) + inserted.length;
    if (length > LIMIT && length >= value.length) {
      event.preventDefault();
      showError('textTooLong', { length: number(length), limit: number(LIMIT) });
    } else if (inserted.length > MOST_AUTO) {
      // The browser lays out a paste before the event `input`.
      area.dir = directionOf(inserted);
    }
  });
  area.addEventListener('input', () => {
    showError();
    if (area.value !== state[side]) mark(); // The marks of another text are out of date.
    update({ [side]: area.value, summaries: null });
  });
  area.addEventListener('scroll', follow);
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) chooseAt(area.selectionStart);
  });
  const accept = { accept: '.txt,.md,.html,.htm,.csv,.json,.xml,text/*' };
  const foot = el('div', { class: 'foot' }, count, fileButton(`${id}-file`, `choose-${side}`, take, accept));
  const label = el('label', { for: id, 'data-t': key });
  const field = el('div', { class: 'text' }, label, el('div', { class: 'marked' }, marks, area), foot, error);
  acceptDrops(field, take);
  onChange((changed) => changed.has(side) && show());
  onLanguage(show);
  byId('texts').append(field);
  show();
  return { mark, scrollTo };
}

// The field of one text, which is typed, dropped or chosen as a file. Marks lie behind its text.

import { acceptDrops, fileButton } from '../files/choose-files.js';
import { readText, Unreadable } from '../files/read-file.js';
import { number, onLanguage, type PlainKey, t } from '../locales/locale.js';
import { followDirection } from '../shared/direction.js';
import { byId, el } from '../shared/dom.js';
import { messageIn } from '../shared/message.js';
import type { Side } from '../shared/pair.js';
import { onChange, state, update } from '../shared/state.js';
import type { Span } from './changes.js';

/** The limit for the bytes of a file and the characters of a field: laying out more text blocks the browser. */
const MAX_SIZE = 4e6;

/** The marks of a text field. */
export interface TextField {
  /** Removes all marks, then marks the spans if `text` is the text of the field. */
  mark: (text?: string, spans?: Span[], chosen?: number | null) => void;
  /** Scrolls to a mark. */
  scrollTo: (at: number) => void;
}

/** Adds a field to the page. `chooseAt` receives the position of the cursor whenever it moves. */
export function textField(side: Side, key: PlainKey, chooseAt: (position: number) => void): TextField {
  const id = `text-${side}`;
  const area = el('textarea', { id, dir: 'auto', spellcheck: 'false', 'aria-describedby': `${id}-note ${id}-error` });
  // Has the same text in the same place, invisible except for its marks.
  const marks = el('div', { class: 'marks', dir: 'auto', 'aria-hidden': 'true' });
  const count = el('span', { class: 'hint', id: `${id}-note` });
  const error = el('p', { class: 'error', id: `${id}-error`, role: 'alert' });
  const showError = messageIn(error);

  const follow = () => {
    marks.scrollTop = area.scrollTop;
  };

  const setText = (text: string) => update(side === 'a' ? { a: text, summaries: null } : { b: text, summaries: null });

  const show = () => {
    setDirection(state[side]);
    if (area.value !== state[side]) area.value = state[side];
    count.textContent = t('characters', { count: number(area.value.length), n: area.value.length });
  };

  function mark(text?: string, spans: Span[] = [], chosen: number | null = null): void {
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

  function scrollTo(at: number): void {
    const target: HTMLElement | undefined = marks.querySelectorAll('mark')[at];
    if (target === undefined) return;
    const { offsetTop, offsetHeight } = target;
    const isVisible = offsetTop >= area.scrollTop && offsetTop + offsetHeight <= area.scrollTop + area.clientHeight;
    if (!isVisible) area.scrollTop = offsetTop - area.clientHeight / 3;
  }

  async function read([file]: (File | undefined)[]): Promise<void> {
    if (file === undefined) return;
    try {
      const text = await readText(file, MAX_SIZE);
      showError();
      setText(text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      showError(...error.describe(0));
    }
  }

  area.addEventListener('beforeinput', (event) => {
    const { value, selectionStart, selectionEnd } = area;
    const inserted = event.data ?? '';
    const length = value.length - (selectionEnd - selectionStart) + inserted.length;
    if (length > MAX_SIZE && length >= value.length) {
      event.preventDefault();
      showError('textTooLong', { length: number(length), limit: number(MAX_SIZE) });
    }
  });
  const setDirection = followDirection(area);
  area.addEventListener('input', () => {
    showError();
    if (area.value !== state[side]) mark(); // The marks of another text are out of date.
    setText(area.value);
  });
  area.addEventListener('scroll', follow);
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) chooseAt(area.selectionStart);
  });
  const accept = { accept: '.txt,.md,.html,.htm,.csv,.json,.xml,text/*' };
  const foot = el('div', { class: 'foot' }, count, fileButton(`${id}-file`, `choose-${side}`, read, accept));
  const label = el('label', { for: id, 'data-t': key });
  const field = el('div', { class: 'text' }, label, el('div', { class: 'marked' }, marks, area), foot, error);
  acceptDrops(field, read);
  onChange((changed) => {
    if (changed.has(side)) show();
  });
  onLanguage(show);
  byId('texts').append(field);
  show();
  return { mark, scrollTo };
}

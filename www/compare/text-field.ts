// The field of one text, which is typed, dropped or chosen as a file. Marks lie behind its text.

import { acceptDrops, fileButton } from '../files/choose-files.js';
import { readText, Unreadable } from '../files/read-file.js';
import { number, onLanguage, t } from '../locales/locale.js';
import { followDirection } from '../shared/direction.js';
import { type Attributes, byId, el } from '../shared/dom.js';
import { hasMoreLines } from '../shared/lines.js';
import { messageIn } from '../shared/message.js';
import type { Side } from '../shared/pair.js';
import { onChange, state, update } from '../shared/state.js';
import type { Span } from './passages.js';

/** The limit for the bytes of a file and the characters of a field: laying out more text blocks the browser. */
const MAX_SIZE = 4e6;

/** The marks of a text field. */
export interface TextField {
  /** Removes all marks, then marks the spans if `text` is the text of the field. */
  mark: (text?: string, spans?: Span[], chosen?: number | null) => void;
  /** Scrolls to a mark. */
  scrollTo: (at: number) => void;
  /** Scrolls to the first mark if none is visible, unless the field has the focus. */
  reveal: () => void;
}

/** The functions that a text field calls. */
export interface TextFieldEvents {
  /** Receives the position of the cursor whenever it moves. */
  chooseAt: (position: number) => void;
  /** Receives a text that is not typed: from a file, or an empty one. */
  replace: (text: string) => void;
  /** Called for Ctrl+Enter. */
  finish: () => void;
}

/** A longer text fills the field, so that its height need not follow the text. */
const [MAX_GROWING, MAX_GROWING_LINES] = [20_000, 200];

/** The space below the text that counts as its end, in pixels: the padding of the field. */
const END = 16;

/** Starts a field of the page. */
export function textField(side: Side, { chooseAt, replace, finish }: TextFieldEvents): TextField {
  const id = `text-${side}`;
  const area = byId(id, HTMLTextAreaElement);
  // Has the same text in the same place, invisible except for its marks.
  const marks = byId(`marks-${side}`);
  const count = byId(`${id}-note`);
  const showError = messageIn(byId(`${id}-error`));
  const clear = byId(`clear-${side}`, HTMLButtonElement);
  const more = byId(`more-${side}`);
  const box = area.parentElement as HTMLElement;

  const isWhole = () => byId('texts').classList.contains('whole');

  /** Shows whether the field has more lines than are visible, and whether some are below. */
  const showExtent = () => {
    const { scrollTop, clientHeight, scrollHeight } = area;
    const hasMore = scrollHeight > clientHeight + 1;
    more.hidden = !hasMore && !isWhole();
    more.textContent = t(isWhole() ? 'showLess' : 'showAll');
    more.setAttribute('aria-expanded', `${isWhole()}`);
    box.classList.toggle('below', hasMore && scrollTop + clientHeight < scrollHeight - END);
  };

  // Once for each frame: the size of a long text takes long to find.
  let frame = 0;
  const showExtentSoon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(showExtent);
  };

  const follow = () => {
    marks.scrollTop = area.scrollTop;
    showExtentSoon();
  };

  const setText = (text: string) => update(side === 'a' ? { a: text, summaries: null } : { b: text, summaries: null });

  const show = () => {
    setDirection(state[side]);
    if (area.value !== state[side]) area.value = state[side];
    count.textContent = t('characters', { count: number(area.value.length), n: area.value.length });
    clear.disabled = area.value === '';
    area.classList.toggle('long', area.value.length > MAX_GROWING || hasMoreLines(area.value, MAX_GROWING_LINES));
    showExtentSoon();
  };

  /** Puts text into the layer of marks, which is what is printed. */
  function fill(text: string, spans: Span[], chosen: number | null): void {
    marks.replaceChildren();
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

  function mark(text?: string, spans: Span[] = [], chosen: number | null = null): void {
    if (spans.length === 0 || text !== area.value) marks.replaceChildren();
    else fill(text, spans, chosen);
  }

  const isVisible = ({ offsetTop, offsetHeight }: HTMLElement): boolean =>
    offsetTop >= area.scrollTop && offsetTop + Math.min(offsetHeight, END) <= area.scrollTop + area.clientHeight;

  function scrollTo(at: number): void {
    const target: HTMLElement | undefined = marks.querySelectorAll('mark')[at];
    if (target !== undefined && !isVisible(target)) area.scrollTop = target.offsetTop - area.clientHeight / 3;
  }

  function reveal(): void {
    if (document.activeElement !== area && ![...marks.querySelectorAll('mark')].some(isVisible)) scrollTo(0);
  }

  async function read([file]: (File | undefined)[]): Promise<void> {
    if (file === undefined) return;
    try {
      const text = await readText(file, MAX_SIZE);
      showError();
      replace(text);
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
  area.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    finish();
  });
  clear.addEventListener('click', () => {
    showError();
    replace('');
    area.focus();
  });
  more.addEventListener('click', () => byId('texts').classList.toggle('whole'));
  new ResizeObserver(follow).observe(area);
  addEventListener('beforeprint', () => {
    if (marks.textContent === '') fill(area.value, [], null);
  });
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) chooseAt(area.selectionStart);
  });
  const accept: Attributes = {
    accept: '.txt,.md,.html,.htm,.csv,.json,.xml,text/*',
    'data-t-label': `choose-${side}`,
  };
  clear.before(fileButton(`${id}-file`, 'chooseFile', read, accept));
  acceptDrops(box.parentElement as HTMLElement, read);
  onChange((changed) => {
    if (changed.has(side)) show();
  });
  onLanguage(show);
  show();
  return { mark, scrollTo, reveal };
}

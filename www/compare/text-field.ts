// The field of one text, with a layer behind it that marks changes and lights words (mark-layer.ts).

import { acceptDrops, type ReceiveFiles } from '../files/choose-files.js';
import { number, onLanguage, t } from '../locales/locale.js';
import { followDirection } from '../shared/direction.js';
import { byId } from '../shared/dom.js';
import { hasMoreLines } from '../shared/lines.js';
import { messageIn, type ShowMessage } from '../shared/message.js';
import type { Side } from '../shared/pair.js';
import { showStartOfPaste } from '../shared/paste.js';
import { onChange, state, update } from '../shared/state.js';
import { wordsNear } from '../shared/words.js';
import { MarkLayer } from './mark-layer.js';
import type { Span } from './passages.js';

/** The limit for the bytes of a file and the characters of a field: laying out more text blocks the browser. */
export const MAX_SIZE = 4e6;

/** The marks of a text field. */
export interface TextField {
  /** Marks passages, and prepares words to be lit, if `text` is the text of the field; otherwise removes all marks. */
  mark: (text: string, passages: Span[], words: Span[]) => void;
  unmark: () => void;
  /** Lights each word by a number from 0 to 1. */
  light: (strengths: number[]) => void;
  /** Frames a word. */
  frame: (span: Span | null) => void;
  /** Scrolls to the first mark if none is visible, unless the field has the focus. */
  reveal: () => void;
  showError: ShowMessage;
}

/** The functions that a text field calls. */
export interface TextFieldEvents {
  /** Receives the word that is pointed at, or that has the cursor; null if there is none. */
  point: (word: Span | null) => void;
  /** Empties the text. */
  clear: () => void;
  /** Called for Ctrl+Enter. */
  finish: () => void;
  /** Receives files that are dropped. */
  receive: ReceiveFiles;
}

/** A longer text fills the field, so that its height need not follow the text. */
const [MAX_GROWING, MAX_GROWING_LINES] = [20_000, 200];

/** The maximum length of a text without changes that has a layer. */
const MAX_LAYER = 100_000;

/** The space below the text that counts as its end, in pixels: the padding of the field. */
const END = 16;

/** Returns the word at a position of a text. */
function wordAt(text: string, position: number): Span | null {
  return wordsNear(text, [position, position]).find(([start, end]) => start <= position && position <= end) ?? null;
}

/** Starts a field of the page. */
export function textField(side: Side, { point, clear: clearText, finish, receive }: TextFieldEvents): TextField {
  const id = `text-${side}`;
  const area = byId(id, HTMLTextAreaElement);
  const layer = new MarkLayer(byId(`marks-${side}`));
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
  let extentFrame = 0;
  const showExtentSoon = () => {
    cancelAnimationFrame(extentFrame);
    extentFrame = requestAnimationFrame(showExtent);
  };

  const follow = () => {
    layer.scrollTop = area.scrollTop;
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

  function fill(text: string, passages: Span[], words: Span[]): void {
    layer.fill(text, passages, words, area.dir);
    follow();
  }

  const unmark = () => layer.clear();

  function mark(text: string, passages: Span[], words: Span[]): void {
    if (text === area.value && (passages.length > 0 || text.length < MAX_LAYER)) fill(text, passages, words);
    else unmark();
  }

  let pointed: Span | null = null;
  const pointAt = (word: Span | null) => {
    if (word?.[0] === pointed?.[0] && word?.[1] === pointed?.[1]) return;
    pointed = word;
    point(word);
  };

  /** Returns the word at a place in the window. */
  function wordUnder(x: number, y: number): Span | null {
    const caret = document.caretPositionFromPoint?.(x, y);
    if (caret?.offsetNode !== area) return null;
    const word = wordAt(area.value, caret.offset);
    const isInside = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom;
    return word !== null && layer.rectanglesOf(word).some(isInside) ? word : null;
  }

  const isVisible = ({ offsetTop, offsetHeight }: HTMLElement): boolean =>
    offsetTop >= area.scrollTop && offsetTop + Math.min(offsetHeight, END) <= area.scrollTop + area.clientHeight;

  function reveal(): void {
    const all = layer.marks();
    if (all.length === 0 || document.activeElement === area || all.some(isVisible)) return;
    area.scrollTop = all[0].offsetTop - area.clientHeight / 3;
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
    if (area.value !== state[side]) unmark(); // The marks of another text are out of date.
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
    clearText();
    area.focus();
  });
  more.addEventListener('click', () => byId('texts').classList.toggle('whole'));
  new ResizeObserver(follow).observe(area);
  addEventListener('beforeprint', () => {
    if (layer.isEmpty) fill(area.value, [], []);
  });
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === area) pointAt(wordAt(area.value, area.selectionStart));
  });
  area.addEventListener('pointermove', ({ clientX, clientY, buttons }) => {
    if (buttons === 0) pointAt(wordUnder(clientX, clientY));
  });
  area.addEventListener('pointerleave', () => pointAt(null));
  area.addEventListener('blur', () => pointAt(null));
  acceptDrops(box.parentElement as HTMLElement, receive);
  showStartOfPaste(area);
  onChange((changed) => {
    if (changed.has(side)) show();
  });
  onLanguage(show);
  area.readOnly = false;
  show();
  const light = (strengths: number[]) => layer.light(strengths);
  const frame = (span: Span | null) => layer.frame(span);
  return { mark, unmark, light, frame, reveal, showError };
}

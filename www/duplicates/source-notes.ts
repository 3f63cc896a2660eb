// The notes on a source: what was read, what could not be read, and how else it may have to be read.
import { number, type PlainKey, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { messageIn } from '../shared/message.js';
import type { Collection } from './collection.js';
import type { Format } from './format.js';

export const formatNames = {
  lines: 'formatLines',
  jsonl: 'formatJsonl',
  json: 'formatJson',
  table: 'formatTable',
} as const satisfies Record<Format, PlainKey>;

const note = el('p', { class: 'hint', id: 'lines-note', role: 'status' });
const suspicion = el('span', { id: 'lines-suspicion', role: 'status' });
const convert = el('button', { type: 'button', id: 'lines-convert', 'data-t': 'readAsThat', hidden: true });
const problems = [1, 2, 3].map(() => el('p', { class: 'error' }));

export const showNote = messageIn(note);
const showSuspicion = messageIn(suspicion);
const [showUnread, showEnd, showBroken] = problems.map(messageIn);

/** Returns the notes. `readAs` is called with the format that the lines look like, if the visitor agrees. */
export function notesView(readAs: (format: Format) => void): HTMLElement[] {
  convert.addEventListener('click', () => {
    if (suspected !== undefined) readAs(suspected);
  });
  return [
    note,
    el('p', { class: 'suspicion' }, suspicion, ' ', convert),
    el('div', { id: 'lines-problem', role: 'alert' }, ...problems),
  ];
}

let suspected: Format | undefined;

/** Removes the notes on a source. */
export function removeNotes(): void {
  for (const show of [showNote, showUnread, showEnd, showBroken, showSuspicion]) show();
  convert.hidden = true;
}

/** Shows the problems of a collection, and the other format or encoding that it may have. */
export function showProblems({ broken, unread, end, ...collection }: Collection): void {
  showUnread(...(unread.length > 0 ? unread[0].describe(unread.length - 1) : ([] as [])));
  showEnd(...(end !== undefined ? (['unreadRest', { line: end }] as const) : ([] as [])));
  showBroken(...(broken.length > 0 ? (['brokenLines', { lines: broken }] as const) : ([] as [])));
  suspected = collection.suspected;
  convert.hidden = suspected === undefined;
  if (suspected === undefined) showSuspicion();
  else showSuspicion('suspected', { format: t(formatNames[suspected]) });
}

/** Shows how many texts were read, or why a collection cannot be searched. */
export function showTaken({ documents, broken, unread, format }: Collection): void {
  if (documents.length > 1) {
    showNote('taken', { n: documents.length, count: number(documents.length), format: t(formatNames[format]) });
  } else if (unread.some(({ isEncoding }) => isEncoding)) showNote('chooseEncoding');
  else showNote(documents.length === 0 && unread.length + broken.length > 0 ? 'nothingRead' : 'tooFew');
}

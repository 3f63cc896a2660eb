// The duplicates view: reads a collection of texts, in which it finds the near-duplicates.
import { acceptDrops, fileButton } from '../files/choose-files.js';
import { encodingChoice } from '../files/encodings.js';
import { type Message, number, type PlainKey } from '../locales/locale.js';
import { followDirection } from '../shared/direction.js';
import { byId, el } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { messageIn } from '../shared/message.js';
import { showStartOfPaste } from '../shared/paste.js';
import { onChange, state, update } from '../shared/state.js';
import { clipped } from '../shared/words.js';
import { type Choices, COLLECTION_LIMIT, type Collection, fromFiles, fromText } from './collection.js';
import { formats } from './format.js';
import { endSearch, hasSearched, searchCollection } from './search.js';
import type { Progress } from './slices.js';
import { formatNames, notesView, removeNotes, showNote, showProblems, showTaken } from './source-notes.js';
import { progress, setWorking, workingLine } from './working.js';

/** Reads texts. */
type Read = (choices: Choices, progress: Progress) => Promise<Collection>;

/** Thrown to end a reading that a later one has replaced. */
class Replaced extends Error {}

/** The number of the latest reading. Earlier readings stop. */
let readings = 0;

/** Reads the source, which is kept for other choices: files or the sample. Undefined if it is the lines of the field. */
let readSource: Read | undefined;

/** The format and the field that the user has chosen. */
let choices: Choices = {};

const sourceName = el('strong');
const showName = messageIn(sourceName);

/** Shows the fields that can be the text. */
function showFields({ fields, field }: Collection): void {
  const select = byId('lines-field', HTMLSelectElement);
  select.replaceChildren(...fields.map((name) => el('option', { value: name }, name.slice(0, 40))));
  select.value = field;
  byId('field-choice').hidden = fields.length < 2;
}

/** Ends the reading and the search, and removes their result. */
function stop(): void {
  readings++;
  endSearch();
}

/** Reads a collection, shows its problems, and searches the documents that could be read. */
async function searchIn(read: Read): Promise<void> {
  const mine = ++readings;
  const show = progress('reading');
  let next: Collection;
  try {
    next = await read(choices, (share) => {
      if (mine !== readings) throw new Replaced();
      setWorking(true);
      show(share);
    });
  } catch (error) {
    if (error instanceof Replaced) return;
    endSearch();
    showNote('failed', { message: errorMessage(error) });
    return;
  }
  if (mine !== readings) return;
  byId('source-start').textContent = clipped(next.start);
  showProblems(next);
  showTaken(next);
  if (next.documents.length < 2) {
    endSearch();
    return;
  }
  showFields(next);
  searchCollection(next);
}

/** Reads the lines of the field. */
const readLines: Read = (choices, progress) => fromText(state.lines, choices, progress);

/** Searches the source. */
const searchSource = (): Promise<void> => searchIn(readSource ?? readLines);

/** Shows the source in place of the one before and its result: the name of files, and the start of their texts, or else the field. */
function showSource(name: Message | null): void {
  stop();
  removeNotes();
  showName(...(name ?? []));
  const isField = name === null;
  for (const id of ['source', 'source-start']) byId(id).hidden = isField;
  byId('source-start').textContent = '';
  byId('lines').hidden = !isField;
  byId('lines-encoding-choice').hidden = name?.[0] !== 'sourceFiles';
  byId('lines-encoding', HTMLSelectElement).selectedIndex = 0;
  byId('field-choice').hidden = true;
  choices = { format: choices.format }; // Another source may not have the chosen field.
}

/** Reads a source, and keeps it. */
async function useSource(name: Message, read: Read): Promise<void> {
  readSource = read;
  showSource(name);
  await searchSource();
}

function useFiles(files: File[]): void {
  if (files.length === 0) return;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const size = bytes < 1e5 ? `${number(Math.ceil(bytes / 1000))} kB` : `${number(bytes / 1e6, 1)} MB`;
  const name = clipped(files[0].name);
  useSource(['sourceFiles', { name, more: files.length - 1, size }], (choices, progress) =>
    fromFiles(files, choices, progress),
  );
}

/** Returns to the lines of the field. */
function useLines(): void {
  readSource = undefined;
  showSource(null);
  byId('lines').focus();
}

async function useSample(): Promise<void> {
  try {
    const response = await fetch('sample.jsonl');
    if (!response.ok) throw new Error(response.statusText);
    const sample = await response.text();
    await useSource(['sourceSample'], async ({ field }, progress) => ({
      ...(await fromText(sample, { format: 'jsonl', field }, progress)),
      file: 'sample.jsonl',
    }));
  } catch {
    showNote('sampleMissing');
  }
}

/** Reads the source again with another choice, if it was searched. */
function choose(choice: Choices): void {
  choices = { ...choices, ...choice };
  if (readSource !== undefined || hasSearched()) searchSource();
}

/** Returns the controls for the format and for the field of the text. */
function readingControls(): HTMLElement {
  const format = el('select', { id: 'lines-format' }, el('option', { value: '', 'data-t': 'formatAuto' }));
  format.append(...formats.map((each) => el('option', { value: each, 'data-t': formatNames[each] })));
  format.addEventListener('change', () => choose({ format: formats[format.selectedIndex - 1], field: undefined }));
  const field = el('select', { id: 'lines-field' });
  field.addEventListener('change', () => choose({ field: field.value }));
  return el(
    'div',
    { class: 'reading' },
    el('label', {}, el('span', { 'data-t': 'readAs' }), format),
    el('label', { id: 'field-choice', hidden: true }, el('span', { 'data-t': 'textFrom' }), field),
    encodingChoice('lines-encoding', (encoding) => choose({ encoding })),
  );
}

function actionButton(key: PlainKey, onClick: () => void): HTMLButtonElement {
  const button = el('button', { type: 'button', 'data-t': key });
  button.addEventListener('click', onClick);
  return button;
}

/** Returns the field for lines, which shows the state and changes it. */
function linesField(): HTMLTextAreaElement {
  const area = el('textarea', {
    id: 'lines',
    dir: 'auto',
    spellcheck: 'false',
    'data-t-placeholder': 'linesPlaceholder',
    'aria-describedby': 'lines-note lines-problem',
  });
  const setDirection = followDirection(area);
  const show = () => {
    setDirection(state.lines);
    if (area.value !== state.lines) area.value = state.lines;
  };
  show();
  onChange((changed) => {
    if (changed.has('lines')) show();
  });
  area.addEventListener('input', () => update({ lines: area.value }));
  showStartOfPaste(area);
  return area;
}

/** Returns the source with its controls and notes. `shareLink` copies a link to it. */
function sourceView(shareLink: () => void): HTMLElement {
  const find = actionButton('find', searchSource);
  find.classList.add('primary');
  const toLines = actionButton('useLines', useLines);
  toLines.classList.add('quiet');
  const start = el('pre', {
    id: 'source-start',
    dir: 'auto',
    tabindex: 0,
    role: 'region',
    'data-t-label': 'sourceStart',
    hidden: true,
  });
  const notes = notesView((format) => {
    byId('lines-format', HTMLSelectElement).value = format;
    choose({ format, field: undefined });
  });
  return el(
    'div',
    { class: 'text' },
    el('label', { for: 'lines', 'data-t': 'lines' }),
    el('p', { id: 'source', hidden: true }, sourceName, ' ', toLines),
    start,
    linesField(),
    el(
      'div',
      { class: 'foot' },
      readingControls(),
      fileButton('lines-file', 'chooseFiles', useFiles, { multiple: true }),
      actionButton('copyLink', () => shareLink()),
      find,
    ),
    ...notes,
  );
}

/** Starts the view. `shareLink` copies a link to it. */
export function startDuplicates(shareLink: () => void): void {
  const source = sourceView(shareLink);
  const cancel = actionButton('cancel', () => {
    stop();
    showNote('cancelled');
  });
  byId('collect').append(source, workingLine(cancel));
  acceptDrops(source, useFiles);
  showNote('limits', { megabytes: COLLECTION_LIMIT / 1e6 });
  const licences = el('a', { href: 'sample.md', 'data-t': 'sampleLicencesLink' });
  byId('collections').append(actionButton('collectionReal', useSample), licences);
}

// The duplicates view: the near-duplicates in a collection of texts.

import { MIN_FEATURES } from '../../js/dedupe/decision-options.js';
import { areManyBreaks, isLargeFamily } from '../../js/report/notices.js';
import { acceptDrops, fileButton } from '../files/choose-files.js';
import { download } from '../files/download.js';
import { encodingChoice } from '../files/encodings.js';
import { currentLanguage, type Message, number, onLanguage, type PlainKey, percent, t } from '../locales/locale.js';
import { optionsOf, type Scheme, sketchIdOf, sketchOptionsOf } from '../scheme/scheme.js';
import { toPercent } from '../scheme/threshold.js';
import { followDirection } from '../shared/direction.js';
import { byId, debounced, el } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { messageIn, type ShowMessage } from '../shared/message.js';
import { showStartOfPaste } from '../shared/paste.js';
import { onChange, state, update } from '../shared/state.js';
import { clipped } from '../shared/words.js';
import { WorkerClient } from '../shared/worker-client.js';
import { type ClusterActions, clustersView, member } from './clusters-view.js';
import {
  type Choices,
  COLLECTION_LIMIT,
  type Collection,
  type CollectionDocument,
  fromFiles,
  fromText,
} from './collection.js';
import { type Cluster, clustersOf, type Search } from './find-clusters.js';
import { type Format, formats } from './format.js';
import { Histogram } from './histogram.js';
import { recipeView } from './recipe.js';
import type { Progress } from './slices.js';

const worker = new WorkerClient('duplicates-worker.js');
const histogram = new Histogram();

/** The characters sent to the Worker at once: the page copies them, which must not freeze a frame. */
const BATCH = 500_000;

/** A search for near-duplicates, with its collection. */
interface Result extends Search {
  collection: Collection;
  scheme: Scheme;
  threshold: number;
  /** The time in milliseconds that the sketches took. */
  sketching: number;
  clusters: Cluster[];
}

let collection: Collection | null = null;
/** The result of the last search. */
let result: Result | null = null;
let showNote: ShowMessage;
let showName: ShowMessage;
let showUnread: ShowMessage;
let showEnd: ShowMessage;
let showBroken: ShowMessage;
let showSuspicion: ShowMessage;
/** The number of the latest reading. Earlier readings stop. */
let readings = 0;

/** Reads texts. */
type Read = (choices: Choices, progress: Progress) => Promise<Collection>;

/** Thrown to end a reading that a later one has replaced. */
class Replaced extends Error {}

/** Reads the source, which is kept for other choices: files or the sample. Undefined if it is the lines of the field. */
let readSource: Read | undefined;
/** The format and the field that the user has chosen. */
let choices: Choices = {};

const formatNames = {
  lines: 'formatLines',
  jsonl: 'formatJsonl',
  json: 'formatJson',
  table: 'formatTable',
} as const satisfies Record<Format, PlainKey>;

/** Returns the name and the first lines of the exported file. */
const exportFileOf = (format: Format, header = ''): [name: string, head: string[]] => {
  if (format === 'table') return [header.includes('\t') ? 'kept.tsv' : 'kept.csv', [`${header}\n`]];
  return [format === 'lines' ? 'kept.txt' : 'kept.jsonl', []];
};

/** Returns a function that shows the progress of a stage. */
const progress =
  (stage: 'reading' | 'sketching' | 'searching'): Progress =>
  (share) => {
    byId('progress', HTMLProgressElement).value = share;
    byId('progress-stage').textContent = t(stage, { share: percent(share) });
  };

function setWorking(working: boolean): void {
  byId('working').hidden = !working;
  byId('found').inert = working;
}

/** Sends the texts to the Worker, which sketches them. Resolves to the time that this takes, in milliseconds. */
async function sketchAll(documents: CollectionDocument[]): Promise<number> {
  const show = progress('sketching');
  let took = 0;
  let batch: CollectionDocument[] = [];
  let length = 0;
  for (const [at, document] of documents.entries()) {
    batch.push(document);
    length += document.text.length;
    if (length < BATCH && at < documents.length - 1) continue;
    const texts = batch.map(({ text }) => text);
    took += await worker.request('add', { texts });
    show((at + 1) / documents.length);
    batch = [];
    length = 0;
  }
  return took;
}

/** Clears the result: the Worker may have lost the collection that a new threshold needs. */
function discard(): void {
  result = null;
  byId('found').replaceChildren();
}

function fail(error: unknown): void {
  discard();
  showNote('failed', { message: errorMessage(error) });
}

/** Brings the number of clusters into the window, if it is below: on a phone, the list of texts fills it. */
function revealResult(): void {
  const head = byId('found-verdict');
  if (head.getBoundingClientRect().bottom > innerHeight) head.scrollIntoView({ block: 'center' });
}

/** Sketches the collection and finds its clusters. */
async function search(): Promise<void> {
  if (collection === null) return;
  worker.stop(); // Earlier requests are out of date.
  setWorking(true);
  try {
    const searched = collection;
    const { scheme, threshold } = state;
    await worker.request('open', { options: sketchOptionsOf(optionsOf(scheme)) });
    const sketching = await sketchAll(searched.documents);
    const found = await worker.request('find', { minResemblance: threshold }, progress('searching'));
    if (found !== null) {
      result = {
        ...found,
        collection: searched,
        scheme,
        threshold,
        sketching,
        clusters: clustersOf(found),
      };
      showResult(result);
      revealResult();
    }
    if (threshold !== state.threshold) clusterSoon();
  } catch (error) {
    fail(error);
  }
  setWorking(false);
}

/** Finds the clusters again, for the present threshold. A later search ends this one. */
async function cluster(): Promise<void> {
  if (!result || !byId('working').hidden) return;
  const { threshold } = state;
  const found = await worker.request('find', { minResemblance: threshold }).catch(fail);
  if (!found || !result) return;
  result = { ...result, ...found, threshold, clusters: clustersOf(found) };
  showClusters(result);
}

const clusterSoon = debounced(cluster, 60);

function exportKept({ collection: { documents, format, header }, isDropped }: Result): void {
  const kept = documents.filter((_, at) => !isDropped[at]);
  const [name, head] = exportFileOf(format, header);
  download(name, head.concat(kept.map(({ raw }) => `${raw}\n`)));
}

/** Downloads the report of `--report-html`. */
async function exportReport({ collection, threshold, scheme, short, selection }: Result): Promise<void> {
  const textOf = ({ name, text }: CollectionDocument) => ({ name, text });
  const texts = new Map([...selection.wanted].map((at) => [at, textOf(collection.documents[at])]));
  const data = { ...selection, texts, scheme: sketchIdOf(scheme), minResemblance: threshold, short, few: MIN_FEATURES };
  const language = currentLanguage();
  download('report.html', [await worker.request('report', { data, language })]);
}

const actions: ClusterActions = {
  diff: (a, b) => worker.request('diff', { a, b }),
  compare(a, b) {
    update({ a, b, summaries: null });
    location.hash = '#compare';
    byId('main').focus();
  },
};

/** Returns the pairs on one side of the threshold, the nearest to it first. */
function missesView({ collection: { documents }, selection }: Result, side: 'above' | 'below'): HTMLElement {
  const pairs = selection[side].map(({ at, kept, resemblance }) =>
    member(documents[kept], documents[at], resemblance, actions),
  );
  const none = el('p', { class: 'hint' }, t('missesNone'));
  return el(
    'div',
    {},
    el('h4', {}, t(side === 'above' ? 'missesAbove' : 'missesBelow')),
    pairs.length > 0 ? el('ul', {}, ...pairs) : none,
  );
}

/** Returns what a person should know before deleting anything, as the summary of the command line does. */
function noticesOf({ collection, clusters, blank }: Result): HTMLElement[] {
  const { documents, damaged, quoted } = collection;
  const total = number(documents.length);
  const notices: string[] = [];
  if (damaged > 0) notices.push(t('noticeDamaged', { n: damaged, count: number(damaged), total }));
  if (blank > 0) notices.push(t('noticeBlank', { n: blank, count: number(blank), total }));
  if (areManyBreaks(quoted.breaks, quoted.rows))
    notices.push(t('noticeBreaks', { n: quoted.breaks, count: number(quoted.breaks), rows: number(quoted.rows) }));
  const largest = clusters.reduce<Cluster | undefined>(
    (most, next) => (next.duplicates.length > (most?.duplicates.length ?? 0) ? next : most),
    undefined,
  );
  if (largest !== undefined && isLargeFamily(largest.duplicates.length, documents.length)) {
    const name = clipped(documents[largest.representative].name);
    const least = largest.duplicates.reduce((least, { resemblance }) => Math.min(least, resemblance), 1);
    const count = number(largest.duplicates.length);
    notices.push(
      least === 1
        ? t('noticeCopies', { count, total, name })
        : t('noticeFamily', { count, total, name, share: percent(toPercent(least) / 100) }),
    );
  }
  return notices.map((notice) => el('p', { class: 'notice' }, notice));
}

function showClusters(result: Result): void {
  const { collection, clusters, selection, threshold, scheme, sketching, took } = result;
  const total = collection.documents.length;
  const dropped = clusters.reduce((sum, { duplicates }) => sum + duplicates.length, 0);
  byId('found-verdict').textContent = t('foundVerdict', {
    total,
    dropped,
    clusters: clusters.length,
    threshold: percent(threshold),
    units: t(`units:${scheme.features}`),
    number,
  });
  byId('found-notices').replaceChildren(...noticesOf(result));
  byId('found-took').textContent = t('foundTook', { sketching: number(sketching), took: number(took) });
  histogram.show(selection.counts);
  byId('miss-list').replaceChildren(missesView(result, 'above'), missesView(result, 'below'));
  byId('cluster-list').replaceChildren(...clustersView(clusters, collection.documents, actions));
  byId('cluster-section').hidden = clusters.length === 0;
  byId('recipes').replaceChildren(...recipeView({ collection, scheme, threshold }));
}

function showResult(found: Result): void {
  const exporting = el('button', { type: 'button', id: 'export' }, t('export'));
  exporting.addEventListener('click', () => {
    if (result) exportKept(result);
  });
  const reporting = el('button', { type: 'button', id: 'export-report' }, t('exportReport'));
  reporting.addEventListener('click', () => {
    if (result) exportReport(result);
  });
  const units = t(`units:${found.scheme.features}`);
  const sections = [
    el(
      'div',
      { class: 'found-head' },
      el('p', { id: 'found-verdict', class: 'found-verdict', role: 'status' }),
      el('div', { id: 'found-notices' }),
      el('p', { class: 'exports' }, exporting, reporting),
      el('p', { id: 'found-took', class: 'hint' }),
    ),
    el(
      'div',
      { id: 'cluster-section', class: 'found-main' },
      el('h3', {}, t('clustersTitle')),
      el('p', { class: 'explain' }, t('clustersExplain', { few: MIN_FEATURES })),
      el('div', { id: 'cluster-list' }),
    ),
    el(
      'div',
      { class: 'found-side' },
      el('h3', {}, t('histogramTitle')),
      el('p', { class: 'explain' }, t('histogramExplain', { units })),
      histogram.element,
      el('h3', {}, t('missesTitle')),
      el('p', { class: 'explain' }, t('missesExplain')),
      el('div', { id: 'miss-list' }),
    ),
    el(
      'div',
      { class: 'found-recipes' },
      el('h3', {}, t('recipeTitle')),
      el('p', { class: 'explain' }, t('recipeExplain')),
      el('div', { id: 'recipes' }),
    ),
  ];
  byId('found').replaceChildren(el('div', { class: 'found-grid' }, ...sections));
  showClusters(found);
}

/** Shows the problems of a collection, and the other format or encoding that it may have. */
function showProblems({ broken, unread, end, suspected }: Collection): void {
  showUnread(...(unread.length > 0 ? unread[0].describe(unread.length - 1) : ([] as [])));
  showEnd(...(end !== undefined ? (['unreadRest', { line: end }] as const) : ([] as [])));
  showBroken(...(broken.length > 0 ? (['brokenLines', { lines: broken }] as const) : ([] as [])));
  if (suspected === undefined) showSuspicion();
  else showSuspicion('suspected', { format: t(formatNames[suspected]) });
  const convert = byId('lines-convert');
  convert.hidden = suspected === undefined;
  convert.dataset.format = suspected;
}

/** Shows the fields that can be the text. */
function showFields({ fields, field }: Collection): void {
  const select = byId('lines-field', HTMLSelectElement);
  select.replaceChildren(...fields.map((name) => el('option', { value: name }, name.slice(0, 40))));
  select.value = field;
  byId('field-choice').hidden = fields.length < 2;
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
    setWorking(false);
    showNote('failed', { message: errorMessage(error) });
    return;
  }
  if (mine !== readings) return;
  byId('source-start').textContent = clipped(next.start);
  showProblems(next);
  const { documents, broken, unread } = next;
  if (documents.length < 2) {
    setWorking(false);
    if (unread.some(({ isEncoding }) => isEncoding)) showNote('chooseEncoding');
    else showNote(documents.length === 0 && unread.length + broken.length > 0 ? 'nothingRead' : 'tooFew');
    return;
  }
  showFields(next);
  showNote('taken', { n: documents.length, count: number(documents.length), format: t(formatNames[next.format]) });
  collection = next;
  search();
}

/** Reads the lines of the field. */
const readLines: Read = (choices, progress) => fromText(state.lines, choices, progress);

/** Searches the source. */
const searchSource = (): Promise<void> => searchIn(readSource ?? readLines);

/** Shows the source: the name of files, and the start of their texts, or else the field. */
function showSource(name: Message | null): void {
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
  if (readSource !== undefined || collection !== null) searchSource();
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

/** Starts the view. `shareLink` copies a link to it. */
export function startDuplicates(shareLink: () => void): void {
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
  area.addEventListener('input', () => update({ lines: area.value }));
  showStartOfPaste(area);
  const find = actionButton('find', searchSource);
  find.classList.add('primary');
  const problems = [1, 2, 3].map(() => el('p', { class: 'error' }));
  const error = el('div', { id: 'lines-problem', role: 'alert' }, ...problems);
  const suspicion = el('span', { id: 'lines-suspicion', role: 'status' });
  const convert = actionButton('readAsThat', () => {
    const format = formats.find((each) => each === convert.dataset.format);
    byId('lines-format', HTMLSelectElement).value = format ?? '';
    choose({ format, field: undefined });
  });
  convert.id = 'lines-convert';
  convert.hidden = true;
  const note = el('p', { class: 'hint', id: 'lines-note', role: 'status' });
  const cancel = actionButton('cancel', () => {
    readings++;
    worker.stop();
    setWorking(false);
    discard();
    showNote('cancelled');
  });
  const sourceName = el('strong');
  const toLines = actionButton('useLines', useLines);
  toLines.classList.add('quiet');
  const copyLink = actionButton('copyLink', () => shareLink());
  const field = el(
    'div',
    { class: 'text' },
    el('label', { for: 'lines', 'data-t': 'lines' }),
    el('p', { id: 'source', hidden: true }, sourceName, ' ', toLines),
    el('pre', {
      id: 'source-start',
      dir: 'auto',
      tabindex: 0,
      role: 'region',
      'data-t-label': 'sourceStart',
      hidden: true,
    }),
    area,
    el(
      'div',
      { class: 'foot' },
      readingControls(),
      fileButton('lines-file', 'chooseFiles', useFiles, { multiple: true }),
      copyLink,
      find,
    ),
    note,
    el('p', { class: 'suspicion' }, suspicion, ' ', convert),
    error,
  );
  const bar = el('progress', { id: 'progress', max: 1, value: 0, 'aria-labelledby': 'progress-stage' });
  const stage = el('span', { id: 'progress-stage' });
  const workingLine = el('div', { class: 'working', id: 'working', hidden: true }, stage, bar, cancel);
  byId('collect').append(field, workingLine);
  acceptDrops(field, useFiles);
  showNote = messageIn(note);
  showName = messageIn(sourceName);
  [showUnread, showEnd, showBroken] = problems.map(messageIn);
  showSuspicion = messageIn(suspicion);
  showNote('limits', { megabytes: COLLECTION_LIMIT / 1e6 });
  const licences = el('a', { href: 'sample.md', 'data-t': 'sampleLicencesLink' });
  byId('collections').append(actionButton('collectionReal', useSample), licences);
  onChange((changed) => {
    if (changed.has('lines')) show();
    if (collection && changed.has('scheme')) searchSoon();
    else if (result && changed.has('threshold')) clusterSoon();
  });
  onLanguage(() => {
    if (result) showResult(result);
  });
}

const searchSoon = debounced(search, 150);

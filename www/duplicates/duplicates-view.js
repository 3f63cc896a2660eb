// The duplicates view: the near-duplicates in a collection of texts.

import { MIN_FEATURES } from 'nearprint';
import { acceptDrops, fileButton } from '../files/choose-files.js';
import { download } from '../files/download.js';
import { number, onLanguage, t } from '../locales/locale.js';
import { optionsOf } from '../scheme/scheme.js';
import { byId, debounced, el } from '../shared/dom.js';
import { messageIn } from '../shared/message.js';
import { onChange, state, update } from '../shared/state.js';
import { WorkerClient } from '../shared/worker-client.js';
import { clustersView } from './clusters-view.js';
import { COLLECTION_LIMIT, fromFiles, fromLines } from './collection.js';
import { Histogram } from './histogram.js';
import { syntheticNotices } from './synthetic.js';

const worker = new WorkerClient();
const histogram = new Histogram();

/** The collection `{ documents, broken, blank, json, unread }`, and the result of the last search. */
let collection = null;
let result = null;
let showNote;
let showProblem;
/** Whether the Worker finds clusters for another threshold. */
let clustering = false;

const progress = (stage) => (share) => {
  byId('progress').value = share;
  byId('progress-stage').textContent = t(stage, { share: number(share * 100) });
};

function setWorking(working) {
  byId('working').hidden = !working;
  byId('found').inert = working;
}

/** Stops whatever the Worker does. */
function stopWorker() {
  worker.stop();
  clustering = false;
}

/** Finds the clusters and the distances of the collection. */
async function search() {
  const { documents } = collection;
  stopWorker();
  setWorking(true);
  try {
    const { scheme, threshold } = state;
    await worker.request('load', { texts: documents.map(({ text }) => text), options: optionsOf(scheme) });
    const found = await worker.request('clusters', { maxDistance: threshold }, progress('searching'));
    const pairs = await worker.request('distances', {}, progress('counting'));
    result = { bits: scheme.bits, threshold, pairs, ...found };
    showResult();
    if (threshold !== state.threshold) clusterSoon();
  } catch ({ message }) {
    showNote('failed', { message });
  }
  setWorking(false);
}

/** Finds the clusters again, for the present threshold. */
async function cluster() {
  if (clustering || !result || !byId('working').hidden) return;
  const { threshold } = state;
  clustering = true;
  const found = await worker.request('clusters', { maxDistance: threshold }).finally(() => {
    clustering = false;
  });
  if (threshold !== state.threshold) return clusterSoon();
  result = { ...result, threshold, ...found };
  showClusters();
}

const clusterSoon = debounced(cluster, 60);

function droppedOf(clusters) {
  return new Set(clusters.flatMap(({ duplicates }) => duplicates.map(({ at }) => at)));
}

function exportKept() {
  const dropped = droppedOf(result.clusters);
  const kept = collection.documents.filter((_, at) => !dropped.has(at));
  download(collection.json ? 'kept.jsonl' : 'kept.txt', `${kept.map(({ raw }) => raw).join('\n')}\n`);
}

const actions = {
  diff: (a, b) => worker.request('diff', { a, b }),
  compare(a, b) {
    update({ a, b, fingerprints: null });
    location.hash = '#compare';
    byId('main').focus();
  },
};

function showClusters() {
  const { clusters, threshold, bits, took } = result;
  const total = collection.documents.length;
  const dropped = clusters.reduce((sum, { duplicates }) => sum + duplicates.length, 0);
  byId('found-verdict').textContent = t('foundVerdict', {
    total,
    dropped,
    clusters: clusters.length,
    threshold,
    bits,
    number,
  });
  byId('found-took').textContent = t('foundTook', { took: number(took) });
  byId('cluster-list').replaceChildren(...clustersView(clusters, collection.documents, actions));
}

function showResult() {
  const exporting = el('button', { type: 'button', id: 'export' }, t('export'));
  exporting.addEventListener('click', exportKept);
  byId('found').replaceChildren(
    el('p', { id: 'found-verdict', class: 'found-verdict', role: 'status' }),
    el('p', { id: 'found-took', class: 'explain' }),
    el('p', {}, exporting),
    el('h3', {}, t('histogramTitle')),
    el('p', { class: 'explain' }, t('histogramExplain')),
    histogram.element,
    el('h3', {}, t('clustersTitle')),
    el('p', { class: 'explain' }, t('clustersExplain', { few: MIN_FEATURES })),
    el('div', { id: 'cluster-list' }),
  );
  histogram.show(result.pairs, collection.documents.length);
  showClusters();
}

/** Shows the problems of a collection, and searches the documents that could be read. */
function searchIn(next) {
  const { documents, broken = [], blank = 0, unread = [] } = next;
  const [file] = unread;
  if (file) showProblem(file.key, { ...file.values, more: unread.length - 1 });
  else if (broken.length > 0) showProblem('brokenLines', { lines: broken });
  else showProblem(blank > 0 ? 'blankLines' : undefined, { blank });
  if (documents.length < 2) {
    showNote(documents.length === 0 && unread.length + broken.length > 0 ? 'nothingRead' : 'tooFew');
    return;
  }
  showNote('taken', { n: documents.length, count: number(documents.length) });
  collection = next;
  search();
}

async function useSample() {
  try {
    const response = await fetch('sample.jsonl');
    if (!response.ok) throw new Error(response.statusText);
    searchIn(fromLines(await response.text(), true));
  } catch {
    showNote('sampleMissing');
  }
}

function collectionButton(key, take) {
  const button = el('button', { type: 'button', 'data-t': key });
  button.addEventListener('click', take);
  return button;
}

export function startDuplicates() {
  const area = el('textarea', {
    id: 'lines',
    dir: 'auto',
    spellcheck: 'false',
    'data-t-placeholder': 'linesPlaceholder',
    'aria-describedby': 'lines-note lines-problem',
  });
  area.value = state.lines;
  area.addEventListener('input', () => update({ lines: area.value }));
  const takeFiles = async (files) => files.length > 0 && searchIn(await fromFiles(files));
  const find = collectionButton('find', () => searchIn(fromLines(area.value)));
  find.classList.add('primary');
  const error = el('p', { class: 'error', id: 'lines-problem', role: 'alert' });
  const note = el('span', { class: 'hint', id: 'lines-note', role: 'status' });
  const cancel = collectionButton('cancel', () => {
    stopWorker();
    setWorking(false);
    // The Worker had the collection: without it the threshold of a shown result cannot change.
    result = null;
    byId('found').replaceChildren();
    showNote('cancelled');
  });
  const field = el(
    'div',
    { class: 'text' },
    el('label', { for: 'lines', 'data-t': 'lines' }),
    area,
    el('div', { class: 'foot' }, note, fileButton('lines-file', 'chooseFiles', takeFiles, { multiple: true }), find),
    error,
  );
  const bar = el('progress', { id: 'progress', max: 1, value: 0, 'aria-labelledby': 'progress-stage' });
  const stage = el('span', { id: 'progress-stage' });
  const workingLine = el('div', { class: 'working', id: 'working', hidden: true }, stage, bar, cancel);
  byId('collect').append(field, workingLine);
  acceptDrops(field, takeFiles);
  showNote = messageIn(note);
  showProblem = messageIn(error);
  showNote('limits', { megabytes: COLLECTION_LIMIT / 1e6 });
  const licences = el('a', { href: 'sample.md', 'data-t': 'sampleLicencesLink' });
  byId('collections').append(
    collectionButton('collectionReal', useSample),
    collectionButton('collectionSynthetic', () => searchIn({ documents: syntheticNotices(), json: false })),
    licences,
  );
  onChange((changed) => {
    if (changed.has('lines') && area.value !== state.lines) area.value = state.lines;
    if (collection && changed.has('scheme')) searchSoon();
    else if (result && changed.has('threshold')) clusterSoon();
  });
  onLanguage(() => result && showResult());
}

const searchSoon = debounced(search, 150);

// The second view: the near-duplicates in a collection.
import { clustersView } from './clusters-view.js';
import { COLLECTION_LIMIT, fromFiles, fromLines } from './collection.js';
import { byId, debounced, el } from './dom.js';
import { acceptDrops, fileButton } from './drop.js';
import { Histogram } from './histogram.js';
import { number, onLanguage, t } from './i18n.js';
import { madeUp } from './made-up.js';
import { messageIn } from './message.js';
import { MIN_FEATURES } from './pkg/index.js';
import { optionsOf } from './recipe.js';
import { Remote } from './remote.js';
import { save } from './save.js';
import { onChange, state, update } from './state.js';

const remote = new Remote();
const histogram = new Histogram();

/** The collection `{ documents, broken, blank, json, unread }`, and what is known of it. */
let collection = null;
let found = null;
let say;
let problem;

const progress = (stage) => (share) => {
  byId('progress').value = share;
  byId('progress-stage').textContent = t(stage, { share: number(share * 100) });
};

function working(is) {
  byId('working').hidden = !is;
  byId('found').inert = is;
}

/** Fingerprints, clusters and distances of the collection, by the present recipe. */
async function search() {
  const { documents } = collection;
  remote.stop();
  working(true);
  try {
    const texts = documents.map(({ text }) => text);
    const took = await remote.ask('load', { texts, options: optionsOf(state.recipe) }, progress('fingerprinting'));
    const { clusters, took: searched } = await remote.ask('clusters', { maxDistance: state.threshold });
    const pairs = await remote.ask('distances', {}, progress('counting'));
    found = { bits: state.recipe.bits, threshold: state.threshold, clusters, pairs, took: { ...took, searched } };
    show();
    if (found.threshold !== state.threshold) clusterAgain();
  } catch ({ message }) {
    say('failed', { message });
  }
  working(false);
}

/** Another threshold needs no new fingerprints. */
const clusterAgain = debounced(async () => {
  if (!found || !byId('working').hidden) return;
  const threshold = state.threshold;
  const { clusters, took } = await remote.ask('clusters', { maxDistance: threshold });
  if (threshold !== state.threshold) return;
  found = { ...found, threshold, clusters, took: { ...found.took, searched: took } };
  showClusters();
}, 60);

function droppedOf(clusters) {
  return new Set(clusters.flatMap(({ others }) => others.map(({ at }) => at)));
}

function exportKept() {
  const dropped = droppedOf(found.clusters);
  const kept = collection.documents.filter((_, at) => !dropped.has(at));
  save(collection.json ? 'kept.jsonl' : 'kept.txt', `${kept.map(({ raw }) => raw).join('\n')}\n`);
}

const actions = {
  diff: (a, b) => remote.ask('diff', { a, b }),
  compare(a, b) {
    update({ a, b, prints: null });
    location.hash = '#compare';
    byId('main').focus();
  },
};

function showClusters() {
  const { clusters, threshold, bits, took } = found;
  const total = collection.documents.length;
  const dropped = clusters.reduce((sum, { others }) => sum + others.length, 0);
  byId('found-verdict').textContent = t('foundVerdict', {
    total,
    dropped,
    clusters: clusters.length,
    threshold,
    bits,
    number,
  });
  byId('found-took').textContent = t('foundTook', {
    fingerprints: number(took.fingerprints),
    search: number(took.index + took.searched, 1),
  });
  byId('cluster-list').replaceChildren(...clustersView(clusters, collection.documents, actions));
}

function show() {
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
  histogram.show(found.pairs, collection.documents.length);
  showClusters();
}

/** What is wrong with the collection is told; the rest of it is used. */
function use(next) {
  const { documents, broken = [], blank = 0, unread = [] } = next;
  const [file] = unread;
  if (file) problem(file.key, { ...file.values, more: unread.length - 1 });
  else if (broken.length > 0) problem('brokenLines', { lines: broken });
  else problem(blank > 0 ? 'blankLines' : undefined, { blank });
  if (documents.length < 2) {
    say(documents.length === 0 && unread.length + broken.length > 0 ? 'nothingRead' : 'tooFew');
    return;
  }
  say('taken', { n: documents.length, count: number(documents.length) });
  collection = next;
  search();
}

async function useSample() {
  try {
    const response = await fetch(new URL('./sample.jsonl', import.meta.url));
    if (!response.ok) throw new Error(response.statusText);
    use(fromLines(await response.text(), true));
  } catch {
    say('sampleMissing');
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
  const takeFiles = async (files) => files.length > 0 && use(await fromFiles(files));
  const find = collectionButton('find', () => use(fromLines(area.value)));
  find.classList.add('primary');
  const error = el('p', { class: 'error', id: 'lines-problem', role: 'alert' });
  const note = el('span', { class: 'hint', id: 'lines-note', role: 'status' });
  const cancel = collectionButton('cancel', () => {
    remote.stop();
    working(false);
    // The Worker is gone, and with it the fingerprints that belong to what is shown.
    found = null;
    byId('found').replaceChildren();
    say('cancelled');
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
  say = messageIn(note);
  problem = messageIn(error);
  say('limits', { megabytes: COLLECTION_LIMIT / 1e6 });
  problem();
  const licences = el('a', { href: 'sample.md', 'data-t': 'sampleLicencesLink' });
  byId('collections').append(
    collectionButton('collectionReal', useSample),
    collectionButton('collectionMade', () => use({ documents: madeUp(), json: false })),
    licences,
  );
  onChange((changed) => {
    if (changed.has('lines') && area.value !== state.lines) area.value = state.lines;
    if (collection && changed.has('recipe')) searchSoon();
    else if (found && changed.has('threshold')) clusterAgain();
  });
  onLanguage(() => found && show());
}

const searchSoon = debounced(search, 150);

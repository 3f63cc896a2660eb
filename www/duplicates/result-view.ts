// The result of a search: what is kept, the clusters, the pairs at the threshold, and how to do the same elsewhere.
import { MIN_FEATURES } from '../../js/dedupe/decision-options.js';
import { areManyBreaks, isLargeFamily } from '../../js/report/notices.js';
import { download } from '../files/download.js';
import { currentLanguage, inPercent, number, percent, t } from '../locales/locale.js';
import { type Scheme, sketchIdOf } from '../scheme/scheme.js';
import { byId, el } from '../shared/dom.js';
import { update } from '../shared/state.js';
import { clipped } from '../shared/words.js';
import { type ClusterActions, clustersView, member } from './clusters-view.js';
import type { Collection, CollectionDocument } from './collection.js';
import type { Cluster, Search } from './find-clusters.js';
import { worker } from './finder-worker.js';
import type { Format } from './format.js';
import { Histogram } from './histogram.js';
import { recipeView } from './recipe.js';

/** A search for near-duplicates, with its collection. */
export interface Result extends Search {
  collection: Collection;
  scheme: Scheme;
  threshold: number;
  /** The time in milliseconds that the sketches took. */
  sketching: number;
  clusters: Cluster[];
}

const histogram = new Histogram();

/** Returns the name and the first lines of the exported file. */
const exportFileOf = (format: Format, header = ''): [name: string, head: string[]] => {
  if (format === 'table') return [header.includes('\t') ? 'kept.tsv' : 'kept.csv', [`${header}\n`]];
  return [format === 'lines' ? 'kept.txt' : 'kept.jsonl', []];
};

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
        : t('noticeFamily', { count, total, name, share: inPercent(least) }),
    );
  }
  return notices.map((notice) => el('p', { class: 'notice' }, notice));
}

/** Shows what depends on the threshold, in a result that is shown. */
export function showClusters(result: Result): void {
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
  byId('export').onclick = () => exportKept(result);
  byId('export-report').onclick = () => exportReport(result);
  histogram.show(selection.counts);
  byId('miss-list').replaceChildren(missesView(result, 'above'), missesView(result, 'below'));
  byId('cluster-list').replaceChildren(...clustersView(clusters, collection.documents, actions));
  byId('cluster-section').hidden = clusters.length === 0;
  byId('recipes').replaceChildren(...recipeView({ collection, scheme, threshold }));
}

export function showResult(found: Result): void {
  const units = t(`units:${found.scheme.features}`);
  const sections = [
    el(
      'div',
      { class: 'found-head' },
      el('p', { id: 'found-verdict', class: 'found-verdict', role: 'status' }),
      el('div', { id: 'found-notices' }),
      el(
        'p',
        { class: 'exports' },
        el('button', { type: 'button', id: 'export' }, t('export')),
        el('button', { type: 'button', id: 'export-report' }, t('exportReport')),
      ),
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

// The search of a collection, in the Worker.
import { onLanguage } from '../locales/locale.js';
import { optionsOf, sketchOptionsOf } from '../scheme/scheme.js';
import { byId, debounced } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { onChange, state } from '../shared/state.js';
import type { Collection, CollectionDocument } from './collection.js';
import { clustersOf } from './find-clusters.js';
import { worker } from './finder-worker.js';
import { type Result, showClusters, showResult } from './result-view.js';
import { showNote } from './source-notes.js';
import { progress, setWorking } from './working.js';

/** The characters sent to the Worker at once: the page copies them, which must not freeze a frame. */
const BATCH = 500_000;

let collection: Collection | null = null;
/** The result of the last search. */
let result: Result | null = null;

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

/** Sketches a collection and finds its clusters. */
async function search(searched: Collection): Promise<void> {
  worker.stop(); // Earlier requests are out of date.
  setWorking(true);
  try {
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

const searchSoon = debounced(() => collection && search(collection), 150);

/** Returns whether a collection was searched. */
export const hasSearched = (): boolean => collection !== null;

/** Searches a collection, and again for each other scheme and threshold. */
export function searchCollection(next: Collection): void {
  collection = next;
  search(next);
}

/** Ends the search, and removes its result: what is shown belongs to the collection that was searched last. */
export function endSearch(): void {
  collection = null;
  worker.stop();
  setWorking(false);
  discard();
}

onChange((changed) => {
  if (collection && changed.has('scheme')) searchSoon();
  else if (result && changed.has('threshold')) clusterSoon();
});
onLanguage(() => {
  if (result) showResult(result);
});

// The long work, off the page's thread.
import { clustersWithin, distances, load } from './collection-worker.js';
import { measured } from './measure.js';
import { diff } from './text-diff.js';

const kinds = {
  compare: ({ a, b, options }) => measured(a, b, options),
  load: ({ texts, options }, progress) => load(texts, options, progress),
  distances: (_, progress) => distances(progress),
  clusters: ({ maxDistance }) => clustersWithin(maxDistance),
  diff: ({ a, b }) => diff(a, b),
};

addEventListener('message', ({ data: { id, kind, payload } }) => {
  try {
    postMessage({ id, answer: kinds[kind](payload, (progress) => postMessage({ id, progress })) });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
});

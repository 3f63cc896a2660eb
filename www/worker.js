// The Worker: runs what would block the page.
import { summarize } from './compare/summarize.js';
import { countDistances } from './duplicates/distances.js';
import { ClusterFinder } from './duplicates/find-clusters.js';
import { diff } from './duplicates/text-diff.js';

let collection;
let finder;

const handlers = {
  compare: ({ a, b, options }) => summarize(a, b, options),
  load(given) {
    collection = given;
    finder = new ClusterFinder(given.texts, given.options);
  },
  clusters: ({ maxDistance }, progress) => finder.find(maxDistance, progress),
  distances: (_, progress) => countDistances(collection.texts, collection.options, progress),
  diff: ({ a, b }) => diff(a, b),
};

addEventListener('message', async ({ data: { id, kind, payload } }) => {
  try {
    const answer = await handlers[kind](payload, (progress) => postMessage({ id, progress }));
    postMessage({ id, answer });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
});

// The Worker of the collections: a bundle of its own, with the modules that the first screen does not need.
import { reportHtml } from '../js/report/report.js';
import { diff } from '../js/report/text-diff.js';
import { ClusterFinder } from './duplicates/find-clusters.js';
import { answerRequests } from './shared/answer-requests.js';

/** The collection of the last request to open one. */
let finder: ClusterFinder | undefined;

function openFinder(): ClusterFinder {
  if (finder === undefined) throw new Error('no collection is open');
  return finder;
}

answerRequests({
  open({ options }) {
    finder = new ClusterFinder(options);
    return undefined;
  },
  add: ({ texts }) => openFinder().add(texts),
  find: ({ minResemblance }, progress) => openFinder().find(minResemblance, progress),
  diff: ({ a, b }) => diff(a, b, { maxEditLength: 3000, timeout: 2000 }),
  report: ({ data, language }) => reportHtml(data, language),
});

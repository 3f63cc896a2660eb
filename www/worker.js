// The Worker: runs what would block the page.

import { reportHtml } from '../js/report/report.js';
import { diff } from '../js/report/text-diff.js';
import { findChanges } from './compare/changes.js';
import { summarize } from './compare/summarize.js';
import { ClusterFinder } from './duplicates/find-clusters.js';

let finder;

const handlers = {
  compare: ({ a, b, options }) => summarize(a, b, options),
  changes: ({ a, b, options }) => findChanges(a, b, options),
  open({ options }) {
    finder = new ClusterFinder(options);
  },
  add: ({ texts, groups }) => finder.add(texts, groups),
  find: ({ minResemblance }, progress) => finder.find(minResemblance, progress),
  diff: ({ a, b }) => diff(a, b),
  report: ({ data, language }) => reportHtml(data, language),
};

addEventListener('message', async ({ data: { id, kind, payload } }) => {
  try {
    const answer = await handlers[kind](payload, (progress) => postMessage({ id, progress }));
    postMessage({ id, answer });
  } catch (error) {
    postMessage({ id, error: String(error?.message ?? error) });
  }
});

// The Worker: runs the work that would block the page.

import { reportHtml } from '../js/report/report.js';
import { diff } from '../js/report/text-diff.js';
import { findChanges } from './compare/changes.js';
import { summarize } from './compare/summarize.js';
import { votersOf } from './compare/voters.js';
import { ClusterFinder } from './duplicates/find-clusters.js';
import type { Progress } from './duplicates/slices.js';
import { errorMessage } from './shared/error-message.js';
import type { Answer, Handlers, RequestKind, WorkerReply, WorkerRequest } from './shared/worker-messages.js';

/** The collection of the last request to open one. */
let finder: ClusterFinder | undefined;

function openFinder(): ClusterFinder {
  if (finder === undefined) throw new Error('no collection is open');
  return finder;
}

const handlers: Handlers = {
  compare: ({ a, b, options }) => summarize(a, b, options),
  changes: ({ a, b, options }) => findChanges(a, b, options),
  voters: ({ text, bit, limit, options }) => votersOf(text, bit, limit, options),
  open({ options }) {
    finder = new ClusterFinder(options);
    return undefined;
  },
  add: ({ texts, groups }) => openFinder().add(texts, groups),
  find: ({ minResemblance }, progress) => openFinder().find(minResemblance, progress),
  diff: ({ a, b }) => diff(a, b, { maxEditLength: 3000, timeout: 2000 }),
  report: ({ data, language }) => reportHtml(data, language),
};

/** Calls the handler of a request. */
const handle = <Kind extends RequestKind>(
  { kind, payload }: WorkerRequest<Kind>,
  progress: Progress,
): Answer<Kind> | Promise<Answer<Kind>> => handlers[kind](payload, progress);

const reply = (message: WorkerReply): void => postMessage(message);

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  const { id } = data;
  try {
    const answer = await handle(data, (share) => reply({ id, kind: 'progress', share }));
    reply({ id, kind: 'answer', answer });
  } catch (error) {
    reply({ id, kind: 'error', message: errorMessage(error) });
  }
});

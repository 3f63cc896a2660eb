// The Worker of the comparison: runs the work that would block the page.
import { findChanges } from './compare/changes.js';
import { summarize } from './compare/summarize.js';
import { votersOf } from './compare/voters.js';
import { answerRequests } from './shared/answer-requests.js';

answerRequests({
  compare: ({ a, b, options }) => summarize(a, b, options),
  changes: ({ a, b, options }) => findChanges(a, b, options),
  voters: ({ text, bit, limit, options }) => votersOf(text, bit, limit, options),
});

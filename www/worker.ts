// The Worker of the comparison: runs the work that would block the page.
import { findChanges } from './compare/changes.js';
import { compareTexts } from './compare/compared.js';
import { votersOf } from './compare/voters.js';
import { votesOfWord } from './compare/word-votes.js';
import { answerRequests } from './shared/answer-requests.js';

answerRequests({
  compare: ({ a, b, options }) => compareTexts(a, b, options),
  changes: ({ a, b, bits, options }) => findChanges(a, b, bits, options),
  voters: ({ text, bit, limit, options }) => votersOf(text, bit, limit, options),
  word: ({ text, span, bits, options }) => votesOfWord(text, span, bits, options),
});

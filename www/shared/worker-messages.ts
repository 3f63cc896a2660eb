// The messages between the page and its Workers.
import type { SketchOptions } from 'nearprint';
import type { SchemeOptions } from 'nearprint/simhash';
import type { reportHtml } from '../../js/report/report.js';
import type { diff } from '../../js/report/text-diff.js';
import type { Changes } from '../compare/changes.js';
import type { Compared } from '../compare/compared.js';
import type { Span } from '../compare/passages.js';
import type { Voters } from '../compare/voters.js';
import type { WordVotes } from '../compare/word-votes.js';
import type { Search } from '../duplicates/find-clusters.js';
import type { Progress } from '../duplicates/slices.js';
import type { Language } from '../locales/language.js';

/** The runs of a text diff. */
export type Runs = ReturnType<typeof diff>;

export type ReportData = Parameters<typeof reportHtml>[0];

interface TwoTexts {
  a: string;
  b: string;
}

interface ComparedTexts extends TwoTexts {
  options: SchemeOptions;
}

/** The payload of each kind of request. */
interface Payloads {
  compare: ComparedTexts;
  /** Finds the changes from the first text to the second. `bits` is the width of the fingerprints. */
  changes: ComparedTexts & { bits: number };
  /** Lists the voters of a bit: `limit` of each value. */
  voters: { text: string; bit: number; limit: number; options: SchemeOptions };
  /** Finds the votes of a word. */
  word: { text: string; span: Span; bits: number; options: SchemeOptions };
  /** Starts a new collection. */
  open: { options: SketchOptions };
  /** Adds texts to the collection. */
  add: { texts: string[] };
  /** Searches the collection. */
  find: { minResemblance: number };
  diff: TwoTexts;
  report: { data: ReportData; language: Language };
}

/** The answer to each kind of request. */
interface Answers {
  compare: Compared;
  changes: Changes | null;
  voters: Voters;
  word: WordVotes;
  open: undefined;
  /** The time in milliseconds. */
  add: number;
  /** Null if another search has begun. */
  find: Search | null;
  diff: Runs;
  report: string;
}

export type RequestKind = keyof Payloads;
export type Payload<Kind extends RequestKind> = Payloads[Kind];
export type Answer<Kind extends RequestKind> = Answers[Kind];

/** A message to the Worker. Its answer has the same id. */
export type WorkerRequest<Kind extends RequestKind = RequestKind> = {
  [K in Kind]: { id: number; kind: K; payload: Payloads[K] };
}[Kind];

/** A message from the Worker: the last one for an id is an answer or an error. */
export type WorkerReply =
  | { id: number; kind: 'progress'; share: number }
  | { id: number; kind: 'answer'; answer: Answer<RequestKind> }
  | { id: number; kind: 'error'; message: string };

/** The function that answers each kind of request. */
export type Handlers = {
  [K in RequestKind]: (payload: Payloads[K], progress: Progress) => Answers[K] | Promise<Answers[K]>;
};

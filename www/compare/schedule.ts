// Runs comparisons: small ones here, large ones in the Worker. While one runs, only the latest request waits.
import type { SchemeOptions } from 'nearprint/simhash';
import { WorkerClient } from '../shared/worker-client.js';
import type { Answer, Payload } from '../shared/worker-messages.js';
import { type Compared, compareTexts } from './compared.js';

/** The length of both texts, in UTF-16 code units, from which the Worker compares them. */
const LARGE = 100_000;

interface Request {
  a: string;
  b: string;
  options: SchemeOptions;
  show: (result: Compared) => void;
  showError: (error: unknown) => void;
}

const worker = new WorkerClient('worker.js');
let busy = false;
let waiting: Request | null = null;

/** Compares two texts. A newer request replaces a waiting one. */
export async function scheduleComparison(request: Request): Promise<void> {
  if (busy) {
    waiting = request;
    return;
  }
  const { a, b, options, show, showError } = request;
  const isSmall = a.length + b.length < LARGE;
  busy = true;
  try {
    const result = isSmall ? compareTexts(a, b, options) : await worker.request('compare', { a, b, options });
    if (waiting === null) show(result);
  } catch (error) {
    if (waiting === null) showError(error);
  }
  busy = false;
  if (waiting !== null) {
    const latest = waiting;
    waiting = null;
    scheduleComparison(latest);
  }
}

type Voting = 'voters' | 'word';

/** Resolves to votes, or to undefined if the request failed: they are an addition to what is shown. */
export async function requestVotes<Kind extends Voting>(
  kind: Kind,
  payload: Payload<Kind>,
): Promise<Answer<Kind> | undefined> {
  try {
    return await worker.request(kind, payload);
  } catch {
    return undefined;
  }
}

/** Resolves to the changes, to null if there are too many, or to undefined if the request failed. */
export async function requestChanges(payload: Payload<'changes'>): Promise<Answer<'changes'> | undefined> {
  try {
    return await worker.request('changes', payload);
  } catch {
    return undefined; // The marks are an addition: the comparison is shown without them.
  }
}

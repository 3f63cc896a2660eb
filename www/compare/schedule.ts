// Runs comparisons: small ones here, large ones in the Worker. While one runs, only the latest request waits.
import type { SchemeOptions } from 'nearprint/simhash';
import { WorkerClient } from '../shared/worker-client.js';
import type { Answer, Payload } from '../shared/worker-messages.js';
import { type BitComparison, compareBits } from './bits.js';
import type { Likeness } from './likeness.js';

/** The length of both texts, in UTF-16 code units, from which the Worker compares them. */
const LARGE = 100_000;

interface Request {
  a: string;
  b: string;
  options: SchemeOptions;
  /** Receives the bits first, and then what the verdict is based on. */
  showBits: (bits: BitComparison) => void;
  showLikeness: (likeness: Likeness) => void;
  showError: (error: unknown) => void;
}

const worker = new WorkerClient('worker.js');
let busy = false;
let waiting: Request | null = null;
let changeRequests = 0;

/** Compares two texts. A newer request replaces a waiting one. */
export async function compareTexts(request: Request): Promise<void> {
  if (busy) {
    waiting = request;
    return;
  }
  const { a, b, options, showBits, showLikeness, showError } = request;
  const isSmall = a.length + b.length < LARGE;
  busy = true;
  try {
    const bits = isSmall ? compareBits(a, b, options) : await worker.request('compare', { a, b, options });
    if (waiting === null) showBits(bits);
    // Loaded after the first bits are shown.
    const likeness = isSmall
      ? (await import('./likeness.js')).likenessOf(a, b, options)
      : await worker.request('likeness', { a, b, options });
    if (waiting === null) showLikeness(likeness);
  } catch (error) {
    if (waiting === null) showError(error);
  }
  busy = false;
  if (waiting !== null) {
    const latest = waiting;
    waiting = null;
    compareTexts(latest);
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

/** Resolves to the changes, or to null if there are too many. Resolves to undefined if a newer request was made or this one failed. */
export async function requestChanges(payload: Payload<'changes'>): Promise<Answer<'changes'> | undefined> {
  const mine = ++changeRequests;
  try {
    const changes = await worker.request('changes', payload);
    return mine === changeRequests ? changes : undefined;
  } catch {
    return undefined; // The marks are an addition: the comparison is shown without them.
  }
}

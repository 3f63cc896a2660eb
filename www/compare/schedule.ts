// Runs comparisons: small ones here, large ones in the Worker. While one runs, only the latest request waits.
import type { SchemeOptions } from 'nearprint';
import { WorkerClient } from '../shared/worker-client.js';
import type { Change } from './changes.js';
import { summarize, type TextComparison } from './summarize.js';
import type { Voters } from './voters.js';

/** The length of both texts, in UTF-16 code units, from which the Worker compares them. */
const LARGE = 100_000;

/** The arguments of `compareTexts`. */
type Comparing = [
  a: string,
  b: string,
  options: SchemeOptions,
  show: (result: TextComparison) => void,
  showError: (error: unknown) => void,
];

const worker = new WorkerClient('worker.js');
let busy = false;
let waiting: Comparing | null = null;
let changeRequests = 0;

/** Calls `show` with the result or, on failure, `showError`. A newer request replaces a waiting one. */
export async function compareTexts(...request: Comparing): Promise<void> {
  if (busy) {
    waiting = request;
    return;
  }
  const [a, b, options, show, showError] = request;
  try {
    if (a.length + b.length < LARGE) {
      show(summarize(a, b, options));
    } else {
      busy = true;
      const result = await worker.request('compare', { a, b, options });
      if (waiting === null) show(result);
    }
  } catch (error) {
    showError(error);
  }
  busy = false;
  if (waiting) {
    const latest = waiting;
    waiting = null;
    compareTexts(...latest);
  }
}

/** Resolves to the voters of a bit, or to undefined if the request failed. */
export async function requestVoters(
  text: string,
  bit: number,
  limit: number,
  options: SchemeOptions,
): Promise<Voters | undefined> {
  try {
    return await worker.request('voters', { text, bit, limit, options });
  } catch {
    return undefined; // The heaviest voters stay.
  }
}

/**
 * Resolves to the changes, or to null if there are too many. Resolves to undefined if a newer request was made or this
 * one failed.
 */
export async function requestChanges(
  a: string,
  b: string,
  options: SchemeOptions,
): Promise<Change[] | null | undefined> {
  const mine = ++changeRequests;
  try {
    const changes = await worker.request('changes', { a, b, options });
    return mine === changeRequests ? changes : undefined;
  } catch {
    return undefined; // The marks are an addition: the comparison is shown without them.
  }
}

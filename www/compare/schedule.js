// Runs comparisons: small ones here, large ones in the Worker. While one runs, only the latest request waits.
import { WorkerClient } from '../shared/worker-client.js';
import { summarize } from './summarize.js';

/** The length of both texts, in UTF-16 code units, from which the Worker compares them. */
const LARGE = 100_000;

const worker = new WorkerClient();
let busy = false;
let waiting = null;
let changeRequests = 0;

/** Calls `show(result)` or, on failure, `showError(error)`. A newer request replaces a waiting one. */
export async function compareTexts(a, b, options, show, showError) {
  if (busy) {
    waiting = [a, b, options, show, showError];
    return;
  }
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

/** Resolves to what `findChanges` returns, or to undefined if a newer request was made or this one failed. */
export async function requestChanges(a, b, options) {
  const mine = ++changeRequests;
  try {
    const changes = await worker.request('changes', { a, b, options });
    return mine === changeRequests ? changes : undefined;
  } catch {
    return undefined; // The marks are an addition: the comparison is shown without them.
  }
}

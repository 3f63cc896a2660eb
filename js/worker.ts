// A worker thread of js/node/pool.ts.
import { workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';
import { answerJobs, type Texts } from './node/workers.js';

const fingerprinter = new Fingerprinter(workerData);

answerJobs(async ({ bytes, ends }: Texts) => {
  const texts = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
  const value = fingerprinter.fingerprintAll(texts);
  // Newly allocated, so that its buffer is an ArrayBuffer of its own.
  return { value, transfer: [value.buffer as ArrayBuffer] };
});

// A worker thread of js/node/pool.ts: receives jobs and posts their results, one at a time.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';
import type { Texts } from './node/workers.js';

// Not null in a worker thread.
const port = parentPort as MessagePort;
const fingerprinter = new Fingerprinter(workerData);

port.on('message', ({ bytes, ends }: Texts) => {
  try {
    const texts = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
    const value = fingerprinter.fingerprintAll(texts);
    // Newly allocated, so that its buffer is an ArrayBuffer of its own.
    port.postMessage({ value }, [value.buffer as ArrayBuffer]);
  } catch (error) {
    port.postMessage({ error });
  }
});

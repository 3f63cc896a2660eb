// A worker thread of js/node/workers.js: receives jobs and posts their results, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';
import { documentReader } from './node/documents.js';

const fingerprinter = new Fingerprinter({ scheme: workerData.scheme });
const reader = workerData.read && documentReader(fingerprinter, workerData.read, true);

parentPort.on('message', async ({ bytes, ends, batch }) => {
  try {
    if (bytes) {
      const texts = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
      const value = fingerprinter.fingerprintAll(texts);
      parentPort.postMessage({ value }, [value.buffer]);
    } else {
      const value = (await reader)(batch);
      parentPort.postMessage({ value }, [value.bytes.buffer]);
    }
  } catch (error) {
    parentPort.postMessage({ error });
  }
});

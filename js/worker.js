// A worker thread of js/node/pool.js: receives jobs and posts their results, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';

const fingerprinter = new Fingerprinter({ scheme: workerData.scheme });

parentPort.on('message', ({ bytes, ends }) => {
  try {
    const texts = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
    const value = fingerprinter.fingerprintAll(texts);
    parentPort.postMessage({ value }, [value.buffer]);
  } catch (error) {
    parentPort.postMessage({ error });
  }
});

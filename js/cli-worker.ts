// A worker thread of the command line: reads batches of lines, one at a time.
import { parentPort, workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';
import { batchReader } from './node/documents.js';
import { lineScanner } from './node/lines.js';

const { scheme, read } = workerData;
const reader = batchReader(new Fingerprinter({ scheme }), read, lineScanner(scheme, read), true);

parentPort.on('message', async ({ batch }) => {
  try {
    const value = (await reader)(batch);
    parentPort.postMessage({ value }, [value.bytes.buffer, value.rows.buffer, value.sketches.buffer]);
  } catch (error) {
    parentPort.postMessage({ error });
  }
});

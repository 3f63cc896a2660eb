// A worker thread of the command line: runs jobs, one at a time.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Job } from './cli/document.js';
import { runJob } from './cli/job.js';
import { Fingerprinter } from './index.js';
import { batchReader, type ReaderSettings } from './node/documents.js';
import { lineScanner } from './node/lines.js';

// Not null in a worker thread.
const port = parentPort as MessagePort;
const { scheme, read }: { scheme: string; read: ReaderSettings } = workerData;
const reader = batchReader(new Fingerprinter({ scheme, key: read.key }), read, lineScanner(scheme, read), true);

port.on('message', async (job: Job) => {
  try {
    const value = runJob(await reader, job);
    const arrays = 'rows' in value ? [value.bytes, value.rows] : [value.lengths, value.ends];
    port.postMessage(
      { value },
      [value.sketches, ...arrays].map(({ buffer }) => buffer),
    );
  } catch (error) {
    port.postMessage({ error });
  }
});

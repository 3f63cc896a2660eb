// A worker thread of the command line: runs jobs, one at a time.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Fingerprinter } from './index.js';
import { type Job, jobReader, type ReadSettings } from './node/documents.js';
import { lineReader } from './node/lines.js';

// Not null in a worker thread.
const port = parentPort as MessagePort;
const { scheme, settings }: { scheme: string; settings: ReadSettings } = workerData;
const fingerprinter = new Fingerprinter({ scheme, key: settings.key });
const read = jobReader(fingerprinter, settings, lineReader(scheme, settings)?.scan, true);

async function answer(job: Job): Promise<void> {
  try {
    const value = await read(job);
    port.postMessage(
      { value },
      [value.bytes, value.rows, value.sketches].map(({ buffer }) => buffer),
    );
  } catch (error) {
    port.postMessage({ error });
  }
}

// Jobs are answered in their order, although a page may have to wait for its parser.
let last = Promise.resolve();
port.on('message', (job: Job) => {
  last = last.then(() => answer(job));
});

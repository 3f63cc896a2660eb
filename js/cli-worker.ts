// A worker thread of the command line.
import { workerData } from 'node:worker_threads';
import { Sketcher } from './index.js';
import { type Job, jobReader, type ReadSettings } from './node/documents.js';
import { lineScanner } from './node/lines.js';
import { answerJobs } from './node/workers.js';

const { scheme, settings }: { scheme: string; settings: ReadSettings } = workerData;
const sketcher = new Sketcher({ scheme, key: settings.key });
const read = jobReader(sketcher, settings, lineScanner(scheme, settings), true);

answerJobs(async (job: Job) => {
  const value = await read(job);
  return { value, transfer: [value.bytes.buffer, value.documents.buffer] };
});

// A worker thread of the command line.
import { workerData } from 'node:worker_threads';
import { Sketcher } from './index.js';
import type { Job, ReadSettings } from './node/job.js';
import { JobReader } from './node/job-reader.js';
import { lineScanner } from './node/line-scanner.js';
import { answerJobs } from './node/workers.js';

const { scheme, settings }: { scheme: string; settings: ReadSettings } = workerData;
const sketcher = new Sketcher({ scheme, key: settings.key });
const reader = new JobReader(sketcher, settings, { scan: lineScanner(scheme, settings), isIsolated: true });

answerJobs(async (job: Job) => {
  const value = await reader.read(job);
  return { value, transfer: [value.bytes.buffer, value.documents.buffer] };
});

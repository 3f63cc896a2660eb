// The jobs of threads.
import type { BatchReader, ReadLines, ReadTexts } from '../node/documents.js';
import type { Job } from './document.js';

/** Runs a job. */
export const runJob = (reader: BatchReader, job: Job): ReadLines | ReadTexts =>
  'lines' in job ? reader.readLines(job.lines) : reader.readTexts(job.texts);

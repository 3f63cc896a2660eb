// The Worker that finds near-duplicates, and writes differences and reports.
import { WorkerClient } from '../shared/worker-client.js';

export const worker = new WorkerClient('duplicates-worker.js');

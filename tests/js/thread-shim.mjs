// Loaded before a program (`node --import`): a worker thread ends before its second result, as the variable THREAD_END
// says: 'exit' calls process.exit, 'memory' exceeds the thread's heap, 'throw' throws, 'terminate' is called by the main
// thread when it receives the first result.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const { THREAD_END: end } = process.env;

const ends = {
  exit: () => process.exit(3),
  throw: () => setImmediate(() => Promise.reject(new Error('thrown in a thread'))),
  memory() {
    for (const all = []; ; ) all.push(Array(10_000).fill(all.length));
  },
};

let results = 0;
if (!threads.isMainThread && end in ends) {
  const { parentPort } = threads;
  const post = parentPort.postMessage.bind(parentPort);
  // None of the later results either: a thread answers each job, in order, until it ends.
  parentPort.postMessage = (...args) => (++results < 2 ? post(...args) : ends[end]());
}

if (threads.isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, { ...options, resourceLimits: { maxOldGenerationSizeMb: 64 } });
      if (end === 'terminate') this.once('message', () => this.terminate());
    }
  };
  syncBuiltinESMExports();
}

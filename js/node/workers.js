// A pool of worker threads, and their results in order. Each thread has its own WebAssembly instance.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkWhole } from '../core/check.js';

const MOST_THREADS = 256;

/** The options of the process without `--input-type`, with which no file starts. */
const execArgv = process.execArgv.filter(
  (option, at, all) => !option.startsWith('--input-type') && all[at - 1] !== '--input-type',
);

export const processors = () => Math.min(availableParallelism(), MOST_THREADS);

/** All processors but one, which feeds the threads: none if there is only one. */
export const defaultThreads = () => processors() - 1;

export function checkThreads(threads, argument = 'threads') {
  return checkWhole(threads, argument, MOST_THREADS, 1);
}

/** A thread has ended before its result. */
export class ThreadError extends Error {
  constructor(why, cause) {
    super(`nearprint: a worker thread has ended: ${why}`, { cause });
  }
}

/** A pool of threads that run a file. A thread starts when a job finds none idle. */
export class Workers {
  #most;
  #file;
  #settings;
  #threads = [];
  #idle = [];
  /** The task of each busy thread, and the tasks without a thread: `{ job, transfer, resolve, reject }`. */
  #busy = new Map();
  #waiting = [];
  /** Why all jobs fail. */
  #failure;

  constructor(most, file, settings) {
    this.#most = most;
    this.#file = file;
    this.#settings = settings;
  }

  /** Whether a thread has done its job of {@link start}: until then, a result waits for the start of a thread. */
  isUp = false;

  /** Starts one more thread until one is up, with a job whose result does not matter. */
  start(job) {
    if (this.isUp || this.#threads.length === this.#most) return;
    // After a failure, the next job reports it.
    const done = () => {
      this.isUp = true;
    };
    this.run(job).then(done, done);
  }

  /** Resolves to the result of a job. */
  run(job, transfer = []) {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      this.#waiting.push({ job, transfer, resolve, reject });
      if (this.#idle.length === 0 && this.#threads.length < this.#most) this.#start();
      this.#next();
    });
  }

  #start() {
    const thread = new Worker(this.#file, { workerData: this.#settings, execArgv });
    this.#threads.push(thread);
    this.#idle.push(thread);
    thread.on('message', ({ value, error }) => {
      const task = this.#busy.get(thread);
      // All jobs have failed.
      if (task === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      if (error === undefined) task.resolve(value);
      else task.reject(error);
      this.#next();
    });
    thread.on('error', (error) => this.#fail(error.message, error));
    thread.on('messageerror', (error) => this.#fail(error.message, error));
    thread.on('exit', (code) => this.#fail(`exit code ${code}`));
  }

  /** A thread that ends (out of memory, say) loses its job. All jobs fail, since results are needed in order. */
  #fail(why, cause) {
    this.#failure ??= new ThreadError(why, cause);
    for (const { reject } of [...this.#busy.values(), ...this.#waiting.splice(0)]) reject(this.#failure);
    this.#busy.clear();
  }

  #next() {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const thread = this.#idle.pop();
      const task = this.#waiting.shift();
      this.#busy.set(thread, task);
      thread.postMessage(task.job, task.transfer);
    }
  }

  async close() {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }
}

/**
 * Yields the results of `work` for each item, in the order of the items, each as soon as possible. Up to `ahead`
 * results are computed while it waits for the next item.
 */
export async function* inOrder(source, work, ahead) {
  const iterator = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
  /** Prevents that a rejection counts as unhandled before it is awaited. */
  const handled = (promise) => {
    promise.catch(() => {});
    return promise;
  };
  const pull = () => handled((async () => iterator.next())());
  const pending = [];
  let next = pull();
  let ended = false;
  try {
    while (!ended || pending.length > 0) {
      if (!ended && pending.length < ahead) {
        const first = pending.length > 0 ? pending[0].then(() => null) : next;
        const item = await Promise.race([next, first]);
        if (item?.done) ended = true;
        else if (item !== null) {
          pending.push(handled(work(item.value)));
          next = pull();
        }
        if (item !== null) continue;
      }
      yield await pending.shift();
    }
  } finally {
    // Not awaited: the source may never produce its next item.
    if (!ended) handled((async () => iterator.return?.())());
  }
}

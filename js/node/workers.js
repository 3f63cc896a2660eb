// A pool of worker threads, and their results in order. Each thread has its own WebAssembly instance.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { checkWhole } from '../api/check.js';

const MOST_THREADS = 256;

export const processors = () => Math.min(availableParallelism(), MOST_THREADS);

/** All processors but one, which feeds the threads: none if there is only one. */
export const defaultThreads = () => processors() - 1;

export function checkThreads(threads, argument = 'threads') {
  return checkWhole(threads, argument, MOST_THREADS, 1);
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

  constructor(most, file, settings) {
    this.#most = most;
    this.#file = file;
    this.#settings = settings;
  }

  /** Resolves to the result of a job. */
  run(job, transfer = []) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, transfer, resolve, reject });
      if (this.#idle.length === 0 && this.#threads.length < this.#most) this.#start();
      this.#next();
    });
  }

  #start() {
    const thread = new Worker(this.#file, { workerData: this.#settings });
    this.#threads.push(thread);
    this.#idle.push(thread);
    thread.on('message', ({ value, error }) => {
      const { resolve, reject } = this.#busy.get(thread);
      this.#busy.delete(thread);
      this.#idle.push(thread);
      if (error === undefined) resolve(value);
      else reject(error);
      this.#next();
    });
    // A thread that dies (out of memory, say) loses its job. All jobs fail, since results are needed in order.
    const fail = (error) => {
      for (const { reject } of [...this.#busy.values(), ...this.#waiting.splice(0)]) reject(error);
      this.#busy.clear();
    };
    thread.on('error', fail);
    thread.on('messageerror', fail);
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

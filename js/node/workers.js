// Worker threads (Node), and their results in order. Each thread starts a WebAssembly module of its own.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { outOfRange, wrongType } from '../api/check.js';

const MOST_THREADS = 256;

export const processors = () => Math.min(availableParallelism(), MOST_THREADS);

/** All processors but one that has enough to do with feeding them. */
export const defaultThreads = () => Math.max(1, processors() - 1);

export function checkThreads(threads, argument = 'threads') {
  const takes = `a whole number from 1 to ${MOST_THREADS}`;
  if (typeof threads !== 'number') throw wrongType(argument, takes, threads);
  if (!(Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS)) {
    throw outOfRange(argument, takes, threads);
  }
  return threads;
}

/** Threads of js/worker.js, which are started as jobs come that find none idle. */
export class Workers {
  #most;
  #settings;
  #threads = [];
  #idle = [];
  /** What a thread is at, and what waits for one: `{ job, transfer, resolve, reject }`. */
  #busy = new Map();
  #waiting = [];

  constructor(most, settings) {
    this.#most = most;
    this.#settings = settings;
  }

  /** The result of a job. */
  run(job, transfer = []) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, transfer, resolve, reject });
      if (this.#idle.length === 0 && this.#threads.length < this.#most) this.#start();
      this.#next();
    });
  }

  #start() {
    const thread = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.#settings });
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
    // A thread that dies, of too little memory say, takes its job with it; the others' order would have a hole.
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
 * The results of `work` on each item, in the items' order and as soon as they are there. Up to `ahead` are in the
 * making while the next item is waited for.
 */
export async function* inOrder(source, work, ahead) {
  const iterator = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
  /** A failure is met when its turn comes, and not reported as unhandled before. */
  const later = (promise) => {
    promise.catch(() => {});
    return promise;
  };
  const pull = () => later((async () => iterator.next())());
  const making = [];
  let coming = pull();
  let ended = false;
  try {
    while (!ended || making.length > 0) {
      if (!ended && making.length < ahead) {
        const first = making.length > 0 ? making[0].then(() => null) : coming;
        const come = await Promise.race([coming, first]);
        if (come?.done) ended = true;
        else if (come !== null) {
          making.push(later(work(come.value)));
          coming = pull();
        }
        if (come !== null) continue;
      }
      yield await making.shift();
    }
  } finally {
    // Not awaited: it would wait for an item that may never come.
    if (!ended) later((async () => iterator.return?.())());
  }
}

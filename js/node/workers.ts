// A pool of worker threads, and their results in order. Each thread has its own WebAssembly instance.
import { availableParallelism } from 'node:os';
import { type TransferListItem, Worker } from 'node:worker_threads';
import { checkWhole } from '../core/check.js';

const MAX_THREADS = 256;

/** Returns the number of processors that the process may use, at most `MAX_THREADS`. */
export const processors = (): number => Math.min(availableParallelism(), MAX_THREADS);

/** Returns all processors but one, which feeds the threads: none if there is only one. */
export const defaultThreads = (): number => processors() - 1;

export function checkThreads(threads: unknown, argument = 'threads'): number {
  return checkWhole(threads, argument, MAX_THREADS, 1);
}

/** Thrown when a thread has ended before its result. */
export class ThreadError extends Error {
  constructor(why: string, cause?: Error) {
    super(`nearprint: a worker thread has ended: ${why}`, { cause });
  }
}

/** The message with which a thread answers a job. */
export type Reply<Result> = { value: Result } | { error: unknown };

interface Task<Job, Result> {
  job: Job;
  transfer: readonly TransferListItem[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A pool of threads that run a file. A thread starts when a job finds none idle. */
export class Workers<Job, Result> {
  #max: number;
  #file: URL;
  #settings: unknown;
  #threads: Worker[] = [];
  #idle: Worker[] = [];
  /** The task of each busy thread. */
  #busy = new Map<Worker, Task<Job, Result>>();
  /** The tasks without a thread. */
  #waiting: Task<Job, Result>[] = [];
  /** The reason why all jobs fail. */
  #failure: ThreadError | undefined;

  /** `settings` become the `workerData` of up to `max` threads. */
  constructor(max: number, file: URL, settings: unknown) {
    this.#max = max;
    this.#file = file;
    this.#settings = settings;
  }

  /** Whether a thread has finished its job of {@link start}. Before that, a result also waits for the start of a thread. */
  isUp = false;

  /** Starts one more thread, unless one is ready, with a job whose result is ignored. */
  start(job: Job): void {
    if (this.isUp || this.#threads.length === this.#max) return;
    // The next job reports a failure.
    const done = () => {
      this.isUp = true;
    };
    this.run(job).then(done, done);
  }

  /** Resolves to the result of a job. The buffers of `transfer` move to the thread without a copy. */
  run(job: Job, transfer: readonly TransferListItem[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure;
      this.#waiting.push({ job, transfer, resolve, reject });
      if (this.#idle.length === 0 && this.#threads.length < this.#max) this.#startThread();
      this.#next();
    });
  }

  #startThread(): void {
    // The options of the process are not passed on: files do not run with `--input-type`, and threads not with the options
    // of V8.
    const thread = new Worker(this.#file, { workerData: this.#settings, execArgv: [] });
    this.#threads.push(thread);
    this.#idle.push(thread);
    thread.on('message', (reply: Reply<Result>) => {
      const task = this.#busy.get(thread);
      // All jobs have failed.
      if (task === undefined) return;
      this.#busy.delete(thread);
      this.#idle.push(thread);
      if ('value' in reply) task.resolve(reply.value);
      else task.reject(reply.error);
      this.#next();
    });
    thread.on('error', (error) => this.#fail(error.message, error));
    thread.on('messageerror', (error) => this.#fail(error.message, error));
    thread.on('exit', (code) => this.#fail(`exit code ${code}`));
  }

  /** Fails all jobs, since a thread that ends (out of memory, say) loses its job, and results are needed in order. */
  #fail(why: string, cause?: Error): void {
    this.#failure ??= new ThreadError(why, cause);
    for (const { reject } of [...this.#busy.values(), ...this.#waiting.splice(0)]) reject(this.#failure);
    this.#busy.clear();
  }

  /** Assigns waiting tasks to idle threads. */
  #next(): void {
    while (this.#idle.length > 0 && this.#waiting.length > 0) {
      const thread = this.#idle.pop() as Worker;
      const task = this.#waiting.shift() as Task<Job, Result>;
      this.#busy.set(thread, task);
      thread.postMessage(task.job, task.transfer);
    }
  }

  /** Ends the threads. Their jobs are lost. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }
}

/** Prevents a rejection from being reported as unhandled before it is awaited. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Yields the result of `work` for each item, in the order of the items, as early as possible. Up to `ahead` results are
 * computed while it waits for the next item.
 */
export async function* inOrder<Item, Result>(
  source: AsyncGenerator<Item, void, undefined>,
  work: (item: Item) => Promise<Result>,
  ahead: number,
): AsyncGenerator<Result, void, undefined> {
  const pull = () => handled(source.next());
  const pending: Promise<Result>[] = [];
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
      yield await (pending.shift() as Promise<Result>);
    }
  } finally {
    // Not awaited: the source may never produce its next item.
    if (!ended) handled(source.return());
  }
}

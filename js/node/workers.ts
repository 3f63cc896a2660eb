// A pool of worker threads, and their results in order. Each thread has its own WebAssembly instance.
import { availableParallelism } from 'node:os';
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import { checkWhole } from '../common/check.js';

const MAX_THREADS = 256;

/** Returns all processors that the process may use but one, which feeds the threads: none if there is only one. */
export const defaultThreads = (): number => Math.min(availableParallelism(), MAX_THREADS) - 1;

export function checkThreads(threads: unknown, argument: string): number {
  return checkWhole(threads, argument, MAX_THREADS, 1);
}

/** Thrown when a thread has ended before its result. */
export class ThreadError extends Error {
  constructor(why: string, cause?: Error) {
    super(`nearprint: a worker thread has ended: ${why}`, { cause });
  }
}

/** A thread, and what waits for its answers, in the order of its jobs. */
interface Thread<Result> {
  worker: Worker;
  waiting: { resolve(result: Result): void; reject(error: unknown): void }[];
}

/** A pool of threads that run a file. A thread starts when a job finds none idle. */
export class Workers<Job, Result> {
  readonly #max: number;
  readonly #make: () => Worker;
  readonly #threads: Thread<Result>[] = [];
  /** The reason why all jobs fail. */
  #failure: ThreadError | undefined;

  /** `settings` become the `workerData` of up to `max` threads. */
  constructor(max: number, file: URL, settings: unknown) {
    this.#max = max;
    // The options of the process are not passed on: a thread does not start with options of V8.
    this.#make = () => new Worker(file, { workerData: settings, execArgv: [] });
  }

  /** Whether a thread has finished the job of {@link start}, or failed. Before, a result also waits for the thread to start. */
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
      let [thread] = this.#threads.toSorted((a, b) => a.waiting.length - b.waiting.length);
      if (thread?.waiting.length !== 0 && this.#threads.length < this.#max) thread = this.#startThread();
      thread.worker.postMessage(job, transfer);
      thread.waiting.push({ resolve, reject });
    });
  }

  #startThread(): Thread<Result> {
    const thread: Thread<Result> = { worker: this.#make(), waiting: [] };
    this.#threads.push(thread);
    thread.worker.on('message', (reply: { value: Result } | { error: unknown }) => {
      // Undefined after all jobs have failed.
      const next = thread.waiting.shift();
      if ('value' in reply) next?.resolve(reply.value);
      else next?.reject(reply.error);
    });
    thread.worker.on('error', (error) => this.#fail(error.message, error));
    thread.worker.on('messageerror', (error) => this.#fail(error.message, error));
    thread.worker.on('exit', (code) => this.#fail(`exit code ${code}`));
    return thread;
  }

  /** Rejects all jobs: a thread that ends (out of memory, say) loses its job, and results are needed in order. */
  #fail(why: string, cause?: Error): void {
    this.#failure ??= new ThreadError(why, cause);
    for (const { waiting } of this.#threads) for (const { reject } of waiting.splice(0)) reject(this.#failure);
  }

  /** Ends the threads. Their jobs are lost. */
  async close(): Promise<void> {
    this.#fail('it was closed');
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }
}

/** In a thread: answers jobs in their order, although one may have to wait. The buffers of `transfer` move without a copy. */
export function answerJobs<Job>(work: (job: Job) => Promise<{ value: unknown; transfer: ArrayBuffer[] }>): void {
  let last = Promise.resolve();
  parentPort?.on('message', (job: Job) => {
    last = last
      .then(() => work(job))
      .then(({ value, transfer }) => parentPort?.postMessage({ value }, transfer))
      .catch((error) => parentPort?.postMessage({ error }));
  });
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
export async function* mapInOrder<Item, Result>(
  source: AsyncGenerator<Item, void, undefined>,
  work: (item: Item) => Promise<Result>,
  ahead: number,
): AsyncGenerator<Result, void, undefined> {
  const pull = () => handled(source.next());
  const pending: Promise<Result>[] = [];
  /** Undefined after the last item. */
  let next: Promise<IteratorResult<Item, void>> | undefined = pull();
  try {
    while (next !== undefined || pending.length > 0) {
      if (next !== undefined && pending.length < ahead) {
        const first: Promise<unknown> = pending.length > 0 ? pending[0].then(() => null) : next;
        const item = (await Promise.race([next, first])) as IteratorResult<Item, void> | null;
        if (item !== null) {
          if (!item.done) pending.push(handled(work(item.value)));
          next = item.done ? undefined : pull();
          continue;
        }
      }
      yield await (pending.shift() as Promise<Result>);
    }
  } finally {
    // Not awaited: the source may never produce its next item.
    if (next !== undefined) handled(source.return());
  }
}

// Sends requests to the Worker. Each answer is a promise.

export class WorkerClient {
  #worker;
  #pending = new Map();
  #lastId = 0;

  /** `progress` gets numbers from 0 to 1 until the answer comes. */
  request(kind, payload, progress) {
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, kind, payload });
    });
  }

  /** Terminates the Worker. Pending promises never settle; the next request starts a new Worker. */
  stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#pending.clear();
  }

  #start() {
    const worker = new Worker('worker.js', { type: 'module' });
    worker.addEventListener('message', ({ data: { id, progress, answer, error } }) => {
      const request = this.#pending.get(id);
      if (progress !== undefined) return request.progress?.(progress);
      this.#pending.delete(id);
      if (error === undefined) request.resolve(answer);
      else request.reject(new Error(error));
    });
    worker.addEventListener('error', (event) => {
      for (const { reject } of this.#pending.values()) reject(new Error(event.message));
      this.stop();
    });
    return worker;
  }
}

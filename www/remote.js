// Asks a Worker, and gets a promise.

export class Remote {
  #worker;
  #waiting = new Map();
  #last = 0;

  /** `progress` gets the numbers from 0 to 1 that come before the answer. */
  ask(kind, payload, progress) {
    this.#worker ??= this.#start();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, kind, payload });
    });
  }

  /** Ends whatever runs; what was asked is never answered. The next question starts a new Worker. */
  stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting.clear();
  }

  #start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data: { id, progress, answer, error } }) => {
      const asked = this.#waiting.get(id);
      if (progress !== undefined) return asked.progress?.(progress);
      this.#waiting.delete(id);
      if (error === undefined) asked.resolve(answer);
      else asked.reject(new Error(error));
    });
    worker.addEventListener('error', (event) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(event.message));
      this.stop();
    });
    return worker;
  }
}

// Sends requests to a Worker. Each answer is a promise.
import type { Progress } from '../duplicates/slices.js';
import type { Answer, Payload, RequestKind, WorkerReply, WorkerRequest } from './worker-messages.js';

/** A request that has no answer yet. */
interface PendingRequest {
  resolve: (answer: Answer<RequestKind>) => void;
  reject: (error: Error) => void;
  progress: Progress | undefined;
}

export class WorkerClient {
  readonly #file: string;
  #worker: Worker | undefined;
  #pending = new Map<number, PendingRequest>();
  #lastId = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Starts the Worker if it is not running. */
  request<Kind extends RequestKind>(kind: Kind, payload: Payload<Kind>, progress?: Progress): Promise<Answer<Kind>> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#lastId;
    const message: WorkerRequest<Kind> = { id, kind, payload };
    return new Promise((resolve, reject) => {
      // The Worker answers each kind of request with its kind of answer.
      this.#pending.set(id, { resolve: (answer) => resolve(answer as Answer<Kind>), reject, progress });
      worker.postMessage(message);
    });
  }

  /** Terminates the Worker. Pending promises never settle; the next request starts a new Worker. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#pending.clear();
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => this.#receive(data));
    worker.addEventListener('error', (event) => {
      for (const { reject } of this.#pending.values()) reject(new Error(event.message));
      this.stop();
    });
    return worker;
  }

  #receive(reply: WorkerReply): void {
    const request = this.#pending.get(reply.id);
    if (request === undefined) return;
    if (reply.kind === 'progress') {
      request.progress?.(reply.share);
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.kind === 'answer') request.resolve(reply.answer);
    else request.reject(new Error(reply.message));
  }
}

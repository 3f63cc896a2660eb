// The other end of a WorkerClient.
import { errorMessage } from './error-message.js';
import type { Handlers, RequestKind, WorkerReply, WorkerRequest } from './worker-messages.js';

const reply = (message: WorkerReply): void => postMessage(message);

/** Answers requests of these kinds, in a Worker. */
export function answerRequests<Kind extends RequestKind>(handlers: Pick<Handlers, Kind>): void {
  addEventListener('message', async ({ data }: MessageEvent<WorkerRequest<Kind>>) => {
    const { id, kind, payload } = data;
    try {
      const answer = await handlers[kind](payload, (share) => reply({ id, kind: 'progress', share }));
      reply({ id, kind: 'answer', answer });
    } catch (error) {
      reply({ id, kind: 'error', message: errorMessage(error) });
    }
  });
}

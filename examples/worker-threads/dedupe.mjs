// Prints the lines of a JSON Lines file whose `text` is not a near-duplicate of an earlier one. Worker threads make the sketches,
// which takes most of the time. This thread reads the lines, and decides in their order.
// nearprint is not published yet: the README says how to install it from a clone.
//
//     npm install
//     node dedupe.mjs pages.jsonl > unique.jsonl
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { Deduplicator, Sketch } from 'nearprint';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node dedupe.mjs <FILE>');

/** The documents of a batch: enough that their sketching outweighs the messages. */
const BATCH = 256;

/** Yields batches of documents `{ number, line, text }`. Reports lines that are not documents, and skips them. */
async function* batches() {
  let batch = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number++;
    try {
      const { text } = JSON.parse(line);
      if (typeof text !== 'string') throw new TypeError('text must be a string');
      batch.push({ number, line, text });
    } catch (error) {
      console.error(`${file}:${number}: ${error.message}`);
      process.exitCode = 2;
    }
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function startThread() {
  const thread = new Worker(new URL('./sketcher.mjs', import.meta.url));
  // A thread that ends too early, for example out of memory, would never answer. This ends the program.
  thread.on('exit', (code) => {
    if (code !== 0) throw new Error(`a thread has ended with exit code ${code}`);
  });
  return thread;
}

/** Sends a batch to an idle thread. Resolves to its documents and sketches. */
async function sketch(thread, batch) {
  thread.postMessage(batch.map(({ text }) => text));
  const [sketches] = await once(thread, 'message');
  return batch.map((document, at) => ({ ...document, sketch: Sketch.fromBytes(sketches[at]) }));
}

const kept = new Deduplicator();

/** Decides on the documents of a batch, and prints the kept lines. Their numbers are the ids. */
async function decide(documents) {
  const decisions = kept.observeAll(documents.map(({ number, sketch }) => ({ id: number, sketch })));
  const lines = documents.filter((_, at) => decisions[at].status === 'new').map(({ line }) => `${line}\n`);
  if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
}

const threads = Array.from({ length: Math.max(1, availableParallelism() - 1) }, startThread);
/** The batches that are being sketched, the oldest first. The threads take turns, so the next thread has the oldest batch. */
const pending = [];
let turn = 0;
for await (const batch of batches()) {
  if (pending.length === threads.length) await decide(await pending.shift());
  pending.push(sketch(threads[turn], batch));
  turn = (turn + 1) % threads.length;
}
for (const batch of pending) await decide(await batch);
for (const thread of threads) thread.postMessage(null);

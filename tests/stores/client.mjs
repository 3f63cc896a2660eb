// A client of a store, in its own process: adds its share of the documents and prints an answer a line.
import { once } from 'node:events';
import { open } from './clients.mjs';
import { families } from './documents.mjs';

const { url, name, seed, count, part, parts, batch, isNaive } = JSON.parse(process.argv[2]);
const documents = families(seed, count).filter((_, at) => at % parts === part);
const { store, close } = await open(url, { name });
await store.count();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  for (let at = 0; at < documents.length; at += batch) {
    const some = documents.slice(at, at + batch);
    const answers = isNaive ? await naive(some) : await store.addIfNew(some);
    // Written at once: an answer that was given is in the pipe when the process is killed.
    process.stdout.write(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
await close();
process.exit();

/** What people write without a store: it queries and then inserts. */
async function naive(documents) {
  const answers = [];
  for (const document of documents) {
    const [hit] = await store.query(document.sketch);
    if (hit === undefined) await store.add([document]);
    answers.push({ ...hit, id: document.id, duplicateOf: hit?.id ?? null });
  }
  return answers;
}

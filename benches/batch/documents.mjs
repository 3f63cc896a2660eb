// The documents of benches/batch/run.py, and what was done with them:
//
//     node benches/batch/documents.mjs write COUNT [DIR] > documents.jsonl
//     node benches/batch/documents.mjs judge DIR DECISIONS
//
// `write` prints documents of a collection as benches/corpus.mjs describes it, all of them if COUNT is `all`, and copies with
// changed words if it is larger, or synthetic ones: random words, one in four a copy of an earlier document with changed words,
// and one in fifty a page of one template with three other numbers. `judge` compares decisions, rows of `{ position, duplicate_of }`, with `dedupe`,
// and prints the mistakes of both per 100,000 documents as JSON.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dedupe } from '../../pkg/index.js';
import { random } from '../../tests/js/random.mjs';
import { corpus, edited, judge } from '../corpus.mjs';

const VOCABULARY = 50_000;
const wordOf = (number) => (VOCABULARY + number).toString(36);

/** The text of a synthetic document. */
function textOf(id) {
  const next = random(id + 1);
  if (next(50) === 0) {
    const words = Array.from({ length: 33 }, (_, at) => wordOf(at));
    for (let changes = 0; changes < 3; changes++) words[11 * changes + 5] = String(next(1e6));
    return words.join(' ');
  }
  if (id === 0 || next(4) > 0)
    return Array.from({ length: 15 + next(2 ** (4 + next(6))) }, () => wordOf(next(VOCABULARY))).join(' ');
  const words = textOf(next(id)).split(' ');
  for (let changes = next(1 + words.length / 5); changes > 0; changes--)
    words[next(words.length)] = wordOf(next(VOCABULARY));
  return words.join(' ');
}

async function write(count, folder) {
  const { texts } = folder ? corpus(folder) : {};
  const size = count === 'all' ? texts.length : Number(count);
  for (let id = 0; id < size; id++) {
    const text = texts ? edited(texts[id % texts.length], Math.floor(id / texts.length)) : textOf(id);
    if (!process.stdout.write(`${JSON.stringify({ id, text })}\n`)) await once(process.stdout, 'drain');
  }
}

async function compare(folder, path) {
  const collection = corpus(folder);
  const decisions = readFileSync(path, 'utf8').trimEnd().split('\n').map(JSON.parse);
  const sql = decisions
    .filter((decision) => decision.duplicate_of !== null)
    .map((decision) => [decision.position, Number(decision.duplicate_of)]);
  const own = [];
  for await (const { id, status, duplicateOf } of dedupe(collection.texts.map((text, id) => ({ id, text })))) {
    if (status === 'duplicate') own.push([id, duplicateOf]);
  }
  const expected = new Map(own);
  const differing = decisions.filter(
    ({ position, duplicate_of }) =>
      (expected.get(position) ?? null) !== (duplicate_of === null ? null : Number(duplicate_of)),
  );
  console.log(`${own.length} dropped by dedupe, ${sql.length} by SQL; ${differing.length} decisions differ`);
  const mistakes = ({ wrong, left }) => ({ wrong, left });
  console.log(JSON.stringify({ sql: mistakes(judge(collection, sql)), dedupe: mistakes(judge(collection, own)) }));
}

const [command, ...rest] = process.argv.slice(2);
await (command === 'write' ? write(...rest) : compare(...rest));

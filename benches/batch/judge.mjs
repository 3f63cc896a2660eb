// Compares the decisions of benches/batch/run.py, rows of `{ position, duplicate_of }`, with those of `dedupe`, and prints the
// mistakes of both per 100,000 documents as JSON:
//
//     node benches/batch/judge.mjs DIR DECISIONS
//
// DIR is the collection of the documents, as benches/corpus.mjs describes it.
import { dedupe } from '../../pkg/index.js';
import { readArguments } from '../../scripts/arguments.mjs';
import { corpus, countMistakes } from '../corpus.mjs';
import { readObjects } from '../lines.mjs';

const { dir, decisions: path } = readArguments('DIR DECISIONS');
const collection = corpus(dir);
const decisions = readObjects(path);
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
console.log(
  JSON.stringify({ sql: mistakes(countMistakes(collection, sql)), dedupe: mistakes(countMistakes(collection, own)) }),
);

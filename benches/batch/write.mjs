// Prints the documents of benches/batch/run.py as JSON Lines:
//
//     node benches/batch/write.mjs COUNT [DIR] > documents.jsonl
//
// With DIR, they are the documents of a collection as benches/corpus.mjs describes it, all of them if COUNT is `all`, and copies with
// changed words if it is larger. Without it, they are synthetic: random words, one in four a copy of an earlier document with changed
// words, and one in fifty a page of one template with three other numbers.
import { once } from 'node:events';
import { failWithUsage, readArguments } from '../../scripts/arguments.mjs';
import { random } from '../../tests/js/random.mjs';
import { corpus, edited } from '../corpus.mjs';

const SYNOPSIS = 'COUNT [DIR]';
const { count, dir } = readArguments(SYNOPSIS);
if (!(Number(count) > 0 || (count === 'all' && dir !== undefined))) {
  failWithUsage(`COUNT must be a number above 0, or \`all\` with DIR, got '${count}'`, SYNOPSIS);
}

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

const { texts } = dir === undefined ? {} : corpus(dir);
const size = count === 'all' ? texts.length : Number(count);
for (let id = 0; id < size; id++) {
  const text = texts ? edited(texts[id % texts.length], Math.floor(id / texts.length)) : textOf(id);
  if (!process.stdout.write(`${JSON.stringify({ id, text })}\n`)) await once(process.stdout, 'drain');
}

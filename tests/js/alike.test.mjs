// A pipe, a file, an index, the API and a store decide alike, on documents with different ids and few of them under a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deduplicator, dedupe } from '../../pkg/index.js';
import { memoryStore } from '../../pkg/store/memory.js';
import { jsonLines, makeCommandFolder, parseLines } from './command.mjs';
import { random } from './random.mjs';
import { collect } from './values.mjs';

/** Documents in families of at most 12, many near the threshold, and short, brief and blank documents. */
function documentsOf(seed) {
  const next = random(seed);
  const word = () => `w${next(30_000).toString(36)}`;
  const documents = [];
  for (let family = 0; family < 60; family++) {
    const words = Array.from({ length: [3, 7, 30, 120][family % 4] }, word);
    for (let copy = 0; copy < 1 + next(12); copy++) {
      const rate = [0, 3, 9, 12, 20][next(5)];
      const edited = words.map((each) => (rate > 0 && next(rate) === 0 ? word() : each));
      documents.push({ text: edited.join(next(2) ? ' ' : ', ') });
    }
  }
  documents.push({ text: '' }, { text: ' - ' }, { text: '👍' }, { text: '👍' });
  for (let at = documents.length - 1; at > 0; at--) {
    const other = next(at + 1);
    [documents[at], documents[other]] = [documents[other], documents[at]];
  }
  return documents.map(({ text }, at) => ({ id: `page ${at}`, text }));
}

const rounded = (resemblance) => (resemblance === null ? null : Number(resemblance.toFixed(4)));

const outcomeOf = ({ id, status, duplicateOf = null, resemblance = null }) => ({
  id,
  status,
  duplicateOf,
  resemblance: rounded(resemblance),
});

test('a pipe, a file, an index, the API and a store decide alike', async () => {
  const { write, outputOf } = makeCommandFolder();
  let duplicates = 0;
  for (let seed = 0; seed < 2; seed++) {
    const documents = documentsOf(seed);
    const input = jsonLines(documents);
    const file = write(`in${seed}.jsonl`, input);
    const expected = (await collect(dedupe(documents))).map(outcomeOf);
    duplicates += expected.filter(({ status }) => status === 'duplicate').length;
    for (const against of [new Deduplicator(), memoryStore()]) {
      assert.deepEqual((await collect(dedupe(documents, { against }))).map(outcomeOf), expected);
    }
    const store = memoryStore();
    const observed = [...new Deduplicator().observeAll(documents), ...(await store.observe(documents))];
    assert.deepEqual(observed.map(outcomeOf), [...expected, ...expected]);
    const command = (args, options) => parseLines(outputOf(args, options)).map(outcomeOf);
    assert.deepEqual(command('dedupe --annotate', { input }), expected, 'a pipe');
    assert.deepEqual(command(`dedupe --annotate ${file}`), expected, 'a file');
    assert.deepEqual(command(`dedupe --annotate --index kept${seed}.near ${file}`), expected, 'an index');
  }
  assert.ok(duplicates > 100, `${duplicates}`);
});

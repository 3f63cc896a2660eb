// The command clusters. The oracle is clusters(), which clusters.test.mjs compares with the definition.
import assert from 'node:assert/strict';
import { clusters } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, randomDocuments } from './command.mjs';
import { random } from './random.mjs';
import { valuesOf } from './values.mjs';

const command = makeCommandFolder();

const rounded = (number) => Number(number.toFixed(4));

/** Returns the lines that the command prints. */
const rowsOf = (found) =>
  found.map(({ representative, members }) => ({
    size: members.length,
    representative,
    members: members.map(({ id, resemblance }) => ({ id, resemblance: rounded(resemblance) })),
  }));

/** Returns the number of each document's cluster, or null. */
function numbersOf(documents, found) {
  const numbers = new Map();
  found.forEach(({ members }, at) => {
    for (const { document } of members) numbers.set(document, at + 1);
  });
  return documents.map((document) => numbers.get(document) ?? null);
}

const documents = randomDocuments(random(5), 300, 90, 4000).map(({ text }, at) => ({ id: `page ${at}`, text }));

function run(...args) {
  return command.outputOf(['clusters', ...args]);
}

test('clusters prints what the function returns, for each linkage, threshold and features', async () => {
  command.write('pages.jsonl', jsonLines(documents));
  for (const [args, options] of [
    [[], {}],
    [['--linkage', 'star', '--threads', 2], {}],
    [['--linkage', 'single', '-m', '0.95'], { linkage: 'single', minResemblance: 0.95 }],
    [['--min-resemblance', '0.96'], { minResemblance: 0.96 }],
    [['--features', 'words2'], { features: { words: 2 } }],
  ]) {
    const expected = rowsOf(await clusters(documents, options));
    assert.ok(expected.length > 5);
    assert.deepEqual(parseLines(run('pages.jsonl', ...args)), expected);
  }
});

test('clusters names documents by their places if an id repeats', async () => {
  const repeated = documents.map(({ text }, at) => ({ id: at % 7, text }));
  command.write('repeated.jsonl', jsonLines(repeated));
  const found = await clusters(repeated.map(({ text }, id) => ({ id, text })));
  const expected = rowsOf(found).map(({ size, representative, members }) => ({
    size,
    representative: repeated[representative].id,
    representativePlace: `repeated.jsonl:${representative + 1}`,
    members: members.map(({ id, resemblance }) => ({
      id: repeated[id].id,
      resemblance,
      place: `repeated.jsonl:${id + 1}`,
    })),
  }));
  const { stdout, stderr } = command.run(['clusters', 'repeated.jsonl']);
  assert.deepEqual(parseLines(stdout), expected);
  assert.match(stderr, /\nnearprint: 7 ids occur more than once: use the place, not the id\n$/);
  assert.doesNotMatch(command.run(['clusters', '--annotate', 'repeated.jsonl']).stderr, /occur more/);
});

exhaustive('an array and a table have the clusters of their documents, and --annotate adds their numbers', async () => {
  const found = await clusters(documents);
  const numbers = numbersOf(documents, found);
  assert.ok(numbers.includes(null) && numbers.includes(2));
  command.write('a.json', JSON.stringify(documents, null, 2));
  const rows = [{ id: 'id', text: 'text' }, ...documents].map(({ id, text }) => `${id},${text}`);
  command.write('a.csv', `${rows.join('\n')}\n`);
  for (const file of ['a.json', 'a.csv']) assert.deepEqual(parseLines(run(file)), rowsOf(found), file);
  assert.deepEqual(
    parseLines(run('--annotate', 'a.json')),
    documents.map((document, at) => ({ ...document, cluster: numbers[at] })),
  );
  const annotated = rows.map((row, at) => `${row},${at === 0 ? 'cluster' : (numbers[at - 1] ?? '')}\n`);
  assert.equal(run('--annotate', 'a.csv'), annotated.join(''));
});

test('a cluster longer than a write is printed whole, and no documents have no cluster', () => {
  command.write('many.jsonl', jsonLines(Array.from({ length: 10_000 }, (_, id) => ({ id, text: 'Good news' }))));
  const [{ size, members }, ...others] = parseLines(run('many.jsonl'));
  assert.deepEqual([size, others], [10_000, []]);
  assert.deepEqual(
    valuesOf(members, 'id'),
    Array.from({ length: 10_000 }, (_, id) => id),
  );
  const { status, stdout, stderr } = command.run(['clusters'], { input: '' });
  assert.deepEqual([status, stdout], [0, '']);
  assert.match(stderr, /0 clusters with 0 of 0 documents; /);
});

exhaustive('clusters --annotate writes 300,000 short lines, each with its cluster', () => {
  const lines = Array.from({ length: 300_000 }, (_, at) => String(at % 10));
  const rows = parseLines(run('--annotate', '--format', 'lines', command.write('short.txt', `${lines.join('\n')}\n`)));
  assert.equal(rows.length, lines.length);
  for (const at of [0, 1, 299_999]) assert.equal(rows[at].text, lines[at]);
  assert.equal(new Set(valuesOf(rows, 'cluster')).size, 10);
});

// The command clusters. The oracle is clusters(), which clusters.test.mjs compares with the definition.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import zlib from 'node:zlib';
import { clusters } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, randomDocuments, textOf } from './command.mjs';
import { random } from './random.mjs';

const command = makeCommandFolder();
after(command.remove);

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
  const { status, stdout, stderr } = command.run(['clusters', ...args]);
  assert.equal(status, 0, stderr);
  return stdout;
}

test('lines of JSON for clusters of each linkage and threshold', async () => {
  command.write('pages.jsonl', jsonLines(documents));
  for (const [args, options] of [
    [[], {}],
    [['--linkage', 'star', '--threads', 2], {}],
    [['--linkage', 'single', '-m', '0.95'], { linkage: 'single', minResemblance: 0.95 }],
    [['--min-resemblance', '0.96'], { minResemblance: 0.96 }],
    [['--scheme', 'v1:64:words2'], { features: { words: 2 } }],
  ]) {
    const expected = rowsOf(await clusters(documents, options));
    assert.ok(expected.length > 5);
    assert.deepEqual(parseLines(run('pages.jsonl', ...args)), expected);
  }
});

exhaustive('every kind of input has the same clusters', async () => {
  const found = await clusters(documents);
  const expected = rowsOf(found);
  const numbers = numbersOf(documents, found);
  assert.ok(numbers.includes(null) && numbers.includes(2));
  const lines = jsonLines(documents);
  command.write('a.jsonl', lines);
  command.write('a.jsonl.gz', zlib.gzipSync(lines));
  command.write('a.json', JSON.stringify(documents, null, 2));
  const table = (delimiter) =>
    ['id', ...documents.map(({ id }) => id)]
      .map((id, at) => `${id}${delimiter}${at ? documents[at - 1].text : 'text'}\n`)
      .join('');
  command.write('a.csv', table(','));
  command.write('a.tsv', table('\t'));
  const files = ['a.jsonl', 'a.jsonl.gz', 'a.json', 'a.csv', 'a.tsv'];
  if (zlib.zstdCompressSync !== undefined) {
    command.write('a.jsonl.zst', zlib.zstdCompressSync(lines));
    files.push('a.jsonl.zst');
  }
  for (const file of files) assert.deepEqual(parseLines(run(file)), expected, file);
  assert.deepEqual(parseLines(command.run(['clusters'], { input: lines }).stdout), expected);
  for (const file of files.filter((name) => /json/.test(name))) {
    const rows = parseLines(run('--annotate', file));
    assert.deepEqual(
      rows,
      documents.map((document, at) => ({ ...document, cluster: numbers[at] })),
      file,
    );
  }
  for (const [file, delimiter] of [
    ['a.csv', ','],
    ['a.tsv', '\t'],
  ]) {
    const [header, ...rows] = table(delimiter).trimEnd().split('\n');
    const annotated = rows.map((row, at) => `${row}${delimiter}${numbers[at] ?? ''}\n`);
    assert.equal(run('--annotate', file), `${header}${delimiter}cluster\n${annotated.join('')}`);
  }
});

exhaustive('folders, patterns and lists of text and HTML files', () => {
  command.write('folder/a.txt', textOf(1));
  command.write('folder/b.html', `<p>${textOf(1, [3])}</p>`);
  command.write('folder/deep/c.txt', textOf(1));
  command.write('folder/d.txt', textOf(2));
  command.write('list.txt', 'folder/a.txt\nfolder/deep/c.txt\n');
  const idsOf = (...args) => parseLines(run(...args)).map(({ members }) => members.map(({ id }) => id).sort());
  assert.deepEqual(idsOf('folder'), [['folder/a.txt', 'folder/b.html', 'folder/deep/c.txt']]);
  assert.deepEqual(idsOf('folder/*.txt', 'folder/b.html'), [['folder/a.txt', 'folder/b.html']]);
  assert.deepEqual(idsOf('--files-from', 'list.txt'), [['folder/a.txt', 'folder/deep/c.txt']]);
  assert.deepEqual(parseLines(run('--annotate', 'folder/a.txt', 'folder/d.txt', 'folder/deep/c.txt')), [
    { id: 'folder/a.txt', cluster: 1 },
    { id: 'folder/d.txt', cluster: null },
    { id: 'folder/deep/c.txt', cluster: 1 },
  ]);
});

test('ids by their text, documents without an id, fields, and ids that repeat', () => {
  const text = textOf(1);
  const lines = [
    `{"id":9007199254740993,"content":{"text":"${text}"}}`,
    `{"content":{"text":"${text}"}}`,
    `{"id":1.5,"content":{"text":"${text}"}}`,
    `{"id":1.5,"content":{"text":"${textOf(1, [9])}"}}`,
  ];
  command.write('ids.jsonl', `${lines.join('\n')}\n`);
  const [{ size, members }] = parseLines(run('-t', 'content.text', 'ids.jsonl'));
  assert.equal(size, 4);
  assert.deepEqual(
    members.map(({ id }) => id),
    ['9007199254740993', 'ids.jsonl:2', '1.5', '1.5'],
  );
});

test('bad lines are reported and skipped', () => {
  command.write(
    'bad.jsonl',
    `${JSON.stringify({ id: 1, text: 'Good news' })}\n{"id":\n${JSON.stringify({ id: 2, text: 'good news' })}\n`,
  );
  const { status, stdout, stderr } = command.run(['clusters', 'bad.jsonl']);
  assert.equal(status, 2);
  assert.deepEqual(parseLines(stdout), [
    {
      size: 2,
      representative: 1,
      members: [
        { id: 1, resemblance: 1 },
        { id: 2, resemblance: 1 },
      ],
    },
  ]);
  assert.match(stderr, /bad\.jsonl:2: .+\n.*1 cluster with 2 of 2 documents; the largest has 2; 1 bad line; /);
  assert.equal(command.run(['clusters', '-q', 'bad.jsonl']).stderr.split('\n').length, 2);
  const missing = command.run(['clusters', 'missing.jsonl']);
  assert.deepEqual([missing.status, missing.stdout], [2, '']);
  assert.doesNotMatch(missing.stderr, /cluster/);
});

test('a cluster longer than a write, and no documents', () => {
  command.write('many.jsonl', jsonLines(Array.from({ length: 10_000 }, (_, id) => ({ id, text: 'Good news' }))));
  const [{ size, members }, ...others] = parseLines(run('many.jsonl'));
  assert.deepEqual([size, others], [10_000, []]);
  assert.deepEqual(
    members.map(({ id }) => id),
    Array.from({ length: 10_000 }, (_, id) => id),
  );
  const { status, stdout, stderr } = command.run(['clusters'], { input: '' });
  assert.deepEqual([status, stdout], [0, '']);
  assert.match(stderr, /0 clusters with 0 of 0 documents; /);
});

exhaustive('wrong options', () => {
  command.write('taken.csv', 'id,text,cluster\n1,Good news,7\n');
  command.write('one.jsonl', jsonLines([{ id: 1, text: 'a' }]));
  for (const [args, message] of [
    [['--linkage', 'complete'], /--linkage must be star or single, got "complete"; see nearprint clusters --help/],
    [['-m', '0'], /--min-resemblance must be a number above 0 and at most 1, got 0/],
    [['--index', 'a.idx'], /--index is not an option of clusters/],
    [['--scheme', 'v9'], /scheme/],
    [['--annotate', 'taken.csv'], /--annotate: taken\.csv has a column "cluster" already/],
  ]) {
    const { status, stdout, stderr } = command.run(['clusters', ...args]);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, message);
  }
  const mixed = command.run(['clusters', '--annotate', 'one.jsonl', 'taken.csv']);
  assert.match(mixed.stderr, /taken\.csv: its rows cannot be written with the lines of one\.jsonl/);
});

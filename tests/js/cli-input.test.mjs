// The formats that the command line reads, and its messages for others. The oracles are the documents that files are made of.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { exhaustive, test } from '../tier.mjs';
import { decideRun, isKept, makeCommandFolder, parseLines, randomDocuments } from './command.mjs';
import { random } from './random.mjs';

const command = makeCommandFolder();

/** Returns a field of CSV, with quotation marks if it needs them or `below` says so. */
function fieldOf(value, delimiter, below) {
  const isPlain = !/["\r\n]/.test(value) && !value.includes(delimiter);
  return isPlain && below(3) > 0 ? value : `"${value.replaceAll('"', '""')}"`;
}

/** Returns the rows of a table as they are in a file. */
const tableOf = (rows, delimiter, end, below) =>
  rows.map((row) => row.map((value) => fieldOf(value, delimiter, below)).join(delimiter) + end);

/** Titles that a table must quote. */
const titles = [
  'plain',
  'a "quoted" word',
  'a, comma; and\ttab|',
  'two\nlines',
  'two\r\nlines',
  '',
  ' spaces ',
  'naïve 漢字 🎉',
];

for (const [name, delimiter, end, options] of [
  ['pages.csv', ',', '\n', []],
  ['pages.CSV', ',', '\r\n', []],
  ['semicolons.csv', ';', '\n', []],
  ['pages.tsv', '\t', '\r\n', ['--quote', '"']],
  ['pipes.txt', '|', '\n', ['--format', 'csv']],
  ['carets.txt', '^', '\n', ['--format', 'csv', '--delimiter', '^']],
  ['marked.csv', ',', '\n', []],
]) {
  const run = name === 'pages.csv' ? test : exhaustive;
  run(`dedupe: rows of ${name} come out byte for byte under the header`, () => {
    const below = random(name.length);
    const documents = randomDocuments(below, 400, 150, 200);
    const values = documents.map(({ id, text }, at) => [id, titles[at % titles.length], text]);
    const [header, ...rows] = tableOf([['id', 'the "title"', 'text'], ...values], delimiter, end, below);
    const mark = name.startsWith('marked') ? '\ufeff' : '';
    // The last row may lack its line end, and gets one.
    command.write(name, (mark + header + rows.join('')).trimEnd());
    const decisions = decideRun(documents);
    const expected = rows.filter((_, at) => isKept(decisions[at]));
    assert.ok(expected.length > 50 && expected.length < 350);
    const last = rows.length - 1;
    if (isKept(decisions[last])) expected.push(`${expected.pop().trimEnd()}\n`);
    for (const threads of [1, 2]) {
      const written = command.outputOf(['dedupe', '--threads', threads, ...options, name]);
      assert.equal(written, mark + header + expected.join(''));
    }
  });
}

exhaustive('dedupe: a table longer than a chunk has the same result compressed and from standard input', () => {
  const below = random(6);
  const documents = randomDocuments(below, 1500, 600, 3000);
  const rows = tableOf(
    documents.map(({ id, text }) => [id, `${text} `.repeat(4)]),
    ',',
    '\n',
    below,
  );
  const table = `id,text\n${rows.join('')}`;
  const decisions = decideRun(documents.map(({ id, text }) => ({ id, text: `${text} `.repeat(4) })));
  const expected = `id,text\n${rows.filter((_, at) => isKept(decisions[at])).join('')}`;
  command.write('long.csv.gz', zlib.gzipSync(table));
  assert.equal(command.run(['dedupe', 'long.csv.gz']).stdout, expected);
  assert.equal(command.run(['dedupe', '-f', 'csv'], { input: table }).stdout, expected);
});

exhaustive('dedupe: an array has the documents that it is made of, however it is formatted', () => {
  const documents = randomDocuments(random(1), 300, 100, 200).map(({ id, text }, at) => ({
    id,
    nested: { list: [1, [2, { '}': ']' }]], quoted: `a "b" \\ ${titles[at % titles.length]}` },
    text,
  }));
  const decisions = decideRun(documents);
  const expected = documents.filter((_, at) => isKept(decisions[at]));
  for (const [name, content] of [
    ['dense.json', JSON.stringify(documents)],
    ['spread.json', JSON.stringify(documents, null, 2)],
    ['tabs.json', `\ufeff\r\n${JSON.stringify(documents, null, '\t').replaceAll('\n', '\r\n')}\r\n`],
    ['lines', `[\n${documents.map((document) => JSON.stringify(document)).join(',\n')}\n]\n`],
  ]) {
    command.write(name, content);
    assert.deepEqual(parseLines(command.outputOf(['dedupe', name])), expected, name);
  }
  assert.equal(command.run(['dedupe', '--threads', '2'], { input: '[]' }).stdout, '');
});

// Files as people have them, in which documents could be lost without a word. The oracles are the documents that the files are
// made of.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { root } from './packed.mjs';
import { random } from './random.mjs';

const command = makeCommandFolder();
symlinkSync(join(root, 'node_modules'), command.path('node_modules'), 'junction');

const below = random(3);
const pick = (list) => list[below(list.length)];

/** Declarations of an encoding, right and wrong. */
const declarations = [
  (label) => `<meta charset="${label}">`,
  (label) => `<meta charset=${label}`,
  (label) => `<meta charset charset=${label}>`,
  (label) => `<meta http-equiv="Content-Type" content="text/html; charset=${label}">`,
  (label) => `<meta http-equiv=content-type content='charset = "${label}'>`,
  (label) => `<meta name=description content="class: CharSet ${label}">`,
  (label) => `<meta content="text/html; charset">${label}`,
  (label) => `<?xml version="1.0" encoding="${label}"?>`,
  (label) => `<?xml encoding='${label}'`,
  (label) => `<!-- <meta charset=${label}> -->`,
];
const labels = [
  ...['utf-8', 'UTF-16', 'utf-16be', 'utf-7', 'UTF-32', 'windows-1252', 'iso-2022-jp', 'iso-2022-kr', 'replacement'],
  ...['x-user-defined', 'gb18030', 'big5', 'shift_jis', '', 'nonsense', '"', '\0', 'é', 'x'.repeat(2000)],
];
const starts = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0xff], [0, 0], [0x1f, 0x8b]];
const contents = [
  '<p>one',
  '',
  '<script>',
  '<p>\0',
  '<plaintext>',
  '<template>',
  '<svg><![CDATA[',
  '<select><p>',
  'é\u{1f600}',
];

const numberBelow = random(7);
const oneOf = (list) => list[numberBelow(list.length)];

/** Returns the bytes of a page with declarations at random, some of them damaged. */
function oddPage() {
  const head = Array.from({ length: numberBelow(3) }, () => oneOf(declarations)(oneOf(labels))).join('');
  const bytes = Buffer.concat([
    Buffer.from(oneOf(starts)),
    Buffer.from(head + oneOf(contents), oneOf(['utf8', 'utf8', 'latin1', 'utf16le'])),
  ]);
  for (let count = numberBelow(3); count > 0 && bytes.length > 0; count--)
    bytes[numberBelow(bytes.length)] = numberBelow(256);
  return bytes;
}

/** Runs a command on files with odd pages, and a last one, which must be read. Returns the number of files. */
function runOnOddPages(...args) {
  const files = Array.from({ length: 300 }, (_, at) => command.write(`odd/${100 + at}.html`, oddPage()));
  const last = command.write('odd/last.html', `<p>${textOf(1)}</p>`);
  const { status, stdout, stderr } = command.run([...args, ...files, last]);
  assert.deepEqual([status, /last\.html/.test(stdout)], [2, true], stderr.slice(-2000));
  assert.doesNotMatch(stderr, /TypeError|RangeError|\n\s+at /);
  return files.length + 1;
}

test('a page with any declaration is a document or a bad one, and the others are read', () => {
  const files = runOnOddPages('dedupe', '--report', 'odd.report', '--json-summary', 'odd.json');
  const { documents, duplicates, badLines, filesNotRead } = JSON.parse(command.read('odd.json'));
  assert.equal(documents + badLines + filesNotRead, files);
  const bad = parseLines(command.read('odd.report')).filter(({ status }) => status === 'bad');
  assert.equal(bad.length, badLines + filesNotRead);
  assert.ok(documents > 20 && duplicates > 5 && badLines > 20 && filesNotRead > 5);
});

exhaustive('the other commands read the pages after one with any declaration', () => {
  for (const args of [['clusters', '--annotate'], ['text'], ['hash']]) runOnOddPages(...args);
});

exhaustive('a page with any declaration in a line is a document or a bad one, and the others are read', () => {
  const pages = Array.from({ length: 300 }, (_, id) => ({ id, text: oddPage().toString() }));
  const input = jsonLines([...pages, { id: 'last', text: `<p>${textOf(1)}</p>` }]);
  for (const threads of [1, 2]) {
    const args = ['dedupe', '--html', '--threads', threads, '--json-summary', 'odd.json'];
    const { status, stdout } = command.run(args, { input });
    assert.deepEqual([status, parseLines(stdout).at(-1)?.id], [2, 'last']);
    const summary = JSON.parse(command.read('odd.json'));
    assert.equal(summary.documents + summary.badLines, pages.length + 1);
  }
});

/** Files of each format, by their extensions: the start of each, and a document with a text. */
const formatsOf = {
  jsonl: ['', (text) => `${JSON.stringify({ text })}\n`],
  json: ['[', (text) => `${JSON.stringify({ text })},\n`],
  csv: ['id,text\n', (text) => `1,"${text}"\n`],
  tsv: ['id\ttext\n', (text) => `1\t${text}\n`],
  txt: ['', (text) => `${text}\n`],
  html: ['<!doctype html><meta charset=utf-8>', (text) => `<p>${text}\n`],
};
const packers = [(bytes) => bytes, gzipSync];

/** Returns bytes that are cut, or in which some bytes are others. */
function spoilt(bytes) {
  if (numberBelow(2) === 0) return bytes.subarray(0, numberBelow(bytes.length));
  const copy = Buffer.from(bytes);
  for (let count = 1 + numberBelow(20); count > 0; count--) copy[numberBelow(copy.length)] = numberBelow(256);
  return copy;
}

for (const [extension, [start, documentOf]] of Object.entries(formatsOf)) {
  const run = extension === 'jsonl' ? test : exhaustive;
  run(`a spoilt file of ${extension}, compressed or not, ends no run`, () => {
    const content = Buffer.from(start + Array.from({ length: 30 }, (_, at) => documentOf(textOf(at))).join(''));
    const files = Array.from({ length: 40 }, (_, at) => {
      const bytes = spoilt(oneOf(packers)(spoilt(content)));
      return command.write(`spoilt/${extension}/${at}.${extension}`, bytes);
    });
    // The others of its shape are written first, or the header of a table would be the one of a spoilt file.
    const first = command.write(`spoilt/first.${extension}`, start + documentOf(textOf(100)).replace(/,\n$/, ']'));
    const last = command.write(`spoilt/last.${extension}`, start + documentOf(textOf(101)).replace(/,\n$/, ']'));
    for (const threads of [1, 2]) {
      const args = ['dedupe', '--threads', threads, '--report', 'spoilt.report', '--json-summary', 'spoilt.json'];
      const { status, stdout, stderr } = command.run([...args, first, ...files, last]);
      assert.equal(status, 2, stderr);
      const isWhole = ['txt', 'html'].includes(extension);
      const end = isWhole ? `${last}\n` : documentOf(textOf(101)).replace(',\n', '\n');
      assert.ok(stdout.endsWith(end), `${extension}: ${stdout.slice(-300)}\n${stderr}`);
      assert.doesNotMatch(stderr, /unexpected [A-Z]|\n\s+at /);
      const { documents, badLines, filesNotRead } = JSON.parse(command.read('spoilt.json'));
      const bad = parseLines(command.read('spoilt.report')).filter(({ status }) => status === 'bad');
      assert.equal(bad.length, badLines + filesNotRead);
      assert.ok(documents > 1);
      if (isWhole) assert.equal(documents + badLines + filesNotRead, files.length + 2);
    }
  });
}

test('every line of the input is in the output or in the report', () => {
  const lines = Array.from({ length: 300 }, (_, at) => {
    const id = below(60);
    if (at % 17 === 0) return pick(['{', '[]', '{"id":1}', '\x00']);
    return JSON.stringify({ id, text: pick([textOf(id), textOf(below(40)), `${textOf(below(40))} more`, '']) });
  });
  for (const keep of [[], ['--keep', 'longest']]) {
    const { stdout } = command.run(['dedupe', '--report', 'r', '--json-summary', 's', ...keep], {
      input: lines.map((line) => `${line}\n`).join(''),
    });
    const report = parseLines(command.read('r'));
    const written = stdout.split('\n').length - 1;
    assert.equal(written + report.length, 300);
    const { documents, new: fresh, changed, unchanged, duplicates, badLines } = JSON.parse(command.read('s'));
    assert.deepEqual([documents + badLines, fresh + changed], [300, written]);
    const count = (name) => report.filter(({ status }) => status === name).length;
    assert.deepEqual([count('unchanged'), count('duplicate'), count('bad')], [unchanged, duplicates, badLines]);
    assert.equal(changed + unchanged, 0);
    assert.ok(Math.min(duplicates, badLines) > 0);
  }
});

test('calibrate prints the precision and the recall of each threshold by labels', () => {
  // Pages of a template with 5 words of their own, and revisions that differ in 1 of 200 words.
  const pages = Array.from({ length: 8 }, (_, at) => ({
    id: `p${at}`,
    text: textOf(
      1,
      [3, 40, 80, 120, 160].map((place) => place + 2 * at),
    ),
  }));
  const revisions = Array.from({ length: 8 }, (_, at) => ({ id: `r${at}`, text: textOf(50 + at) }));
  const edited = revisions.map(({ id, text }) => ({ id: `${id}b`, text: text.replace('w9 ', 'edited ') }));
  command.write('family.jsonl', jsonLines([...pages, ...revisions, ...edited]));
  const different = [1, 2, 3, 4].map((at) => ['p0', `p${at}`, 'different']);
  const same = [0, 1, 2, 3].map((at) => [`r${at}`, `r${at}b`, 'same']);
  // Each changed word is in two of 199 pairs: pages share (199 - 20) / (199 + 20) = .82 of them, revisions 197 / 201 = .98.
  command.write('labels.tsv', [...different, ...same].map((label) => `${label.join('\t')}\n`).join(''));
  const output = command.outputOf(['calibrate', '--labels', 'labels.tsv', 'family.jsonl']);
  assert.match(output, /^ +0\.85 +8 .* 1\.000 +1\.000$/m);
  assert.match(output, /^ +0\.80 +15 .* 0\.500 +1\.000$/m);
  assert.match(output, /^Your labels: 4 pairs the same, 4 different\.$/m);
});

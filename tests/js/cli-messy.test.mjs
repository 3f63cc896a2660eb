// Files as people have them, in which documents could be lost without a word. The oracles are the documents that the files are
// made of.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { root } from './packed.mjs';
import { random } from './random.mjs';
import { valuesOf } from './values.mjs';

const { gzipSync } = zlib;

const command = makeCommandFolder();
symlinkSync(join(root, 'node_modules'), command.path('node_modules'), 'junction');

const below = random(3);
const pick = (list) => list[below(list.length)];

/** Returns a paragraph of Russian letters that resembles no other. */
const russian = () =>
  Array.from({ length: 30 }, () =>
    Array.from({ length: 5 }, () => String.fromCharCode(0x430 + below(32))).join(''),
  ).join(' ');

/** In windows-1251, the letters from А to я are the bytes from C0 to FF. */
const windows1251 = (text) =>
  Buffer.from(
    text.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x410 + 0xc0)),
    'latin1',
  );

const paragraphs = Array.from({ length: 47 }, russian);
const table = `id,text\n${paragraphs.map((text, at) => `${at},${text}\n`).join('')}`;
const advice = /--encoding names another encoding, such as windows-1252 or windows-1251$/m;

/** Returns the lines of standard error without the name of the program and the summary's time. */
const messagesOf = ({ stderr }) =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^nearprint: /, ''));

test('Russian in windows-1251: no paragraph is dropped, and a newcomer is told what to do', () => {
  const bytes = windows1251(table);
  const piped = command.fail('dedupe', /^nearprint: stdin: [^\n]*--format csv reads it[^\n]*\n$/, { input: bytes });
  assert.match(piped, advice);

  command.write('ru.csv', bytes);
  const wrong = command.run(['dedupe', 'ru.csv', '--report', 'r']);
  assert.deepEqual([wrong.status, wrong.stdout], [2, 'id,text\n']);
  const messages = messagesOf(wrong);
  assert.match(messages[0], /^ru\.csv:2: the bytes are not valid UTF-8; --encoding/);
  assert.match(messages[2], /^ru\.csv:4: /);
  assert.equal(messages[3], '47 bad lines, 3 of them above');
  assert.deepEqual(
    valuesOf(parseLines(command.read('r')), 'id', 'status'),
    paragraphs.map((_, at) => [`ru.csv:${at + 2}`, 'bad']),
  );
  for (const args of [
    ['--encoding', 'windows-1251', 'ru.csv'],
    ['--encoding=cp1251', '--threads', 2, '-f', 'csv'],
  ]) {
    assert.equal(command.outputOf(['dedupe', ...args], { input: bytes }), table);
  }
  const input = windows1251('текст\nа\n');
  const isWrong = /^nearprint: stdin: the header: the bytes are not valid UTF-8; --encoding/;
  command.fail('dedupe -f csv -t текст', isWrong, { input });
  const isUnknown = /--encoding must be the name of an encoding, .*, got "cyrillic-1251"; see/;
  command.fail('dedupe --encoding cyrillic-1251 ru.csv', isUnknown);
});

test('lines of JSON in another encoding: two ids do not become one', () => {
  const objects = ['яблоко', 'груша'].map((id, at) => ({ id, text: textOf(at) }));
  const bytes = windows1251(jsonLines(objects));
  command.fail('dedupe', /^nearprint: stdin:2: the bytes are not valid UTF-8/m, { input: bytes });
  assert.equal(command.run(['dedupe', '--encoding', 'windows-1251'], { input: bytes }).stdout, jsonLines(objects));
  const one = Buffer.concat([Buffer.from(jsonLines([{ id: 1, text: textOf(1) }])), bytes]);
  assert.equal(command.run(['dedupe'], { input: one }).stdout, jsonLines([{ id: 1, text: textOf(1) }]));
});

test('a table of a spreadsheet in UTF-16, also compressed, has the documents of its UTF-8', () => {
  const bytes = Buffer.from(`\ufeff${table}`, 'utf16le');
  const big = Buffer.from(bytes).swap16();
  for (const content of [bytes, gzipSync(bytes), big]) {
    command.write('wide.csv', content);
    assert.deepEqual([command.run(['dedupe', 'wide.csv']).stdout], [table]);
  }
  const stated = command.run(['dedupe', '-f', 'csv', '--encoding', 'utf-16le'], { input: bytes.subarray(2) });
  assert.equal(stated.stdout, table);
});

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

test('a page with any declaration is a document or a bad one, and the others are read', () => {
  const files = Array.from({ length: 300 }, (_, at) => command.write(`odd/${100 + at}.html`, oddPage()));
  const last = command.write('odd/last.html', `<p>${textOf(1)}</p>`);
  for (const args of [
    ['dedupe', '--report', 'odd.report', '--json-summary', 'odd.json', ...files, last],
    ['clusters', '--annotate', ...files, last],
    ['text', ...files, last],
    ['hash', ...files, last],
  ]) {
    const { status, stdout, stderr } = command.run(args);
    assert.deepEqual([status, /last\.html/.test(stdout)], [2, true], stderr.slice(-2000));
    assert.doesNotMatch(stderr, /TypeError|RangeError|\n\s+at /);
  }
  const { documents, duplicates, badLines, filesNotRead } = JSON.parse(command.read('odd.json'));
  assert.equal(documents + badLines + filesNotRead, files.length + 1);
  const bad = parseLines(command.read('odd.report')).filter(({ status }) => status === 'bad');
  assert.equal(bad.length, badLines + filesNotRead);
  assert.ok(documents > 20 && duplicates > 5 && badLines > 20 && filesNotRead > 5);

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
const packers = [(bytes) => bytes, gzipSync, ...(zlib.zstdCompressSync === undefined ? [] : [zlib.zstdCompressSync])];

/** Returns bytes that are cut, or in which some bytes are others. */
function spoilt(bytes) {
  if (numberBelow(2) === 0) return bytes.subarray(0, numberBelow(bytes.length));
  const copy = Buffer.from(bytes);
  for (let count = 1 + numberBelow(20); count > 0; count--) copy[numberBelow(copy.length)] = numberBelow(256);
  return copy;
}

test('a spoilt file of any format, compressed or not, ends no run', () => {
  for (const [extension, [start, documentOf]] of Object.entries(formatsOf)) {
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
  }
});

test('pages in the encoding that they declare', () => {
  const [first, second] = paragraphs;
  const page = (head, text) => windows1251(`${head}<body><p>${text}</p></body>`);
  const marked = Buffer.from(`\ufeff<meta charset="windows-1251"><p>${first}</p>`);
  for (const [name, content] of [
    ['pages/a.html', page('<!doctype html><head><meta charset="windows-1251"></head>', first)],
    ['pages/b.html', page('<meta http-equiv="Content-Type" content="text/html; charset=cp1251">', first)],
    ['pages/c.xhtml', page('<?xml version="1.0" encoding="windows-1251"?><html>', first)],
    ['pages/d.html', marked],
    ['pages/e.html', page('<meta charset="utf-8">', first)],
    ['pages/f.html', page('', second)],
  ])
    command.write(name, content);
  for (const name of ['a.html', 'b.html', 'c.xhtml', 'd.html']) {
    assert.equal(command.run(['text', `pages/${name}`]).stdout, `${first}\n`, name);
  }
  const { status, stdout, stderr } = command.run(['dedupe', 'pages']);
  assert.deepEqual([status, stdout], [2, 'pages/a.html\n']);
  assert.deepEqual(
    [...stderr.matchAll(/^nearprint: (\S+): the bytes are not valid UTF-8/gm)].map(([, name]) => name),
    ['pages/e.html', 'pages/f.html'],
  );
  assert.match(stderr, advice);
  assert.equal(command.outputOf('dedupe --encoding windows-1251 pages'), 'pages/a.html\npages/f.html\n');
  assert.equal(command.run(['text', '--encoding', 'windows-1251', 'pages/f.html']).stdout, `${second}\n`);
});

exhaustive('every command refuses wrong bytes, and takes --encoding', () => {
  const [text] = paragraphs;
  command.write('ru.txt', windows1251(text));
  command.write('utf8.txt', text);
  const one = (args) => command.run([...args, '--encoding', 'windows-1251']);
  for (const args of [
    ['hash', 'ru.txt'],
    ['hash', '--jsonl', 'ru.txt'],
    ['compare', 'ru.txt', 'utf8.txt'],
    ['text', 'ru.txt'],
  ]) {
    command.fail(args, /ru\.txt: .*--encoding names another encoding/);
  }
  const hashOf = (output) => output.stdout.split(' ')[0];
  assert.equal(hashOf(one(['hash', 'ru.txt'])), hashOf(command.run(['hash', 'utf8.txt'])));
  assert.equal(one(['text', 'ru.txt']).stdout, `${text}\n`);
  command.write('wrong.csv', windows1251(`text\n${text}\n`));
  for (const name of ['calibrate', 'clusters']) {
    assert.match(command.run([name, 'wrong.csv']).stderr, /wrong\.csv:2: the bytes are not valid UTF-8/, name);
  }
});

test('TSV: a field that begins with a quotation mark swallows no rows', () => {
  const texts = [`"${textOf(1)}`, textOf(2), `${textOf(3)}"`, textOf(4)];
  const content = `id\ttext\n${texts.map((text, at) => `${at}\t${text}\n`).join('')}`;
  command.write('plain.tsv', content);
  assert.deepEqual([command.run(['dedupe', 'plain.tsv']).stdout], [content]);
  const annotated = content.replace(/\n/g, '\tnew\t\t\n').replace('\tnew\t\t', '\tstatus\tduplicateOf\tresemblance');
  assert.equal(command.run(['dedupe', '--annotate', 'plain.tsv']).stdout, annotated);
  const quoted = command.run(['dedupe', '--quote', '"', 'plain.tsv', '--json-summary', 's']);
  assert.equal(JSON.parse(command.read('s')).documents, 2);
  assert.match(
    quoted.stderr,
    /^nearprint: 2 lines like a row are inside quotation marks, 2 of them in one row \(plain\.tsv:2\): .*--quote none/m,
  );
  const comma = content.replaceAll('\t', ',');
  assert.equal(command.run(['dedupe', '-f', 'csv', '--quote', 'none'], { input: comma }).stdout, comma);
  const single = `id,text\n1,'a, ''b'' ${textOf(5)}'\n`;
  command.run(['dedupe', '-f', 'csv', '--quote', "'", '-c', '--json-summary', 's'], { input: single });
  assert.equal(JSON.parse(command.read('s')).new, 1);
  assert.match(command.run(['dedupe', '--quote', '""', 'plain.tsv']).stderr, /--quote must be none or a printable/);
});

test('line breaks inside quotation marks are named only if they join rows', () => {
  const prose = ['Dear Ann,', 'the boat is painted, the oars are not.', '', '3, Harbour Lane', 'Yours, Ben'];
  const letter = (at) => `${textOf(at)}\n${prose.join('\n')}`;
  const quoted = (value) => `"${value.replaceAll('"', '""')}"`;
  const numbers = Array.from({ length: 40 }, (_, at) => at);
  const mails = (delimiter) => numbers.map((at) => `${at}${delimiter}${quoted(letter(at))}\n`).join('');
  // A stray mark at the start of a text, up to a word in marks.
  const stray = numbers.map(
    (at) => `${at},2026-11-${10 + at},${at === 7 ? '"stray ' : ''}${textOf(at)}${at === 12 ? '"' : ''}\n`,
  );
  for (const [name, table, joined] of [
    ['letters', `id,text\n${mails(',')}`, 0],
    ['letters with semicolons', `id;text\n${mails(';')}`, 0],
    [
      'letters before other columns',
      `text,id,date\n${numbers.map((at) => `${quoted(letter(at))},${at},2026-11-28\n`).join('')}`,
      0,
    ],
    ['one column', `text\n${numbers.map((at) => `${quoted(letter(at))}\n`).join('')}`, 0],
    ['marks at both ends', `id,date,text\n${stray.join('')}`, 5],
    ['a table of texts', `id,text\n7,"${textOf(1)}\nid,text\n1,2\n"\n`, 0],
  ]) {
    const { stderr } = command.run(['dedupe', '-f', 'csv', '--json-summary', 's'], { input: table });
    assert.equal(JSON.parse(command.read('s')).joinedRows, joined, name);
    const isNamed = /^nearprint: 5 lines like a row are inside quotation marks, 5 of them in one row \(stdin:9\)/m.test(
      stderr,
    );
    assert.equal(isNamed, joined > 0, `${name}: ${stderr}`);
    assert.equal(/inside quotation marks/.test(stderr), joined > 0, name);
  }
});

test('tables of Excel: sep=, quoted TSV, escaped marks, columns of one name', () => {
  const row = (at, delimiter) => `${at}${delimiter}"${textOf(at)}${delimiter} with, a; tab\t"\n`;
  for (const [start, delimiter, format] of [
    ['sep=;\r\n', ';', 'csv'],
    ['SEP=|\n', '|', 'csv'],
    ['\ufeffsep=;\n', ';', 'csv'],
    ['"sep=\t"\n', '\t', 'csv'],
    ['sep=,\n', ',', 'csv'],
  ]) {
    const header = `${start}id${delimiter}text\n`;
    const rows = [1, 2, 3].map((at) => row(at, delimiter));
    const input = [header, ...rows, row(1, delimiter).replace('1', '4'), '5\n'].join('');
    for (const content of [Buffer.from(input), Buffer.from(input.replace(/^(?!\ufeff)/, '\ufeff'), 'utf16le')]) {
      const { stdout, stderr } = command.run(['dedupe', '-f', format], { input: content });
      // UTF-16 is written in UTF-8, without its mark.
      assert.equal(stdout.replace('\ufeff', ''), header.replace('\ufeff', '') + rows.join(''), stderr);
      assert.match(stderr, /^nearprint: stdin:7: a row must have 2 fields/m);
    }
  }
  command.write('comma.csv', `id,text\n1,${textOf(1)}\n`);
  command.write('semicolon.csv', `sep=;\nid;text\n2;${textOf(2)}\n`);
  const differs = /semicolon\.csv: its columns or its delimiter differ from comma\.csv: run it separately$/m;
  command.fail('dedupe comma.csv semicolon.csv', differs, { stdout: command.read('comma.csv') });

  const quotes = `; --quote '"' reads fields in quotation marks`;
  const escaped = String.raw`; it has \", and in CSV, "" is a quotation mark within quotation marks: sed 's/\\"/""/g' replaces them`;
  const fields = (count, got) => `a row must have ${count} fields, as the header has, got ${got}`;
  for (const [format, input, ...messages] of [
    [
      'tsv',
      `"id"\t"text"\n"1"\t"${textOf(1)}"\n`,
      `no column "text" (--text-field); the columns are ""id"", ""text""${quotes}`,
    ],
    ['tsv', `id\ttext\n1\t"${textOf(1)}\nend"\n`, `3: ${fields(2, 1)}${quotes}`],
    ['tsv', `id\ttext\n1\t"a\tb"\n2\n`, `2: ${fields(2, 3)}${quotes}`, `3: ${fields(2, 1)}`],
    ['csv', `id,text\n1,"He said \\"hi, Ann\\", and left"\n2\n`, `2: ${fields(2, 4)}${escaped}`, `3: ${fields(2, 1)}`],
    ['csv', `id,id,text\n1,2,x\n`, 'two columns are named "id" (--id-field): rename one of them'],
    ['csv', `id,text,text\n1,2,x\n`, 'two columns are named "text" (--text-field): rename one of them'],
  ]) {
    const { status, stderr } = command.run(['dedupe', '-q', '-f', format], { input });
    const expected = messages
      .map((message) => `nearprint: stdin:${/^\d/.test(message) ? '' : ' '}${message}\n`)
      .join('');
    assert.deepEqual([status, stderr], [2, expected]);
  }
  const fixed = command.shell(
    String.raw`printf '%s\n' 'id,text' '1,"He said \"hi, Ann\", and left"' | sed 's/\\"/""/g' | nearprint text -f csv`,
  );
  assert.equal(fixed.stdout, '==> stdin:2 <==\nHe said "hi, Ann", and left\n', fixed.stderr);
  const twice = `id,text,tag,tag\n1,${textOf(1)},5,6\n`;
  assert.equal(command.outputOf('dedupe -f csv', { input: twice }), twice);
  for (const option of ['--scope-field', '--keep-max', '--keep-min', '--id-field', '--text-field']) {
    const named = new RegExp(
      `^nearprint: stdin: two columns are named "tag" \\(.*${option}.*\\): rename one of them\n$`,
    );
    command.fail(['dedupe', '-q', '-f', 'csv', option, 'tag'], named, { input: twice });
  }
});

test('every summary says how much was not read', () => {
  const good = jsonLines([1, 2].map((id) => ({ id, text: textOf(id) })));
  command.write('half.jsonl', `${good}{}\n7\n`);
  for (const name of ['dedupe', 'clusters', 'calibrate']) {
    const { status, stderr } = command.run([name, 'half.jsonl', 'nowhere.jsonl']);
    assert.equal(status, 2);
    assert.match(stderr, /^nearprint: [^\n]*2 documents?[^\n]*; 2 bad lines; 1 file with an error; [\d.]+ s$/m, name);
    assert.equal(command.run([name], { input: good }).status, 0);
  }
});

test('lines that end with carriage returns alone', () => {
  const advice =
    /^nearprint: (stdin|old\.jsonl): the lines end with carriage returns alone; tr '\\r' '\\n' makes line feeds of them\n$/;
  const objects = jsonLines([1, 2].map((id) => ({ id, text: textOf(id) })));
  for (const input of [objects.replaceAll('\n', '\r'), objects.replaceAll('\n', '\r').slice(0, -1)]) {
    command.write('old.jsonl', input);
    command.fail('dedupe -q old.jsonl', advice);
    command.fail('dedupe -q', advice, { input });
  }
  command.fail('dedupe -q -f lines', advice, { input: 'first line\rsecond line\r' });
  for (const [format, input] of [
    ['lines', 'first line\r'],
    ['lines', 'progress 10%\rprogress 20%\nsecond\n'],
    ['jsonl', '{"text":\r"a b c"\r}\r'],
    ['jsonl', `{"text":"a b c"}${'\r'.repeat(1_000_000)}`],
  ]) {
    assert.equal(command.outputOf(['dedupe', '-f', format], { input }).trimEnd(), input.trimEnd());
  }
});

test('--format lines: each line is a document, and its id is its place', () => {
  const lines = [textOf(1), textOf(2), `${textOf(1)} more`, '', '{"text":"not JSON here"}', `  ${textOf(3)}\r`];
  command.write('lines.log', lines.map((line) => `${line}\n`).join(''));
  const kept = lines.filter((line, at) => at !== 2 && line !== '').map((line) => `${line}\n`);
  assert.equal(command.outputOf('dedupe -f lines lines.log --report r --index lines.idx'), kept.join(''));
  const [{ id, duplicateOf, ...rest }, ...others] = parseLines(command.read('r'));
  assert.deepEqual([id, duplicateOf, rest.status, others], ['lines.log:3', 'lines.log:1', 'duplicate', []]);
  // On the next day, the same lines are known in any place.
  const next = ['another line today', ...lines].map((line) => `${line}\n`).join('');
  const again = command.run(['dedupe', '-f', 'lines', '--index', 'lines.idx'], { input: next });
  assert.equal(again.stdout, 'another line today\n');
  const annotated = parseLines(command.run(['dedupe', '-f', 'lines', '--annotate', 'lines.log']).stdout);
  assert.deepEqual(
    valuesOf(annotated, 'id', 'text', 'status'),
    [0, 1, 2, 4, 5].map((at) => [`lines.log:${at + 1}`, lines[at].replace('\r', ''), at === 2 ? 'duplicate' : 'new']),
  );
});

test('--against takes the documents of yesterday', () => {
  const yesterday = [1, 2, 3].map((seed) => ({ id: `y${seed}`, text: textOf(seed) }));
  const today = [
    { id: 'y1', text: textOf(1) },
    { id: 'copy', text: `${textOf(2)} more` },
    { id: 'y3', text: textOf(30) },
    { id: 'fresh', text: textOf(4) },
  ];
  const input = jsonLines(today);
  const written = jsonLines([today[2], today[3]]);
  command.write('yesterday.jsonl', jsonLines(yesterday));
  command.write('yesterday.jsonl.gz', gzipSync(jsonLines(yesterday)));
  command.write('yesterday.json', JSON.stringify(yesterday, null, 1));
  command.write('yesterday.csv', `id,text\n${yesterday.map(({ id, text }) => `${id},${text}\n`).join('')}`);
  command.write('folder/yesterday.jsonl', jsonLines(yesterday));
  command.run(['dedupe', '--index', 'yesterday.idx', 'yesterday.jsonl']);
  for (const end of ['idx', 'jsonl', 'jsonl.gz', 'json', 'csv', 'folder']) {
    const name = end === 'folder' ? end : `yesterday.${end}`;
    assert.equal(command.outputOf(`dedupe --against ${name} --report r`, { input }), written, name);
    assert.deepEqual(
      valuesOf(parseLines(command.read('r')), 'id', 'status', 'duplicateOf'),
      [
        ['y1', 'unchanged', undefined],
        ['copy', 'duplicate', 'y2'],
      ],
      name,
    );
  }
  const { stderr } = command.run(['dedupe', '--against', 'yesterday.jsonl', '--json-summary', 's'], { input });
  assert.match(stderr, /^nearprint: yesterday\.jsonl: 3 documents to compare with$/m);
  assert.equal(JSON.parse(command.read('s')).documents, 4);
  const both = ['--against', 'yesterday.jsonl', '--index', 'both.idx'];
  assert.equal(command.run(['dedupe', ...both], { input }).stdout, written);
  assert.equal(command.run(['dedupe', ...both], { input }).stdout, '');
  command.fail('dedupe --against nowhere.jsonl', 'nowhere.jsonl: no such file or directory', { input });
});

test('the numbers and the report are about the input, and not about the documents of --against', () => {
  const bad = (number) => jsonLines(Array.from({ length: number }, (_, at) => ({ id: at })));
  command.write('known.jsonl', jsonLines([{ id: 'y1', text: textOf(1) }]) + bad(12));
  command.write('mixed/known.jsonl', bad(1));
  command.write('mixed/other.bin', 'x');
  const references = ['--against', 'known.jsonl', '--against', 'mixed'];
  const input =
    jsonLines([
      { id: 'copy', text: `${textOf(1)} more` },
      { id: 'fresh', text: textOf(2) },
    ]) + bad(2);
  const result = command.run(['dedupe', '--report', 'r', '--json-summary', 's', ...references], { input });
  const { documents, badLines, filesNotRead } = JSON.parse(command.read('s'));
  assert.deepEqual([result.status, documents, badLines, filesNotRead], [2, 2, 2, 0]);
  assert.deepEqual(valuesOf(parseLines(command.read('r')), 'id', 'status'), [
    ['copy', 'duplicate'],
    ['stdin:3', 'bad'],
    ['stdin:4', 'bad'],
  ]);
  // The messages about a reference do not hide those about the input.
  for (const message of [/^nearprint: 12 bad lines, 3 of them above$/m, /^nearprint: stdin:4: /m, /; 2 bad lines; /])
    assert.match(result.stderr, message);
});

test('messages name the command, the option and the way', () => {
  const pages = command.write('documents.jsonl', jsonLines([{ id: 1, text: textOf(1) }]));
  const advice =
    /documents\.jsonl is not an index: --against documents\.jsonl compares with its documents, and nearprint dedupe --index seen\.idx documents\.jsonl makes an index/;
  for (const start of ['dedupe --index', 'index stats']) {
    command.fail(`${start} ${pages}`, advice, { input: jsonLines([{ id: 2, text: textOf(2) }]) });
  }
  command.fail(`dedupe --threshold .9 ${pages}`, /did you mean --min-resemblance\?/);
  command.fail(`clusters --threshold=.9 ${pages}`, /did you mean --min-resemblance\?/);
});

test('--annotate writes every line, and bad ones as they are', () => {
  const good = [1, 2].map((id) => ({ id, text: textOf(id) }));
  const lines = [JSON.stringify(good[0]), 'not JSON', '{"body":1}', JSON.stringify(good[1])];
  const input = lines.map((line) => `${line}\n`).join('');
  for (const keep of [[], ['--keep', 'longest'], ['--keep-max', 'id']]) {
    const annotated = command.run(['dedupe', '--annotate', ...keep, '--report', 'r'], { input });
    assert.equal(annotated.status, 2);
    const written = annotated.stdout.trimEnd().split('\n');
    assert.deepEqual([written[1], written[2], written.length], [lines[1], lines[2], 4], keep.join(' '));
    assert.deepEqual(
      [written[0], written[3]].map((line) => JSON.parse(line).status),
      ['new', 'new'],
    );
    assert.deepEqual(valuesOf(parseLines(command.read('r')), 'id', 'status'), [
      ['stdin:2', 'bad'],
      ['stdin:3', 'bad'],
    ]);
  }
  const clusters = command.run(['clusters', '--annotate'], { input }).stdout.trimEnd().split('\n');
  assert.deepEqual([clusters[1], clusters[2], clusters.length], [lines[1], lines[2], 4]);
  const rows = ['id,text', `1,${textOf(1)}`, '2', `3,${textOf(1)} more`];
  command.write('rows.csv', rows.map((row) => `${row}\n`).join(''));
  const annotated = command.run(['dedupe', '--annotate', 'rows.csv']).stdout.trimEnd().split('\n');
  assert.deepEqual([annotated[2], annotated.length], ['2', 4]);
  assert.match(annotated[3], /,duplicate,1,0\.\d+$/);
  const dated = jsonLines([
    { id: 1, text: textOf(1), date: 'soon' },
    { id: 2, text: textOf(2), date: '2020-01-01' },
  ]);
  const ranked = command.run(['dedupe', '--annotate', '--keep-max', 'date', '--report', 'r'], { input: dated });
  assert.equal(ranked.stdout.split('\n')[0], dated.split('\n')[0]);
  assert.deepEqual([parseLines(command.read('r'))[0].status, ranked.status], ['bad', 2]);
});

/** Lines of JSON that are documents except for their texts. */
const textless = [
  '{}',
  '{"id":"a","body":"x"}',
  '{ "id" : "b", "text" : null }',
  '{"id":"c","text":{"a":1}}',
  '{"id":"d","text":["a",1]}',
  `{"id":{"e":1},"text":"${textOf(1)}"}`,
  `{"id":"f","text":"${textOf(1)}","site":[1]}`,
];

test('--keep-bad keeps documents without text, byte for byte', () => {
  const good = [1, 2].map((id) => JSON.stringify({ id, text: textOf(id), site: null }));
  const copy = JSON.stringify({ id: 'copy', text: textOf(2) });
  const lines = [good[0], ...textless, good[1], copy];
  const input = lines.map((line) => `${line}\n`).join('');
  const args = ['dedupe', '--scope-field', 'site', '--report', 'r', '--json-summary', 's'];
  const names = JSON.stringify({ id: 1, text: 'x', site: 7 });
  const run = (more, text = `${input}${names}\n`) => command.run([...args, ...more], { input: text });
  const without = run([]);
  assert.deepEqual([without.status, without.stdout], [2, `${good[0]}\n${good[1]}\n${names}\n`]);
  assert.deepEqual(valuesOf(parseLines(command.read('r')), 'id', 'status'), [
    ...textless.map((_, at) => [`stdin:${at + 2}`, 'bad']),
    ['copy', 'duplicate'],
  ]);
  const kept = [...lines.slice(0, -1), names].map((line) => `${line}\n`).join('');
  for (const more of [
    [],
    ['--threads', 2],
    ['--keep', 'longest'],
    ['--index', 'bad.idx'],
    ['--store', 'sqlite:bad.db'],
  ]) {
    const { status, stdout, stderr } = run(['--keep-bad', ...more]);
    if (more[0] === '--store' && /needs another package/.test(stderr)) continue;
    // With an index, the ids identify: 1 is known under another text.
    assert.deepEqual([status, stdout], [0, kept], `${more}: ${stderr}`);
    const { documents, badLines, withoutText, duplicates } = JSON.parse(command.read('s'));
    assert.deepEqual([documents, badLines, withoutText, duplicates], [11, 0, 7, 1]);
    assert.match(
      stderr,
      /^nearprint: 7 of 11 documents have no text and are not compared \(--keep-bad\), such as stdin:2: no field "text"/m,
    );
  }
  assert.deepEqual(
    parseLines(command.read('r')).map(({ id, status }) => [id, status]),
    [['copy', 'duplicate']],
  );
  const annotated = parseLines(run(['--keep-bad', '--annotate']).stdout);
  assert.deepEqual([annotated.length, annotated[1]], [11, { status: 'new', duplicateOf: null, resemblance: null }]);
  assert.deepEqual(
    annotated.map(({ status }) => status),
    lines.map((line) => (line === copy ? 'duplicate' : 'new')).concat('new'),
  );
  // What is no document at all is a bad line.
  const { status, stdout } = run(['--keep-bad'], `7\n{"text":\n${input}`);
  assert.deepEqual([status, stdout], [2, kept.slice(0, -names.length - 1)]);
  const clusters = command.outputOf(['clusters', '--keep-bad', '--annotate'], { input });
  assert.deepEqual(
    parseLines(clusters).map(({ cluster }) => cluster),
    // Without --scope-field, the last one has a text.
    [1, null, null, null, null, null, null, 1, 2, 2],
  );
});

test('--keep-bad: elements, pages and files, and the second day of an index', () => {
  const good = { id: 'good', text: `<p>${textOf(1)}</p>` };
  const bad = [{ id: 'empty', text: '<script>x</script>' }, { id: 'none' }];
  command.write('bad.json', JSON.stringify([good, ...bad]));
  const run = (args) => command.run(['dedupe', '--keep-bad', ...args]);
  const elements = run(['--html', '--index', 'pages.idx', 'bad.json', '--report-html', 'bad.html']);
  assert.deepEqual([elements.status, elements.stdout], [0, jsonLines([good, ...bad])], elements.stderr);
  assert.equal(run(['--html', '--index', 'pages.idx', 'bad.json', '--report', 'r']).stdout, '');
  assert.deepEqual(valuesOf(parseLines(command.read('r')), 'id', 'status'), [
    ['good', 'unchanged'],
    ['empty', 'unchanged'],
    ['none', 'unchanged'],
  ]);
  // Today, a page has no text any more.
  command.write('bad.json', JSON.stringify([{ ...good, text: '<p>' }, ...bad]));
  const today = run(['--html', '--against', 'pages.idx', 'bad.json', '--annotate']).stdout;
  assert.deepEqual(valuesOf(parseLines(today), 'id', 'status'), [
    ['good', 'changed'],
    ['empty', 'unchanged'],
    ['none', 'unchanged'],
  ]);
  command.write('empty/a.html', '<title>x</title>');
  command.write('empty/b.html', '<script>y</script>');
  command.write('empty/c.html', good.text);
  const names = 'empty/a.html\nempty/b.html\nempty/c.html\n';
  const files = run(['empty']);
  assert.deepEqual([files.status, files.stdout], [0, names], files.stderr);
  assert.match(
    files.stderr,
    /^nearprint: 2 of 3 documents have no text .*, such as empty\/a\.html: the page has no text$/m,
  );
  assert.equal(command.run(['dedupe', 'empty']).stdout, 'empty/c.html\n');
  // A row has a field for each column; an empty one is a text.
  const table = `id,text\n1,\n2,${textOf(1)}\n3,\n`;
  command.write('empty.csv', `${table}4\n`);
  const rows = run(['empty.csv']);
  assert.deepEqual([rows.status, rows.stdout], [2, table]);
});

/** Returns the numbers of a run, and what it says after its sentence. */
function warningsOf(input, args = []) {
  const { stderr } = command.run(['dedupe', '--json-summary', 's', ...args], { input });
  const warnings = messagesOf({ stderr });
  return {
    summary: JSON.parse(command.read('s')),
    warnings: warnings.slice(1 + warnings.findIndex((line) => line.startsWith('kept '))),
  };
}

test('the summary says what a person would want to know, and only then', () => {
  const honest = Array.from({ length: 40 }, (_, id) => ({ id, text: textOf(id) }));
  const copies = [1, 2, 3, 4].map((at) => ({ id: `copy ${at}`, text: `${textOf(at)} more` }));
  assert.deepEqual(warningsOf(jsonLines([...honest, ...copies])).warnings, []);

  const blank = Array.from({ length: 30 }, (_, id) => ({ id: `b${id}`, text: pick(['', ' ', '...', '- -']) }));
  const empty = warningsOf(jsonLines([...honest, ...blank]));
  assert.equal(empty.summary.withoutWords, 30);
  assert.match(empty.warnings[0], /^30 of 70 documents have no words, so nothing resembles them: /);
  assert.deepEqual([empty.warnings.length, empty.summary.new], [1, 70]);

  // As another program has written them, in UTF-8 and as escapes.
  const lost = paragraphs.map((text, id) => JSON.stringify({ id, text: text.replace(/[а-я]/g, '\ufffd') }));
  for (const lines of [
    lost,
    lost.map((line) => line.replaceAll('\ufffd', '\\ufffd')),
    lost.map((line) => line.replaceAll('\ufffd', '\\uFFFD')),
  ]) {
    const { summary, warnings } = warningsOf(`${lines.join('\n')}\n${jsonLines([{ id: 'ok', text: textOf(1) }])}`);
    assert.deepEqual([summary.withReplacement, summary.withoutWords, summary.new], [47, 47, 48]);
    assert.match(warnings[0], /^47 of 48 documents contain U\+FFFD .*: was the encoding right/);
    assert.match(warnings[1], /^47 of 48 documents have no words/);
  }

  const product = (at) => ({ id: `sku-${at}`, sku: at, text: `Chair number ${at}. ${textOf(7)}` });
  const shop = jsonLines(Array.from({ length: 30 }, (_, at) => product(at)));
  const family = warningsOf(shop);
  assert.equal(family.summary.duplicates, 29);
  assert.match(
    family.warnings[0],
    /^29 of 30 documents are duplicates of sku-0\. The least similar, sku-\d+, shares 9\d % .* --scope-field keeps apart documents that differ in a field$/,
  );
  assert.deepEqual(warningsOf(shop, ['--scope-field', 'sku']).warnings, []);
  // Lines of text have no fields.
  const plain = Array.from({ length: 30 }, (_, at) => `${product(at).text}\n`).join('');
  assert.match(warningsOf(plain, ['--format', 'lines']).warnings[0], / shares 9\d % of its word pairs with it$/);
  const errors = jsonLines(
    Array.from({ length: 30 }, (_, id) => ({ id, text: 'Access denied. Please enable cookies and try again.' })),
  );
  assert.match(warningsOf(errors).warnings[0], /^29 of 30 documents are duplicates of 0\. They have its words: /);
  assert.deepEqual(command.run(['dedupe', '-q'], { input: shop }).stderr, '');
});

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

test('text prints what is compared', () => {
  const page = `<nav><a href="/">Home</a> <a href="/x">All</a></nav><article><p>${textOf(1)}</p></article>`;
  command.write('page.html', page);
  assert.equal(command.run(['text', 'page.html']).stdout, `${textOf(1)}\n`);
  assert.equal(command.run(['text', '--html'], { input: page }).stdout, `${textOf(1)}\n`);
  assert.equal(command.run(['text'], { input: page }).stdout, `${page}\n`);
  const input = jsonLines([
    { id: 'a', title: 'A', text: 'one' },
    { id: 'b', text: 'two' },
  ]);
  command.write('two.jsonl', input);
  const expected = '==> two.jsonl:1 <==\nA\none\n\n==> two.jsonl:2 <==\ntwo\n';
  assert.equal(command.run('text -t title,text two.jsonl').stdout, expected);
});

test('calibrate marks the threshold that agrees best with labels', () => {
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
  const outputOf = (labels) => {
    command.write('labels.tsv', labels.map((label) => `${label.join('\t')}\n`).join(''));
    return command.outputOf(['calibrate', '--labels', 'labels.tsv', 'family.jsonl']);
  };
  const different = [1, 2, 3, 4].map((at) => ['p0', `p${at}`, 'different']);
  const same = [0, 1, 2, 3].map((at) => [`r${at}`, `r${at}b`, 'same']);
  // Each changed word is in two of 199 pairs: pages share (199 - 20) / (199 + 20) = .82 of them, revisions 197 / 201 = .98.
  const output = outputOf([...different, ...same]);
  assert.match(output, /^ +\* 0\.85 +8 .* 1\.000 +1\.000 +1\.000$/m);
  assert.match(output, /^ +0\.80 +15 .* 0\.500 +1\.000 +0\.666$/m);
  assert.match(output, /^Your labels: 4 pairs the same, 4 different\.\n--min-resemblance 0\.85 has the best F1/m);
  assert.match(outputOf(same), /--min-resemblance 0\.65 has the best F1 on them; of several/);
  assert.match(
    outputOf([['nobody', 'noone'], ...different]),
    /0 pairs the same, 4 different; 1 left out, which name an id that no document has\.\nNo threshold has an F1 above 0/,
  );
});

test('what a terminal would execute is escaped', () => {
  const evil = 'a\x9b31m\u202eb\u2066c';
  const safe = 'a\\u009b31m\\u202eb\\u2066c';
  const input = jsonLines([{ id: evil, text: textOf(1) }, { id: 'copy', text: `${textOf(1)} more` }, { [evil]: 1 }]);
  const runs = [
    command.run(['dedupe', '--report', 'r', '--index', 'evil.idx'], { input }),
    command.run(['clusters'], { input }),
    command.run(['hash', '--jsonl'], { input }),
    command.run(['dedupe', evil]),
    command.run(['dedupe', `--${evil}`]),
  ];
  assert.ok(command.read('r').includes(safe) && runs[0].stderr.includes('\\u202e'));
  for (const { stdout, stderr } of runs.slice(1)) assert.doesNotMatch(stdout + stderr, /[\x7f-\x9f\u202e\u2066]/);
  for (const { stderr } of runs) assert.doesNotMatch(stderr, /[\x7f-\x9f\u202e\u2066]/);
  assert.equal(parseLines(runs[2].stdout)[0].id, evil);
  for (const at of [1, 2]) assert.ok(runs[at].stdout.includes(safe), `${at}`);
});

// The formats that the command line reads, and its messages for others. The oracles are the documents that files are made of.
import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import { exhaustive, test } from '../tier.mjs';
import {
  decideRun,
  isKept,
  jsonLines,
  makeCommandFolder,
  parseLines,
  randomDocuments,
  shownMessages,
  textOf,
} from './command.mjs';
import { random } from './random.mjs';
import { valuesOf } from './values.mjs';

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

exhaustive('dedupe: a table that is compressed, longer than a chunk, and from standard input', () => {
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

test('dedupe: bad rows are reported by line, and the rest is read', () => {
  command.write('bad.csv', `id,text\na,${textOf(1)}\n\nb\nc,x,y\n"d\nd",${textOf(2)}\ne,${textOf(1)}\nf,"open\n`);
  const stderr = command.fail('dedupe bad.csv', /^nearprint: bad\.csv:4: a row must have 2 fields, .*, got 1$/m, {
    stdout: `id,text\na,${textOf(1)}\n"d\nd",${textOf(2)}\n`,
  });
  assert.match(stderr, /^nearprint: bad\.csv:5: a row must have 2 fields, as the header has, got 3$/m);
  assert.match(
    stderr,
    /^nearprint: bad\.csv:9: the row has no closing quotation mark; the rest of the file is not read \(.*--quote none\)$/m,
  );
  const noColumn = /^nearprint: bad\.csv: no column "body" \(--text-field\); the columns are "id", "text"$/m;
  command.fail('dedupe --text-field body bad.csv', noColumn);
});

test('dedupe: a table that begins with blank lines, longer than a chunk', () => {
  for (const blank of [2, 600_000]) {
    const table = `${'\n'.repeat(blank)}id,text\na,${textOf(1)}\nb\nc,${textOf(1)}\n`;
    command.fail('dedupe -f csv', new RegExp(`^nearprint: stdin:${blank + 3}: a row must have 2 fields`), {
      input: table,
      stdout: `id,text\na,${textOf(1)}\n`,
    });
  }
  assert.equal(command.outputOf('dedupe -f csv', { input: '\n\n' }), '');
});

test('dedupe: a table whose rows end with carriage returns alone', () => {
  const rows = `id,text,url\ra,${textOf(1)},b\rc,"${textOf(1)}\n",d\r`;
  const isRefused =
    /^nearprint: stdin: the rows end with carriage returns alone; tr '\\r' '\\n' makes line feeds of them$/m;
  command.fail('dedupe -f csv', isRefused, { input: rows });
  const quoted = `id,"text\rof",text,url\r\r\na,b,${textOf(1)},c\r\r\n`;
  assert.equal(command.outputOf('dedupe -f csv', { input: quoted }), quoted);
});

test('dedupe: files of one table, and of different ones', () => {
  command.write('one.csv', `id,text\na,${textOf(1)}\n`);
  command.write('two.csv', `id,text\nb,${textOf(2)}\n`);
  command.write('other.csv', `text,id\n${textOf(3)},c\n`);
  command.write('lines.jsonl', jsonLines([{ id: 'd', text: textOf(4) }]));
  assert.equal(command.run(['dedupe', 'one.csv', 'two.csv']).stdout, `id,text\na,${textOf(1)}\nb,${textOf(2)}\n`);
  const differs = /other\.csv: its columns or its delimiter differ from one\.csv: run it separately$/m;
  const stdout = `id,text\na,${textOf(1)}\nb,${textOf(2)}\n`;
  const stderr = command.fail('dedupe one.csv other.csv lines.jsonl two.csv', differs, { stdout });
  assert.match(stderr, /lines\.jsonl: its lines cannot be written with the rows of one\.csv: run it separately$/m);
});

test('dedupe: files that are refused are closed', () => {
  command.write('accepted.jsonl', jsonLines([{ id: 'a', text: textOf(1) }]));
  // Node warns of more than 10 listeners, one for each open file.
  const refused = Array.from({ length: 20 }, (_, at) => command.write(`refused${at}.txt`, textOf(at)));
  const packed = Array.from({ length: 20 }, (_, at) => command.write(`packed${at}.jsonl`, 'PK\x03\x04'));
  const { status, stderr } = command.run(['dedupe', 'accepted.jsonl', ...refused, ...packed]);
  assert.equal(status, 2);
  assert.equal(stderr.match(/run it separately$/gm).length, 3);
  assert.equal(stderr.match(/compressed with zip/g).length, 3);
  assert.match(stderr, /^nearprint: 40 files with an error, 6 of them above$/m);
  assert.doesNotMatch(stderr, /Warning/);
});

exhaustive('dedupe: an array of objects, as it is written by programs and people', () => {
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

exhaustive('dedupe: elements that are not documents, and arrays that are not whole', () => {
  const [a, b] = [1, 2].map((id) => JSON.stringify({ id, text: textOf(id) }));
  for (const [content, message, expected] of [
    [`[${a}, 7, "x]", null, [1], ${b}]`, 'stdin[1]: a document must be an object, got a number', [a, b]],
    [`[${a}, {"id": 3}, ${b}]`, 'stdin[1]: no field "text" (--text-field); the document has "id"', [a, b]],
    [`[${a}] ${b}`, 'stdin: text after the end of the array; jq -c .[] makes JSON Lines', [a]],
    [`[${a}, ${b}`, 'stdin: unexpected end of the array', [a, b]],
    [`[${a}, ${b.slice(0, -3)}`, 'stdin: unexpected end of the array', [a]],
    [`[${a},, ${b}]`, 'stdin: the array has no element where one must be', [a]],
    [`[${a}, {"id": 3, "text": "a\nb"}, ${b}]`, 'stdin[1]: not JSON: ', [a, b]],
  ]) {
    const { status, stdout, stderr } = command.run(['dedupe', '-f', 'json'], { input: content });
    assert.equal(status, 2);
    assert.ok(stderr.includes(`nearprint: ${message}`), stderr);
    assert.deepEqual(
      parseLines(stdout),
      expected.map((line) => JSON.parse(line)),
    );
  }
});

exhaustive('dedupe: folders, patterns and lists of files', () => {
  const texts = { 'a.txt': 1, 'b.md': 1, 'sub/c.txt': 2, 'sub/d.html': 3, 'sub/deep/e.txt': 2, 'sub/deep/f.txt': 4 };
  for (const [name, seed] of Object.entries(texts)) {
    const html = name.endsWith('.html') ? `<title>t</title><main><p>${textOf(seed)}</main>` : textOf(seed);
    command.write(`tree/${name}`, html);
  }
  command.write('tree/picture.png', 'x');
  command.write('tree/.hidden/g.txt', textOf(9));
  const lines = (names) => names.map((name) => `tree/${name}\n`).join('');
  const kept = lines(['a.txt', 'sub/c.txt', 'sub/d.html', 'sub/deep/f.txt']);
  for (const [args, expected] of [
    [['tree'], kept],
    [['tree/*'], lines(['a.txt'])],
    [['tree/**/*.txt'], lines(['a.txt', 'sub/c.txt', 'sub/deep/f.txt'])],
    [['tree/*/d.*'], lines(['sub/d.html'])],
    [['tree/sub/?.txt', 'tree/a.txt'], lines(['sub/c.txt', 'a.txt'])],
    [['-v', 'tree'], lines(['b.md', 'sub/deep/e.txt'])],
  ]) {
    // parse5 is in the modules of this project.
    const { stdout, stderr } = command.run(['dedupe', ...args]);
    assert.equal(stdout, expected, `${args}: ${stderr}`);
  }
  command.write(
    'list',
    Object.keys(texts)
      .map((name) => `tree/${name}\r\n`)
      .join(''),
  );
  assert.equal(command.run(['dedupe', '--files-from', 'list']).stdout, kept);
  const zeros = Object.keys(texts).map((name) => `tree/${name}\0`);
  assert.equal(command.run(['dedupe', '--files-from', '-'], { input: zeros.join('') }).stdout, kept);
  const rows = parseLines(command.run(['dedupe', '--annotate', 'tree/a.txt', 'tree/b.md']).stdout);
  assert.deepEqual(rows, [
    { id: 'tree/a.txt', status: 'new', duplicateOf: null, resemblance: null },
    { id: 'tree/b.md', status: 'duplicate', duplicateOf: 'tree/a.txt', resemblance: 1 },
  ]);
  command.fail('dedupe tree/*.pdf', 'tree/*.pdf: no file matches');
});

test('dedupe: the second day of a folder', () => {
  for (const at of [1, 2, 3]) command.write(`days/${at}.txt`, textOf(at));
  const run = () => command.run(['dedupe', '--index', 'days.idx', 'days']).stdout;
  assert.equal(run(), 'days/1.txt\ndays/2.txt\ndays/3.txt\n');
  command.write('days/2.txt', textOf(20));
  command.write('days/4.txt', textOf(3));
  command.write('days/5.txt', textOf(5));
  assert.equal(run(), 'days/2.txt\ndays/5.txt\n');
});

test('dedupe: several text fields, and fields of fields', () => {
  const lines = [
    { id: 1, title: textOf(1), content: { text: textOf(2) } },
    { id: 2, title: textOf(1), content: { text: textOf(3) } },
    { id: 3, title: textOf(1), content: { text: textOf(2) } },
    { id: 4, title: textOf(4), content: {} },
    { id: 5, title: null, content: { text: textOf(4) } },
    { id: 6, content: [] },
    { id: 7, title: {}, content: { text: 'x' } },
    { id: 8, 'content.text': textOf(3) },
    { id: 9, content: { text: [textOf(2)] } },
  ];
  const idsOf = (field) => {
    const { stdout, stderr } = command.run(['dedupe', '--text-field', field], { input: jsonLines(lines) });
    return [parseLines(stdout).map(({ id }) => id), stderr];
  };
  const [both, messages] = idsOf('title,content.text');
  assert.deepEqual(both, [1, 2, 4, 8, 9]);
  assert.match(
    messages,
    /stdin:6: no field "title" or "content\.text" \(--text-field\); the document has "id", "content"$/m,
  );
  assert.match(
    messages,
    /stdin:7: "title" must be a string, a number, a boolean or an array of strings, got an object$/m,
  );
  assert.deepEqual(idsOf('content.text')[0], [1, 2, 5, 7]);
});

/** Values of a text field in JSON, each with the cell of a table that has the same text. */
const sameTexts = [
  ['7', '7'],
  ['-12.50', '-12.50'],
  ['9007199254740993', '9007199254740993'],
  ['1e3', '1e3'],
  ['true', 'true'],
  ['false', 'false'],
  ['[]', ''],
  ['["one"]', 'one'],
  ['[ "first, of several", "the \\u0073econd" ]', '"first, of several\nthe second"'],
  [JSON.stringify([textOf(1), textOf(2)]), `"${textOf(1)}\n${textOf(2)}"`],
  [JSON.stringify(`${textOf(1)}\n${textOf(2)}`), `"${textOf(1)}\n${textOf(2)}"`],
  ['"7"', '7'],
];

test('values of a text field: the same rows in JSON, an array and CSV have the same texts', () => {
  const objects = sameTexts.map(([value], at) => `{"id":"${at}","v":${value},"other":"x"}`);
  command.write('values.jsonl', objects.map((object) => `${object}\n`).join(''));
  command.write('values.json', `[${objects.join(',\n ')}]\n`);
  command.write('values.csv', `id,v\n${sameTexts.map(([, cell], at) => `${at},${cell}\n`).join('')}`);
  const outputs = ['values.csv', 'values.jsonl', 'values.json'].map((name) => {
    const counts = command.outputOf(['dedupe', '--count', '--threads', 2, '--report', 'r', '-t', 'v', name]);
    const texts = command.outputOf(['text', '-t', 'v', name]);
    return {
      counts,
      report: command.read('r'),
      texts: texts.replaceAll(/^==> .* <==$/gm, '==>'),
      sketches: command.outputOf(['hash', '--jsonl', '--sketch', '-t', 'v', name]),
      clusters: command.outputOf(['clusters', '-t', 'v', name]),
    };
  });
  assert.deepEqual(outputs[1], outputs[0]);
  assert.deepEqual(outputs[2], outputs[0]);
  const { texts, report } = outputs[0];
  assert.ok(texts.includes('\n==>\n-12.50\n\n==>\n9007199254740993\n\n==>\n1e3\n'), texts);
  assert.deepEqual(valuesOf(parseLines(report), 'id', 'duplicateOf'), [
    ['10', '9'],
    ['11', '0'],
  ]);
});

test('values of a text field that are no text are bad lines in every command', () => {
  const bad = [
    ['null', 'null'],
    ['{}', 'an object'],
    ['[1]', 'an array with a number'],
    ['["a", null]', 'an array with null'],
    ['[["a"]]', 'an array with an array'],
  ];
  const good = [1, 2].map((id) => ({ id, text: textOf(id) }));
  const input = bad.map(([value]) => `{"text":${value}}\n`).join('') + jsonLines(good);
  const messages = bad.map(([, got], at) => {
    return `nearprint: stdin:${at + 1}: "text" must be a string, a number, a boolean or an array of strings, got ${got}`;
  });
  for (const name of ['dedupe', 'clusters', 'calibrate', 'hash --jsonl', 'text -f jsonl']) {
    const { status, stderr } = command.run(name, { input });
    assert.deepEqual([status, stderr.split('\n', 5)], [2, messages], name);
  }
});

test('a named field that no document has is an error', () => {
  command.write(
    'wide.jsonl',
    jsonLines([
      { id: 1, title: textOf(1), body: textOf(2) },
      { id: 2, title: textOf(1) },
    ]),
  );
  command.write('wide.csv', `id,title,body\n1,${textOf(1)},${textOf(2)}\n`);
  const noText = 'no document has the field "bdy" (--text-field), so it was not compared';
  const noId = 'no document has the field "url" (--id-field), so each has its place as its id';
  for (const [args, ...messages] of [
    ['dedupe -t title,bdy wide.jsonl', noText],
    ['dedupe -t title,bdy -j 2 wide.jsonl', noText],
    ['clusters -t title,bdy --id-field url wide.jsonl', noId, noText],
    ['text -t title,bdy --id-field url wide.jsonl', noId, noText],
    ['dedupe -t title --id-field url wide.jsonl', noId],
    ['dedupe -t title,bdy wide.csv', 'wide.csv: no column "bdy" (--text-field); the columns are "id", "title", "body"'],
    [
      'dedupe -t body --id-field url wide.csv',
      'wide.csv: no column "url" (--id-field); the columns are "id", "title", "body"',
    ],
  ]) {
    const { status, stderr } = command.run(args);
    assert.equal(status, 2, args);
    const found = stderr.split('\n').filter((line) => line.includes('-field'));
    assert.deepEqual(
      found,
      messages.map((message) => `nearprint: ${message}`),
      args,
    );
  }
  assert.equal(command.run('dedupe -t title,body wide.jsonl').status, 0);
});

test('dedupe: an id is any JSON scalar, a safe integer or its text', () => {
  const ids = '9007199254740993 9007199254740992 1.5 1.50 1e3 -0 true false "a" 12 "12"'.split(' ');
  const input = ids.map((id, at) => `{"id": ${id}, "text": "${textOf(at)}"}\n`).join('');
  assert.equal(command.outputOf('dedupe --json-summary s', { input }), input);
  const summary = JSON.parse(command.read('s'));
  assert.equal(summary.new, ids.length);
  const again = command.run(['dedupe'], { input: input + input });
  assert.equal(again.stdout, input);
  const copies = ids.map((_, at) => `{"id":"copy ${at}","text":"${textOf(at)}"}\n`).join('');
  command.run(['dedupe', '--report', 'copies'], { input: input + copies });
  // Numbers that are not safe integers keep their digits, as strings.
  const names = ids.map((id) => (id === '12' || id.startsWith('"') ? id : `"${id}"`));
  const rows = command.read('copies').split('\n', ids.length);
  const found = rows.map((row) => /"duplicateOf":(.*?),"resemblance"/.exec(row)[1]);
  assert.deepEqual(found, names);
});

test('dedupe: the cells of a table are strings', () => {
  const input = `id,text\n7,${textOf(1)}\n07,${textOf(2)}\n8,${textOf(1)}\n,${textOf(3)}\n9,${textOf(3)}\n`;
  const args = ['dedupe', '--format', 'csv', '--index', 'cells.idx', '--report', 'cells'];
  assert.equal(command.run(args, { input }).status, 0);
  assert.deepEqual(valuesOf(parseLines(command.read('cells')), 'id', 'duplicateOf'), [
    ['8', '7'],
    ['9', 'stdin:5'],
  ]);
  // On the next day, too, a document without an id is named by its place.
  command.run(args, { input: `id,text\n,${textOf(3)}\n10,${textOf(3)}\n` });
  assert.deepEqual(valuesOf(parseLines(command.read('cells')), 'id', 'duplicateOf'), [
    ['stdin:2', undefined],
    ['10', 'stdin:2'],
  ]);
});

// cli-chunks.test.mjs has the formats of text.
exhaustive('other formats get one message that names the way to read them', () => {
  const utf16 = (text) => Buffer.from(text, 'utf16le');
  for (const [name, content, message] of [
    ['object', JSON.stringify({ pages: [{ text: 'a' }] }, null, 2), 'jq -c . makes JSON Lines'],
    ['big', utf16(jsonLines([{ text: 'a' }])).swap16(), '--encoding utf-16be reads it'],
    ['unmarked.csv', utf16('id,text\n1,a\n'), '--encoding utf-16le reads it'],
    ['parquet', 'PAR1xxxx', 'duckdb'],
    ['warc', 'WARC/1.0\r\nWARC-Type: warcinfo\r\n', 'warcio'],
    ['document.pdf', '%PDF-1.7\n', 'pdftotext'],
    ['archive', 'PK\x03\x04xxxx', 'the file is compressed with zip'],
  ]) {
    command.write(name, content);
    const { status, stdout, stderr } = command.run(['dedupe', name]);
    assert.deepEqual([status, stdout], [2, ''], name);
    assert.equal(stderr.split('\n').length, 2, stderr);
    assert.ok(stderr.startsWith(`nearprint: ${name}: `) && stderr.includes(message), stderr);
  }
});

test('at most ten bad lines and three with one error are printed, then their number', () => {
  const good = { id: 'a', text: textOf(1) };
  for (const [count, kinds] of [
    [3, 1],
    [10, 10],
    [4, 1],
    [11, 11],
    [5000, 4],
  ]) {
    const input = jsonLines([good, ...Array.from({ length: count }, (_, at) => ({ [`field${at % kinds}`]: at }))]);
    const { status, stdout, stderr } = command.run(['dedupe', '-q'], { input });
    assert.deepEqual([status, stdout], [2, jsonLines([good])]);
    const messages = Array.from({ length: count }, (_, at) => {
      return `nearprint: stdin:${at + 2}: no field "text" (--text-field); the document has "field${at % kinds}"`;
    });
    assert.deepEqual(stderr.split('\n').slice(0, -1), shownMessages(messages));
  }
});

exhaustive('a line of 30 million levels or of a million values is a bad line', () => {
  const depth = 30_000_000;
  const deep = Buffer.concat([
    Buffer.from('{"a":'),
    Buffer.alloc(depth, '['),
    Buffer.alloc(depth, ']'),
    Buffer.from(',"text":"a"}\n'),
  ]);
  const good = jsonLines([{ id: 'a', text: textOf(1) }]);
  command.write('deep.jsonl.gz', zlib.gzipSync(Buffer.concat([deep, Buffer.from(good)])));
  const isDeep = /^nearprint: deep\.jsonl\.gz:1: nested more than 1,000 levels deep\n/;
  command.fail('dedupe --index deep.idx deep.jsonl.gz', isDeep, { stdout: good });
  const wide = `{"text":"a","b":[${'0,'.repeat(1_000_000)}0]}\n`;
  command.fail('dedupe -t text,x', /stdin:1: more than 1,000,000 values$/m, { input: wide });
  const nested = `{"id":1,"b":${'['.repeat(900)}${']'.repeat(900)},"text":"${textOf(3)}"}\n`;
  assert.equal(command.run(['dedupe', '-t', 'text,x'], { input: nested }).stdout, nested);
});

exhaustive('a file that cannot be examined is reported, and the rest is read', () => {
  const good = jsonLines([{ id: 'a', text: textOf(1) }]);
  command.write('good.jsonl', good);
  const long = 'x'.repeat(300);
  for (const [path, message] of [
    ['missing.jsonl', 'no such file or directory'],
    ['good.jsonl/x', 'not a directory'],
    [long, 'name too long'],
  ]) {
    // One message, and no summary.
    command.fail(['dedupe', path], new RegExp(`^nearprint: [^\n]*: ${message}\n$`));
    const both = command.run(['dedupe', path, 'good.jsonl']);
    assert.deepEqual([both.status, both.stdout], [2, good]);
  }
});

// The command line, installed from the packed package.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import zlib from 'node:zlib';
import { mainText } from '../../pkg/html.js';
import { compare, dedupe, sketch } from '../../pkg/index.js';
import { fingerprint, NearIndex, toHex, toSigned } from '../../pkg/simhash.js';
import { exhaustive, test } from '../tier.mjs';
import { decideRun, isKept, jsonLines, makeCommandFolder, parseLines } from './command.mjs';
import { installPackage, root } from './packed.mjs';
import { valuesOf } from './values.mjs';

const { gzipSync, zstdCompressSync } = zlib;
const sample = join(root, 'examples', 'sample.jsonl');
const sampleText = readFileSync(sample, 'utf8');
const sampleLines = sampleText.trimEnd().split('\n');
const documents = sampleLines.map((line) => JSON.parse(line));

const project = installPackage();
const program = join(project, 'node_modules', 'nearprint', 'cli.js');
const { run, outputOf, fail, write, read, indexOf } = makeCommandFolder({ folder: project, program });

/**
 * The same JSON Lines, with a long first line. While threads start, the main thread reads lines itself, but not a long one:
 * so a thread reads some of these.
 */
const padded = (lines) => lines.replace('{', `{"padding":"${'x'.repeat(5 << 20)}",`);

/** A text that is not short, of words that no other text has. */
const text = (seed, words = 40) =>
  Array.from({ length: words }, (_, at) => `w${((seed + 7) * 2654435761 + at * 40503 * (seed + 1)) % 99991}`).join(' ');

/** The places of the sample's documents that the rule keeps, and the rows of the report about the others. */
function decideSample(keep = 'first') {
  const order = [...documents.keys()];
  if (keep === 'longest') order.sort((a, b) => documents[b].text.length - documents[a].text.length || a - b);
  const decided = decideRun(order.map((at) => documents[at]));
  const decisions = order.map((number, place) => ({ ...decided[place], number })).sort((a, b) => a.number - b.number);
  return {
    kept: decisions.flatMap(({ number, ...decision }) => (isKept(decision) ? number : [])),
    dropped: decisions.flatMap(({ at, number, ...decision }) =>
      isKept(decision) ? [] : { id: documents[number].id, ...decision },
    ),
  };
}

for (const keep of ['first', 'longest']) {
  test(`dedupe --keep ${keep} of the sample agrees with the model, and lines are unchanged`, () => {
    const { kept, dropped } = decideSample(keep);
    const { status, stdout, stderr } = run(['dedupe', '--keep', keep, '--report', 'report.jsonl', sample]);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, kept.map((at) => `${sampleLines[at]}\n`).join(''));
    assert.deepEqual(parseLines(read('report.jsonl')), dropped);
    const summary = `kept ${kept.length} of ${documents.length} documents; ${dropped.length} duplicates`;
    assert.match(stderr, new RegExp(`^nearprint: ${summary}; [^\n]* s\n$`));
  });
}

test('dedupe: files, standard input, gzip and any number of threads have the same result', () => {
  write('sample.jsonl', sampleText);
  const half = sampleText.indexOf('\n', sampleText.length / 2) + 1;
  write('one.gz', gzipSync(sampleText.slice(0, half)));
  write('two', sampleText.slice(half, -1));
  // Two gzip members, and a file name without .gz.
  write('both', Buffer.concat([gzipSync(sampleText.slice(0, half)), gzipSync(sampleText.slice(half))]));
  const expected = run(['dedupe', 'sample.jsonl']).stdout;
  assert.ok(expected.length > 1000);
  const ways = [
    [['dedupe'], { input: sampleText }],
    [['dedupe', '-'], { input: gzipSync(sampleText) }],
    [['dedupe', 'one.gz', 'two']],
    [['dedupe', 'one.gz', '-'], { input: sampleText.slice(half) }],
    [['dedupe', 'both']],
    [['dedupe', '--threads', 1, 'sample.jsonl']],
    [['dedupe', '--threads', 4, 'sample.jsonl']],
    [['dedupe', '--threads', 4, 'one.gz', 'two']],
  ];
  for (const [args, options] of ways) {
    const stdout = outputOf([...args, '--quiet'], options);
    assert.ok(stdout === expected, args.join(' '));
  }
});

exhaustive('dedupe: threads do not change the result over many batches with bad lines', () => {
  const lines = [];
  for (let at = 0; at < 3000; at++) {
    lines.push(at % 50 === 49 ? '{"broken' : JSON.stringify({ id: at, text: text(at % 700, 200 + (at % 9)) }));
  }
  write('many.jsonl', padded(`${lines.join('\n')}\n`));
  const results = [1, 4].map((threads) => {
    const { status, stdout, stderr } = run(['dedupe', 'many.jsonl', '--threads', threads, '--report', 'r', '-q']);
    return { status, stdout, stderr, report: read('r') };
  });
  assert.deepEqual(results[0], results[1]);
  assert.equal(results[0].status, 2);
  const messages = results[0].stderr.trimEnd().split('\n');
  assert.match(messages.at(-1), /^nearprint: 60 bad lines, \d+ of them above$/);
  const kept = parseLines(results[0].stdout).length;
  assert.equal(kept + parseLines(results[0].report).length, 3000);
});

test('dedupe: a line that is left to JSON.parse is sketched as other lines are', () => {
  const documents = Array.from({ length: 200 }, (_, at) => ({
    id: at % 3 === 0 ? at : `page "${at}"`,
    text: `${text(at % 40, 60)}\n"${at}" é 👍 ${text(1000 + at, at % 30)}`,
    shop: at % 7 === 0 ? 'a' : 'b',
  }));
  const lines = documents.map((document) => jsonLines([document]));
  // An escaped name of a field.
  const left = lines.map((line) => line.replace('"text":', '"te\\u0078t":'));
  const reports = [lines, left, lines.map((line, at) => (at % 2 === 0 ? line : left[at]))].map((all) => {
    write('left.jsonl', all.join(''));
    run(['dedupe', '-q', '--scope-field', 'shop', '--report', 'r', 'left.jsonl']);
    return read('r');
  });
  assert.ok(parseLines(reports[0]).length > 50);
  assert.equal(reports[1], reports[0]);
  assert.equal(reports[2], reports[0]);
});

test('dedupe: bad lines are reported by file and line, and the rest is read', () => {
  const long = text(3);
  write(
    'bad.jsonl',
    [
      '\ufeff{"id":"a","text":"one"}\r',
      'not JSON \x1b[31m',
      '',
      '{"id":"b","content":"one"}',
      ' \t',
      '["text"]',
      '{"id":"c","text":null}',
      '{"id":{},"text":"two"}',
      `{"id":"a","text":"${long}"}`,
      '{"id":"b","text":"ONE!"}',
      '{"id":null,"text":"three"}',
      '{"text":"four"}',
    ].join('\n'),
  );
  const { status, stdout, stderr } = run(['dedupe', 'bad.jsonl', 'nowhere.jsonl', sample, '--report', 'r']);
  assert.equal(status, 2);
  const mine = stdout.split('\n').slice(0, 4);
  assert.deepEqual(mine, [
    '{"id":"a","text":"one"}\r',
    `{"id":"a","text":"${long}"}`,
    '{"id":null,"text":"three"}',
    '{"text":"four"}',
  ]);
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^nearprint: /, ''));
  const expected = [
    /^bad\.jsonl:2: not JSON: \P{Cc}*$/u,
    /^bad\.jsonl:4: no field "text" \(--text-field\); the document has "id", "content"$/,
    /^bad\.jsonl:6: a document must be an object, got an array$/,
    /^bad\.jsonl:7: "text" must be a string, a number, a boolean or an array of strings, got null$/,
    /^bad\.jsonl:8: "id" \(--id-field\) must be a string, a number or a boolean, got an object$/,
    /^nowhere\.jsonl: no such file or directory$/,
    /^kept \d+ of \d+ documents; \d+ duplicates; 5 bad lines; 1 file with an error; .* s$/,
    /^1 id occurs more than once: use the place, not the id$/,
  ];
  assert.equal(messages.length, expected.length, stderr);
  for (const [at, pattern] of expected.entries()) assert.match(messages[at], pattern);
});

exhaustive('dedupe: damaged input, other compressions, and empty input', () => {
  write('cut.gz', gzipSync(sampleText).subarray(0, 100_000));
  const cut = run(['dedupe', 'cut.gz', sample]);
  assert.equal(cut.status, 2);
  assert.match(cut.stderr, /^nearprint: cut\.gz: unexpected end of file\n/);
  assert.deepEqual(parseLines(cut.stdout).length, decideSample().kept.length);
  write('packed.xz', Buffer.from('fd377a585a00', 'hex'));
  fail('dedupe packed.xz', /compressed with xz; plain text(,| and) gzip.* are supported\n/);
  for (const input of ['', '\n\n', gzipSync('')]) {
    const { status, stdout, stderr } = run(['dedupe', '--index', 'empty.idx'], { input });
    assert.deepEqual([status, stdout], [0, '']);
    assert.match(stderr, /kept 0 of 0 documents; empty\.idx has 0 documents/);
  }
});

test('dedupe: zstd where Node has it', () => {
  if (zstdCompressSync === undefined) {
    write('packed.zst', Buffer.from('28b52ffd0458', 'hex'));
    fail('dedupe packed.zst', /with zstd; plain text and gzip are supported; with Node 22\.15 or newer, zstd too\n/);
    return;
  }
  const half = sampleText.indexOf('\n', sampleText.length / 2) + 1;
  const params = { [zlib.constants.ZSTD_c_checksumFlag]: 1 };
  const frames = [
    zstdCompressSync(sampleText.slice(0, half)),
    Buffer.from('5a2a4d18030000000a0a0a', 'hex'), // a skippable frame
    zstdCompressSync(sampleText.slice(half), { params }),
    zstdCompressSync('\n'.repeat(100_000)),
    zstdCompressSync(''),
  ];
  write('frames.zst', Buffer.concat(frames));
  const { stdout } = run(['dedupe', sample]);
  const whole = run(['dedupe', '-q', 'frames.zst']);
  assert.ok(whole.stdout === stdout);
  assert.deepEqual([whole.status, whole.stderr], [0, '']);
  const piped = run(['dedupe', '-q', '-'], { input: Buffer.concat(frames) });
  assert.ok(piped.stdout === stdout);
  const [first] = frames;
  for (const [bytes, message] of [
    [first.subarray(0, -1), 'unexpected end of file'],
    [first.subarray(0, 10_000), 'unexpected end of file'],
    [Buffer.concat([first, first.subarray(0, 3)]), 'unexpected end of file'],
    [Buffer.concat([first, Buffer.from('more')]), 'incorrect zstd frame'],
  ]) {
    write('damaged.zst', bytes);
    const { status, stderr } = run(['dedupe', '-q', 'damaged.zst']);
    assert.deepEqual([status, stderr], [2, `nearprint: damaged.zst: ${message}\n`]);
  }
});

exhaustive('dedupe: many small frames of zstd', { skip: zstdCompressSync === undefined }, () => {
  const [line, other] = [1, 2].map((id) => `${JSON.stringify({ id, text: text(id) })}\n`);
  const empty = zstdCompressSync('');
  const part = zstdCompressSync(' \n');
  const all = [...Array.from({ length: 100_000 }, () => empty), ...Array.from({ length: 100_000 }, () => part)];
  write('frames.zst', Buffer.concat([zstdCompressSync(line), ...all, zstdCompressSync(other), Buffer.from('damage')]));
  const start = performance.now();
  fail('dedupe --id-field id frames.zst', /^nearprint: frames\.zst: incorrect zstd frame$/m, { stdout: line + other });
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds < 20, `${seconds} s`);
});

test('dedupe --index: the next run knows the kept documents', () => {
  const { kept } = decideSample();
  const first = outputOf(['dedupe', '--index', 'seen.idx', sample]);
  assert.equal(parseLines(first).length, kept.length);
  assert.equal(indexOf('seen.idx').size, kept.length);
  const before = read('seen.idx');

  const second = run(['dedupe', '--index=seen.idx', sample, '--report', 'r']);
  assert.deepEqual([second.status, second.stdout], [0, '']);
  const statuses = parseLines(read('r')).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 'unchanged').length, kept.length);
  assert.equal(statuses.filter((status) => status === 'duplicate').length, documents.length - kept.length);
  assert.match(second.stderr, new RegExp(`; ${kept.length} unchanged, `));
  assert.equal(read('seen.idx'), before);
  assert.ok(!existsSync(join(project, 'seen.idx.tmp')));

  assert.equal(run(['dedupe', '--index=seen.idx', sample, '--min-resemblance=0.670']).status, 0);
  const args = ['dedupe', '--index=seen.idx', sample, '--features', 'words2'];
  fail(args, 'seen.idx must be of the scheme s1:words2, got s1');
  assert.equal(read('seen.idx'), before);
  write('not.idx', 'something else');
  const isOther = /^nearprint: not\.idx is not an index: .*snapshot of a Deduplicator.*, got other bytes\n$/;
  fail(['dedupe', '--index=not.idx', sample], isOther);
  assert.equal(read('not.idx'), 'something else');
  writeFileSync(join(project, 'prints.idx'), new NearIndex({ maxDistance: 3 }).toBytes());
  fail('index stats prints.idx', /^nearprint: prints\.idx is not an index: .*, got a snapshot of a NearIndex/);
  assert.equal(run(['dedupe', '--index', 'no/such/folder.idx', sample]).status, 2);
});

test('dedupe: documents without words and without an id are all written, in every kind of run', () => {
  const lines = ['', ' - ', '\n'].map((text) => `${JSON.stringify({ text })}\n`);
  const input = [...lines, '{"text":"Good news"}\n', ...lines].join('');
  const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
  const kinds = [[], ['--index', 'blank.idx'], ...(hasSqlite ? [['--store', 'sqlite:blank.db']] : [])];
  for (const kind of kinds) {
    for (const others of [
      ['--report-html', 'r.html'],
      ['--keep', 'longest'],
    ]) {
      if (kind[0] === '--store' && others[0] === '--report-html') continue;
      const { stdout, stderr } = run(['dedupe', ...kind, ...others], { input });
      assert.equal(stdout.split('\n').filter((line) => lines.includes(`${line}\n`)).length, 6, stderr);
    }
  }
  assert.equal(indexOf('blank.idx').size, 1);
});

test('the command agrees with the function', async () => {
  const byFunction = [];
  for await (const { id, status, duplicateOf, resemblance } of dedupe(documents, {
    minResemblance: 0.9,
    features: { chars: 4 },
    keep: 'longest',
  })) {
    if (status === 'duplicate')
      byFunction.push({ id, status, duplicateOf, resemblance: Number(resemblance.toFixed(4)) });
  }
  assert.ok(byFunction.length > 0);
  write('padded', padded(sampleText));
  for (const threads of [1, 2]) {
    const rule = ['--min-resemblance=0.9', '--features=chars4', '--keep=longest'];
    run(['dedupe', ...rule, 'padded', '--threads', threads, '--report', 'r']);
    assert.deepEqual(parseLines(read('r')), byFunction);
  }
});

exhaustive('hash: prints lines like sha256sum', () => {
  write('a.txt', documents[0].text);
  write('b.txt.gz', gzipSync(documents[1].text));
  const [a, b] = documents.map(({ text }) => fingerprint(text));
  const { status, stdout } = run(['hash', 'a.txt', 'b.txt.gz']);
  assert.equal(status, 0);
  assert.equal(stdout, `${toHex(a)}  a.txt\n${toHex(b)}  b.txt.gz\n`);
  assert.equal(run(['hash'], { input: documents[0].text }).stdout, `${toHex(a)}  -\n`);
  const wide = fingerprint(documents[0].text, { bits: 128 });
  assert.equal(run(['hash', '--bits', 128, 'a.txt']).stdout, `${toHex(wide, 128)}  a.txt\n`);
  assert.equal(run(['hash', '--scheme', 'v1:128', '--format=decimal', 'a.txt']).stdout, `${wide}  a.txt\n`);
  assert.equal(run(['hash', '--format=signed', 'a.txt']).stdout, `${toSigned(a)}  a.txt\n`);
  write('padded', padded(sampleText));
  const lines = run(['hash', '--jsonl', 'padded', '--threads', 2]);
  assert.deepEqual(
    parseLines(lines.stdout),
    documents.map(({ id, text }) => ({ id, fingerprint: toHex(fingerprint(text)) })),
  );
  const mark = sketch(documents[0].text).toHex();
  assert.equal(run(['hash', '--sketch', 'a.txt']).stdout, `${mark}  a.txt\n`);
  assert.equal(run(['hash', '--sketch'], { input: documents[0].text }).stdout, `${mark}  -\n`);
  const scheme = 's1:words2';
  assert.deepEqual(
    parseLines(run(['hash', '--sketch', '--scheme', scheme, '--jsonl', 'padded', '--threads', 2]).stdout),
    documents.map(({ id, text }) => ({ id, sketch: sketch(text, { scheme }).toHex() })),
  );
  fail('hash nowhere a.txt', 'nowhere: no such file or directory', { stdout: `${toHex(a)}  a.txt\n` });
  write('table.tsv.gz', gzipSync('id\ttext\n'));
  for (const name of [sample, 'table.tsv.gz']) {
    assert.match(run(['hash', 'a.txt', name]).stderr, /read as one text; with --jsonl, each line or row is a document/);
  }
  assert.equal(run(['hash', 'a.txt']).stderr, '');
  mkdirSync(join(project, 'folder'));
  for (const args of [
    ['hash', 'folder'],
    ['compare', 'folder', 'a.txt'],
  ]) {
    fail(args, 'folder: it is a folder, not a file');
  }
});

test('compare: exit code 0 for near, 1 for different, 2 for an error', () => {
  write('a.txt', text(1));
  write('near.txt', `${text(1)} again`);
  write('far.txt', text(9));
  const near = run(['compare', 'a.txt', 'near.txt']);
  const [a, b] = [text(1), `${text(1)} again`].map((text) => sketch(text));
  const resemblance = a.resemblance(b);
  const { exactResemblance, containment } = compare(text(1), `${text(1)} again`);
  const share = Math.floor(1000 * exactResemblance) / 10;
  assert.equal(near.status, 0);
  assert.match(
    near.stdout,
    new RegExp(
      `^near-duplicates: the texts share ${share} % of their word pairs; near-duplicates share at least 67 %\n` +
        `resemblance ${exactResemblance.toFixed(4)} \\(exact\\), ${resemblance.toFixed(4)} \\(estimated\\)\n` +
        `containment 1\\.0000 of A in B, ${containment.b.toFixed(4)} of B in A\n$`,
    ),
  );
  assert.equal(near.stderr, '');
  const far = run(['compare', 'a.txt', '-'], { input: text(9) });
  assert.equal(far.status, 1);
  assert.match(far.stdout, /^different: the texts share [\d.]+ % of their word pairs; .* at least 67 %\n/);
  for (const [args, status] of [
    [['--min-resemblance=1'], 1],
    [['--min-resemblance', (exactResemblance + 0.001).toFixed(4)], 1],
    [['--min-resemblance', (exactResemblance - 0.001).toFixed(4)], 0],
  ]) {
    assert.equal(run(['compare', ...args, 'a.txt', 'near.txt']).status, status, args.join(' '));
  }
  const same = run(['compare', '-', write('short.txt', 'hi')], { input: 'Hi!' });
  assert.match(same.stdout, /^near-duplicates: the texts have the same words\n/);
  assert.match(same.stderr, /short\.txt is short \(different features: 1, fewer than 8\)/);
  for (const input of ['ho', text(1)]) {
    const other = run(['compare', '-', 'short.txt'], { input });
    assert.equal(other.status, 1);
    assert.match(other.stdout, /^different: the words differ; a short text needs the same words\n/);
  }
  // The hash functions of the schemes do not tell these words apart.
  for (const [word, forged] of [
    ['is', 'bivzfosmrjblug'],
    [`the ${text(1)}`, `hswthsacrnvmgp ${text(1)}`.replaceAll(' the ', ' hswthsacrnvmgp ')],
  ]) {
    const { status, stdout } = run(['compare', '-', write('word.txt', word), '-m', '1'], { input: forged });
    assert.equal(status, 1);
    assert.match(stdout, /^different: .*\nresemblance 0\.\d{4} \(exact\), 1\.0000 \(estimated\)\n/);
  }
  const blank = run(['compare', '-', write('blank.txt', '...')], { input: '' });
  assert.equal(blank.status, 1);
  assert.match(
    blank.stdout,
    /^different: a text without words matches nothing; .*\nresemblance 0\.0000 \(exact\), 0\.0000 /,
  );
  fail('compare - -', 'compare needs two files, got standard input twice; see nearprint compare --help', {
    input: 'hi',
  });
  for (const files of ['a.txt', 'a.txt nowhere', 'a.txt far.txt near.txt', 'a.txt .']) {
    fail(`compare ${files}`, /^nearprint: /);
  }
});

/** Installs parse5 next to the command, once. */
function installParser() {
  const path = join(project, 'node_modules', 'parse5');
  if (!existsSync(path)) symlinkSync(join(root, 'node_modules', 'parse5'), path, 'junction');
}

test('--html: the main text of pages', () => {
  const page = (menu, words, foot) =>
    `<!doctype html><html><head><title>x</title><style>p { color: red }</style></head><body><nav><ul>${menu}</ul></nav>
    <article><h1>Head</h1>${[1, 2, 3, 4].map((n) => `<p>${text(words + n, 60)}, and so on.</p>`).join('')}</article>
    <footer>${foot}</footer><script>var a = 1;</script></body></html>`;
  const menu = (seed) =>
    Array.from({ length: 40 }, (_, at) => `<li><a href="/${at}">${text(seed + at, 3)}</a></li>`).join('');
  const pages = [
    { id: 'one', text: page(menu(100), 1, 'Imprint') },
    { id: 'mirror', text: page(menu(900), 1, text(77, 30)) },
    { id: 'other', text: page(menu(100), 50, 'Imprint') },
  ];
  const input = jsonLines(pages);
  const missing = '--html needs another package: npm install parse5';
  fail('dedupe --html --index html.idx', missing, { input });
  assert.ok(!existsSync(join(project, 'html.idx')));
  write('one.html', pages[0].text);
  write('mirror.html', pages[1].text);
  fail('hash one.html', missing);

  installParser();
  assert.equal(parseLines(run(['dedupe'], { input }).stdout).length, 3);
  for (const threads of [1, 2]) {
    const rule = ['dedupe', '--html', '--report', 'r', '--threads', threads];
    const stdout = outputOf(rule, { input: padded(input) });
    assert.deepEqual(valuesOf(parseLines(stdout), 'id', 'text'), valuesOf([pages[0], pages[2]], 'id', 'text'));
    assert.deepEqual(parseLines(read('r')), [
      { id: 'mirror', status: 'duplicate', duplicateOf: 'one', resemblance: 1 },
    ]);
  }
  assert.equal(run(['compare', '--html', 'one.html', 'mirror.html']).status, 0);
  // By the extension, as `dedupe` reads files.
  assert.equal(run(['compare', 'one.html', 'mirror.html']).status, 0);
  assert.equal(run(['compare', write('one.txt', pages[0].text), write('mirror.txt', pages[1].text)]).status, 1);
  assert.equal(run(['hash', 'one.html']).stdout, `${toHex(fingerprint(mainText(pages[0].text)))}  one.html\n`);
  // The words of a list without white space stay separate.
  const list = run(['hash', '--html'], { input: '<ul><li>one</li><li>two</li></ul><script>no</script>three<br>four' });
  assert.equal(list.stdout, `${toHex(fingerprint('one two three four'))}  -\n`);
  const plain = run(['hash', '--html'], { input: 'plain text' });
  assert.equal(plain.stdout, `${toHex(fingerprint('plain text'))}  -\n`);

  // A page whose encoding cannot be recognised or read does not end a run.
  const heads = [
    '<meta name="description" content="class: CharSet">',
    '<meta http-equiv=content-type content="charset=">',
    '<meta content="text/html; charset">',
    '<meta charset=iso-2022-kr>',
    '<meta charset=nonsense>',
  ];
  const files = heads.map((head, at) => write(`head-${at}.html`, `${head}<p>${text(100 * at, 30)}</p>`));
  const encoded = run(['dedupe', '--quiet', ...files]);
  assert.equal(encoded.status, 2);
  assert.deepEqual(encoded.stdout.trim().split('\n'), ['head-0.html', 'head-1.html', 'head-2.html', 'head-4.html']);
  assert.match(encoded.stderr, /^nearprint: head-3\.html: .*"replacement" encoding.*\n$/);
});

test('--html: pages of which little is compared are named', () => {
  installParser();
  const menu = (seed) => `<nav>${'<a href="/">one two three</a> '.repeat(40)} ${text(seed, 3)}</nav>`;
  const page = (seed, count) => `${menu(seed)}<p>${text(seed, count)}</p>`;
  const contents = {
    'long.html': page(1, 70),
    'partly.html': page(300, 30),
    'partly2.html': page(500, 61),
    'short.html': '<p>Not found',
    'short2.html': '<p>Gone',
  };
  const files = Object.keys(contents);
  for (const file of files) write(file, contents[file]);
  const input = jsonLines(files.map((id) => ({ id, text: contents[id] })));
  const warnings = (at) => [
    `nearprint: 2 pages have fewer than ten words, such as ${at(3)}`,
    `nearprint: 2 pages are compared by less than a third of their words, such as ${at(1)}`,
  ];
  for (const [args, at, options] of [
    [files, (file) => files[file], {}],
    [['--html', '--threads', 1], (file) => `stdin:${file + 1}`, { input }],
    [['--html', '--threads', 2], (file) => `stdin:${file + 1}`, { input: padded(input) }],
  ]) {
    const { stderr } = run(['dedupe', '--json-summary', 'summary', ...args], options);
    assert.deepEqual(
      stderr.split('\n').filter((line) => / pages? /.test(line)),
      warnings(at),
    );
    const { documents, shortPages, partialPages } = JSON.parse(read('summary'));
    assert.deepEqual({ documents, shortPages, partialPages }, { documents: 5, shortPages: 2, partialPages: 2 });
  }
  assert.match(
    run(['dedupe', 'partly.html']).stderr,
    /1 page is compared by less than a third of its words: partly\.html\n/,
  );
  assert.match(run(['clusters', ...files]).stderr, /2 pages have fewer than ten words, such as short\.html\n/);

  const shown = run(['text', ...files]);
  assert.equal(shown.stdout, files.map((file) => `==> ${file} <==\n${mainText(contents[file])}\n`).join('\n'));
  assert.deepEqual(shown.stderr.trimEnd().split('\n'), [
    'nearprint: partly.html: the text has 30 of the 153 words of the page',
    'nearprint: partly2.html: the text has 61 of the 184 words of the page',
    'nearprint: short.html: the page has 2 words',
    'nearprint: short2.html: the page has 1 word',
  ]);
  assert.equal(run(['text', '--quiet', ...files]).stderr, '');
  assert.match(run(['compare', 'long.html', 'short.html']).stderr, /^nearprint: short\.html: the page has 2 words\n/);
});

exhaustive('help, version and usage', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', 'nearprint', 'package.json'), 'utf8'));
  assert.deepEqual(run(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
  const commands = ['dedupe', 'clusters', 'calibrate', 'compare', 'hash', 'text', 'index'];
  const helps = commands.flatMap((name) => [`${name} --help`, `${name} -h`, `help ${name}`]);
  for (const args of ['--help', '-h', 'help', ...helps]) {
    const stdout = outputOf(args);
    assert.match(stdout, /^Examples:\n(?: {2}.*nearprint .*\n){3}\nUsage: nearprint /);
    // Two screens.
    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.length <= 48, `${args}: ${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 80, line);
  }
  const alone = outputOf([]);
  assert.match(alone, /^nearprint finds near-duplicate texts\.\n[\s\S]*nearprint --help/);
  assert.ok(alone.split('\n').length < 10);
  const unit = '--expire must be a number with a unit, s, m, h, d or w (such as 30d), at most 1000000d';
  const wrong = [
    ['dedupe --frobnicate', '--frobnicate is not an option of dedupe'],
    ['dedupe --charset a', '--charset is not an option of dedupe (did you mean --encoding?)'],
    ['index --charset a', '--charset is not an option of index'],
    ['dedupe --min-resemblence .9', '--min-resemblence is not an option of dedupe (did you mean --min-resemblance?)'],
    ['dedupe --indx=a', '--indx is not an option of dedupe (did you mean --index?)'],
    ['clusters --indx=a', '--indx is not an option of clusters'],
    ['dedupe --keep last', '--keep must be first or longest, got "last"'],
    ['dedupe --threads 0', '--threads must be a whole number from 1 to 256, got 0'],
    ['hash --format octal', '--format must be hex, decimal or signed, got "octal"'],
    ['hash --bits 65', '--bits must be 32, 64 or 128, got 65'],
    ['dedupe --min-resemblance 70%', '--min-resemblance must be a number above 0 and at most 1, got "70%"'],
    ['compare --min-resemblance 0 a.txt a.txt', '--min-resemblance must be a number above 0 and at most 1, got 0'],
    ['dedupe --index x --store sqlite:y', '--store cannot be combined with --index'],
    ['dedupe --against x --against-only --store sqlite:y', '--against-only cannot be combined with --store'],
    ['hash --scheme v2', "--scheme must be an id that starts with v1, got 'v2'"],
    ['hash --scheme s1', "--scheme must be an id that starts with v1, got 's1'"],
    ['hash --sketch --scheme v1:64', "--scheme must be an id that starts with s1, got 'v1:64'"],
    ['hash --sketch --bits 64', '--bits cannot be combined with --sketch'],
    [
      'dedupe --features words65',
      '--features must be words or chars and a number from 1 to 64 (such as words3), got "words65"',
    ],
    [
      'compare --features 3 a.txt a.txt',
      '--features must be words or chars and a number from 1 to 64 (such as words3), got "3"',
    ],
    ['dedupe --expire 30d', '--expire must be combined with --index or --store'],
    ['dedupe --checkpoint 5', '--checkpoint must be combined with --index'],
    ['dedupe --index x --expire soon', `${unit}, got "soon"`],
    ['dedupe --index x --expire 1000000.1d', `${unit}, got "1000000.1d"`],
    ['dedupe -r - a.txt', '--report must be the path of a file, got "-"'],
    ['calibrate --labels -', '--labels must be the path of a file, got "-"'],
  ];
  write('a.txt', '{}');
  for (const [args, message] of wrong) fail(args, `${message}; see nearprint ${args.split(' ', 1)} --help`);
  const names = 'dedupe, clusters, calibrate, compare, hash, text, index';
  fail('frobnicate', `frobnicate is not a command (${names}); see nearprint --help`);
  fail('dedupe --report a.txt a.txt', '--report a.txt would overwrite a.txt');
  fail('dedupe --store sqlite: a.txt', '--store must be sqlite:FILE, postgres://... or redis://..., got sqlite:');
  assert.equal(read('a.txt'), '{}');
});

test('a Node that is too old gets a message, and no other one', () => {
  const source = readFileSync(join(root, 'js', 'check-node.cjs'), 'utf8');
  const check = (node) => runInNewContext(source, { process: { versions: { node } } });
  for (const version of ['0.12.18', '8.17.0', '19.9.0', '20.0.0', '20.9.0', '20.18.3']) {
    assert.throws(() => check(version), { message: `nearprint: Node must be 20.19 or newer, got ${version}` });
  }
  for (const version of ['20.19.0', '20.20.1', '21.0.0', '22.1.0', '100.0.0', undefined]) check(version);
  runInNewContext(source, {});
});

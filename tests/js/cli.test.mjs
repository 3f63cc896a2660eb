// The command line, installed from the packed package.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import zlib from 'node:zlib';
import { mainText } from '../../pkg/html.js';
import { compare, Deduplicator, dedupe, fingerprint, NearIndex, sketch, toHex, toSigned } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import { installPackage, removeProject, root } from './packed.mjs';

const { gzipSync, zstdCompressSync } = zlib;
const isWindows = process.platform === 'win32';
const sample = join(root, 'examples', 'sample.jsonl');
const sampleText = readFileSync(sample, 'utf8');
const sampleLines = sampleText.trimEnd().split('\n');
const documents = sampleLines.map((line) => JSON.parse(line));

let project;
let bin;
before(() => {
  project = installPackage();
  bin = join(project, 'node_modules', 'nearprint', 'cli.js');
});
after(() => removeProject(project));

const command = (args) => [process.execPath, [bin, ...args.map(String)]];

/** Runs the command in the project until it ends. */
function run(args, { input = '', ...options } = {}) {
  const [node, all] = command(args);
  const { status, stdout, stderr } = spawnSync(node, all, {
    cwd: project,
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...options,
  });
  return { status, stdout, stderr };
}

/** Runs a command line in a shell. */
const inShell = (line) =>
  spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(project, 'node_modules', '.bin')}:${process.env.PATH}` },
  });

function write(name, content) {
  writeFileSync(join(project, name), content);
  return name;
}

const read = (name) => readFileSync(join(project, name), 'utf8');
const jsonLines = (objects) => objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const parsed = (text) =>
  text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));

/**
 * The same JSON Lines, with a long first line. While threads start, the main thread reads lines itself, but not a long one:
 * so a thread reads some of these.
 */
const padded = (lines) => lines.replace('{', `{"padding":"${'x'.repeat(5 << 20)}",`);

/** A text that is not short, of words that no other text has. */
const text = (seed, words = 40) =>
  Array.from({ length: words }, (_, at) => `w${((seed + 7) * 2654435761 + at * 40503 * (seed + 1)) % 99991}`).join(' ');

/** How much two texts resemble each other, as the report has it; undefined if the search passes over the pair. */
function byResemblance(a, b) {
  const [estimate, apart] = [a.own.resemblance(b.own), a.own.distance(b.own)];
  // Three standard errors below the threshold.
  if (estimate < 0.67 - 0.11) return undefined;
  const resemblance = a.own.equals(b.own) ? 1 : compare(a.text, b.text).exactResemblance;
  return {
    rank: [-estimate, apart],
    isNear: resemblance >= 0.67,
    row: { resemblance: Number(resemblance.toFixed(4)), distance: apart },
  };
}

/**
 * The expected output and report of dedupe: compares every document with every kept one. No document of the sample is
 * short.
 */
function bruteForce(all, keep = 'first') {
  const order = [...all.keys()];
  if (keep === 'longest') order.sort((a, b) => all[b].text.length - all[a].text.length || a - b);
  const kept = [];
  const dropped = [];
  for (const at of order) {
    const { text } = all[at];
    const document = { at, text, own: sketch(text) };
    const hits = kept.flatMap((other) => {
      const hit = byResemblance(document, other);
      return hit ? [{ id: all[other.at].id, ...hit }] : [];
    });
    hits.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || 0);
    const hit = hits.slice(0, 16).find(({ isNear }) => isNear);
    if (hit === undefined) kept.push(document);
    else dropped[at] = { id: all[at].id, status: 'duplicate', duplicateOf: hit.id, ...hit.row };
  }
  return { kept: kept.map(({ at }) => at).sort((a, b) => a - b), dropped: dropped.filter(Boolean) };
}

exhaustive('the same file again writes nothing: the texts decide as they did before', () => {
  const documents = [];
  for (let seed = 1000; documents.length < 40; seed++) {
    const words = text(seed, 600).split(' ');
    const other = words.map((word, at) => (at % 11 === 0 ? `x${at}` : word)).join(' ');
    const { resemblance, exactResemblance } = compare(words.join(' '), other);
    if (exactResemblance >= 0.67 && resemblance < 0.67)
      documents.push({ id: `${seed}`, text: words.join(' ') }, { id: `${seed}b`, text: other });
  }
  write('twice.jsonl', jsonLines(documents));
  const dedupe = () => run(['dedupe', '--index', 'twice.idx', 'twice.jsonl']);
  const kept = parsed(dedupe().stdout).length;
  assert.ok(kept < 30, 'the search finds most pairs');
  const { stdout, stderr } = dedupe();
  assert.equal(stdout, '');
  assert.match(stderr, new RegExp(`kept 0 of 40 documents; ${kept} unchanged, ${40 - kept} duplicates; `));
});

const readDeduplicator = (name) => Deduplicator.fromBytes(readFileSync(join(project, name)));
for (const keep of ['first', 'longest']) {
  test(`dedupe --keep ${keep} of the sample agrees with brute force, and lines are unchanged`, () => {
    const { kept, dropped } = bruteForce(documents, keep);
    const { status, stdout, stderr } = run(['dedupe', '--keep', keep, '--report', 'report.jsonl', sample]);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, kept.map((at) => `${sampleLines[at]}\n`).join(''));
    assert.deepEqual(parsed(read('report.jsonl')), dropped);
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
    const { status, stdout } = run([...args, '--quiet'], options);
    assert.equal(status, 0, args.join(' '));
    assert.ok(stdout === expected, args.join(' '));
  }
});

exhaustive('dedupe: threads do not change the result over many batches with bad lines', () => {
  const lines = [];
  for (let at = 0; at < 6000; at++) {
    lines.push(at % 50 === 49 ? '{"broken' : JSON.stringify({ id: at, text: text(at % 700, 200 + (at % 9)) }));
  }
  write('many.jsonl', padded(`${lines.join('\n')}\n`));
  write('many.jsonl.gz', gzipSync(read('many.jsonl')));
  // Near-duplicates of a file that is not compressed are verified by their texts.
  for (const [scheme, name] of [
    ['v1', 'many.jsonl.gz'],
    ['v1', 'many.jsonl'],
    ['v1:64:chars4', 'many.jsonl.gz'],
  ]) {
    const results = [1, 4].map((threads) => {
      const rule = ['--scheme', scheme, '--threads', threads, '--report', 'r', '-q'];
      const { status, stdout, stderr } = run(['dedupe', name, ...rule]);
      return { status, stdout, stderr, report: read('r') };
    });
    assert.deepEqual(results[0], results[1]);
    assert.equal(results[0].status, 2);
    const messages = results[0].stderr.trimEnd().split('\n');
    assert.match(messages.at(-1), /^nearprint: 120 bad lines, \d+ of them above$/);
    const kept = parsed(results[0].stdout).length;
    assert.equal(kept + parsed(results[0].report).length, 6000);
  }
});

test('dedupe: a line that is left to JSON.parse is verified as other lines are', () => {
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
  assert.ok(parsed(reports[0]).length > 50);
  assert.equal(reports[1], reports[0]);
  assert.equal(reports[2], reports[0]);
});

test('dedupe: options', () => {
  const some = write(
    'fields.jsonl',
    jsonLines([{ url: 'a', body: text(1) }, { body: `${text(1)} more` }, { url: 7, body: text(2) }]),
  );
  const { status, stdout } = run([
    'dedupe',
    '--text-field',
    'body',
    '--id-field=url',
    some,
    '--report',
    'fields.report',
  ]);
  assert.equal(status, 0);
  assert.equal(
    stdout,
    jsonLines([
      { url: 'a', body: text(1) },
      { url: 7, body: text(2) },
    ]),
  );
  const [a, b] = [text(1), `${text(1)} more`].map((text) => ({ text, own: sketch(text) }));
  const { row } = byResemblance(a, b);
  assert.deepEqual(parsed(read('fields.report')), [
    { id: 'fields.jsonl:2', status: 'duplicate', duplicateOf: 'a', ...row },
  ]);
  assert.ok(row.distance > 0 && row.resemblance > 0.7 && row.resemblance < 1);
  const { resemblance } = row;
  for (const [args, lines] of [
    [['--min-resemblance', 1], 3],
    [['--min-resemblance', (resemblance + 0.001).toFixed(4)], 3],
    [['--min-resemblance', (resemblance - 0.001).toFixed(4)], 2],
    [['--min-resemblance', '.5'], 2],
  ]) {
    const { stdout } = run(['dedupe', '--text-field=body', ...args, some]);
    assert.equal(stdout.split('\n').length - 1, lines, args.join(' '));
  }
  for (const args of [['--bits', 128], ['--bits=32'], ['--scheme', 'v1:64:words2']]) {
    assert.equal(run(['dedupe', '--text-field=body', some, ...args]).status, 0);
  }
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
  const mine = stdout.split('\n').slice(0, 5);
  assert.deepEqual(mine, [
    '{"id":"a","text":"one"}\r',
    `{"id":"a","text":"${long}"}`,
    '{"id":"b","text":"ONE!"}',
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
    /^bad\.jsonl:7: "text" must be a string, got null$/,
    /^bad\.jsonl:8: "id" \(--id-field\) must be a string, a number or a boolean, got an object$/,
    /^nowhere\.jsonl: no such file or directory$/,
    /^kept \d+ of \d+ documents; \d+ new, 1 changed, \d+ duplicates; 5 bad lines; 1 file with an error; .* s$/,
  ];
  assert.equal(messages.length, expected.length, stderr);
  for (const [at, pattern] of expected.entries()) assert.match(messages[at], pattern);
});

exhaustive('dedupe: damaged input, other compressions, and empty input', () => {
  write('cut.gz', gzipSync(sampleText).subarray(0, 100_000));
  const cut = run(['dedupe', 'cut.gz', sample]);
  assert.equal(cut.status, 2);
  assert.match(cut.stderr, /^nearprint: cut\.gz: unexpected end of file\n/);
  assert.deepEqual(parsed(cut.stdout).length, bruteForce(documents).kept.length);
  write('packed.xz', Buffer.from('fd377a585a00', 'hex'));
  assert.match(run(['dedupe', 'packed.xz']).stderr, /compressed with xz; plain text(,| and) gzip.* are supported\n/);
  for (const input of ['', '\n\n', gzipSync('')]) {
    const { status, stdout, stderr } = run(['dedupe', '--index', 'empty.idx'], { input });
    assert.deepEqual([status, stdout], [0, '']);
    assert.match(stderr, /kept 0 of 0 documents; empty\.idx has 0 documents/);
  }
});

test('dedupe: zstd where Node has it', () => {
  if (zstdCompressSync === undefined) {
    write('packed.zst', Buffer.from('28b52ffd0458', 'hex'));
    const { status, stderr } = run(['dedupe', 'packed.zst']);
    assert.equal(status, 2);
    assert.match(stderr, /with zstd; plain text and gzip are supported; with Node 22\.15 or newer, zstd too\n/);
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
  assert.deepEqual([whole.status, whole.stderr], [0, '']);
  assert.ok(whole.stdout === stdout);
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
  const { status, stdout, stderr } = run(['dedupe', '--id-field', 'id', 'frames.zst']);
  const seconds = (performance.now() - start) / 1000;
  assert.deepEqual([status, stdout], [2, line + other]);
  assert.match(stderr, /^nearprint: frames\.zst: incorrect zstd frame$/m);
  assert.ok(seconds < 20, `${seconds} s`);
});

exhaustive('dedupe: a huge line among small ones', () => {
  const huge = JSON.stringify({ id: 'huge', text: 'lorem ipsum dolor '.repeat(1 << 20) });
  write('huge.jsonl', `{"id":1,"text":"a"}\n${huge}\n{"id":2,"text":"b"}\n${huge.replace('huge', 'again')}`);
  const { status, stdout } = run(['dedupe', 'huge.jsonl', '--report', 'r']);
  assert.equal(status, 0);
  assert.ok(stdout === `{"id":1,"text":"a"}\n${huge}\n{"id":2,"text":"b"}\n`);
  const row = { id: 'again', status: 'duplicate', duplicateOf: 'huge', resemblance: 1, distance: 0 };
  assert.deepEqual(parsed(read('r')), [row]);
});

test('dedupe --index: the next run knows the kept documents', () => {
  const { kept } = bruteForce(documents);
  const first = run(['dedupe', '--index', 'seen.idx', sample]);
  assert.equal(first.status, 0, first.stderr);
  assert.equal(parsed(first.stdout).length, kept.length);
  const index = readDeduplicator('seen.idx');
  for (const at of kept) {
    const { id, text } = documents[at];
    assert.equal(index.get(id).resemblance(sketch(text)), 1);
    assert.equal(index.get(id).fingerprint, fingerprint(text));
  }
  assert.equal(index.size, kept.length);
  const before = read('seen.idx');

  const second = run(['dedupe', '--index=seen.idx', sample, '--report', 'r']);
  assert.deepEqual([second.status, second.stdout], [0, '']);
  const statuses = parsed(read('r')).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 'unchanged').length, kept.length);
  assert.equal(statuses.filter((status) => status === 'duplicate').length, documents.length - kept.length);
  assert.match(second.stderr, new RegExp(`; ${kept.length} unchanged, `));
  assert.equal(read('seen.idx'), before);
  assert.ok(!existsSync(join(project, 'seen.idx.tmp')));

  // A sketch has 64 bits, whatever the width.
  assert.equal(run(['dedupe', '--index=seen.idx', sample, '--bits', 128, '--min-resemblance=0.670']).status, 0);
  const other = run(['dedupe', '--index=seen.idx', sample, '--scheme', 'v1:64:words2']);
  assert.deepEqual(other, {
    status: 2,
    stdout: '',
    stderr: 'nearprint: seen.idx must be of the scheme v1:64:words2, got v1:64\n',
  });
  assert.equal(read('seen.idx'), before);
  write('not.idx', 'something else');
  assert.match(
    run(['dedupe', '--index=not.idx', sample]).stderr,
    /^nearprint: not\.idx is not an index: .*snapshot of a Deduplicator.*, got other bytes\n$/,
  );
  assert.equal(read('not.idx'), 'something else');
  writeFileSync(join(project, 'prints.idx'), new NearIndex({ maxDistance: 3 }).toBytes());
  assert.match(
    run(['query', 'prints.idx']).stderr,
    /^nearprint: prints\.idx is not an index: .*, got a snapshot of a NearIndex/,
  );
  assert.equal(run(['dedupe', '--index', 'no/such/folder.idx', sample]).status, 2);
});

exhaustive('dedupe --index: changed and unchanged documents', () => {
  const day = (name, ...texts) => write(name, jsonLines(texts.map((text, at) => ({ id: at ? `p${at}` : 5, text }))));
  const dedupeDay = (...texts) => {
    const args = ['dedupe', '--index', 'days.idx', day('day.jsonl', ...texts), '--report', 'r', '--json-summary', 's'];
    const { status, stdout } = run(args);
    assert.equal(status, 0);
    const dropped = parsed(read('r')).flatMap(({ id, status, duplicateOf }) =>
      status === 'duplicate' ? [[id, duplicateOf]] : [],
    );
    const { new: fresh, changed, unchanged, duplicates } = JSON.parse(read('s'));
    return [parsed(stdout).map(({ id }) => id), dropped, [fresh, changed, unchanged, duplicates]];
  };
  assert.deepEqual(dedupeDay(text(1), text(2)), [[5, 'p1'], [], [2, 0, 0, 0]]);
  assert.deepEqual(dedupeDay(text(1), text(3)), [['p1'], [], [0, 1, 1, 0]]);
  assert.deepEqual(dedupeDay(text(4), text(5), text(4)), [[5, 'p1'], [['p2', 5]], [0, 2, 0, 1]]);
  assert.deepEqual(dedupeDay(text(4), text(4)), [[], [['p1', 5]], [0, 0, 1, 1]]);
  // A copy of what is kept no more is new.
  assert.deepEqual(dedupeDay(text(4), text(5), text(1)), [['p2'], [], [1, 0, 2, 0]]);
});

exhaustive('dedupe: short texts are compared by words, with those of an index too', () => {
  const some = ['', 'Hello there', 'hello, there!', ' ', 'hello here', text(1)].map((text, id) => ({ id, text }));
  const idsOf = (input) =>
    parsed(run(['dedupe', '--index', 'short.idx'], { input: jsonLines(input) }).stdout).map(({ id }) => id);
  // Blank texts resemble nothing.
  assert.deepEqual(idsOf(some), [0, 1, 3, 4, 5]);
  const more = [
    { id: 8, text: 'HELLO THERE' },
    { id: 9, text: 'hello' },
  ];
  assert.deepEqual(idsOf(more), [9]);
});

test('the command agrees with the function', async () => {
  const byFunction = [];
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  for await (const { id, status, duplicateOf, resemblance, distance } of dedupe(documents, {
    minResemblance: 0.9,
    scheme: 'v1:64:chars4',
    keep: 'longest',
    textOf: (id) => texts.get(id),
  })) {
    if (status === 'duplicate')
      byFunction.push({ id, status, duplicateOf, resemblance: Number(resemblance.toFixed(4)), distance });
  }
  assert.ok(byFunction.length > 0);
  write('padded', padded(sampleText));
  for (const threads of [1, 2]) {
    const rule = ['--min-resemblance=0.9', '--scheme=v1:64:chars4', '--keep=longest'];
    run(['dedupe', ...rule, 'padded', '--threads', threads, '--report', 'r']);
    assert.deepEqual(parsed(read('r')), byFunction);
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
    parsed(lines.stdout),
    documents.map(({ id, text }) => ({ id, fingerprint: toHex(fingerprint(text)) })),
  );
  const mark = sketch(documents[0].text).toHex();
  assert.equal(run(['hash', '--sketch', 'a.txt']).stdout, `${mark}  a.txt\n`);
  assert.equal(run(['hash', '--sketch', '--bits=128'], { input: documents[0].text }).stdout, `${mark}  -\n`);
  const scheme = 'v1:64:words2';
  assert.deepEqual(
    parsed(run(['hash', '--sketch', '--scheme', scheme, '--jsonl', 'padded', '--threads', 2]).stdout),
    documents.map(({ id, text }) => ({ id, sketch: sketch(text, { scheme }).toHex() })),
  );
  const missing = run(['hash', 'nowhere', 'a.txt']);
  assert.deepEqual([missing.status, missing.stdout], [2, `${toHex(a)}  a.txt\n`]);
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
    assert.deepEqual(run(args), { status: 2, stdout: '', stderr: 'nearprint: folder: it is a folder, not a file\n' });
  }
});

test('compare: exit code 0 for near, 1 for different, 2 for an error', () => {
  write('a.txt', text(1));
  write('near.txt', `${text(1)} again`);
  write('far.txt', text(9));
  const near = run(['compare', 'a.txt', 'near.txt']);
  const [a, b] = [text(1), `${text(1)} again`].map((text) => sketch(text));
  const [resemblance, apart] = [a.resemblance(b), a.distance(b)];
  const { exactResemblance, containment } = compare(text(1), `${text(1)} again`);
  const share = Math.floor(1000 * exactResemblance) / 10;
  assert.equal(near.status, 0);
  assert.match(
    near.stdout,
    new RegExp(
      `^near-duplicates: the texts share ${share} % of their word pairs; near-duplicates share at least 67 %\n` +
        `resemblance ${exactResemblance.toFixed(4)} \\(exact\\), ${resemblance.toFixed(4)} \\(estimated\\)\n` +
        `containment 1\\.0000 of A in B, ${containment.b.toFixed(4)} of B in A\ndistance +${apart}\n` +
        `similarity +0\\.\\d{4}\ncosine +0\\.\\d{4}\n${toHex(a.fingerprint)}  a\\.txt\n${toHex(b.fingerprint)}  near\\.txt\n$`,
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
    [['--bits=128'], 0],
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
  assert.deepEqual(run(['compare', '-', '-'], { input: 'hi' }), {
    status: 2,
    stdout: '',
    stderr: 'nearprint: compare needs two files, got standard input twice; see nearprint compare --help\n',
  });
  for (const args of [['a.txt'], ['a.txt', 'nowhere'], ['a.txt', 'far.txt', 'near.txt'], ['a.txt', '.']]) {
    const { status, stdout } = run(['compare', ...args]);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
  }
});

test('query: prints the document that a text resembles most', () => {
  run(['dedupe', '--index', 's.idx', sample]);
  const kept = readDeduplicator('s.idx');
  const near = (text) => {
    const [hit] = kept.query(text);
    return hit ? [{ ...hit, resemblance: Number(hit.resemblance.toFixed(4)) }] : [];
  };
  write('padded', padded(sampleText));
  const { status, stdout } = run(['query', 's.idx', '--jsonl', 'padded', '--threads', 2]);
  assert.equal(status, 0);
  assert.deepEqual(
    parsed(stdout),
    documents.map(({ id, text }) => ({ id, near: near(text) })),
  );
  assert.ok(parsed(stdout).every(({ near }) => near.length === 1));
  write('a.txt', documents[0].text);
  assert.deepEqual(parsed(run(['query', 's.idx', 'a.txt']).stdout), [{ id: 'a.txt', near: near(documents[0].text) }]);
  assert.deepEqual(parsed(run(['query', 's.idx'], { input: text(3) }).stdout), [{ id: '-', near: [] }]);
  const all = run(['query', 's.idx', 'a.txt', '--min-resemblance=0.01', '--limit=4']);
  assert.deepEqual(
    parsed(all.stdout)[0].near.map(({ id }) => id),
    kept.query(documents[0].text, { minResemblance: 0.01, limit: 4 }).map(({ id }) => id),
  );
  assert.equal(run(['query', 'nowhere.idx', 'a.txt']).status, 2);
  assert.equal(run(['query']).stderr, 'nearprint: query needs an index file; see nearprint query --help\n');
});

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
  const missing = run(['dedupe', '--html', '--index', 'html.idx'], { input });
  assert.ok(!existsSync(join(project, 'html.idx')));
  assert.deepEqual([missing.status, missing.stdout], [2, '']);
  assert.equal(missing.stderr, 'nearprint: --html needs another package: npm install parse5\n');
  write('one.html', pages[0].text);
  write('mirror.html', pages[1].text);
  run(['dedupe', '--index', 'sample.idx', sample]);
  for (const args of [['hash'], ['query', 'sample.idx']]) {
    assert.equal(run([...args, 'one.html']).stderr, missing.stderr);
  }

  symlinkSync(join(root, 'node_modules', 'parse5'), join(project, 'node_modules', 'parse5'), 'junction');
  assert.equal(parsed(run(['dedupe'], { input }).stdout).length, 3);
  for (const threads of [1, 2]) {
    const rule = ['dedupe', '--html', '--report', 'r', '--threads', threads];
    const { status, stdout, stderr } = run(rule, { input: padded(input) });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      parsed(stdout).map(({ id, text }) => ({ id, text })),
      [pages[0], pages[2]],
    );
    assert.deepEqual(parsed(read('r')), [
      { id: 'mirror', status: 'duplicate', duplicateOf: 'one', resemblance: 1, distance: 0 },
    ]);
  }
  assert.equal(run(['compare', '--html', 'one.html', 'mirror.html']).status, 0);
  // By the extension, as `dedupe` reads files.
  const main = sketch(mainText(pages[0].text));
  assert.equal(run(['compare', 'one.html', 'mirror.html']).status, 0);
  assert.equal(run(['compare', write('one.txt', pages[0].text), write('mirror.txt', pages[1].text)]).status, 1);
  assert.equal(run(['hash', 'one.html']).stdout, `${toHex(main.fingerprint)}  one.html\n`);
  run(['dedupe', '--index', 'page.idx', 'one.html']);
  const near = [{ id: 'one.html', resemblance: 1, distance: 0 }];
  assert.deepEqual(parsed(run(['query', 'page.idx', 'mirror.html']).stdout), [{ id: 'mirror.html', near }]);
  // The words of a list without white space stay separate.
  const list = run(['hash', '--html'], { input: '<ul><li>one</li><li>two</li></ul><script>no</script>three<br>four' });
  assert.equal(list.stdout, `${toHex(fingerprint('one two three four'))}  -\n`);
  const plain = run(['hash', '--html'], { input: 'plain text' });
  assert.equal(
    plain.stdout,
    `${toHex(fingerprint('plain text'))}  -
`,
  );
});

exhaustive('--html: a page that the parser fails on is a bad line', () => {
  const folder = join(project, 'node_modules', 'parse5');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const real = JSON.stringify(pathToFileURL(join(root, 'node_modules', 'parse5', 'dist', 'index.js')));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(
    join(folder, 'index.js'),
    `import { parse as parsePage } from ${real};
    export * from ${real};
    export function parse(html, options) {
      if (html.includes('broken')) throw new RangeError('Invalid string length');
      return parsePage(html, options);
    }`,
  );
  try {
    const input = jsonLines(['broken', 'whole'].map((id) => ({ id, text: `<p>${id} ${text(1, 40)}</p>` })));
    const { status, stdout, stderr } = run(['dedupe', '--html'], { input });
    assert.equal(status, 2);
    assert.deepEqual(
      parsed(stdout).map(({ id }) => id),
      ['whole'],
    );
    assert.match(stderr, /stdin:1: the page cannot be read: Invalid string length/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

exhaustive('help, version and usage', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', 'nearprint', 'package.json'), 'utf8'));
  assert.deepEqual(run(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
  for (const args of [
    ['--help'],
    ['-h'],
    ['help'],
    ...['dedupe', 'clusters', 'calibrate', 'compare', 'hash', 'query', 'index'].flatMap((name) => [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
    ]),
  ]) {
    const { status, stdout } = run(args);
    assert.equal(status, 0);
    assert.match(stdout, /^Examples:\n(?: {2}.*nearprint .*\n){3}\nUsage: nearprint /);
    // Two screens.
    const lines = stdout.trimEnd().split('\n');
    assert.ok(lines.length <= 48, `${args}: ${lines.length} lines`);
    for (const line of lines) assert.ok(line.length <= 80, line);
  }
  const alone = run([]);
  assert.equal(alone.status, 0);
  assert.match(alone.stdout, /^nearprint finds near-duplicate texts\.\n[\s\S]*nearprint --help/);
  assert.ok(alone.stdout.split('\n').length < 10);
  const wrong = [
    [
      ['frobnicate'],
      'frobnicate is not a command (dedupe, clusters, calibrate, compare, hash, query, text, index); see nearprint --help',
    ],
    [['dedup', 'a.txt'], 'dedup is not a command (did you mean dedupe?); see nearprint --help'],
    [['dedupe', '--frobnicate'], '--frobnicate is not an option of dedupe; see nearprint dedupe --help'],
    [
      ['dedupe', '--indx', 'a'],
      '--indx is not an option of dedupe (did you mean --index?); see nearprint dedupe --help',
    ],
    [['dedupe', '--keep', 'last'], '--keep must be first or longest, got "last"; see nearprint dedupe --help'],
    [
      ['dedupe', '--threads', '0'],
      '--threads must be a whole number from 1 to 256, got 0; see nearprint dedupe --help',
    ],
    [['hash', '--format', 'octal'], '--format must be hex, decimal or signed, got "octal"; see nearprint hash --help'],
    [['hash', '--bits', '65'], '--bits must be 32, 64 or 128, got 65; see nearprint hash --help'],
    [
      ['dedupe', '--min-resemblance', '70%'],
      '--min-resemblance must be a number above 0 and at most 1, got "70%"; see nearprint dedupe --help',
    ],
    [
      ['compare', '--min-resemblance', '0', 'a.txt', 'a.txt'],
      '--min-resemblance must be a number above 0 and at most 1, got 0; see nearprint compare --help',
    ],
    [
      ['dedupe', '--index', 'x', '--store', 'sqlite:y'],
      '--store cannot be combined with --index; see nearprint dedupe --help',
    ],
    [
      ['dedupe', '--against', 'x', '--against-only', '--store', 'sqlite:y'],
      '--against-only cannot be combined with --store; see nearprint dedupe --help',
    ],
    [['dedupe', '--scheme', 'v2'], "--scheme must be an id that starts with v1, got 'v2'; see nearprint dedupe --help"],
    [['dedupe', '--expire', '30d'], '--expire must be combined with --index or --store; see nearprint dedupe --help'],
    [
      ['dedupe', '--group-field', 'a'],
      '--group-field must be combined with --report-html; see nearprint dedupe --help',
    ],
    [
      ['dedupe', '--index', 'x', '--expire', 'soon'],
      '--expire must be a number with a unit, s, m, h, d or w (such as 30d), at most 1000000d, got "soon"; see nearprint dedupe --help',
    ],
    [
      ['dedupe', '--index', 'x', '--expire', '1000000.1d'],
      '--expire must be a number with a unit, s, m, h, d or w (such as 30d), at most 1000000d, got "1000000.1d"; see nearprint dedupe --help',
    ],
    [['dedupe', '-r', '-', 'a.txt'], '--report must be the path of a file, got "-"; see nearprint dedupe --help'],
    [['calibrate', '--labels', '-'], '--labels must be the path of a file, got "-"; see nearprint calibrate --help'],
    [['dedupe', '--report', 'a.txt', 'a.txt'], '--report a.txt would overwrite a.txt'],
    [
      ['dedupe', '--store', 'sqlite:', 'a.txt'],
      '--store must be sqlite:FILE, postgres://... or redis://..., got sqlite:',
    ],
  ];
  write('a.txt', '{}');
  for (const [args, message] of wrong) {
    assert.deepEqual(run(args), { status: 2, stdout: '', stderr: `nearprint: ${message}\n` });
  }
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

exhaustive('a closed pipe ends the command without a message', { skip: isWindows }, () => {
  write('long.jsonl', jsonLines(Array.from({ length: 4000 }, (_, at) => ({ id: at, text: text(at, 100) }))));
  const { stdout, stderr } = inShell(
    'nearprint dedupe --index pipe.idx --report pipe.report long.jsonl | head -1; echo $PIPESTATUS',
  );
  assert.equal(stdout, `${read('long.jsonl').split('\n')[0]}\n0\n`);
  assert.equal(stderr, '');
  const { size } = readDeduplicator('pipe.idx');
  assert.ok(size > 0 && size < 4000, `${size}`);
  assert.equal(inShell('nearprint hash --jsonl long.jsonl | head -1').status, 0);
  assert.equal(inShell('nearprint --help | true').status, 0);
});

exhaustive('a slow reader of standard error gets every message', { skip: isWindows }, () => {
  const names = Array.from({ length: 2000 }, (_, at) => `missing-${at}`).join(' ');
  const { stdout } = inShell(`nearprint hash ${names} 2>&1 >/dev/null | (sleep 1; wc -l)`);
  assert.equal(stdout.trim(), '2000');
});

test('a full disk: one message, and the index has the written lines', { skip: !existsSync('/dev/full') }, () => {
  const full = inShell(`nearprint dedupe --index full.idx --report full.report '${sample}' > /dev/full`);
  assert.equal(full.status, 2);
  assert.equal(full.stderr, 'nearprint: standard output: no space left on device; 0 lines written\n');
  assert.equal(readDeduplicator('full.idx').size, 0);
  assert.equal(read('full.report'), '');
  const report = run(['dedupe', '--index', 'report.idx', '--report', '/dev/full', sample]);
  assert.equal(report.status, 2);
  assert.match(report.stderr, /^nearprint: \/dev\/full: no space left on device; \d+ lines written\n$/);
  const written = report.stdout.split('\n').slice(0, -1);
  assert.ok(written.length > 0);
  assert.equal(readDeduplicator('report.idx').size, written.length);
  const hash = inShell(`nearprint hash '${sample}' -q > /dev/full`);
  assert.deepEqual([hash.status, hash.stderr], [2, 'nearprint: standard output: no space left on device\n']);
  assert.equal(run(['dedupe', '--report', 'no/such/folder', sample]).status, 2);
});

exhaustive('a limited file size: whole lines are counted', { skip: isWindows }, () => {
  const { status, stderr } = inShell(
    `trap '' XFSZ; ulimit -f 100; nearprint dedupe --index limit.idx --report limit.report '${sample}' > limit.jsonl`,
  );
  assert.equal(status, 2, stderr);
  assert.match(stderr, /^nearprint: standard output: .*; \d+ lines written\n$/);
  const lines = read('limit.jsonl').split('\n').slice(0, -1);
  assert.equal(lines.length, Number(/(\d+) lines written/.exec(stderr)[1]));
  assert.ok(lines.length > 5);
  const index = readDeduplicator('limit.idx');
  assert.equal(index.size, lines.length);
  for (const line of lines) assert.ok(index.has(JSON.parse(line).id));
  // With free space again, the next run writes the rest.
  const rest = run(['dedupe', '--index', 'limit.idx', sample]);
  const { kept } = bruteForce(documents);
  assert.deepEqual([...lines, ...rest.stdout.trimEnd().split('\n')].sort(), kept.map((at) => sampleLines[at]).sort());
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  exhaustive(`${signal}: complete lines are written and in the index`, { skip: isWindows }, async () => {
    const [node, args] = command(['dedupe', '--index', `${signal}.idx`, '--report', 'r']);
    const child = spawn(node, args, { cwd: project });
    let out = '';
    // A chunk can end inside a character.
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    // The last line is incomplete: the command waits for the rest.
    child.stdin.write(`${sampleText}{"id":"half"`);
    const { kept } = bruteForce(documents);
    while (parsed(out.slice(0, out.lastIndexOf('\n') + 1)).length < kept.length) await setTimeout(20);
    child.kill(signal);
    assert.equal(await ended, code);
    assert.deepEqual(
      out.trimEnd().split('\n'),
      kept.map((at) => sampleLines[at]),
    );
    assert.equal(readDeduplicator(`${signal}.idx`).size, kept.length);
    assert.equal(parsed(read('r')).length, documents.length - kept.length);
  });
}

/** Waits until a run handles SIGHUP, which Node itself does not: before, a signal ends the process in another way. */
async function handlesHangup(child) {
  const status = `/proc/${child.pid}/status`;
  for (let tries = 0; tries < 15_000; tries++) {
    const caught = existsSync(status) && /^SigCgt:\s*(\w+)$/m.exec(readFileSync(status, 'latin1'))?.[1];
    if (!caught) return setTimeout(4000);
    if (BigInt(`0x${caught}`) & 1n) return;
    await setTimeout(20);
  }
  throw new Error('the run does not handle signals');
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  exhaustive(`${signal} ends a run that waits for a pipe`, { skip: isWindows, timeout: 600_000 }, async (context) => {
    // Nothing reads the pipe; nothing writes to it; the writer is idle.
    const cases = [['--report'], ['--report-html'], ['--json-summary'], [], null];
    const all = cases.map(async (options, at) => {
      const pipe = join(project, `${signal}-${at}.pipe`);
      spawnSync('mkfifo', [pipe]);
      const args = options === null ? [] : [...options, pipe, ...(options.length > 0 ? [sample] : [])];
      const [node, words] = command(['dedupe', ...args]);
      const child = spawn(node, words, { cwd: project, stdio: ['pipe', 'ignore', 'ignore'] });
      const ended = new Promise((resolve) => child.on('close', resolve));
      context.after(() => child.kill('SIGKILL'));
      await handlesHangup(child);
      await setTimeout(2000);
      assert.equal(child.exitCode, null, args.join(' '));
      child.kill(signal);
      const late = setTimeout(300_000, 'still running', { ref: false });
      assert.equal(await Promise.race([ended, late]), code, args.join(' '));
    });
    await Promise.all(all);
  });
}

exhaustive('a report to a named pipe with a reader', { skip: isWindows }, () => {
  const { stdout } = inShell(
    `mkfifo read.pipe; cat read.pipe & nearprint dedupe ${sample} -q -r read.pipe > piped; wait`,
  );
  assert.deepEqual(parsed(stdout), bruteForce(documents).dropped);
});

exhaustive('SIGINT during the work: output, report and index agree', { skip: isWindows }, async () => {
  const many = Array.from({ length: 40_000 }, (_, at) => ({ id: at, text: text(at % 30_000, 60) }));
  write('midst.jsonl', jsonLines(many));
  for (const threads of [1, 2]) {
    rmSync(join(project, 'midst.idx'), { force: true });
    const [node, args] = command([
      'dedupe',
      'midst.jsonl',
      '--index',
      'midst.idx',
      '--report',
      'r',
      '--threads',
      threads,
    ]);
    const child = spawn(node, args, { cwd: project });
    let out = '';
    // A chunk can end inside a character.
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk) => {
      if (out === '') child.kill('SIGINT');
      out += chunk;
    });
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 130);
    const written = parsed(out).map(({ id }) => id);
    assert.ok(out.endsWith('\n') && written.length > 0 && written.length < 30_000);
    const index = readDeduplicator('midst.idx');
    assert.equal(index.size, written.length);
    for (const id of written) assert.ok(index.has(id));
    const { status, stdout } = run(['dedupe', 'midst.jsonl', '--index', 'midst.idx', '-q']);
    assert.equal(status, 0);
    const whole = run(['dedupe', 'midst.jsonl', '-q']).stdout;
    assert.ok(out + stdout === whole);
  }
});

exhaustive('the index is replaced atomically, through a symbolic link too', { skip: isWindows }, () => {
  run(['dedupe', '--index', 'real.idx', sample]);
  symlinkSync('real.idx', join(project, 'link.idx'));
  const { ino } = statSync(join(project, 'real.idx'));
  run(['dedupe', '--index', 'link.idx'], { input: jsonLines([{ id: 'new', text: text(5) }]) });
  assert.ok(readDeduplicator('real.idx').has('new'));
  assert.notEqual(statSync(join(project, 'real.idx')).ino, ino);
});

// The command line, installed from the packed package.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { mainText } from '../../pkg/html.js';
import { dedupe, sketch } from '../../pkg/index.js';
import { fingerprint, toHex, toSigned } from '../../pkg/simhash.js';
import { exhaustive, test } from '../tier.mjs';
import { decideRun, isKept, jsonLines, makeCommandFolder, parseLines } from './command.mjs';
import { installPackage, root } from './packed.mjs';

const sample = join(root, 'examples', 'sample.jsonl');
const sampleText = readFileSync(sample, 'utf8');
const sampleLines = sampleText.trimEnd().split('\n');
const documents = sampleLines.map((line) => JSON.parse(line));

const project = installPackage();
const program = join(project, 'node_modules', 'nearprint', 'cli.js');
const { run, outputOf, fail, write, read } = makeCommandFolder({ folder: project, program });

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

test('the command drops the documents that the function drops', async () => {
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

exhaustive('hash prints the fingerprints and sketches of the functions, as sha256sum prints its lines', () => {
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
});

test('--html without parse5 is an error before any work, which names the package', () => {
  const missing = '--html needs another package: npm install parse5';
  const page = '<p>one two three';
  fail('dedupe --html --index html.idx', missing, { input: jsonLines([{ text: page }]) });
  assert.ok(!existsSync(join(project, 'html.idx')));
  write('one.html', page);
  fail('hash one.html', missing);
  symlinkSync(join(root, 'node_modules', 'parse5'), join(project, 'node_modules', 'parse5'), 'junction');
  assert.equal(outputOf('hash one.html'), `${toHex(fingerprint(mainText(page)))}  one.html\n`);
});

test('--version prints the version of the installed package', () => {
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', 'nearprint', 'package.json'), 'utf8'));
  assert.deepEqual(run(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
});

test('only a Node that is too old gets a message', () => {
  const source = readFileSync(join(root, 'js', 'check-node.cjs'), 'utf8');
  const check = (node) => runInNewContext(source, { process: { versions: { node } } });
  for (const version of ['0.12.18', '8.17.0', '19.9.0', '20.0.0', '20.9.0', '20.18.3']) {
    assert.throws(() => check(version), { message: `nearprint: Node must be 20.19 or newer, got ${version}` });
  }
  for (const version of ['20.19.0', '20.20.1', '21.0.0', '22.1.0', '100.0.0', undefined]) check(version);
  runInNewContext(source, {});
});

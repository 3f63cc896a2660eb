// The output does not depend on how the input arrives: from a file or a pipe, compressed or not, and with any number of threads.
// Files and pipes have other batches, which are compared with the naive model.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { exhaustive, test } from '../tier.mjs';
import { decideRun, isKept, jsonLines, makeCommandFolder, parseLines, randomDocuments, textOf } from './command.mjs';
import { random } from './random.mjs';

const command = makeCommandFolder();
const below = random(Number(process.env.SEED ?? 5));

/** So that documents fill more chunks of a file than there are spare buffers, and more of a pipe. Not compared. */
const padding = 'x'.repeat(6000);

/** Ids of each kind: missing, numbers, and strings that need escapes or more than ASCII; some repeat. */
const idOf = (at, id) => [undefined, at, `"${at}"`, `é ${at}`, id][at % 5];

const documents = randomDocuments(below, 700, 200, 300).map(({ id, text }, at) => {
  // Half a surrogate pair makes a line that only JSON.parse reads.
  const content = at % 40 === 7 ? `${text} \ud83d` : text;
  return { id: idOf(at, id), text: content, padding, rank: at % 90 };
});

/** Lines that are not documents, and blank ones, in between. */
const withBad = (lines) =>
  lines.flatMap((line, at) => [
    line,
    ...(at % 60 === 59 ? ['[1]\n', ' \n', '{"id":3}\n'] : []),
    ...(at % 97 === 3 ? ['\n'] : []),
  ]);

const wellFormed = ({ id, text, padding }) => ({ id, text: text.toWellFormed(), padding });
const csv = (rows) =>
  rows.map((row) => `${row.map((cell = '') => `"${String(cell).replaceAll('"', '""')}"`).join(',')}\n`);

const lines = documents.map((document) => jsonLines([document]));
const formats = {
  jsonl: withBad(lines).join(''),
  json: `[${lines.join(',')}]`,
  csv: csv([['id', 'text', 'padding'], ...documents.map(wellFormed).map(({ id, text }) => [id, text, padding])]).join(
    '',
  ),
  // The padding is compared too, and no document is a near-duplicate of another one with more of it.
  lines: documents.map(({ text }) => `${text.toWellFormed()}\n`).join(''),
};

/** Writes the input, and returns the ways to read it: the arguments, and standard input. */
function waysFor(format, content) {
  const name = command.write(`in.${format}`, content);
  const zipped = command.write(`zipped.${format}.gz`, gzipSync(content));
  return [
    { args: ['--threads', '1', name] },
    { args: ['--threads', '1'], input: content },
    { args: ['--threads', '2', name] },
    { args: ['--threads', '2'], input: content },
    { args: ['--threads', '2', zipped] },
  ];
}

/** Runs the command in a way. Places have the name of the file, which is made the same. */
function resultOf(options, { args, input }, format) {
  const { stdout, stderr, status } = command.run(
    ['dedupe', '--format', format, ...options, '--report', 'report', ...args],
    {
      input,
    },
  );
  const unified = (text) => text.replaceAll(/stdin|(?:in|zipped)\.\w+(?:\.gz)?(?=:|\[)/g, 'INPUT');
  const messages = unified(stderr).replace(/; [\d.]+ s\n/, '\n');
  return { status, stdout: unified(stdout), report: unified(command.read('report')), messages };
}

for (const [format, content] of Object.entries(formats)) {
  const run = format === 'jsonl' ? test : exhaustive;
  run(`${format}: the result is the one of the model, however the input arrives`, () => {
    const [first, ...others] = waysFor(format, content);
    const { status, stdout, report, messages } = resultOf([], first, format);
    const decisions = decideRun(documents.map(({ id, text }) => ({ id, text: text.toWellFormed() })));
    assert.equal(status, format === 'jsonl' ? 2 : 0, messages);
    const kept = documents.filter((_, at) => isKept(decisions[at]));
    assert.ok(kept.length > 100 && kept.length < 600);
    const header = format === 'csv' ? 1 : 0;
    if (format !== 'csv') assert.equal(stdout.trimEnd().split('\n').length, kept.length);
    if (format === 'jsonl' || format === 'json') {
      // An array is written as lines.
      assert.deepEqual(parseLines(stdout), JSON.parse(JSON.stringify(kept)));
    } else if (format === 'csv') {
      const rows = csv(kept.map(wellFormed).map(({ id, text }) => [id, text, padding]));
      assert.equal(stdout, content.slice(0, content.indexOf('\n') + header) + rows.join(''));
    } else assert.equal(stdout, kept.map(({ text }) => `${text.toWellFormed()}\n`).join(''));
    // All rows of the report have the order of the input.
    const rows = parseLines(report);
    const bad = rows.filter(({ status }) => status === 'bad');
    assert.equal(bad.length, format === 'jsonl' ? 2 * Math.floor(documents.length / 60) : 0);
    assert.equal(rows.length - bad.length, documents.length - kept.length);
    for (const way of others) assert.deepEqual(resultOf([], way, format), { status, stdout, report, messages });
  });
}

for (const options of [
  ['--duplicates'],
  ['--annotate'],
  ['--keep', 'longest'],
  ['--keep-max', 'rank', '--annotate'],
  ['--against', 'reference.jsonl'],
  ['--against', 'reference.jsonl', '--against-only', '--annotate'],
  ['--index', 'seen.idx'],
  ['--index', 'seen.idx', '--against', 'reference.jsonl', '--annotate'],
]) {
  exhaustive(`the result is the same, however the input arrives: ${options.join(' ')}`, () => {
    const reference = documents.filter((_, at) => at % 3 === 0).map(({ id, text }) => ({ id, text: `${text} more` }));
    command.write('reference.jsonl', jsonLines([...reference, { id: 'other', text: textOf('other') }]));
    const results = waysFor('jsonl', formats.jsonl).map((way) => {
      command.run(['dedupe', '--quiet', '--index', 'seen.idx'], { input: jsonLines(documents.slice(0, 100)) });
      const result = resultOf(options, way, 'jsonl');
      const index = options.includes('--index') ? [...command.indexOf('seen.idx')].map(({ id }) => id) : undefined;
      command.shell('rm -f seen.idx');
      return { ...result, index };
    });
    for (const result of results.slice(1)) assert.deepEqual(result, results[0]);
    assert.ok(results[0].report.length > 1000);
  });
}

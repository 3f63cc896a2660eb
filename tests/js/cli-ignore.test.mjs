// The option --ignore. The oracle is a run over texts from which the matches were replaced before.
import assert from 'node:assert/strict';
import { sketch } from '../../pkg/index.js';
import { exhaustive, test } from '../tier.mjs';
import { jsonLines, makeCommandFolder, parseLines, textOf } from './command.mjs';
import { valuesOf } from './values.mjs';

const command = makeCommandFolder();

const questions = [
  'Where do I park my car on market days',
  'Who keeps the key of the boat house',
  'Why is the lower gate locked in winter',
  'When does the ferry leave on public holidays',
  'How do I report a broken lamp on the quay',
  'What does a berth for a small boat cost',
  'May I light a fire on the northern beach',
  'Which bins take glass and which take paper',
];
const numbered = (lines) => lines.map((line, at) => `${at + 1}. ${line}\n`).join('');

/** Subtitles whose times begin at some second. */
const subtitles = (start) =>
  questions
    .map((line, at) => `${at + 1}\n00:00:${start + 3 * at},120 --> 00:00:${start + 3 * at + 2},900\n${line}\n`)
    .join('\n');

const first = 'Is the office open on Saturdays';
const links = (site) =>
  questions
    .map((line, at) => `${line} https://${site}.example/${site}${at}/${site}-${at * 7}?by=${site}-${at * 3}\n`)
    .join('');

for (const [name, a, b, ...patterns] of [
  ['the numbers of a list', numbered(questions), numbered([first, ...questions]), String.raw`^\d+\.`],
  ['the times of subtitles', subtitles(11), subtitles(29), String.raw`^\d+$`, String.raw`\d\d:\d\d:\d\d,\d{3}( -->)?`],
  ['links', links('one'), links('another'), String.raw`https?://\S+`],
]) {
  const run = name === 'links' ? test : exhaustive;
  run(`compare with --ignore decides as on texts without ${name}`, () => {
    const files = [command.write('1.txt', a), command.write('2.txt', b)];
    const rest = [a, b].map((text, at) => {
      const left = patterns.reduce((text, pattern) => text.replace(new RegExp(pattern, 'gmu'), ' '), text);
      return command.write(`${at + 1}-rest.txt`, left);
    });
    const options = patterns.flatMap((pattern) => ['--ignore', pattern]);
    assert.equal(command.run(['compare', ...files]).status, 1);
    const compared = command.outputOf(['compare', ...options, ...files]);
    assert.equal(compared, command.outputOf(['compare', ...rest]));
    assert.equal(command.run(['text', ...options, files[0]]).stdout.trimEnd(), command.read(rest[0]).trimEnd());
    const [hash] = command.outputOf(['hash', '--sketch', ...options, files[0]]).split(' ');
    assert.equal(hash, sketch(command.read(rest[0])).toHex());
  });
}

const pattern = String.raw`\b\d+:\d+\b|#\w+`;
const left = (text) => text.replace(new RegExp(pattern, 'gmu'), ' ');
/** Documents with numbers. Every fourth document is a copy with other numbers. */
const documents = Array.from({ length: 40 }, (_, at) => {
  const seed = at % 4 === 3 ? at - 1 : at;
  const text = textOf(seed).replace(/ /g, (space, place) => (place % 3 === 0 ? ` ${at}:${place} #tag${at} ` : space));
  return { id: at, text };
});

/** Files of each format with documents. */
const formats = {
  jsonl: (all) => jsonLines(all),
  json: (all) => JSON.stringify(all, null, 1),
  csv: (all) => `id,text\n${all.map(({ id, text }) => `${id},"${text}"\n`).join('')}`,
  tsv: (all) => `id\ttext\n${all.map(({ id, text }) => `${id}\t${text}\n`).join('')}`,
  lines: (all) => all.map(({ text }) => `${text}\n`).join(''),
};

for (const [format, contentOf] of Object.entries(formats)) {
  const run = format === 'jsonl' ? test : exhaustive;
  run(`dedupe and clusters of ${format} decide as on texts without the matches`, () => {
    command.write('given', contentOf(documents));
    command.write('rest', contentOf(documents.map(({ id, text }) => ({ id, text: left(text) }))));
    const lines = command.read('given').split('\n');
    const args = ['dedupe', '--format', format, '--report'];
    command.outputOf([...args, 'r-rest', 'rest']);
    for (const threads of [1, 2]) {
      const kept = command.outputOf([...args, 'r', '--threads', threads, '--ignore', pattern, 'given']);
      assert.equal(command.read('r').replaceAll('given:', 'rest:'), command.read('r-rest'));
      assert.equal(parseLines(command.read('r')).length, 10);
      // The output has the texts as they are.
      if (format !== 'json') for (const line of kept.split('\n')) assert.ok(lines.includes(line), line);
    }
    const clusters = (name, ...options) => command.outputOf(['clusters', '--format', format, ...options, name]);
    assert.equal(clusters('given', '--ignore', pattern).replaceAll('given:', 'rest:'), clusters('rest'));
  });
}

exhaustive('--against, --keep, hash and calibrate leave out what dedupe leaves out', () => {
  command.write('some.jsonl', jsonLines(documents.slice(0, 20)));
  command.write('others.jsonl', jsonLines(documents.slice(20)));
  const rest = documents.map(({ id, text }) => ({ id, text: left(text) }));
  command.write('rest.jsonl', jsonLines(rest));
  const copies = documents
    .slice(0, 4)
    .map(({ id, text }) => ({ id: `copy ${id}`, text: text.replace(/\b\d+:\d+\b/g, '7:7') }));
  const known = command.outputOf(['dedupe', '-v', '--ignore', pattern, '--against', 'some.jsonl'], {
    input: jsonLines(copies),
  });
  assert.equal(known, jsonLines(copies));
  const sketches = command.outputOf(['hash', '--jsonl', '--sketch', '--ignore', pattern, 'some.jsonl']);
  assert.deepEqual(
    valuesOf(parseLines(sketches), 'sketch').flat(),
    rest.slice(0, 20).map(({ text }) => sketch(text).toHex()),
  );
  const calibrate = (...args) => JSON.parse(command.outputOf(['calibrate', '--json', ...args])).thresholds;
  const [given, expected] = [calibrate('--ignore', pattern, 'some.jsonl', 'others.jsonl'), calibrate('rest.jsonl')];
  assert.deepEqual(given, expected);
  assert.ok(given[0].documents > 0);
  const longest = ['dedupe', '--ignore', pattern, '--keep', 'longest', '-v', 'some.jsonl', 'others.jsonl'];
  assert.equal(parseLines(command.outputOf(longest)).length, 10);
});

test('a store has the patterns of its first run, which every run must have', () => {
  const run = (text, ...patterns) => {
    const options = patterns.flatMap((each) => ['--ignore', each]);
    const input = jsonLines([{ id: text.length, text }]);
    return command.run(['dedupe', '-q', '--store', 'sqlite:seen.db', ...options], { input });
  };
  const first = run(documents[0].text, pattern);
  if (/needs another package/.test(first.stderr)) return;
  assert.deepEqual([first.status, parseLines(first.stdout).length], [0, 1], first.stderr);
  assert.equal(run(documents[0].text.replace(/\b\d+:\d+\b/g, '7:7'), pattern).stdout, '');
  for (const [others, named] of [
    [[String.raw`\d`], String.raw`--ignore '\d'`],
    [[], 'not of s1:'],
  ]) {
    const { status, stdout, stderr } = run('a', ...others);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(String.raw`--ignore '\b\d+:\d+\b|#\w+'`) && stderr.includes(named), stderr);
  }
});

// Runs the transcripts of the command line in tests/js/cli/, each case in a folder of its own, two at a time.
//
//     # A topic                     each case begins with the files and commands under its topic
//     @ pages/a.jsonl               a file, whose lines follow; {1} is the first of many texts that share no words
//     {"id":1,"text":"{1}"}
//     ## what the command promises  a case
//     $ nearprint dedupe pages      a command of bash, and what it must print
//     {"id":1,"text":"{1}"}
//     ! kept 1 of 1 document        its messages, without the name of the program and the time; `!` alone: none
//     [2]                           its exit code, unless it is 0
//
// A case runs in `npm run test:all` alone if its name, or that of its topic, ends with (test:all). npm test has one or two cheap cases
// of most topics.
//
// <...> is any text in a line, and alone any lines. Without a line of messages, they are not compared. Blank lines at the end of
// a file or an output do not count. The cases run on Linux, since they call programs such as sed and touch.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe } from 'node:test';
import { exhaustive, test } from '../tier.mjs';
import { bin, makeCommandFolder, textOf } from './command.mjs';

/** Functions of the shell: the command, `text 1`, which prints the first text, and `has`, for a module of Node. */
const functions = `
nearprint() { '${process.execPath}' '${bin}' "$@"; }
text() { eval echo s$1w{0..199}; }
has() { '${process.execPath}' -e "require('$1')" 2> /dev/null; }
`;

const folder = new URL('cli/', import.meta.url);

/** Replaces {1} by the first text, and so on; and the texts in an output by that. */
const withTexts = (text) => text.replace(/\{(\d+)\}/g, (_, number) => textOf(number));
const withoutTexts = (text) => text.replace(/\bs(\d+)w0( s\1w\d+){199}\b/g, '{$1}');

const withoutBlankEnd = (lines) => lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

/** Reads a transcript: `[{ topic, steps, cases: [{ name, steps }] }]`. A step is a file or a command. */
function parse(transcript) {
  const topics = [];
  let steps = [];
  for (const line of transcript.split('\n')) {
    const [, mark, rest = ''] = /^(##?|[@$!])(?: (.*))?$/.exec(line) ?? [];
    const last = steps.at(-1);
    if (mark === '#' || mark === '##') steps = [];
    if (mark === '#') topics.push({ topic: rest, steps, cases: [] });
    else if (mark === '##') topics.at(-1).cases.push({ name: rest, steps });
    else if (mark === '@') steps.push({ file: rest, lines: [] });
    else if (mark === '$') steps.push({ command: rest, lines: [], status: 0 });
    else if (mark === '!') last.messages = [...(last.messages ?? []), ...(rest === '' ? [] : [rest])];
    else if (last?.command && /^\[\d\]$/.test(line)) last.status = Number(line[1]);
    else last?.lines.push(line);
  }
  return topics;
}

/** Whether a line is the expected one, in which <...> is any text. */
function isLine(line, expected) {
  const parts = expected.split('<...>').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(line);
}

/** Returns the lines, with the expected line in place of each that matches it: an assertion then shows only the others. */
function compared(lines, expected) {
  const any = expected.indexOf('<...>');
  if (any >= 0 && lines.length >= expected.length - 1) {
    const end = lines.length - (expected.length - any - 1);
    const [before, after] = [lines.slice(0, any), lines.slice(end)];
    return [...compared(before, expected.slice(0, any)), '<...>', ...compared(after, expected.slice(any + 1))];
  }
  return lines.map((line, at) => (at < expected.length && isLine(line, expected[at]) ? expected[at] : line));
}

const linesOf = (output) => withoutBlankEnd(withoutTexts(output).split('\n'));

/** Runs a command of bash. Resolves to its exit code and the lines that it prints. */
async function run(command, cwd) {
  const args = ['-o', 'pipefail', '-c', functions + withTexts(command)];
  const child = spawn('bash', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000 });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => text(stream));
  const [status] = await once(child, 'close');
  return { status, stdout: linesOf(await stdout), stderr: linesOf(await stderr) };
}

/** Runs a command in a folder, and compares its output, its messages and its exit code. */
async function check(cwd, { command, lines, messages, status }) {
  const { stdout, stderr, ...ended } = await run(command, cwd);
  const said = stderr.map((line) => line.replace(/^nearprint: /, '').replace(/; [\d.]+ s$/, ''));
  // The messages explain another exit code.
  const expectedMessages = messages ?? (ended.status === status ? said : []);
  const expected = { command, status, stdout: withoutBlankEnd(lines), messages: expectedMessages };
  assert.deepEqual(
    { command, ...ended, stdout: compared(stdout, expected.stdout), messages: compared(said, expectedMessages) },
    expected,
  );
}

const contentOf = (lines) => withoutBlankEnd(lines).reduce((text, line) => `${text}${withTexts(line)}\n`, '');

/** Runs the steps of a case in a folder of its own. */
async function runSteps(steps) {
  const { folder, write } = makeCommandFolder();
  for (const step of steps) {
    if (step.file === undefined) await check(folder, step);
    else write(step.file, contentOf(step.lines));
  }
}

for (const name of readdirSync(folder)) {
  for (const { topic, steps: first, cases } of parse(readFileSync(new URL(name, folder), 'utf8'))) {
    describe(topic, { concurrency: 2, skip: process.platform !== 'linux' }, () => {
      for (const { name, steps } of cases) {
        const run = [topic, name].some((title) => title.endsWith('(test:all)')) ? exhaustive : test;
        run(name, () => runSteps([...first, ...steps]));
      }
    });
  }
}

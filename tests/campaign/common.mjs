// Shared by the parts of the campaign: documents, runs of the command line, and what must hold after each.
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deduplicator } from '../../pkg/index.js';
import { jsonLines, makeCommandFolder, parseLines, withFault } from '../js/command.mjs';
import { random } from '../js/random.mjs';

/** Returns a function for numbers in [0, 1) that are the same in every run. */
export function randomFrom(seed) {
  const next = random(seed);
  return () => next(2 ** 32) / 2 ** 32;
}

/** Returns lines of documents, no two of them near each other. */
export function lines(from, count) {
  const wordsOf = (id) => Array.from({ length: 30 }, (_, at) => `w${((id * 31 + at) * 2654435761) % 999983}`);
  const ids = Array.from({ length: count }, (_, at) => from + at);
  return jsonLines(ids.map((id) => ({ id: `p${id}`, text: wordsOf(id).join(' ') })));
}

export const idsIn = (output) => parseLines(output).map(({ id }) => id);

/** A folder that is removed at the end. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `dedupe --index i` over a file to the end, or until it is killed. Resolves to `{ code, messages }`. */
export async function dedupe(folder, input, output, { settings, killAfter, args = ['--checkpoint', '0'] } = {}) {
  const to = openSync(join(folder, output), 'a');
  const env = { ...process.env, ...(settings && withFault(settings)) };
  const all = ['dedupe', '--index', 'i', '--report', `${output}.report`, ...args, input];
  const child = makeCommandFolder({ folder }).start(all, { env, stdio: ['ignore', to, 'pipe'] });
  closeSync(to);
  const timer = killAfter === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const code = await child.ended;
  clearTimeout(timer);
  return { code, messages: child.messages };
}

/** How documents are read and written. `written` returns the ids of the new and changed documents of an output. */
export const forms = {
  lines: { input: 'in.jsonl', args: [], render: lines, written: idsIn },
  annotated: {
    input: 'in.jsonl',
    args: ['--annotate'],
    render: lines,
    written: (output) =>
      parseLines(output)
        .filter(({ status }) => status === 'new' || status === 'changed')
        .map(({ id }) => id),
  },
  expiring: { input: 'in.jsonl', args: ['--expire', '30d'], render: lines, written: idsIn },
  table: {
    input: 'in.csv',
    args: [],
    render: (from, count) =>
      `text,id\n${parseLines(lines(from, count))
        .map(({ id, text }) => `"${text}\r\n",${id}\n`)
        .join('')}`,
    written: (output) => Array.from(output.matchAll(/^",(p\d+)\n/gm), ([, id]) => id),
  },
};
export const formNames = Object.keys(forms);

export const contentOf = (folder, name) =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';

/** Returns the ids of an index, or an empty array for a missing file. Throws if the index is damaged. */
export function indexed(bytes) {
  if (bytes === undefined) return [];
  const index = Deduplicator.fromBytes(bytes);
  const ids = Array.from(index, ({ id }) => id);
  index.free();
  return ids;
}

export const indexOf = (folder) => indexed(existsSync(join(folder, 'i')) ? readFileSync(join(folder, 'i')) : undefined);

/** Every document of the index has its whole line in the output. */
export function checkIndex(ids, output, form = 'lines') {
  const written = new Set(forms[form].written(output));
  for (const id of ids) assert.ok(written.has(id), `the index has ${id}, whose line is gone`);
}

/** After any end of a run: the index is whole; the next run writes the rest, and nothing else is left in the folder. */
export async function checkRecovery(folder, input, count, form) {
  const { written, args } = forms[form];
  checkIndex(indexOf(folder), contentOf(folder, 'out'), form);
  const { code, messages } = await dedupe(folder, input, 'again', { args: ['--checkpoint', '0', ...args] });
  assert.equal(code, 0, messages);
  const all = new Set(['out', 'again'].flatMap((name) => written(contentOf(folder, name))));
  assert.equal(all.size, count, 'lines are lost');
  assert.equal(indexOf(folder).length, count);
  const known = new Set(['i', 'out', 'out.report', 'again', 'again.report', input]);
  assert.deepEqual(
    readdirSync(folder).filter((name) => !known.has(name)),
    [],
  );
}

/** Runs trials, some at a time, and counts those that fail. */
export async function trials(name, all, trial) {
  const failures = [];
  const start = performance.now();
  const left = [...all].reverse();
  const work = async () => {
    while (left.length > 0) {
      const item = left.pop();
      try {
        await trial(item);
      } catch (error) {
        failures.push(`${JSON.stringify(item)}: ${error.message}`);
      }
    }
  };
  await Promise.all([work(), work()]);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${name}: ${all.length} trials, ${failures.length} failures, ${seconds} s`);
  for (const failure of failures.slice(0, 5)) console.log(`  ${failure.slice(0, 400)}`);
  return failures.length;
}

/** Writes documents in a form and returns the name of the file. */
export const writeInput = (folder, count, form = 'lines') => {
  const { input, render } = forms[form];
  writeFileSync(join(folder, input), render(0, count));
  return input;
};

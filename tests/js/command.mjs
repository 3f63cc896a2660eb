// Runs the built command line in a temporary folder, and a naive model of its decisions.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Deduplicator, sketch } from '../../pkg/index.js';
import { isKept, Model } from './model.mjs';
import './plain-output.mjs';
import { temporary } from './temporary.mjs';

export const bin = fileURLToPath(new URL('../../pkg/cli.js', import.meta.url));

/** The module that counts the calls of fs, and makes one fail: a full disk, a failed write. */
const shim = new URL('../campaign/fs-shim.mjs', import.meta.url).href;

/** The variables with which the command meets a fault of the file system: `tests/campaign/fs-shim.mjs` has the settings. */
export const withFault = (settings) => ({ NODE_OPTIONS: `--import=${shim}`, FS_SHIM: JSON.stringify(settings) });

/** The environment of a process whose clock is ahead by some seconds. */
export const onClock = (ahead) => {
  const code = `const { now } = Date; Date.now = () => now() + ${1000 * ahead};`;
  return { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
};

/** Runs a program to its end. A time limit that ends it is an error that names the command line. */
function runToEnd(file, args, options) {
  // The command handles SIGTERM, so only SIGKILL ends one that hangs.
  const settings = { encoding: 'utf8', maxBuffer: 1 << 30, timeout: 300_000, killSignal: 'SIGKILL', ...options };
  const { status, stdout, stderr, error } = spawnSync(file, args, settings);
  if (error?.code !== 'ETIMEDOUT') return { status, stdout, stderr };
  const line = [file, ...args].join(' ');
  throw new Error(`not ended after ${settings.timeout / 1000} s: ${line}\n${stdout}${stderr}`, { cause: error });
}

/** Makes a folder with files, where commands run. By default it is a temporary one, and the program is the built one. */
export function makeCommandFolder({ folder = temporary(), program = bin } = {}) {
  /** Runs the command with arguments: an array, or a string that is split at its spaces. */
  const run = (args, { input = '', ...options } = {}) => {
    const words = typeof args === 'string' ? args.split(' ') : args.map(String);
    return runToEnd(process.execPath, [program, ...words], { cwd: folder, input, ...options });
  };
  return {
    folder,
    run,
    /** Returns the output of the command, which must succeed. */
    outputOf(args, options) {
      const { status, stdout, stderr } = run(args, options);
      assert.equal(status, 0, `${args}: ${stderr}`);
      return stdout;
    },
    /**
     * Runs the command, which must end with exit code 2. Its output is `stdout`, and `message` is its only message or matches
     * standard error, which is returned.
     */
    fail(args, message, { stdout = '', ...options } = {}) {
      const result = run(args, options);
      assert.deepEqual([result.status, result.stdout], [2, stdout], `${args}: ${result.stderr}`);
      if (message instanceof RegExp) assert.match(result.stderr, message);
      else assert.equal(result.stderr, `nearprint: ${message}\n`);
      return result.stderr;
    },
    /** Runs a line of a shell, in which `nearprint` is the command, with more variables. */
    shell(line, variables = {}) {
      const whole = line.replaceAll(/\bnearprint (?=-|[a-z])/g, `'${process.execPath}' '${program}' `);
      const env = { ...process.env, ...variables };
      return runToEnd('bash', ['-o', 'pipefail', '-c', whole], { cwd: folder, env });
    },
    /** Starts the command. Its output so far is `out` and `messages`, and `ended` resolves to the exit code or the signal. */
    start(args, options) {
      const child = spawn(process.execPath, [program, ...args.map(String)], { cwd: folder, ...options });
      Object.assign(child, { out: '', messages: '' });
      child.stdout?.setEncoding('utf8').on('data', (chunk) => {
        child.out += chunk;
      });
      child.stderr?.setEncoding('utf8').on('data', (chunk) => {
        child.messages += chunk;
      });
      child.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
      return child;
    },
    indexOf: (name) => Deduplicator.fromBytes(readFileSync(join(folder, name))),
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
      return name;
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    readBytes: (name) => readFileSync(join(folder, name)),
    path: (name) => join(folder, name),
  };
}

/** Waits until something is so. */
export async function until(condition) {
  for (let tries = 0; tries < 15_000; tries++) {
    if (condition()) return;
    await setTimeout(20);
  }
  assert.fail('it did not happen');
}

export const jsonLines = (objects) => objects.map((object) => `${JSON.stringify(object)}\n`).join('');

/** Returns the messages about bad lines that are printed: three that are alike, and ten in all. `place` matches their places. */
export function shownMessages(messages, place = /^nearprint: [^:]*:\d+: /) {
  const seen = new Map();
  const shown = messages.filter((message) => {
    const error = message.replace(place, '');
    seen.set(error, (seen.get(error) ?? 0) + 1);
    return seen.get(error) <= 3;
  });
  const first = shown.slice(0, 10);
  const number = String(messages.length).replace(/\B(?=\d{3}$)/, ',');
  return first.length === messages.length
    ? first
    : [...first, `nearprint: ${number} bad lines, ${first.length} of them above`];
}

export const parseLines = (text) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/**
 * Returns words that no other text has; `changed` replaces some of them. With a few changes, texts share so many keys that the
 * search finds every near-duplicate, as the naive model does.
 */
export const textOf = (seed, changed = []) => {
  const words = Array.from({ length: 200 }, (_, at) => `s${seed}w${at}`);
  for (const at of changed) words[at] = `${words[at]}x${changed.length}`;
  return words.join(' ');
};

/** Returns random documents of few texts, with changes of up to three words, and ids that repeat. `below` is random(seed). */
export function randomDocuments(below, count, texts = 12, ids = 25) {
  return Array.from({ length: count }, () => {
    const id = below(ids);
    // Half of the documents have the text of their id, so that unchanged and changed ones are frequent.
    const seed = below(2) ? id : below(texts);
    const changed = Array.from({ length: below(4) }, () => below(200));
    return { id: `page ${id}`, text: textOf(seed, changed) };
  });
}

const rounded = (number) => Number(number.toFixed(4));

const decisionOf = ({ status, duplicateOf = null, resemblance = null }) => ({
  status,
  duplicateOf,
  resemblance: resemblance === null ? null : rounded(resemblance),
});

/** Returns a model with the documents of a map from ids to sketches. */
function modelOf(kept) {
  const model = new Model();
  for (const [id, sketch] of kept) model.add(id, sketch);
  return model;
}

/** Joins what several sets decide on a document: each is asked, and the most similar other document is compared with its version. */
function joinNaively(decisions) {
  const best = (status) =>
    decisions
      .filter((each) => each.status === status)
      .reduce((a, b) => (a?.resemblance >= b.resemblance ? a : b), undefined);
  if (decisions.some(({ status }) => status === 'unchanged')) return { status: 'unchanged' };
  const [changed, duplicate] = [best('changed'), best('duplicate')];
  if (changed && duplicate) return duplicate.resemblance > changed.resemblance ? duplicate : changed;
  return duplicate ?? changed ?? { status: 'new' };
}

/**
 * Decides on the documents of one run. Equal ids in the run are different documents: ids are compared only with the ids of
 * `references`, maps from ids to sketches. With `isFixed`, they are not compared with each other. Returns `{ status, duplicateOf,
 * resemblance }`, and `at`, the position of the original if it is a document of the run.
 */
export function decideRun(documents, { references = [], minResemblance, isFixed = false } = {}) {
  const models = references.map(modelOf);
  const own = new Model();
  return documents.map(({ id, text }, position) => {
    const sketched = sketch(text);
    const decisions = models.map((model) => model.peek(id, sketched, { minResemblance }));
    if (!isFixed) {
      const { duplicateOf: at, ...decision } = own.peek(position, sketched, { minResemblance });
      decisions.push(at === undefined ? decision : { ...decision, at, duplicateOf: documents[at].id });
    }
    const joined = joinNaively(decisions);
    if (isKept(joined)) own.add(position, sketched);
    return { ...decisionOf(joined), ...(joined.at !== undefined && { at: joined.at }) };
  });
}

/**
 * Decides on documents with `id` and `text` as the model does: ids identify documents. `kept` is a map from ids to sketches, which new
 * and changed documents are added to. `references` are asked before. Returns `{ status, duplicateOf, resemblance }`.
 */
export function decideNaively(documents, kept = new Map(), { minResemblance, references = [] } = {}) {
  const model = modelOf(kept);
  const models = references.map(modelOf);
  return documents.map(({ id, text }) => {
    const own = sketch(text);
    const options = { minResemblance };
    const known = models.map((model) => model.peek(id, own, options));
    const decision =
      known.length === 0 ? model.observe(id, own, options) : joinNaively([...known, model.peek(id, own, options)]);
    if (isKept(decision)) {
      kept.set(id, own);
      if (known.length > 0) model.add(id, own);
    }
    return decisionOf(decision);
  });
}

export { isKept };

/** Returns the numbers of a run as --json-summary writes them, of documents with words. */
export function summaryOf(decisions, others = {}) {
  const count = (name) => decisions.filter(({ status }) => status === name).length;
  return {
    documents: decisions.length,
    new: count('new'),
    changed: count('changed'),
    unchanged: count('unchanged'),
    duplicates: count('duplicate'),
    badLines: 0,
    withoutText: 0,
    repeatedIds: 0,
    repeatedPaths: 0,
    excluded: 0,
    withoutWords: 0,
    joinedRows: 0,
    shortPages: 0,
    partialPages: 0,
    filesNotRead: 0,
    ...others,
  };
}

// Runs the built command line in a temporary folder, and a naive model of its decisions.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sketch } from '../../pkg/index.js';
import { isKept, Model } from './model.mjs';

export const bin = fileURLToPath(new URL('../../pkg/cli.js', import.meta.url));

/** Makes a folder with files, where commands run. */
export function makeCommandFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'nearprint-command-'));
  return {
    folder,
    run(args, { input = '', ...options } = {}) {
      const all = [bin, ...args.map(String)];
      const settings = { cwd: folder, input, encoding: 'utf8', maxBuffer: 1 << 30, ...options };
      const { status, stdout, stderr } = spawnSync(process.execPath, all, settings);
      return { status, stdout, stderr };
    },
    write(name, content) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
      return name;
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    readBytes: (name) => readFileSync(join(folder, name)),
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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

/**
 * Decides on documents with `id` and `text` as the model does. `kept` is a map from ids to sketches, which new and changed
 * documents are added to unless `isFixed`. With `byText`, the exact resemblance verifies documents of this call. Returns
 * `{ status, duplicateOf, resemblance }`.
 */
export function decideNaively(documents, kept = new Map(), { minResemblance, isFixed = false, byText = false } = {}) {
  const model = new Model();
  for (const [id, sketch] of kept) model.add(id, sketch);
  /** The texts of the documents of this call that are kept, or kept with the same words. */
  const texts = new Map();
  return documents.map(({ id, text }) => {
    const own = sketch(text);
    const verification = byText ? { text, textOf: (id) => texts.get(id) } : {};
    const target = isFixed ? new Model().merge(model) : model;
    const decision = target.observe(id, own, { minResemblance, ...verification });
    const isAdded = isKept(decision) && !isFixed;
    if (isAdded) kept.set(id, own);
    if (isAdded || decision.status === 'unchanged') texts.set(id, text);
    const { status, duplicateOf = null, resemblance = null } = decision;
    return { status, duplicateOf, resemblance: resemblance === null ? null : rounded(resemblance) };
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
    withoutWords: 0,
    withReplacement: 0,
    quotedLineBreaks: 0,
    filesNotRead: 0,
    ...others,
  };
}

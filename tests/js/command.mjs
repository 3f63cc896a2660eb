// Runs the built command line in a temporary folder, and a naive model of its decisions.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, isNearDuplicate, MIN_BRIEF_RESEMBLANCE, sketch } from '../../pkg/index.js';

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
 * Decides on documents with `id` and `text` as the rule says, by comparing each with all. `kept` is a map from ids to sketches,
 * which new and changed documents are added to unless `isFixed`. With `byText`, the exact resemblance verifies documents of this
 * call. Returns `{ status, duplicateOf, resemblance }`.
 */
export function decideNaively(
  documents,
  kept = new Map(),
  { minResemblance = 0.67, isFixed = false, byText = false } = {},
) {
  /** The texts of the documents of this call that are kept, or kept with the same words. */
  const texts = new Map();
  const isCandidate = (known, own) => {
    if (!byText) return isNearDuplicate(known, own, { minResemblance });
    const isBrief = known.hasFewFeatures || own.hasFewFeatures;
    const threshold = isBrief ? Math.max(minResemblance, MIN_BRIEF_RESEMBLANCE) : minResemblance;
    return known.resemblance(own) >= threshold - 0.11;
  };
  const resemblanceTo = (id, known, own, text) =>
    texts.has(id) && !known.isShort && !own.isShort && !known.equals(own)
      ? compare(texts.get(id), text).exactResemblance
      : known.resemblance(own);
  return documents.map(({ id, text }) => {
    const own = sketch(text);
    const before = kept.get(id);
    if (before?.equals(own)) {
      if (byText) texts.set(id, text);
      return { status: 'unchanged', duplicateOf: null, resemblance: null };
    }
    const best = [...kept]
      .filter(([other, known]) => other !== id && isCandidate(known, own))
      .map(([id, known]) => ({ id, known, estimate: known.resemblance(own), distance: known.distance(own) }))
      .sort((a, b) => b.known.equals(own) - a.known.equals(own) || b.estimate - a.estimate || a.distance - b.distance)
      .map((hit) => ({ ...hit, resemblance: resemblanceTo(hit.id, hit.known, own, text) }))
      .find(({ known, resemblance }) => isNearDuplicate(known, own, { minResemblance, resemblance }));
    const previous = before && resemblanceTo(id, before, own, text);
    if (best !== undefined && (previous === undefined || best.resemblance > previous)) {
      return { status: 'duplicate', duplicateOf: best.id, resemblance: rounded(best.resemblance) };
    }
    if (!isFixed) kept.set(id, own);
    if (byText && !isFixed) texts.set(id, text);
    if (previous === undefined) return { status: 'new', duplicateOf: null, resemblance: null };
    return { status: 'changed', duplicateOf: null, resemblance: rounded(previous) };
  });
}

/** Whether a decision keeps the document. */
export const isKept = ({ status }) => status === 'new' || status === 'changed';

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
    ...others,
  };
}

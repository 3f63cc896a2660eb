// Measures what each threshold does to the caller's own documents. The truth is the exact resemblance of the texts.
import { ArgumentError } from '../core/argument-error.js';
import { checkAnyIterable, checkId, checkOptions, checkText, checkWhole } from '../core/check.js';
import { schemeOptions } from '../core/scheme.js';
import { Deduplicator, Fingerprinter } from '../index.js';
import { exactResemblance, featureSets } from './feature-set.js';
import { bestThreshold, counted, extrapolated, growth } from './figures.js';
import { readLabels } from './labels.js';
import { eachPair } from './neighbours.js';
import { Sample } from './sample.js';

const known = ['sample', 'expect', 'labels', 'same', 'different', 'cost', 'progress', 'probes', ...schemeOptions];

/** The options that have a default. */
export const defaults = { sample: 100_000, same: 0.75, different: 0.55, cost: 10 };

/** The documents of a sample at most: their sketches take 15 MB for each 100,000. */
export const MOST_SAMPLED = 1_000_000;
export const MOST_EXPECTED = 1e12;
/** In UTF-16 units. The features of a longer text would take gigabytes while they are found. */
const LONGEST_TEXT = 1 << 22;

/** The milliseconds of work after which others get their turn. */
const SLICE = 40;

const pause = () => new Promise((resolve) => setTimeout(resolve));

function checkNumber(value, argument, least, most) {
  const takes = `a number from ${least} to ${most}`;
  if (typeof value !== 'number') throw new ArgumentError(argument, takes, value);
  if (!(value >= least && value <= most)) throw new ArgumentError(argument, takes, value);
  return value;
}

function checkSettings(options) {
  const {
    sample = defaults.sample,
    expect,
    labels = [],
    same = defaults.same,
    different = defaults.different,
    cost = defaults.cost,
    progress,
    ...rule
  } = checkOptions(options, known);
  checkWhole(sample, 'sample', MOST_SAMPLED, 1);
  if (expect !== undefined) checkWhole(expect, 'expect', MOST_EXPECTED, 1);
  checkNumber(same, 'same', 0, 1);
  checkNumber(different, 'different', 0, same);
  checkNumber(cost, 'cost', 0, 1e6);
  if (progress !== undefined && typeof progress !== 'function')
    throw new ArgumentError('progress', 'a function', progress);
  return { sample, expect, labels: readLabels(labels), same, different, cost, progress: progress ?? (() => {}), rule };
}

/** The thresholds from .5 to .95, and the default one. */
function thresholds(usual) {
  const steps = Array.from({ length: 10 }, (_, at) => (50 + 5 * at) / 100);
  return [...new Set([...steps, usual])].sort((a, b) => a - b);
}

/** Lets others have their turn now and then. */
class Turns {
  #end = performance.now() + SLICE;

  async next() {
    if (performance.now() < this.#end) return;
    await pause();
    this.#end = performance.now() + SLICE;
  }
}

async function readSample(documents, settings, fingerprinter) {
  const { sample: size, labels, progress } = settings;
  const setOf = featureSets(fingerprinter);
  const sample = new Sample(size);
  const turns = new Turns();
  let [at, tooLong] = [0, 0];
  for await (const document of documents) {
    if (typeof document !== 'object' || document === null)
      throw new ArgumentError(`documents[${at}]`, '{ id, text }', document);
    const { id, text } = document;
    checkId(id, `documents[${at}].id`);
    checkText(text, `documents[${at}].text`);
    at++;
    if (text.length > LONGEST_TEXT) tooLong++;
    else sample.take(() => ({ id, sketch: fingerprinter.sketch(text), set: setOf(text) }));
    labels.read(id, () => fingerprinter.sketch(text));
    if (at % 64 === 0) await turns.next();
    progress({ stage: 'reading', documents: at, share: null });
  }
  return { sample, read: at, tooLong };
}

/** Queries a deduplicator with each document of a sample, and adds those for which `isNew(hit, at)` is true. */
async function keep(sample, options, progress, isNew) {
  const kept = new Deduplicator(options);
  const turns = new Turns();
  try {
    for (const [at, { sketch }] of sample.entries()) {
      if (isNew(kept.query(sketch), at)) kept.add(at, sketch);
      if (at % 64 !== 0) continue;
      progress(at / sample.length);
      await turns.next();
    }
  } finally {
    kept.free();
  }
}

/** Of each document of a sample the position of the kept one that it is a near-duplicate of, or -1: that one is kept. */
async function decide(sample, options, progress) {
  const partners = new Int32Array(sample.length).fill(-1);
  await keep(sample, options, progress, (hit, at) => {
    if (hit !== undefined) partners[at] = hit.id;
    return hit === undefined;
  });
  return partners;
}

/**
 * Judges decisions by exact resemblance: the numbers of documents dropped though they resemble nothing kept, and kept
 * though they resemble an earlier kept one. `decisions` has an array of partners for each threshold.
 */
async function judge(sample, decisions, { same, different }, progress) {
  const sets = sample.map(({ set }) => set);
  // Of each document one bit for each threshold.
  const kept = new Uint32Array(sample.length);
  const wrong = new Uint32Array(sample.length);
  const left = new Uint32Array(sample.length);
  for (const [at, set] of sets.entries()) {
    const known = new Map();
    for (const [bit, partners] of decisions.entries()) {
      const partner = partners[at];
      if (partner < 0) {
        kept[at] |= 1 << bit;
        continue;
      }
      if (!known.has(partner)) known.set(partner, exactResemblance(set, sets[partner]));
      if (known.get(partner) < different) wrong[at] |= 1 << bit;
    }
  }
  const pairs = eachPair(sets, {
    isDone: (at) => wrong[at] === 0 && left[at] === kept[at],
    isOther: (at) => kept[at] !== 0,
    examine(at, other) {
      const open = other < at ? kept[at] & ~left[at] : 0;
      if (((open | wrong[at]) & kept[other]) === 0) return;
      const resemblance = exactResemblance(sets[at], sets[other]);
      if (resemblance >= different) wrong[at] &= ~kept[other];
      if (resemblance >= same) left[at] |= open & kept[other];
    },
  });
  const turns = new Turns();
  let step = pairs.next();
  for (; !step.done; step = pairs.next()) {
    progress(step.value);
    await turns.next();
  }
  const count = (masks) => decisions.map((_, bit) => masks.reduce((sum, mask) => sum + ((mask >>> bit) & 1), 0));
  return { wrong: count(wrong), left: count(left), unsure: step.value };
}

/** A deduplicator with this threshold returns the nearest kept document, whatever its resemblance is. */
const ANY = Number.MIN_VALUE;

/** Of each document of the sample what the report shows: the nearest document kept before it. */
async function nearest(sample, minResemblance, options, progress) {
  const documents = [];
  await keep(sample, { ...options, minResemblance: ANY }, progress, (hit, at) => {
    const { at: position, id, set } = sample[at];
    const isDropped = hit !== undefined && hit.resemblance >= minResemblance;
    documents.push({
      at: position,
      id,
      isDropped,
      nearest: hit === undefined ? null : sample[hit.id].at,
      resemblance: hit?.resemblance ?? 0,
      exact: hit === undefined ? 0 : exactResemblance(set, sample[hit.id].set),
      distance: hit?.distance ?? null,
    });
    return !isDropped;
  });
  return documents;
}

export async function calibrate(documents, options) {
  const settings = checkSettings(options);
  checkAnyIterable(documents, 'documents', 'an iterable or async iterable of { id, text }');
  const { labels, cost, progress, rule } = settings;
  const usual = new Deduplicator(rule);
  const { minResemblance: usualThreshold, scheme, probes } = usual;
  usual.free();
  const fingerprinter = new Fingerprinter({ scheme });
  const { sample: chosen, read, tooLong } = await readSample(documents, settings, fingerprinter);
  const sample = chosen.documents;
  if (sample.length === 0) throw new ArgumentError('documents', 'at least one document', documents);

  const values = thresholds(usualThreshold);
  const decisions = [];
  for (const [at, minResemblance] of values.entries()) {
    const show = (share) => progress({ stage: 'searching', documents: read, share: (at + share) / values.length });
    decisions.push(await decide(sample, { scheme, probes, minResemblance }, show));
  }
  const judged = await judge(sample, decisions, settings, (share) =>
    progress({ stage: 'comparing', documents: read, share }),
  );
  const counts = decisions.map((partners, at) => ({
    dropped: partners.reduce((sum, partner) => sum + (partner < 0 ? 0 : 1), 0),
    wrong: judged.wrong[at],
    left: judged.left[at],
  }));
  const size = sample.length;
  const expected = settings.expect ?? read;
  const forecast = ({ dropped, wrong, left }, to) =>
    Object.fromEntries(
      Object.entries({ dropped, wrong, left }).map(([name, count]) => [
        name,
        extrapolated(counted(count, size), growth[name], size, to),
      ]),
    );
  const rows = counts.map((row, at) => ({
    minResemblance: values[at],
    ...forecast(row, size),
    expected: forecast(row, expected),
    labels: labels.judge(values[at]),
  }));
  const usualAt = values.indexOf(usualThreshold);
  const best = bestThreshold(counts, usualAt, cost);
  const show = (share) => progress({ stage: 'comparing', documents: read, share });
  return {
    scheme,
    probes,
    documents: read,
    sampled: size,
    short: sample.filter(({ sketch }) => sketch.isShort).length,
    tooLong,
    unsure: judged.unsure,
    expected,
    same: settings.same,
    different: settings.different,
    cost,
    labels: labels.counts,
    thresholds: rows,
    usual: usualThreshold,
    recommended: values[best],
    sample: await nearest(sample, values[best], { scheme, probes }, show),
  };
}

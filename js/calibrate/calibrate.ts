// Measures what each threshold does to the caller's own documents. The truth is the exact resemblance of the texts.
import { ArgumentError } from '../core/argument-error.js';
import {
  checkAnyIterable,
  checkFunction,
  checkId,
  checkNumber,
  checkOptions,
  checkText,
  checkWhole,
} from '../core/check.js';
import type { FeatureSet } from '../core/feature-set.js';
import { schemeOptions } from '../core/scheme.js';
import { checkScope } from '../core/scope.js';
import {
  Deduplicator,
  type DeduplicatorOptions,
  Fingerprinter,
  type Id,
  MIN_RESEMBLANCE,
  type SchemeOptions,
  type ScopeOptions,
  type Sketch,
  type Text,
} from '../index.js';
import { bestThreshold, type Counts, type Figure, type Figures, forecast, thresholdOfLabels } from './figures.js';
import { type Label, Labels } from './labels.js';
import { observeWithNearest } from './nearest.js';
import { eachPair } from './neighbours.js';
import { Sample } from './sample.js';

/** The progress of {@link calibrate}. */
export interface CalibrationProgress {
  /** The present stage: reading the documents, searching at each threshold, or comparing texts exactly. */
  stage: 'reading' | 'searching' | 'comparing';
  /** The number of documents that have been read. */
  documents: number;
  /** The share of the stage that is done, from 0 to 1; null while documents are read. */
  share: number | null;
}

/** A document of {@link calibrate}. */
export interface CalibrationInput extends ScopeOptions {
  id: Id;
  text: Text;
}

/** The options of {@link calibrate}. */
export interface CalibrationOptions extends SchemeOptions {
  /**
   * The maximum number of documents to examine, 1 to 1,000,000: a random sample of the documents. Fewer are examined if
   * their texts are so long that their features would take more than 256 MB. Default: 100,000.
   */
  sample?: number;
  /** The number of documents for which the figures are extrapolated, 1 to 10^12. Default: the number of documents. */
  expect?: number;
  /** Your own verdicts, by which a threshold is recommended. */
  labels?: Iterable<Label>;
  /** The exact resemblance from which two documents are the same. Default: 0.75. */
  same?: number;
  /** The exact resemblance below which two documents are different, at most `same`. Default: 0.55. */
  different?: number;
  /** The cost of one wrong drop, in near-duplicates left, 0 to 1,000,000. Default: 10. */
  cost?: number;
  /** Called often. An error that it throws ends the measurement. */
  progress?(state: CalibrationProgress): void;
}

/** The effect of one threshold. The figures are numbers of documents of the sample. */
export interface ThresholdFigures extends Figures {
  /** The threshold. */
  minResemblance: number;
  /** The figures for `expect` documents, extrapolated. */
  expected: Figures;
  /**
   * The numbers of labelled pairs that are joined although they are different, and left apart although they are the same;
   * null without labels.
   */
  labels: { wrong: Figure; left: Figure } | null;
}

/** A document of the sample at the recommended threshold. */
export interface CalibratedDocument {
  /** Its position in the source, from 0. */
  at: number;
  id: Id;
  isDropped: boolean;
  /** The position of the nearest document kept before it, or null if the search found none. */
  nearest: number | null;
  /** The estimated resemblance to the nearest document, or 0 without one. */
  resemblance: number;
  /** The exact resemblance to the nearest document, or 0 without one. */
  exact: number;
  /** The number of bits in which the fingerprints differ, or null without a nearest document. */
  distance: number | null;
}

/** The result of {@link calibrate}. */
export interface Calibration {
  /** The id of the scheme at 64 bits. */
  scheme: string;
  /** The number of documents of the source. */
  documents: number;
  /** The number of documents that were examined. */
  sampled: number;
  /** The number of examined documents that are short: they match only texts with equal words. */
  short: number;
  /** The number of texts of more than 2^22 UTF-16 units or bytes, which are left out. */
  tooLong: number;
  /** The number of documents that have too many candidates to compare with all of them. */
  unsure: number;
  /** The number of documents for which the figures are extrapolated. */
  expected: number;
  same: number;
  different: number;
  cost: number;
  /** The numbers of labelled pairs of each kind, and of pairs that name a missing document; null without labels. */
  labels: { same: number; different: number; missing: number } | null;
  /** From .5 to .95, in ascending order, the default threshold among them. */
  thresholds: ThresholdFigures[];
  /** The default threshold. */
  defaultThreshold: number;
  /**
   * The threshold with the lowest cost, `cost` times the wrong drops plus the near-duplicates left. With labels, only
   * mistakes on them count, and ties go to the threshold nearest to the default. Without labels it is
   * the default threshold unless another one is better by a fifth and by more than two standard errors.
   */
  recommended: number;
  /**
   * The kept document for which the most documents with other words are dropped at this threshold, and the one of them
   * that resembles it least. Pages of one template look like near-duplicates to a measurement without labels. Null without
   * such documents.
   */
  largestFamily: { kept: CalibratedDocument; dropped: number; example: CalibratedDocument } | null;
  /** The documents that were examined, in the order of the source. */
  sample: CalibratedDocument[];
}

const ownOptions = ['sample', 'expect', 'labels', 'same', 'different', 'cost', 'progress'] as const;

/** The defaults of the options. @internal */
export const defaults = { sample: 100_000, same: 0.75, different: 0.55, cost: 10 } as const;

/** The maximum number of documents of a sample: their sketches take 15 MB for each 100,000. @internal */
export const MAX_SAMPLED = 1_000_000;
/** @internal */
export const MAX_EXPECTED = 1e12;
/** The maximum length of a text in UTF-16 units or bytes. Finding the features of a longer text would take gigabytes. */
const MAX_TEXT = 1 << 22;

/** The key of exact comparison: the pairs that are compared depend on it, and the figures are to repeat. */
const KEY = 0n;

const SLICE = 40;

function settingsOf(options: CalibrationOptions | undefined) {
  const {
    sample = defaults.sample,
    expect,
    labels = [],
    same = defaults.same,
    different = defaults.different,
    cost = defaults.cost,
    progress = () => {},
    ...rule
  } = checkOptions(options, [...ownOptions, ...schemeOptions]);
  checkWhole(sample, 'sample', MAX_SAMPLED, 1);
  if (expect !== undefined) checkWhole(expect, 'expect', MAX_EXPECTED, 1);
  checkNumber(same, 'same', 0, 1);
  checkNumber(different, 'different', 0, same);
  checkNumber(cost, 'cost', 0, 1e6);
  checkFunction(progress, 'progress');
  return { size: sample, expect, labels: new Labels(labels), same, different, cost, progress, rule };
}

type Settings = ReturnType<typeof settingsOf>;

const values: readonly number[] = [0.5, 0.55, 0.6, 0.65, MIN_RESEMBLANCE, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/** Returns a function that lets other tasks run if 40 ms have passed since it last did. */
function pauses(): () => Promise<void> {
  let next = performance.now() + SLICE;
  return async () => {
    if (performance.now() < next) return;
    await new Promise((resolve) => setTimeout(resolve));
    next = performance.now() + SLICE;
  };
}

/** Runs work that yields the share that is done, with pauses. */
async function runInSlices<R>(work: Generator<number, R, undefined>, progress: (share: number) => void): Promise<R> {
  const pause = pauses();
  try {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value;
      progress(step.value);
      await pause();
    }
  } finally {
    work.return(undefined as R);
  }
}

interface SampledDocument {
  /** Its position in the source. */
  at: number;
  id: Id;
  sketch: Sketch;
  set: FeatureSet;
}

async function readSample(
  documents: Parameters<typeof calibrate>[0],
  { size, labels, progress }: Settings,
  fingerprinter: Fingerprinter,
): Promise<{ sample: SampledDocument[]; read: number; tooLong: number }> {
  const sample = new Sample<SampledDocument>(size);
  const pause = pauses();
  let [read, tooLong] = [0, 0];
  for await (const document of documents) {
    const at = read++;
    if (typeof document !== 'object' || document === null)
      throw new ArgumentError(`documents[${at}]`, '{ id, text }', document);
    const { id } = document;
    checkId(id, `documents[${at}].id`);
    const text = checkText(document.text, `documents[${at}].text`);
    const scope = checkScope(document.scope, `documents[${at}].scope`);
    const sketchOf = () => fingerprinter.sketch(text, { scope });
    if (text.length > MAX_TEXT) tooLong++;
    else sample.take(() => ({ at, id, sketch: sketchOf(), set: fingerprinter.featureSet(text, scope, KEY) }));
    labels.read(id, sketchOf);
    if (read % 64 === 0) await pause();
    progress({ stage: 'reading', documents: read, share: null });
  }
  return { sample: sample.documents, read, tooLong };
}

/** Calls `decide` with each document of a sample in turn. Yields the share of the sample that is done. */
function* decideAll(
  sample: readonly SampledDocument[],
  options: DeduplicatorOptions,
  decide: (kept: Deduplicator<number>, sketch: Sketch, at: number) => void,
): Generator<number, void, undefined> {
  const kept = new Deduplicator<number>(options);
  try {
    for (const [at, { sketch }] of sample.entries()) {
      decide(kept, sketch, at);
      if (at % 64 === 0) yield at / sample.length;
    }
  } finally {
    kept.free();
  }
}

/**
 * Judges decisions by exact resemblance. For each threshold and each document of the sample, `decisions` has the position of
 * the document that it is a near-duplicate of, or -1 if it is kept. Yields the share that is done.
 */
function* judge(
  sets: readonly FeatureSet[],
  decisions: readonly Int32Array[],
  { same, different }: Settings,
): Generator<number, { counts: Counts[]; unsure: number }, undefined> {
  // One bit for each threshold.
  const [kept, wrong, left] = [0, 1, 2].map(() => new Uint32Array(sets.length));
  for (const [at, set] of sets.entries()) {
    const resemblances = new Map<number, number>();
    for (const [bit, partners] of decisions.entries()) {
      const partner = partners[at];
      if (partner < 0) {
        kept[at] |= 1 << bit;
        continue;
      }
      const resemblance = resemblances.get(partner) ?? set.resemblance(sets[partner]);
      resemblances.set(partner, resemblance);
      if (resemblance < different) wrong[at] |= 1 << bit;
    }
  }
  const halves = sets.map((set) => set.halves);
  const unsure = yield* eachPair(halves, {
    isDone: (at) => wrong[at] === 0 && left[at] === kept[at],
    isOther: (at) => kept[at] !== 0,
    examine(at, other) {
      const open = other < at ? kept[at] & ~left[at] : 0;
      if (((open | wrong[at]) & kept[other]) === 0) return false;
      const resemblance = sets[at].resemblance(sets[other]);
      if (resemblance >= different) wrong[at] &= ~kept[other];
      if (resemblance >= same) left[at] |= open & kept[other];
      return true;
    },
  });
  const counts = decisions.map((_, bit) => {
    const count = (masks: Uint32Array) => masks.reduce((sum, mask) => sum + ((mask >>> bit) & 1), 0);
    return { dropped: sets.length - count(kept), wrong: count(wrong), left: count(left) };
  });
  return { counts, unsure };
}

function largestFamily(sample: readonly CalibratedDocument[]): Calibration['largestFamily'] {
  const kept = new Map(sample.filter(({ isDropped }) => !isDropped).map((document) => [document.at, document]));
  const families = new Map<CalibratedDocument, { dropped: number; example: CalibratedDocument }>();
  for (const document of sample) {
    const nearest = kept.get(document.nearest ?? -1);
    if (!document.isDropped || document.exact === 1 || nearest === undefined) continue;
    const { dropped, example } = families.get(nearest) ?? { dropped: 0, example: document };
    const least = document.exact < example.exact ? document : example;
    families.set(nearest, { dropped: dropped + 1, example: least });
  }
  let largest: Calibration['largestFamily'] = null;
  for (const [kept, family] of families) if (family.dropped > (largest?.dropped ?? 0)) largest = { kept, ...family };
  return largest;
}

/**
 * Measures what each threshold does to documents: how many `dedupe` drops, how many of them wrongly, and how many
 * near-duplicates it leaves. No labels are needed: the truth is the exact resemblance of the texts.
 *
 * The source is read once. Memory holds a sketch and the features of each document of the sample. A sample of 100,000
 * documents of 700 characters takes 35 seconds of one processor. Other tasks can run every 40 ms.
 *
 * @example
 * ```js
 * import { calibrate } from 'nearprint/calibrate';
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road to the coast is closed.';
 * const documents = [{ id: 1, text }, { id: 2, text: text.replace('closed', 'open') }];
 * const { recommended, thresholds } = await calibrate(documents, { expect: 100_000 });
 * console.log(recommended); // 0.67, the default
 * console.log(thresholds[0].dropped.count); // 1, at a threshold of .5
 * ```
 * @throws ArgumentError (by rejection): `documents` is not an iterable or async iterable of `{ id, text }` or has no
 * documents, or an option is wrong
 */
export async function calibrate(
  documents: Iterable<CalibrationInput> | AsyncIterable<CalibrationInput>,
  options?: CalibrationOptions,
): Promise<Calibration> {
  const settings = settingsOf(options);
  checkAnyIterable(documents, 'documents', 'an iterable or async iterable of { id, text }');
  const { labels, same, different, cost, progress, rule } = settings;
  const set = new Deduplicator(rule);
  const { scheme } = set;
  set.free();
  const fingerprinter = new Fingerprinter({ scheme, key: rule.key });
  const { sample, read, tooLong } = await readSample(documents, settings, fingerprinter);
  if (sample.length === 0) throw new ArgumentError('documents', 'an iterable with at least one document', documents);

  const decisions: Int32Array[] = [];
  for (const [at, minResemblance] of values.entries()) {
    const partners = new Int32Array(sample.length).fill(-1);
    const search = decideAll(sample, { scheme }, (kept, sketch, place) => {
      const decision = kept.observe(place, sketch, { minResemblance });
      if (decision.status === 'duplicate') partners[place] = decision.duplicateOf;
    });
    decisions.push(partners);
    await runInSlices(search, (share) =>
      progress({ stage: 'searching', documents: read, share: (at + share) / values.length }),
    );
  }
  const showComparing = (share: number) => progress({ stage: 'comparing', documents: read, share });
  const sets = sample.map(({ set }) => set);
  const { counts, unsure } = await runInSlices(judge(sets, decisions, settings), showComparing);
  const labelled = labels.judge(values);
  const defaultAt = values.indexOf(MIN_RESEMBLANCE);
  const hasVerdicts = labelled !== null && labelled.counts.same + labelled.counts.different > 0;
  const best = hasVerdicts
    ? thresholdOfLabels(labelled.figures, defaultAt, cost)
    : bestThreshold(counts, defaultAt, cost);
  const recommended = values[best];
  const described: CalibratedDocument[] = [];
  const describe = decideAll(sample, { scheme }, (kept, sketch, place) => {
    const { at, id, set } = sample[place];
    const { decision, nearest } = observeWithNearest(kept, place, sketch, recommended);
    described.push({
      at,
      id,
      isDropped: decision.status === 'duplicate',
      nearest: nearest === undefined ? null : sample[nearest.id].at,
      resemblance: nearest?.resemblance ?? 0,
      exact: nearest === undefined ? 0 : set.resemblance(sample[nearest.id].set),
      distance: nearest?.distance ?? null,
    });
  });
  await runInSlices(describe, showComparing);
  const expected = settings.expect ?? read;
  return {
    scheme,
    documents: read,
    sampled: sample.length,
    short: sample.filter(({ sketch }) => sketch.isShort).length,
    tooLong,
    unsure,
    expected,
    same,
    different,
    cost,
    labels: labelled?.counts ?? null,
    thresholds: counts.map((row, at) => ({
      minResemblance: values[at],
      ...forecast(row, sample.length, sample.length),
      expected: forecast(row, sample.length, expected),
      labels: labelled?.figures[at] ?? null,
    })),
    defaultThreshold: MIN_RESEMBLANCE,
    recommended,
    largestFamily: largestFamily(described),
    sample: described,
  };
}

// Counts, for each threshold, the documents that have a near-duplicate among the earlier ones, and selects pairs to look at.
import { ArgumentError } from '../common/argument-error.js';
import { checkAnyIterable, checkFunction, checkId, checkOptions, checkText, checkWhole } from '../common/check.js';
import { decoder, encoder } from '../common/utf8.js';
import { Deduplicator, type Id, type ScopeOptions, Sketcher, type Text } from '../index.js';
import { type SketchOptions, sketchOptions } from '../sketch/scheme.js';
import { checkScope } from '../sketch/scope.js';
import { type Comparable, nearResemblance, thresholds } from './comparable.js';
import { type FoundShare, foundShare } from './found.js';
import { type Label, type LabelCounts, type LabelFigures, Labels } from './labels.js';
import { Sample } from './sample.js';

/** A document of {@link calibrate}. Documents are told apart by position, so ids may repeat. */
export interface CalibrationInput extends ScopeOptions {
  /** The id of the document. */
  id: Id;
  /** The text of the document. */
  text: Text;
  /** Where the document is, such as `pages.jsonl:7`. It is only returned with the pairs. */
  place?: string | undefined;
}

/** The progress of {@link calibrate}. */
export interface CalibrationProgress {
  /** The present stage: reading the documents, or comparing the sample. */
  stage: 'reading' | 'comparing';
  /** The number of documents that have been read. */
  documents: number;
  /** The share of the sample that has been compared, from 0 to 1; null while documents are read. */
  share: number | null;
}

/** The options of {@link calibrate}. */
export interface CalibrationOptions extends SketchOptions {
  /**
   * The maximum number of documents to compare, 1 to 200,000: a random sample, the same one in every run. Fewer are compared if
   * they would take more than 256 MB: the bytes of the id and the text, 8 for each feature, and 1,280. Default: 20,000.
   */
  sample?: number | undefined;
  /** The maximum number of pairs to return between each two thresholds, 0 to 1,000. Default: 5. */
  pairs?: number | undefined;
  /** Your own verdicts on pairs. */
  labels?: Iterable<Label> | undefined;
  /** Called for every document. An error that it throws ends the calibration, and is its error. */
  progress?: ((state: CalibrationProgress) => void) | undefined;
}

/** The effect of one threshold. */
export interface ThresholdFigures {
  /** The threshold. */
  minResemblance: number;
  /** The number of documents of the sample whose most similar earlier document reaches the threshold. */
  documents: number;
  /** Their share of the sample, from 0 to 1. */
  share: number;
  /** The share of the pairs of exactly this resemblance that a search finds, by the theory of the keys. */
  found: FoundShare;
  /** How well the threshold agrees with the labels; null without labels. */
  labels: LabelFigures | null;
}

/** A document of a pair. */
export interface CalibratedDocument {
  /** Its position in the source, from 0. */
  at: number;
  /** Its id. */
  id: Id;
  /** Its place, if it was given. */
  place?: string;
  /** Its text. */
  text: string;
}

/** A document, and the most similar one of the earlier documents. */
export interface CalibratedPair {
  /** The earlier document. */
  earlier: CalibratedDocument;
  /** The later document. */
  later: CalibratedDocument;
  /** Their exact resemblance. */
  resemblance: number;
}

/** The documents whose resemblance to the most similar earlier one lies between two thresholds. */
export interface Interval {
  /** The lower threshold. */
  from: number;
  /** The upper threshold, which is excluded; 1 for the last interval, which includes it. */
  to: number;
  /** The number of documents. */
  documents: number;
  /**
   * Some of these documents, at random, with the most similar earlier one, in ascending order of resemblance. Pairs of equal
   * documents are left out: there is nothing to look at.
   */
  pairs: CalibratedPair[];
}

/** The result of {@link calibrate}. */
export interface Calibration {
  /** The id of the scheme. */
  scheme: string;
  /** The number of documents of the source. */
  documents: number;
  /** The number of documents of the sample. */
  sampled: number;
  /** The number of documents of the sample that are short: they match only texts with equal words and symbols. */
  short: number;
  /** The number of documents of the sample that equal an earlier one: they reach every threshold. */
  equal: number;
  /** The number of texts of more than 2^22 UTF-16 units or bytes, which are left out. */
  tooLong: number;
  /** From .5 to .95, in ascending order. */
  thresholds: ThresholdFigures[];
  /** The interval above each threshold, in ascending order. */
  intervals: Interval[];
  /** The numbers of labelled pairs; null without labels. */
  labels: LabelCounts | null;
}

/** A document of the sample. */
interface Sampled extends Comparable {
  at: number;
  id: Id;
  place: string | undefined;
  /** A copy of the text: the caller may reuse its memory. */
  utf8: Uint8Array;
}

/** A document of the sample with the most similar earlier one. */
interface Match {
  earlier: Sampled;
  later: Sampled;
  resemblance: number;
}

const ownOptions = ['sample', 'pairs', 'labels', 'progress'] as const;

const [DEFAULT_SAMPLE, DEFAULT_PAIRS] = [20_000, 5];

/** The maximum number of documents of a sample. @internal */
export const MAX_SAMPLED = 200_000;
const MAX_PAIRS = 1000;
/** The maximum length of a text in UTF-16 units or bytes: its features take eight times as many bytes. */
const MAX_TEXT = 1 << 22;
/** The maximum memory of a sample in bytes, and what the sketch and the objects of a document take. */
const [MAX_BYTES, OVERHEAD] = [1 << 28, 1280];
/** The milliseconds of work after which other tasks can run. */
const SLICE = 40;

/** Returns the memory of a document, in bytes. */
const bytesOf = ({ id, place = '', utf8, features }: Sampled): number =>
  2 * (String(id).length + place.length) + utf8.length + 8 * features.size + OVERHEAD;

function settingsOf(options: CalibrationOptions | undefined) {
  const {
    sample = DEFAULT_SAMPLE,
    pairs = DEFAULT_PAIRS,
    labels = [],
    progress = () => {},
    ...rule
  } = checkOptions(options, [...ownOptions, ...sketchOptions]);
  checkWhole(sample, 'sample', MAX_SAMPLED, 1);
  checkWhole(pairs, 'pairs', MAX_PAIRS);
  checkFunction(progress, 'progress');
  return { size: sample, pairs, labels: new Labels(labels), progress, rule };
}

type Settings = ReturnType<typeof settingsOf>;

/** Returns a function that lets other tasks run if 40 ms have passed since it last did. */
function pauses(): () => Promise<void> | undefined {
  let next = performance.now() + SLICE;
  return () => {
    if (performance.now() < next) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        next = performance.now() + SLICE;
        resolve();
      });
    });
  };
}

/** Reads the source. Returns the sample in the order of the source. Labelled documents go to the labels too. */
async function readSample(
  documents: Parameters<typeof calibrate>[0],
  { size, labels, progress }: Settings,
  sketcher: Sketcher,
): Promise<{ sample: Sampled[]; read: number; tooLong: number }> {
  const sample = new Sample<Sampled>({ size, bytes: MAX_BYTES, bytesOf });
  const pause = pauses();
  let [read, tooLong] = [0, 0];
  for await (const document of documents) {
    const at = read++;
    const argument = `documents[${at}]`;
    if (typeof document !== 'object' || document === null) throw new ArgumentError(argument, '{ id, text }', document);
    const { id, place } = document;
    checkId(id, `${argument}.id`);
    const text = checkText(document.text, `${argument}.text`);
    const scope = checkScope(document.scope, `${argument}.scope`);
    if (place !== undefined && typeof place !== 'string')
      throw new ArgumentError(`${argument}.place`, 'a string', place);
    if (text.length > MAX_TEXT) {
      tooLong++;
    } else {
      const compared = (): Comparable => ({
        sketch: sketcher.sketch(text, { scope }),
        features: sketcher.featureSet(text, scope).copy(),
      });
      const copied = () => (typeof text === 'string' ? encoder.encode(text) : new Uint8Array(text));
      sample.offer(() => ({ at, id, place, utf8: copied(), ...compared() }));
      labels.read(id, compared);
    }
    progress({ stage: 'reading', documents: read, share: null });
    await pause();
  }
  return { sample: sample.items, read, tooLong };
}

/** Returns the earlier document that is most similar to a document; of several, the most similar by the estimate. */
function mostSimilar(kept: Deduplicator<number>, sample: readonly Sampled[], later: Sampled): Match | undefined {
  let best: Match | undefined;
  for (const { id } of kept.query(later.sketch, { minResemblance: 0, limit: Infinity })) {
    const earlier = sample[id];
    // Other documents can have the same features in another order.
    if (later.sketch.equals(earlier.sketch)) return { earlier, later, resemblance: 1 };
    const resemblance = nearResemblance(later, earlier);
    if (resemblance > (best?.resemblance ?? 0)) best = { earlier, later, resemblance };
  }
  return best;
}

/** Finds the documents of a sample that have a near-duplicate among the earlier ones. */
async function findMatches(
  sample: readonly Sampled[],
  scheme: string,
  progress: (share: number) => void,
): Promise<Match[]> {
  const matches: Match[] = [];
  const pause = pauses();
  const kept = new Deduplicator<number>({ scheme });
  try {
    for (const [at, document] of sample.entries()) {
      const match = mostSimilar(kept, sample, document);
      if (match !== undefined) matches.push(match);
      kept.add(at, document.sketch);
      progress((at + 1) / sample.length);
      await pause();
    }
  } finally {
    kept.free();
  }
  return matches;
}

const isEqual = ({ earlier, later }: Match): boolean => later.sketch.equals(earlier.sketch);

const shown = ({ at, id, place, utf8 }: Sampled): CalibratedDocument => ({
  at,
  id,
  ...(place === undefined ? {} : { place }),
  text: decoder.decode(utf8),
});

function intervalOf(from: number, to: number, matches: readonly Match[], pairs: number): Interval {
  const within = matches.filter(({ resemblance }) => resemblance >= from && (resemblance < to || to === 1));
  const chosen = new Sample<Match>({ size: pairs });
  for (const match of within) if (!isEqual(match)) chosen.offer(() => match);
  return {
    from,
    to,
    documents: within.length,
    pairs: chosen.items
      .toSorted((a, b) => a.resemblance - b.resemblance)
      .map(({ earlier, later, resemblance }) => ({ earlier: shown(earlier), later: shown(later), resemblance })),
  };
}

/**
 * Counts, for each threshold, the documents whose most similar earlier document reaches it, by the exact resemblance of the
 * texts, and returns some pairs between each two thresholds to look at. Only documents that share a key are compared, as by
 * {@link Deduplicator.query}, at most 32 with each. `dedupe` drops at most this number of documents of the sample, because it
 * compares with kept documents only.
 *
 * The source is read once, to its end. Memory holds the texts and features of the sample, at most 256 MB, and the features of labelled
 * documents. O(documents), and O(features) for each comparison. Other tasks can run every 40 ms.
 *
 * @example
 * ```js
 * import { calibrate } from 'nearprint/calibrate';
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road to the coast is closed.';
 * const documents = [{ id: 1, text }, { id: 2, text: text.replace('closed', 'open') }];
 * const { thresholds, intervals } = await calibrate(documents);
 * console.log(thresholds[0].documents); // 1, at a threshold of .5
 * const [pair] = intervals.flatMap(({ pairs }) => pairs);
 * console.log(pair.resemblance.toFixed(2)); // '0.89'
 * ```
 * @throws ArgumentError (by rejection): `documents` is not an iterable or async iterable of `{ id, text }`, or an option is wrong
 */
export async function calibrate(
  documents: Iterable<CalibrationInput> | AsyncIterable<CalibrationInput>,
  options?: CalibrationOptions,
): Promise<Calibration> {
  const settings = settingsOf(options);
  checkAnyIterable(documents, 'documents', 'an iterable or async iterable of { id, text }');
  const { pairs, labels, progress, rule } = settings;
  const sketcher = new Sketcher(rule);
  const { id: scheme } = sketcher;
  const { sample, read, tooLong } = await readSample(documents, settings, sketcher);
  const matches = await findMatches(sample, scheme, (share) =>
    progress({ stage: 'comparing', documents: read, share }),
  );
  const judged = labels.judge(scheme, thresholds);
  const rows = thresholds.map((minResemblance, at): ThresholdFigures => {
    const documents = matches.filter(({ resemblance }) => resemblance >= minResemblance).length;
    return {
      minResemblance,
      documents,
      share: sample.length === 0 ? 0 : documents / sample.length,
      found: foundShare(minResemblance),
      labels: judged?.figures[at] ?? null,
    };
  });
  return {
    scheme,
    documents: read,
    sampled: sample.length,
    short: sample.filter(({ sketch }) => sketch.isShort).length,
    equal: matches.filter(isEqual).length,
    tooLong,
    thresholds: rows,
    intervals: thresholds.map((from, at) => intervalOf(from, thresholds[at + 1] ?? 1, matches, pairs)),
    labels: judged?.counts ?? null,
  };
}

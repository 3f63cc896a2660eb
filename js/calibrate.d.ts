/**
 * What each threshold does to your own documents, measured without labels. For every runtime.
 *
 * @packageDocumentation
 */
import type { Id, SchemeOptions, Text } from './index.js';

/** Your own verdict on two documents. */
export interface Label {
  /** The id of a document. The ids `1` and `'1'` are one. */
  a: Id;
  /** The id of another document. */
  b: Id;
  /** Whether they are the same to you. Default: true. */
  same?: boolean;
}

export interface CalibrationProgress {
  /** What is being done: reading the documents, searching at each threshold, comparing texts exactly. */
  stage: 'reading' | 'searching' | 'comparing';
  /** The documents that have been read. */
  documents: number;
  /** The share of the stage that is done, from 0 to 1; null while documents are read. */
  share: number | null;
}

export interface CalibrationOptions extends SchemeOptions {
  /**
   * The most documents to examine, 1 to 1,000,000; a random sample of the documents. Fewer are examined if their texts
   * are so long that their features would take more than 256 MB. Default: 100,000.
   */
  sample?: number;
  /** The number of documents for which the figures are extrapolated. Default: the number of documents. */
  expect?: number;
  /** Your own verdicts, which are counted in addition. */
  labels?: Iterable<Label>;
  /** The exact resemblance from which two documents are the same. Default: 0.75. */
  same?: number;
  /** The exact resemblance below which two documents are different, at most `same`. Default: 0.55. */
  different?: number;
  /** How many near-duplicates left are as bad as one wrong drop. Default: 10. */
  cost?: number;
  /** The probes of the `Deduplicator`, 1 to 256. Default: 25. */
  probes?: number;
  /** Called often. */
  progress?(state: CalibrationProgress): void;
}

/** A number of documents, and the range in which it lies with a confidence of 95 %. */
export interface Figure {
  count: number;
  low: number;
  high: number;
}

export interface Figures {
  /** Documents that are dropped. */
  dropped: Figure;
  /** Of those, documents whose exact resemblance to every kept document is below `different`. */
  wrong: Figure;
  /** Documents that are kept though their exact resemblance to an earlier kept document is at least `same`. */
  left: Figure;
}

/** What a threshold does. The figures are numbers of documents of the sample. */
export interface ThresholdFigures extends Figures {
  /** The threshold. */
  minResemblance: number;
  /** The figures for `expect` documents, extrapolated. */
  expected: Figures;
  /** Labelled pairs that are joined though they are different, and left apart though they are the same. */
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
  /** The resemblance to that as the sketches estimate it, 0 if there is none. */
  resemblance: number;
  /** The exact resemblance to that, 0 if there is none. */
  exact: number;
  /** The bits in which the fingerprints differ. */
  distance: number | null;
}

export interface Calibration {
  scheme: string;
  probes: number;
  /** The number of documents of the source. */
  documents: number;
  /** The number of documents that were examined. */
  sampled: number;
  /** Of those, short texts, which match only texts of equal words. */
  short: number;
  /** Texts of more than four million characters, which are left out. */
  tooLong: number;
  /** Documents of which not every candidate was compared, as there were too many. */
  unsure: number;
  /** The number of documents for which the figures are extrapolated. */
  expected: number;
  same: number;
  different: number;
  cost: number;
  /** The labelled pairs of each kind, and those that name a document that is not in the source; null without labels. */
  labels: { same: number; different: number; missing: number } | null;
  /** From .5 to .95, in ascending order, the default threshold among them. */
  thresholds: ThresholdFigures[];
  /** The default threshold. */
  usual: number;
  /**
   * The threshold with the lowest cost, `cost` times the wrong drops plus the near-duplicates left. It is the default
   * one unless another is better by a fifth and by more than two standard errors.
   */
  recommended: number;
  /** The documents that were examined, in the order of the source. */
  sample: CalibratedDocument[];
}

/**
 * Measures what each threshold does to documents: how many `dedupe` drops, how many of those wrongly, and how many
 * near-duplicates it leaves. No labels are needed: the truth is the exact resemblance of the texts.
 *
 * The source is read once, in its order. Memory: a sketch and the features of each document of the sample. A sample of
 * 100,000 documents of 700 characters takes 35 seconds of one processor. Others have their turn every 40 ms.
 *
 * @example
 * ```js
 * import { calibrate } from 'nearprint/calibrate';
 * const text = 'The river burst its banks early on Tuesday, the council said, and the road to the coast is closed.';
 * const documents = [{ id: 1, text }, { id: 2, text: text.replace('closed', 'open') }];
 * const { recommended, thresholds } = await calibrate(documents, { expect: 100_000 });
 * console.log(recommended); // 0.67, the default: there is no reason for another one
 * console.log(thresholds[0].dropped.count); // 1, at a threshold of .5
 * ```
 * @throws TypeError: `documents` is not an iterable or async iterable of `{ id, text }`, or an option has the wrong type
 * @throws RangeError: there are no documents, or an option is out of range
 */
export function calibrate(
  documents: Iterable<{ id: Id; text: Text }> | AsyncIterable<{ id: Id; text: Text }>,
  options?: CalibrationOptions,
): Promise<Calibration>;

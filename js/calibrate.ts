/**
 * Counts the near-duplicates of each threshold among your own documents, and shows pairs to judge. For every runtime.
 *
 * @packageDocumentation
 */
export {
  type CalibratedDocument,
  type CalibratedPair,
  type Calibration,
  type CalibrationInput,
  type CalibrationOptions,
  type CalibrationProgress,
  calibrate,
  type Interval,
  type ThresholdFigures,
} from './calibrate/calibrate.js';
export type { FoundShare } from './calibrate/found.js';
export type { Label, LabelCounts, LabelFigures } from './calibrate/labels.js';

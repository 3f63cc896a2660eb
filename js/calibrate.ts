/**
 * Measures what each threshold does to your own documents, without labels. For every runtime.
 *
 * @packageDocumentation
 */
export {
  type CalibratedDocument,
  type Calibration,
  type CalibrationInput,
  type CalibrationOptions,
  type CalibrationProgress,
  calibrate,
  type ThresholdFigures,
} from './calibrate/calibrate.js';
export type { Figure, Figures } from './calibrate/figures.js';
export type { Label } from './calibrate/labels.js';

// The verdict on a comparison, as a sentence.

import { MIN_FEATURES } from 'nearprint';
import { reaches } from '../../js/decisions/rule.js';
import { percent, t } from '../locales/locale.js';
import { defaultThreshold, toPercent } from '../scheme/threshold.js';
import { hasTexts, type Result } from './result.js';

/** Returns whether a text has no features, like one of punctuation only. Its fingerprint is 0. */
const isEmpty = (result: Result): boolean => hasTexts(result) && (result.a.features === 0 || result.b.features === 0);

/** Returns whether the texts are near-duplicates, or undefined if that is unknown. */
export function areNear(result: Result, threshold: number): boolean | undefined {
  const { a, b, estimate } = result;
  if (isEmpty(result) || estimate === undefined) return undefined;
  return reaches(estimate, threshold, a.hasFewFeatures === true || b.hasFewFeatures === true);
}

export function verdict(result: Result, threshold: number, units: string): string {
  const { a, b, bits, distance, estimate } = result;
  if (isEmpty(result)) return t('verdictEmpty');
  const near = areNear(result, threshold);
  if (estimate === undefined || near === undefined) return t('verdictFingerprintsOnly', { distance, bits });
  if (a.isShort || b.isShort) return t('verdictShort', { near });
  const share = percent(toPercent(estimate) / 100);
  const isDefault = threshold === defaultThreshold;
  return t('verdict', { share, units, threshold: percent(threshold), isDefault, near });
}

/** Returns a sentence on what the verdict is based on, or ''. */
export function remark(result: Result): string {
  const { a, b, estimate } = result;
  if (isEmpty(result)) return '';
  if (estimate === undefined) return t('remarkFingerprintsOnly');
  if (a.isShort || b.isShort) return t('remarkShort', { few: MIN_FEATURES });
  if (!hasTexts(result)) return t('remarkSketchesOnly');
  return t('remarkFeatures', { a: result.a.features, b: result.b.features });
}

// The verdict on a comparison, as a sentence.

import { MIN_FEATURES } from 'nearprint';
import { percent, t } from '../locales/locale.js';
import { defaultThreshold, toPercent } from '../scheme/threshold.js';

/** Whether a text has no features, like one of punctuation only. Its fingerprint is 0. */
const isEmpty = ({ a, b }) => a.features === 0 || b.features === 0;

/** Whether the texts are near-duplicates; undefined if that is unknown. */
export function areNear(result, threshold) {
  if (isEmpty(result) || result.estimate === undefined) return undefined;
  return result.estimate >= threshold;
}

export function verdict(result, threshold, units) {
  const { a, b, bits, distance, estimate } = result;
  if (isEmpty(result)) return t('verdictEmpty');
  if (estimate === undefined) return t('verdictFingerprintsOnly', { distance, bits });
  const near = areNear(result, threshold);
  if (a.isShort || b.isShort) return t('verdictShort', { near });
  const share = percent(toPercent(estimate) / 100);
  const isDefault = threshold === defaultThreshold;
  return t('verdict', { share, units, threshold: percent(threshold), isDefault, near });
}

/** A sentence on what the verdict is based on, or ''. */
export function remark(result) {
  const { a, b, estimate } = result;
  if (isEmpty(result)) return '';
  if (estimate === undefined) return t('remarkFingerprintsOnly');
  if (a.isShort || b.isShort) return t('remarkShort', { few: MIN_FEATURES });
  if (a.features === undefined) return t('remarkSketchesOnly');
  return t('remarkFeatures', { a: a.features, b: b.features });
}

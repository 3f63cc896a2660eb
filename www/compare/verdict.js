// The verdict on a comparison, as a sentence.

import { MIN_FEATURES } from 'nearprint';
import { t } from '../locales/locale.js';
import { defaultThreshold } from '../scheme/scheme.js';

/** Whether a text has no features, like one of punctuation only. Its fingerprint is 0. */
export const isEmpty = ({ a, b }) => a.features === 0 || b.features === 0;

export function verdict({ a, b, distance, bits }, threshold) {
  if (isEmpty({ a, b })) return t('verdictEmpty');
  if (distance === 0) return t('verdictSame');
  const isDefault = threshold === defaultThreshold(bits);
  return t('verdict', { distance, bits, threshold, isDefault, near: distance <= threshold });
}

/** A sentence on how reliable the verdict is, or ''. */
export function remark({ a, b, distance, bits }) {
  if (a.features === undefined) return t('remarkFingerprintsOnly');
  if (isEmpty({ a, b })) return '';
  const fewest = Math.min(a.features, b.features);
  if (fewest < MIN_FEATURES) return t('remarkFew', { count: fewest });
  if (distance > bits * 0.3) return t('remarkUnrelated', { half: bits / 2 });
  return t('remarkFeatures', { a: a.features, b: b.features });
}

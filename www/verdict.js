// What a distance means, in words.
import { t } from './i18n.js';
import { MIN_FEATURES } from './pkg/index.js';
import { defaultThreshold } from './recipe.js';

/** Punctuation alone has no features, and its fingerprint says nothing. */
export const isEmpty = ({ a, b }) => a.features === 0 || b.features === 0;

export function verdict({ a, b, distance, bits }, threshold) {
  if (isEmpty({ a, b })) return t('verdictEmpty');
  if (distance === 0) return t('verdictSame');
  const isDefault = threshold === defaultThreshold(bits);
  return t('verdict', { distance, bits, threshold, isDefault, near: distance <= threshold });
}

/** What else one should know, or ''. */
export function remark({ a, b, distance, bits }) {
  if (a.features === undefined) return t('remarkPrintsOnly');
  if (isEmpty({ a, b })) return '';
  const fewest = Math.min(a.features, b.features);
  if (fewest < MIN_FEATURES) return t('remarkFew', { count: fewest });
  if (distance > bits * 0.3) return t('remarkUnrelated', { half: bits / 2 });
  return t('remarkFeatures', { a: a.features, b: b.features });
}

// The verdict on a comparison, as a sentence. It is exact if the texts are known.

import { MIN_FEATURES } from 'nearprint';
import { BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE } from '../../js/core/decision-options.js';
import { percent, t } from '../locales/locale.js';
import { defaultThreshold, toPercent } from '../scheme/threshold.js';
import { sides } from '../shared/pair.js';
import type { State } from '../shared/state.js';
import { hasTexts, type Result } from './result.js';

/** The part of the state that a verdict depends on. */
type Rule = Pick<State, 'threshold' | 'scheme'>;

/** The share of a text that the other one has, from which it counts as a quotation. */
const MIN_QUOTED = 0.5;

/** Returns whether a text has no features, like one of punctuation only. Its fingerprint is 0. */
const isEmpty = (result: Result): boolean => hasTexts(result) && (result.a.features === 0 || result.b.features === 0);

const isShort = ({ a, b }: Result): boolean => a.isShort || b.isShort;

const hasFewFeatures = ({ a, b }: Result): boolean => a.hasFewFeatures || b.hasFewFeatures;

/**
 * Returns the resemblance: exact if the texts are known, otherwise the estimate. Short texts match if their words are equal,
 * which sketches decide exactly.
 */
export const shareOf = (result: Result): number =>
  hasTexts(result) && !isShort(result) ? result.exactResemblance : result.resemblance;

const isNear = (share: number, result: Result, threshold: number): boolean | undefined =>
  isEmpty(result) ? undefined : share >= thresholdFor(result, threshold);

/** Returns whether the texts are near-duplicates, or undefined if one is empty. */
export const areNear = (result: Result, threshold: number): boolean | undefined =>
  isNear(shareOf(result), result, threshold);

/** Returns the threshold that applies to the texts of a comparison. */
export const thresholdFor = (result: Result, threshold: number): number =>
  hasFewFeatures(result) ? Math.max(threshold, MIN_BRIEF_RESEMBLANCE) : threshold;

/** Returns a share in percent, rounded down like the threshold. */
const inPercent = (share: number): string => percent(toPercent(share) / 100);

export function verdict(result: Result, threshold: number, units: string): string {
  const near = areNear(result, threshold);
  if (near === undefined) return t('verdictEmpty');
  if (hasTexts(result) && result.isIdentical) return t('verdictIdentical');
  if (hasTexts(result) && result.hasSameWords) return t('verdictSameWords');
  if (isShort(result)) return t('verdictShort', { near });
  return t(hasTexts(result) ? 'verdict' : 'verdictEstimated', { share: inPercent(shareOf(result)), units, near });
}

/**
 * Returns a sentence about the text that the other one quotes, or '' if the verdict covers it. Unrelated texts have most pairs of
 * characters in common, and texts that contain much of each other are two versions of one text.
 */
function quotation(result: Result, { threshold, scheme }: Rule, units: string): string {
  if (!hasTexts(result) || isShort(result) || areNear(result, threshold) !== false) return '';
  const { containment } = result;
  const quoted = sides.filter((side) => containment[side] >= MIN_QUOTED);
  if (quoted.length !== 1 || scheme.features.startsWith('chars')) return '';
  return t('quotes', { share: inPercent(containment[quoted[0]]), units, side: quoted[0] });
}

function thresholdSentence(result: Result, threshold: number): string {
  const applied = thresholdFor(result, threshold);
  if (applied !== threshold) return t('remarkFew', { threshold: percent(applied), few: BRIEF_FEATURES });
  return t('remarkThreshold', { threshold: percent(threshold), isDefault: threshold === defaultThreshold });
}

/** Returns the sentences on what the verdict is based on. */
export function remarks(result: Result, rule: Rule, units: string): string[] {
  const { threshold } = rule;
  if (isEmpty(result) || (hasTexts(result) && result.hasSameWords)) return [];
  if (isShort(result)) return [t('remarkShort', { few: MIN_FEATURES })];
  const [exact, estimated] = [areNear(result, threshold), isNear(result.resemblance, result, threshold)];
  return [
    quotation(result, rule, units),
    thresholdSentence(result, threshold),
    estimated === undefined || exact === estimated ? '' : t('remarkEstimate', { near: estimated }),
    hasTexts(result) ? t('remarkFeatures', { a: result.a.features, b: result.b.features }) : t('remarkSketchesOnly'),
  ].filter((sentence) => sentence !== '');
}

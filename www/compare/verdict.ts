// The verdict on a comparison, as a sentence. It is exact if the texts are known.

import { BRIEF_FEATURES, MIN_BRIEF_RESEMBLANCE, MIN_FEATURES } from '../../js/dedupe/decision-options.js';
import { inPercent, percent, t } from '../locales/locale.js';
import { defaultThreshold } from '../scheme/threshold.js';
import { type Markup, markup } from '../shared/markup.js';
import { sides } from '../shared/pair.js';
import type { State } from '../shared/state.js';
import { hasVotes } from './bits.js';
import type { Compared } from './compared.js';
import type { Likeness, LikenessResult } from './likeness.js';

/** The part of the state that a verdict depends on. */
type Rule = Pick<State, 'threshold' | 'scheme'>;

/** The share of a text that the other one has, from which it counts as a quotation. */
const MIN_QUOTED = 0.5;

const isExact = (likeness: LikenessResult): likeness is Likeness => 'resemblance' in likeness;

/** Returns whether a text has no features, like one of punctuation only. Its fingerprint is 0. */
const isEmpty = ({ bits }: Compared): boolean => hasVotes(bits) && (bits.a.features === 0 || bits.b.features === 0);

const isShort = ({ likeness: { a, b } }: Compared): boolean => a.isShort || b.isShort;

/**
 * Returns the resemblance: exact if the texts are known, otherwise the estimate. Short texts match if their words are equal,
 * which sketches decide exactly.
 */
export const shareOf = (compared: Compared): number =>
  isExact(compared.likeness) && !isShort(compared) ? compared.likeness.resemblance : compared.likeness.estimate;

const isNear = (share: number, compared: Compared, threshold: number): boolean | undefined =>
  isEmpty(compared) ? undefined : share >= thresholdFor(compared, threshold);

/** Returns whether the texts are near-duplicates, or undefined if one is empty. */
export const areNear = (compared: Compared, threshold: number): boolean | undefined =>
  isNear(shareOf(compared), compared, threshold);

/** Returns the threshold that applies to the texts of a comparison. */
export const thresholdFor = ({ likeness: { a, b } }: Compared, threshold: number): number =>
  a.hasFewFeatures || b.hasFewFeatures ? Math.max(threshold, MIN_BRIEF_RESEMBLANCE) : threshold;

/** Returns whether all features are in common, and the fingerprints differ because they are not folded. */
const isFolded = (compared: Compared): boolean => shareOf(compared) === 1 && compared.bits.distance > 0;

/** Returns whether folding explains all differences of the texts. */
const isOnlyFolded = (compared: Compared): boolean =>
  isFolded(compared) && isExact(compared.likeness) && compared.likeness.hasSameFoldedWords;

export function verdict(compared: Compared, threshold: number, units: string): string {
  const { likeness } = compared;
  const near = areNear(compared, threshold);
  if (near === undefined) return t('verdictEmpty');
  if (isExact(likeness) && likeness.isIdentical) return t('verdictIdentical');
  if (isOnlyFolded(compared)) return t('verdictSameFoldedWords');
  if (isExact(likeness) && likeness.hasSameWords) return t('verdictSameWords');
  if (isShort(compared)) return t('verdictShort', { near });
  return t(isExact(likeness) ? 'verdict' : 'verdictEstimated', { share: inPercent(shareOf(compared)), units, near });
}

/**
 * Returns a sentence about the text that the other one quotes, or '' if the verdict covers it. Unrelated texts have most pairs of
 * characters in common, and texts that contain much of each other are two versions of one text.
 */
function quotation(compared: Compared, { threshold, scheme }: Rule, units: string): string {
  const { likeness } = compared;
  if (!isExact(likeness) || isShort(compared) || areNear(compared, threshold) !== false) return '';
  const { containment } = likeness;
  const quoted = sides.filter((side) => containment[side] >= MIN_QUOTED);
  if (quoted.length !== 1 || scheme.features.startsWith('chars')) return '';
  return t('quotes', { share: inPercent(containment[quoted[0]]), units, side: quoted[0] });
}

function thresholdSentence(compared: Compared, threshold: number): string {
  const applied = thresholdFor(compared, threshold);
  if (applied !== threshold) return t('remarkFew', { threshold: percent(applied), few: BRIEF_FEATURES });
  return t('remarkThreshold', { threshold: percent(threshold), isDefault: threshold === defaultThreshold });
}

/** Returns the sentences on what the verdict is based on. */
export function remarks(compared: Compared, rule: Rule, units: string): string[] {
  const { threshold } = rule;
  const { bits, likeness } = compared;
  const disregarded = isFolded(compared) ? t('remarkDisregarded', { n: bits.distance }) : '';
  if (isEmpty(compared) || isOnlyFolded(compared)) return [];
  if (isExact(likeness) && likeness.hasSameWords) return disregarded === '' ? [] : [disregarded];
  if (isShort(compared)) return [t('remarkShort', { few: MIN_FEATURES })];
  const [exact, estimated] = [areNear(compared, threshold), isNear(likeness.estimate, compared, threshold)];
  return [
    quotation(compared, rule, units),
    thresholdSentence(compared, threshold),
    estimated === undefined || exact === estimated ? '' : t('remarkEstimate', { near: estimated }),
    disregarded,
    isExact(likeness) ? '' : t('remarkSketchesOnly'),
  ].filter((sentence) => sentence !== '');
}

/** A threshold from which the end of the ruler has no name: it would be written over the name of the threshold. */
const CLOSE_TO_END = 0.85;

/** Returns a scale of resemblance from 0 to 1 with a point for the two texts; thick from the threshold on. */
export function rulerOf(compared: Compared, threshold: number): Markup {
  const at = (share: number): string => `${(100 * share).toFixed(2)}%`;
  const from = thresholdFor(compared, threshold);
  const name = (share: number, anchor: string): Markup =>
    markup('text', { x: at(share), y: 27, 'text-anchor': anchor }, percent(share));
  const line = (start: number, kind?: string): Markup =>
    markup('line', { class: kind, x1: at(start), x2: '100%', y1: 8, y2: 8 });
  return markup(
    'svg',
    { 'data-share': shareOf(compared) },
    line(0),
    line(from, 'near'),
    name(0, 'start'),
    name(from, from > CLOSE_TO_END ? 'end' : 'middle'),
    ...(from > CLOSE_TO_END ? [] : [name(1, 'end')]),
    markup('circle', { cx: at(shareOf(compared)), cy: 8, r: 7 }),
  );
}

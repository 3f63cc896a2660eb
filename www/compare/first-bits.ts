// The first view of the bits. The build writes it into index.html for the first sample.
import { t } from '../locales/locale.js';
import { type Content, markup } from '../shared/markup.js';
import type { State } from '../shared/state.js';
import { hasUnspaced } from '../shared/words.js';
import { type BitResult, hasVotes, isOne } from './bits.js';
import { numberLine, sentenceOf, type TextChanges } from './flip.js';

/** Returns the title: how far the fingerprints are apart. */
export const headlineOf = ({ bits, distance }: BitResult): Content[] => [
  `${t('headline', { bits })} `,
  markup('em', {}, t('bitsApart', { distance })),
];

/** Returns the sentences that explain the marks and the votes. */
export function legendOf(result: BitResult, { a, b, scheme }: Pick<State, 'a' | 'b' | 'scheme'>): Content[] {
  if (!hasVotes(result)) return [t('legend')];
  const isWords = scheme.features === 'grams' && !hasUnspaced(a) && !hasUnspaced(b);
  const who = isWords ? t('wordsVote') : t('featuresVote', { units: t(`units:${scheme.features}`) });
  const hint = (pointer: string, text: string) => markup('span', { class: pointer }, text);
  return [
    `${t('legend')} ${t('legendSize')} ${who} `,
    markup('span', { class: 'script' }, hint('fine', t('pointAtOne')), hint('coarse', t('tapOne'))),
  ];
}

/** Returns the bit that is chosen at first: the highest one that differs, or else the highest. */
export function chosenBit(result: BitResult): number {
  for (let bit = result.bits - 1; bit >= 0; bit--) if (isOne(result.a, bit) !== isOne(result.b, bit)) return bit;
  return result.bits - 1;
}

/** Returns the sentence on a bit, and its number line. */
export const flipContent = (result: BitResult, bit: number, changes: TextChanges | null | undefined): Content[] =>
  hasVotes(result)
    ? [markup('p', { id: 'sentence' }, ...sentenceOf(result, bit, changes)), numberLine(result, bit, changes)]
    : [markup('p', { id: 'sentence' }, t('votesUnknown'))];

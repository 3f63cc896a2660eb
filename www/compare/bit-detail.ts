// The detail of one bit: how both texts voted on it.

import type { BitComparison, BitVotes } from 'nearprint';
import { number, type PlainKey, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { type Pair, sides } from '../shared/pair.js';
import { featureText } from './feature-text.js';
import type { FeatureWeight, TextComparison } from './summarize.js';
import type { Voters } from './voters.js';

const signed = (sum: number): string => (sum > 0 ? '+' : sum < 0 ? '−' : '') + number(Math.abs(sum));

const bitOf = (sum: number): number => (sum > 0 ? 1 : 0);

/** Returns the votes that would flip the bit, which is 1 if the sum is positive. */
const votesToFlip = (sum: number): number => (sum > 0 ? sum : 1 - sum);

export const bitLabel = ({ bit, differs, a, b }: BitComparison): string =>
  t('cellLabel', { bit, differs, a: signed(a.sum), b: signed(b.sum), bitA: bitOf(a.sum), bitB: bitOf(b.sum) });

/** Returns a list of voters. `total` is the weight of all of them. */
function voters(key: PlainKey, features: FeatureWeight[], total: number): HTMLElement {
  const items = features.map(({ feature, weight }) =>
    el('li', {}, featureText(feature), el('span', { class: 'weight' }, `×${number(weight)}`)),
  );
  const list = items.length > 0 ? el('ul', {}, ...items) : el('p', { class: 'none' }, t('noVotes'));
  return el('div', { class: 'voters' }, el('h5', {}, t(key), el('span', { class: 'count' }, number(total))), list);
}

/** Returns a bar for the sum, on a scale from the largest negative to the largest positive sum. */
function balance(sum: number, largest: number): HTMLElement {
  const bar = el('div', { class: `balance ${sum > 0 ? 'one' : ''}`, 'aria-hidden': 'true' }, el('i'));
  bar.style.setProperty('--sum', (sum / Math.max(1, largest)).toFixed(3));
  return bar;
}

/** The votes of one text on a bit. `listed` has more than the heaviest voters, if the reader asked for them. */
interface SideVotes extends BitVotes {
  /** The number of the features, and their weight. */
  features: number;
  weight: number;
  listed: Voters | undefined;
  /** Lists more voters. */
  listMore: () => void;
}

function side(name: string, votes: SideVotes, largest: number): HTMLElement {
  const { sum, features, weight, listed, listMore } = votes;
  const ones = listed?.ones.top ?? votes.ones;
  const zeros = listed?.zeros.top ?? votes.zeros;
  const total = { ones: (weight + sum) / 2, zeros: (weight - sum) / 2 };
  const left = features - ones.length - zeros.length;
  const more = el('button', { type: 'button', class: 'quiet more-voters' });
  more.textContent = listed === undefined ? t('allVoters') : t('moreVoters', { count: number(left) });
  more.addEventListener('click', listMore);
  const line = el('p', { class: 'sum' });
  line.append(el('strong', {}, signed(sum)), ` ${t('sumMakes', { bit: bitOf(sum), votes: votesToFlip(sum) })}`);
  const addition = t('sumOf', { ones: number(total.ones), zeros: number(total.zeros), sum: signed(sum) });
  return el(
    'div',
    { class: listed === undefined ? 'vote' : 'vote listed' },
    el('h4', {}, name),
    line,
    balance(sum, largest),
    el('div', { class: 'both' }, voters('votesForOne', ones, total.ones), voters('votesForZero', zeros, total.zeros)),
    el('p', { class: 'addition' }, el('span', {}, addition), ...(left > 0 ? [more] : [])),
  );
}

/**
 * Returns the elements for a bit. `largest` is the largest sum of all bits, `flippers` are buttons for the changes that
 * flipped it, `listed` has the voters that the reader asked for.
 */
export function bitDetail(
  result: TextComparison,
  at: number,
  largest: number,
  flippers: HTMLElement[],
  listed: Partial<Pair<Voters>>,
  listMore: Pair<() => void>,
): HTMLElement[] {
  const bit = result.perBit[at];
  const heading = el('h4', { class: bit.differs ? 'bit-name differs' : 'bit-name' }, t('bitName', bit));
  const votes = sides.map((name) => {
    const { features, weight } = result[name];
    const all = { ...bit[name], features, weight, listed: listed[name], listMore: listMore[name] };
    return side(t(name === 'a' ? 'firstText' : 'secondText'), all, largest);
  });
  return [
    heading,
    ...(flippers.length === 0 ? [] : [el('p', { class: 'flippers' }, t('flippedBy'), ' ', ...flippers)]),
    el('div', { class: 'votes' }, ...votes),
  ];
}

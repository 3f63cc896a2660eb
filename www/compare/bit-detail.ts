// The detail of one bit: how both texts voted on it.

import type { BitComparison, BitVotes } from 'nearprint';
import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import type { FeatureWeight } from './summarize.js';

const signed = (sum: number): string => (sum > 0 ? '+' : sum < 0 ? '−' : '') + number(Math.abs(sum));

const bitOf = (sum: number): number => (sum > 0 ? 1 : 0);

/** Returns the votes that would flip the bit, which is 1 if the sum is positive. */
const votesToFlip = (sum: number): number => (sum > 0 ? sum : 1 - sum);

export const bitLabel = ({ bit, differs, a, b }: BitComparison): string =>
  t('cellLabel', { bit, differs, a: signed(a.sum), b: signed(b.sum), bitA: bitOf(a.sum), bitB: bitOf(b.sum) });

function voters(heading: string, features: FeatureWeight[]): HTMLElement {
  const items = features.map(({ feature, weight }) =>
    el('li', {}, el('bdi', { class: 'feature' }, feature), ` ×${number(weight)}`),
  );
  const list = items.length > 0 ? el('ul', {}, ...items) : el('p', { class: 'none' }, t('noVotes'));
  return el('div', { class: 'voters' }, el('h5', {}, heading), list);
}

/** Returns a bar for the sum, on a scale from the largest negative to the largest positive sum. */
function balance(sum: number, largest: number): HTMLElement {
  const bar = el('div', { class: `balance ${sum > 0 ? 'one' : ''}`, 'aria-hidden': 'true' }, el('i'));
  bar.style.setProperty('--sum', (sum / Math.max(1, largest)).toFixed(3));
  return bar;
}

function side(name: string, { sum, ones, zeros }: BitVotes, largest: number): HTMLElement {
  const line = el('p', { class: 'sum' });
  line.append(el('strong', {}, signed(sum)), ` ${t('sumMakes', { bit: bitOf(sum), votes: votesToFlip(sum) })}`);
  return el(
    'div',
    { class: 'vote' },
    el('h4', {}, name),
    line,
    balance(sum, largest),
    el('div', { class: 'both' }, voters(t('votesForOne'), ones), voters(t('votesForZero'), zeros)),
  );
}

/**
 * Returns the elements for a bit. `largest` is the largest sum of all bits, `turners` are buttons for the changes that
 * turned it.
 */
export function bitDetail(bit: BitComparison, largest: number, turners: HTMLElement[]): HTMLElement[] {
  const heading = el('h4', { class: bit.differs ? 'bit-name differs' : 'bit-name' }, t('bitName', bit));
  return [
    heading,
    ...(turners.length === 0 ? [] : [el('p', { class: 'turners' }, t('turnedBy'), ' ', ...turners)]),
    el('div', { class: 'votes' }, side(t('firstText'), bit.a, largest), side(t('secondText'), bit.b, largest)),
  ];
}

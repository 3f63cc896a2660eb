// The detail of one bit: how both texts voted on it.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

const signed = (sum) => (sum > 0 ? '+' : sum < 0 ? '−' : '') + number(Math.abs(sum));

/** The votes that would flip the bit, which is 1 if the sum is positive. */
const votesToFlip = (sum) => (sum > 0 ? sum : 1 - sum);

export const bitLabel = ({ bit, differs, a, b }) =>
  t('cellLabel', { bit, differs, a: signed(a.sum), b: signed(b.sum), bitA: +(a.sum > 0), bitB: +(b.sum > 0) });

function voters(heading, features) {
  const items = features.map(({ feature, weight }) =>
    el('li', {}, el('bdi', { class: 'feature' }, feature), ` ×${number(weight)}`),
  );
  const list = items.length > 0 ? el('ul', {}, ...items) : el('p', { class: 'none' }, t('noVotes'));
  return el('div', { class: 'voters' }, el('h5', {}, heading), list);
}

/** A bar for the sum, from the largest negative to the largest positive sum. */
function balance(sum, largest) {
  const bar = el('div', { class: `balance ${sum > 0 ? 'one' : ''}`, 'aria-hidden': 'true' }, el('i'));
  bar.style.setProperty('--sum', (sum / Math.max(1, largest)).toFixed(3));
  return bar;
}

function side(name, { sum, ones, zeros }, largest) {
  const line = el('p', { class: 'sum' });
  line.append(el('strong', {}, signed(sum)), ` ${t('sumMakes', { bit: +(sum > 0), votes: votesToFlip(sum) })}`);
  return el(
    'div',
    { class: 'vote' },
    el('h4', {}, name),
    line,
    balance(sum, largest),
    el('div', { class: 'both' }, voters(t('votesForOne'), ones), voters(t('votesForZero'), zeros)),
  );
}

/** The elements for a bit. `largest` is the largest sum of all bits, `turners` are buttons for the changes that turned it. */
export function bitDetail(bit, largest, turners) {
  const heading = el('h4', { class: bit.differs ? 'bit-name differs' : 'bit-name' }, t('bitName', bit));
  return [
    heading,
    ...(turners.length === 0 ? [] : [el('p', { class: 'turners' }, t('turnedBy'), ' ', ...turners)]),
    el('div', { class: 'votes' }, side(t('firstText'), bit.a, largest), side(t('secondText'), bit.b, largest)),
  ];
}

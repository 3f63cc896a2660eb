// One bit: how both texts voted on it.
import { el } from './dom.js';
import { number, t } from './i18n.js';

const signed = (sum) => (sum > 0 ? '+' : sum < 0 ? '−' : '') + number(Math.abs(sum));

/** A sum above 0 makes a 1: so many votes the other way would make the other bit. */
const toFlip = (sum) => (sum > 0 ? sum : 1 - sum);

export const bitLabel = ({ bit, differs, a, b }) =>
  t('cellLabel', { bit, differs, a: signed(a.sum), b: signed(b.sum), bitA: +(a.sum > 0), bitB: +(b.sum > 0) });

function pushers(heading, features) {
  const items = features.map(({ feature, weight }) =>
    el('li', {}, el('bdi', { class: 'feature' }, feature), ` ×${number(weight)}`),
  );
  const list = items.length > 0 ? el('ul', {}, ...items) : el('p', { class: 'none' }, t('noPushers'));
  return el('div', { class: 'pushers' }, el('h5', {}, heading), list);
}

/** Where the sum lies between all against and all for. */
function balance(sum, largest) {
  const bar = el('div', { class: `balance ${sum > 0 ? 'one' : ''}`, 'aria-hidden': 'true' }, el('i'));
  bar.style.setProperty('--sum', (sum / Math.max(1, largest)).toFixed(3));
  return bar;
}

function side(name, { sum, ones, zeros }, largest) {
  const line = el('p', { class: 'sum' });
  line.append(el('strong', {}, signed(sum)), ` ${t('sumMakes', { bit: +(sum > 0), votes: toFlip(sum) })}`);
  return el(
    'div',
    { class: 'vote' },
    el('h4', {}, name),
    line,
    balance(sum, largest),
    el('div', { class: 'both' }, pushers(t('pushedToOne'), ones), pushers(t('pushedToZero'), zeros)),
  );
}

/** What to show of a bit; `largest` is the largest sum of any. */
export function bitDetail(bit, largest) {
  const heading = el('h4', { class: bit.differs ? 'bit-name differs' : 'bit-name' }, t('bitName', bit));
  return [
    heading,
    el('div', { class: 'votes' }, side(t('firstText'), bit.a, largest), side(t('secondText'), bit.b, largest)),
  ];
}

// All voters of a bit, for each text.
import { number, type PlainKey, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { type Pair, sides } from '../shared/pair.js';
import { state } from '../shared/state.js';
import { clipped } from '../shared/words.js';
import { signed } from './flip.js';
import type { Voters } from './voters.js';

/** Returns a feature of the present scheme. The spaces in shingles of characters are visible, so that "t " and " t" differ. */
export function featureText(feature: string): string {
  return clipped(state.scheme.features.startsWith('chars') ? feature.replace(/\s/g, '␣') : feature);
}

function list(key: PlainKey, { weight, top }: Voters['ones']): HTMLElement {
  const items = top.map(({ feature, weight }) =>
    el('li', {}, el('bdi', {}, featureText(feature)), el('span', { class: 'weight' }, `×${number(weight)}`)),
  );
  const title = el('h4', {}, t(key), el('span', { class: 'count' }, number(weight)));
  return el('div', { class: 'voters' }, title, items.length > 0 ? el('ul', {}, ...items) : el('p', {}, t('noVotes')));
}

/** Returns the voters of a bit. `listMore` is called for a text that has more of them. */
export const votersView = (bit: number, voters: Pair<Voters>, listMore: () => void): HTMLElement[] => [
  el('h3', {}, t('votersOf', { bit })),
  ...sides.map((side) => {
    const { ones, zeros } = voters[side];
    const left = ones.count - ones.top.length + zeros.count - zeros.top.length;
    const more = el('button', { type: 'button', class: 'quiet more-voters' }, t('moreVoters', { count: number(left) }));
    more.addEventListener('click', listMore);
    const values = { ones: number(ones.weight), zeros: number(zeros.weight), sum: signed(ones.weight - zeros.weight) };
    return el(
      'div',
      { class: 'vote' },
      el('h4', { class: 'side' }, t(side === 'a' ? 'firstText' : 'secondText')),
      el('div', { class: 'both' }, list('votesForOne', ones), list('votesForZero', zeros)),
      el('p', { class: 'addition' }, el('span', {}, t('sumOf', values)), ...(left > 0 ? [more] : [])),
    );
  }),
];

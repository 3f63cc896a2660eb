// Three feature lists: only in the first text, in both, only in the second.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

function list(kind, { count, top }, weightOf) {
  const items = top.map((feature) =>
    el('li', {}, el('bdi', { class: 'feature' }, feature.feature), el('span', { class: 'weight' }, weightOf(feature))),
  );
  const title = el('h4', { class: 'list-title' }, t(kind), el('span', { class: 'count' }, number(count)));
  const more = count > top.length ? [el('p', { class: 'explain' }, t('moreFeatures', { shown: top.length }))] : [];
  const body =
    items.length === 0
      ? el('p', { class: 'none' }, t('noFeatures'))
      : // A scrolling box needs a tab stop, so that the keyboard can scroll it.
        el('ul', { tabindex: 0, 'aria-label': t(kind) }, ...items);
  return el('div', { class: `feature-list ${kind}` }, title, body, ...more);
}

const weight = ({ weight }) => number(weight);
const weights = ({ a, b }) => (a === b ? number(a) : `${number(a)} : ${number(b)}`);

export const featureLists = ({ a, shared, b }) => [
  list('onlyFirst', a.own, weight),
  list('inBoth', shared, weights),
  list('onlySecond', b.own, weight),
];

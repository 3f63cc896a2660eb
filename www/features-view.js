// The features of both texts: those of the first alone, shared ones, those of the second alone.
import { el } from './dom.js';
import { number, t } from './i18n.js';

function list(kind, { count, top }, weightOf) {
  const items = top.map((feature) =>
    el('li', {}, el('bdi', { class: 'feature' }, feature.feature), el('span', { class: 'weight' }, weightOf(feature))),
  );
  const title = el('h4', { class: 'list-title' }, t(kind), el('span', { class: 'count' }, number(count)));
  const more = count > top.length ? [el('p', { class: 'explain' }, t('moreFeatures', { shown: top.length }))] : [];
  const body =
    items.length === 0
      ? el('p', { class: 'none' }, t('noFeatures'))
      : // A box that scrolls must be reachable by keyboard.
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

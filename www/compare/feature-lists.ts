// Three feature lists: only in the first text, in both, only in the second.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { featureText } from './feature-text.js';
import type { FeatureWeight, Heaviest, SharedFeature, TextComparison } from './summarize.js';

function list<F extends { feature: string }>(
  kind: 'onlyFirst' | 'inBoth' | 'onlySecond',
  { count, top }: Heaviest<F>,
  weightOf: (feature: F) => string,
): HTMLElement {
  const items = top.map((feature) =>
    el('li', {}, featureText(feature.feature), el('span', { class: 'weight' }, weightOf(feature))),
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

const weight = ({ weight }: FeatureWeight): string => number(weight);
const weights = ({ a, b }: SharedFeature): string => (a === b ? number(a) : `${number(a)} : ${number(b)}`);

export const featureLists = ({ a, shared, b }: TextComparison): HTMLElement[] => [
  list('onlyFirst', a.own, weight),
  list('inBoth', shared, weights),
  list('onlySecond', b.own, weight),
];

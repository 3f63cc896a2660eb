// The list of clusters: each kept document, and below it its near-duplicates.

import { number, percent, t } from '../locales/locale.js';
import { toPercent } from '../scheme/threshold.js';
import { el } from '../shared/dom.js';
import { diffView } from './diff-view.js';

const CLUSTERS_AT_ONCE = 20;
const MAX_MEMBERS = 50;
const EXCERPT_LENGTH = 140;

const excerpt = (text) => {
  const start = text
    .slice(0, 2 * EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return start.length > EXCERPT_LENGTH ? `${start.slice(0, EXCERPT_LENGTH)}…` : start;
};

const title = ({ name, text }) => [
  el('bdi', { class: 'name' }, name),
  el('span', { class: 'excerpt', dir: 'auto' }, excerpt(text)),
];

/** A document and its nearest kept one. Its button opens the diff from that. */
export function member(kept, document, { resemblance, distance }, actions) {
  const button = el('button', { type: 'button', class: 'member', 'aria-expanded': 'false' });
  const share = percent(toPercent(resemblance) / 100);
  const alike = el('span', { class: 'alike' }, el('span', { class: 'hidden' }, t('alike', { share })));
  alike.prepend(el('b', { 'aria-hidden': 'true' }, share));
  button.append(alike, ...title(document));
  const panel = el('div', { class: 'panel', hidden: true });
  button.addEventListener('click', async () => {
    const open = panel.hidden;
    panel.hidden = !open;
    button.setAttribute('aria-expanded', open);
    if (!open || panel.hasChildNodes()) return;
    const runs = await actions.diff(kept.text, document.text);
    const compare = el('button', { type: 'button', class: 'quiet' }, t('compareThese'));
    compare.addEventListener('click', () => actions.compare(kept.text, document.text));
    panel.replaceChildren(el('p', { class: 'hint' }, t('alikeAndApart', { share, distance })), diffView(runs), compare);
  });
  return el('li', {}, button, panel);
}

function cluster({ representative, duplicates }, documents, actions) {
  const members = duplicates
    .slice(0, MAX_MEMBERS)
    .map((hit) => member(documents[representative], documents[hit.at], hit, actions));
  const rest = duplicates.length - members.length;
  return el(
    'li',
    { class: 'cluster' },
    el('div', { class: 'kept' }, el('span', { class: 'alike' }, t('kept')), ...title(documents[representative])),
    el('ul', {}, ...members),
    ...(rest > 0 ? [el('p', { class: 'hint' }, t('moreMembers', { count: number(rest) }))] : []),
  );
}

/** Of `actions`, `diff(a, b)` resolves to runs, and `compare(a, b)` opens the compare view. */
export function clustersView(clusters, documents, actions) {
  const list = el('ol', { class: 'clusters' });
  const more = el('button', { type: 'button' });
  let shown = 0;
  const showMore = () => {
    const next = clusters.slice(shown, shown + CLUSTERS_AT_ONCE).map((one) => cluster(one, documents, actions));
    list.append(...next);
    shown += next.length;
    more.hidden = shown === clusters.length;
    more.textContent = t('moreClusters', { count: number(clusters.length - shown) });
    return next[0];
  };
  // The button can disappear while it has the focus, which then moves to the first new member.
  more.addEventListener('click', () => showMore()?.querySelector('button').focus());
  showMore();
  return [list, more];
}

// The clusters: each document that is kept, and under it those that are near to it.

import { diffView } from './diff-view.js';
import { el } from './dom.js';
import { number, t } from './i18n.js';

const AT_ONCE = 20;
const MOST_MEMBERS = 50;
const EXCERPT = 140;

const excerpt = (text) => {
  const start = text
    .slice(0, 2 * EXCERPT)
    .replace(/\s+/g, ' ')
    .trim();
  return start.length > EXCERPT ? `${start.slice(0, EXCERPT)}…` : start;
};

const title = ({ name, text }) => [
  el('bdi', { class: 'name' }, name),
  el('span', { class: 'excerpt', dir: 'auto' }, excerpt(text)),
];

/** A document that opens its diff from the one that is kept. */
function member(first, document, distance, actions) {
  const button = el('button', { type: 'button', class: 'member', 'aria-expanded': 'false' });
  const apart = el('span', { class: 'apart' }, el('span', { class: 'hidden' }, t('apart', { distance })));
  apart.prepend(el('b', { 'aria-hidden': 'true' }, number(distance)));
  button.append(apart, ...title(document));
  const panel = el('div', { class: 'panel', hidden: true });
  button.addEventListener('click', async () => {
    const open = panel.hidden;
    panel.hidden = !open;
    button.setAttribute('aria-expanded', open);
    if (!open || panel.hasChildNodes()) return;
    const runs = await actions.diff(first.text, document.text);
    const compare = el('button', { type: 'button', class: 'quiet' }, t('compareThese'));
    compare.addEventListener('click', () => actions.compare(first.text, document.text));
    panel.replaceChildren(diffView(runs), compare);
  });
  return el('li', {}, button, panel);
}

function cluster({ first, others }, documents, actions) {
  const members = others
    .slice(0, MOST_MEMBERS)
    .map(({ at, distance }) => member(documents[first], documents[at], distance, actions));
  const rest = others.length - members.length;
  return el(
    'li',
    { class: 'cluster' },
    el('div', { class: 'kept' }, el('span', { class: 'apart' }, t('kept')), ...title(documents[first])),
    el('ul', {}, ...members),
    ...(rest > 0 ? [el('p', { class: 'hint' }, t('moreMembers', { n: rest, count: number(rest) }))] : []),
  );
}

/** `actions`: `diff(a, b)` resolves to runs, `compare(a, b)` opens the first view. */
export function clustersView(clusters, documents, actions) {
  const list = el('ol', { class: 'clusters' });
  const more = el('button', { type: 'button' });
  let shown = 0;
  const showMore = () => {
    const next = clusters.slice(shown, shown + AT_ONCE).map((one) => cluster(one, documents, actions));
    list.append(...next);
    shown += next.length;
    more.hidden = shown === clusters.length;
    more.textContent = t('moreClusters', { count: number(clusters.length - shown) });
    return next[0];
  };
  // The button may go away under the keyboard's focus: it moves on to what came.
  more.addEventListener('click', () => showMore()?.querySelector('button').focus());
  showMore();
  return [list, more];
}

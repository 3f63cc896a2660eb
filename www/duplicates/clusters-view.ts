// The list of clusters: each kept document, and below it its near-duplicates.

import { number, percent, t } from '../locales/locale.js';
import { toPercent } from '../scheme/threshold.js';
import { el } from '../shared/dom.js';
import type { Runs } from '../shared/worker-messages.js';
import type { CollectionDocument } from './collection.js';
import { diffView } from './diff-view.js';
import type { Cluster } from './find-clusters.js';

const CLUSTERS_AT_ONCE = 20;
const MAX_MEMBERS = 50;
const EXCERPT_LENGTH = 140;

/** The actions that the members of a cluster offer. */
export interface ClusterActions {
  /** Resolves to the difference of two texts. */
  diff: (a: string, b: string) => Promise<Runs>;
  /** Opens the compare view with two texts. */
  compare: (a: string, b: string) => void;
}

const excerpt = (text: string): string => {
  const start = text
    .slice(0, 2 * EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return start.length > EXCERPT_LENGTH ? `${start.slice(0, EXCERPT_LENGTH)}…` : start;
};

const title = ({ name, text }: CollectionDocument): HTMLElement[] => [
  el('bdi', { class: 'name' }, name),
  el('span', { class: 'excerpt', dir: 'auto' }, excerpt(text)),
];

/** Returns the item of a document with a button that opens the difference from its nearest kept document. */
export function member(
  kept: CollectionDocument,
  document: CollectionDocument,
  { resemblance, distance }: { resemblance: number; distance: number },
  actions: ClusterActions,
): HTMLElement {
  const button = el('button', { type: 'button', class: 'member', 'aria-expanded': 'false' });
  const share = percent(toPercent(resemblance) / 100);
  const alike = el('span', { class: 'alike' }, el('span', { class: 'hidden' }, t('alike', { share })));
  alike.prepend(el('b', { 'aria-hidden': 'true' }, share));
  button.append(alike, ...title(document));
  const panel = el('div', { class: 'panel', hidden: true });
  button.addEventListener('click', async () => {
    const open = panel.hidden;
    panel.hidden = !open;
    button.setAttribute('aria-expanded', `${open}`);
    if (!open || panel.hasChildNodes()) return;
    const runs = await actions.diff(kept.text, document.text);
    const compare = el('button', { type: 'button', class: 'quiet' }, t('compareThese'));
    compare.addEventListener('click', () => actions.compare(kept.text, document.text));
    panel.replaceChildren(el('p', { class: 'hint' }, t('alikeAndApart', { share, distance })), diffView(runs), compare);
  });
  return el('li', {}, button, panel);
}

function cluster(
  { representative, duplicates }: Cluster,
  documents: CollectionDocument[],
  actions: ClusterActions,
): HTMLElement {
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

/** Returns the list of clusters, and the button that adds more of them to it. */
export function clustersView(
  clusters: Cluster[],
  documents: CollectionDocument[],
  actions: ClusterActions,
): HTMLElement[] {
  const list = el('ol', { class: 'clusters' });
  const more = el('button', { type: 'button' });
  let shown = 0;
  /** Adds clusters, and returns the first of them. */
  const showMore = (): HTMLElement | undefined => {
    const next = clusters.slice(shown, shown + CLUSTERS_AT_ONCE).map((one) => cluster(one, documents, actions));
    list.append(...next);
    shown += next.length;
    more.hidden = shown === clusters.length;
    more.textContent = t('moreClusters', { count: number(clusters.length - shown) });
    return next[0];
  };
  // The button can disappear while it has the focus, which then moves to the first new member.
  more.addEventListener('click', () => showMore()?.querySelector('button')?.focus());
  showMore();
  return [list, more];
}

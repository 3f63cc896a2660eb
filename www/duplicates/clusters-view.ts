// The list of clusters, each as a star: the kept document, and below it its near-duplicates.

import { inPercent, number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { clipped, wholeWords } from '../shared/words.js';
import type { Runs } from '../shared/worker-messages.js';
import type { CollectionDocument } from './collection.js';
import { diffView } from './diff-view.js';
import type { Cluster } from './find-clusters.js';

const CLUSTERS_AT_ONCE = 10;
/** The number of members that a cluster shows at first, and that its button adds. */
const [FIRST_MEMBERS, MORE_MEMBERS] = [5, 50];
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
  if (start.length <= EXCERPT_LENGTH) return start;
  // A word can be longer than the excerpt.
  return `${start.slice(0, wholeWords(start, EXCERPT_LENGTH) || EXCERPT_LENGTH).trimEnd()}…`;
};

/** Returns the name of a document, with a remark if it has one, and the beginning of its text. */
const title = ({ name, text }: CollectionDocument, remark?: string): HTMLElement[] => [
  el(
    'span',
    { class: 'who' },
    el('bdi', { class: 'name' }, clipped(name)),
    ...(remark === undefined ? [] : [el('span', { class: 'remark' }, remark)]),
  ),
  el('span', { class: 'excerpt', dir: 'auto' }, excerpt(text)),
];

/** Returns the item of a document with a button that opens the difference from its nearest kept document. */
export function member(
  kept: CollectionDocument,
  document: CollectionDocument,
  resemblance: number,
  actions: ClusterActions,
): HTMLElement {
  const button = el('button', { type: 'button', class: 'member', 'aria-expanded': 'false' });
  const share = inPercent(resemblance);
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
    panel.replaceChildren(diffView(runs), compare);
  });
  return el('li', {}, button, panel);
}

/**
 * Returns a list that shows its first items, and a button that adds more of them. If the button disappears while it has the
 * focus, the focus moves to the first new item.
 */
function growing<Item>(
  list: HTMLElement,
  items: Item[],
  itemOf: (item: Item) => HTMLElement,
  [first, step]: readonly [number, number],
  label: (left: string) => string,
): HTMLElement[] {
  const more = el('button', { type: 'button', class: 'grow' });
  let shown = 0;
  const grow = (count: number): HTMLElement | undefined => {
    const next = items.slice(shown, shown + count).map(itemOf);
    list.append(...next);
    shown += next.length;
    more.hidden = shown === items.length;
    more.textContent = label(number(items.length - shown));
    return next[0];
  };
  more.addEventListener('click', () => grow(step)?.querySelector('button')?.focus());
  grow(first);
  return [list, more];
}

function cluster(
  { representative, duplicates }: Cluster,
  documents: CollectionDocument[],
  actions: ClusterActions,
): HTMLElement {
  const kept = documents[representative];
  const size = t('clusterSize', { count: number(duplicates.length), n: duplicates.length });
  return el(
    'li',
    { class: 'cluster' },
    el('div', { class: 'kept' }, el('span', { class: 'alike' }, t('kept')), ...title(kept, size)),
    ...growing(
      el('ul'),
      duplicates,
      ({ at, resemblance }) => member(kept, documents[at], resemblance, actions),
      [FIRST_MEMBERS, MORE_MEMBERS],
      (count) => t('moreMembers', { count }),
    ),
  );
}

/** Returns the list of clusters, and the button that adds more of them to it. */
export const clustersView = (
  clusters: Cluster[],
  documents: CollectionDocument[],
  actions: ClusterActions,
): HTMLElement[] =>
  growing(
    el('ol', { class: 'clusters' }),
    clusters,
    (one) => cluster(one, documents, actions),
    [CLUSTERS_AT_ONCE, CLUSTERS_AT_ONCE],
    (count) => t('moreClusters', { count }),
  );

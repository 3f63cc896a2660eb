// The list of changes, and the detail of one: its features and the bits that they flipped.

import { number, type PlainKey, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';
import { type Pair, sides } from '../shared/pair.js';
import { lastWords, wholeWords } from '../shared/words.js';
import type { ChooseBit } from './bit-grid.js';
import type { Change } from './changes.js';
import { featureText } from './feature-text.js';
import type { FeatureWeight } from './summarize.js';

const MAX_BUTTONS = 60;

/** The maximum number of characters of a passage on a button. */
const MAX_LENGTH = 32;

/** Returns a passage in one line, shortened in the middle between words. A sign represents a passage of only white space. */
function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  if (line.trim() === '') return text.includes('\n') ? '¶' : '␣';
  const passage = line.trim();
  if (passage.length <= MAX_LENGTH) return passage;
  return `${passage.slice(0, wholeWords(passage, MAX_LENGTH / 2))} … ${passage.slice(lastWords(passage, MAX_LENGTH / 2))}`;
}

/** Returns a button for a change of the texts. */
export function changeButton(
  change: Change,
  text: Pair<string>,
  isPressed: boolean,
  choose: () => void,
): HTMLButtonElement {
  const [removed, added] = sides.map((side) => text[side].slice(...change[side]));
  const unseen = (key: PlainKey) => el('span', { class: 'hidden' }, t(key));
  const attributes = {
    type: 'button',
    class: change.isMoved ? 'change moved' : 'change',
    'aria-pressed': `${isPressed}`,
  };
  const button = el('button', attributes);
  if (removed !== '') button.append(el('del', {}, inOneLine(removed)));
  if (added !== '') button.append(el('ins', {}, inOneLine(added)));
  if (change.isMoved) button.prepend(el('span', { class: 'moved-sign' }, t('moved')), ' ');
  else if (removed === '') button.prepend(unseen('changeInserts'));
  else if (added === '') button.prepend(unseen('changeDeletes'));
  else button.firstChild?.after(unseen('changeBecomes'));
  button.addEventListener('click', choose);
  return button;
}

const featureList = (key: PlainKey, features: FeatureWeight[]): HTMLElement =>
  el(
    'div',
    {},
    el('h4', { class: 'list-title' }, t(key), el('span', { class: 'count' }, number(features.length))),
    features.length === 0
      ? el('p', { class: 'none' }, t('noFeatures'))
      : el('p', { class: 'made' }, ...features.flatMap(({ feature }) => [featureText(feature), ' '])),
  );

function detail({ removed, added, flipped }: Change, differing: number, chooseBit: ChooseBit): HTMLElement[] {
  if (removed.length + added.length === 0) return [el('p', { class: 'explain' }, t('changeWithoutFeatures'))];
  const buttons = flipped.map(({ bit, votes }) => {
    const attributes = { type: 'button', class: 'flipped-bit', title: t('votesFor', { votes }) };
    const button = el('button', attributes, t('bitNumber', { bit }));
    button.addEventListener('click', () => chooseBit(bit));
    return button;
  });
  return [
    el('div', { class: 'made-lists' }, featureList('featuresRemoved', removed), featureList('featuresAdded', added)),
    el('p', { class: 'flipped-bits' }, t('flippedBits', { count: flipped.length, differing }), ' ', ...buttons),
  ];
}

/** The actions of a list of changes. */
export interface ChangeChoices {
  /** Chooses the change at a position of the list. */
  choose: (at: number) => void;
  chooseBit: ChooseBit;
}

/**
 * Returns the elements for the changes of the texts, which are null if there are too many. `chosen` is the position of
 * a change or null, `differing` the number of bits that differ.
 */
export function changesView(
  changes: Change[] | null,
  text: Pair<string>,
  chosen: number | null,
  differing: number,
  { choose, chooseBit }: ChangeChoices,
): HTMLElement[] {
  if (changes === null) return [el('p', { class: 'explain' }, t('changesTooMany'))];
  if (changes.length === 0)
    return [el('p', { class: 'explain' }, t(text.a === text.b ? 'changesEqual' : 'changesNone'))];
  const buttons = changes.slice(0, MAX_BUTTONS).map((change, at) =>
    el(
      'li',
      {},
      changeButton(change, text, at === chosen, () => choose(at)),
    ),
  );
  const rest = changes.length - buttons.length;
  return [
    el('p', { class: 'explain' }, t('changesExplain')),
    el('ul', { class: 'changes' }, ...buttons),
    ...(rest > 0 ? [el('p', { class: 'hint' }, t('moreChanges', { count: number(rest) }))] : []),
    ...(chosen === null ? [] : detail(changes[chosen], differing, chooseBit)),
  ];
}

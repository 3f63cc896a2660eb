// The list of changes, and the detail of one: its features and the bits that they turned.

import { number, t } from '../locales/locale.js';
import { el } from '../shared/dom.js';

const SHOWN = 60;
const LENGTH = 32;

/** A passage in one line, shortened in the middle. White space alone has a sign. */
function inOneLine(text) {
  const line = text.replace(/\s+/g, ' ');
  if (line.trim() === '') return text.includes('\n') ? '¶' : '␣';
  const characters = [...line.trim()];
  if (characters.length <= LENGTH) return characters.join('');
  return `${characters.slice(0, LENGTH / 2).join('')} … ${characters.slice(-LENGTH / 2).join('')}`;
}

/** A button for a change. `text` is `{ a, b }`. */
export function changeButton(change, text, isPressed, choose) {
  const [removed, added] = ['a', 'b'].map((side) => text[side].slice(...change[side]));
  const unseen = (key) => el('span', { class: 'hidden' }, t(key));
  const button = el('button', { type: 'button', class: 'change', 'aria-pressed': `${isPressed}` });
  if (removed !== '') button.append(el('del', {}, inOneLine(removed)));
  if (added !== '') button.append(el('ins', {}, inOneLine(added)));
  if (removed === '') button.prepend(unseen('changeInserts'));
  else if (added === '') button.prepend(unseen('changeDeletes'));
  else button.firstChild.after(unseen('changeBecomes'));
  button.addEventListener('click', choose);
  return button;
}

const featureList = (key, features) =>
  el(
    'div',
    {},
    el('h4', { class: 'list-title' }, t(key), el('span', { class: 'count' }, number(features.length))),
    features.length === 0
      ? el('p', { class: 'none' }, t('noFeatures'))
      : el(
          'p',
          { class: 'made' },
          ...features.flatMap(({ feature }) => [el('bdi', { class: 'feature' }, feature), ' ']),
        ),
  );

function detail({ removed, added, turned }, differing, chooseBit) {
  if (removed.length + added.length === 0) return [el('p', { class: 'explain' }, t('changeWithoutFeatures'))];
  const buttons = turned.map(({ bit, votes }) => {
    const attributes = { type: 'button', class: 'turned-bit', title: t('votesFor', { votes }) };
    const button = el('button', attributes, t('bitNumber', { bit }));
    button.addEventListener('click', () => chooseBit(bit));
    return button;
  });
  return [
    el('div', { class: 'made-lists' }, featureList('featuresRemoved', removed), featureList('featuresAdded', added)),
    el('p', { class: 'turned-bits' }, t('turnedBits', { count: turned.length, differing }), ' ', ...buttons),
  ];
}

/**
 * `changes` is the result of `findChanges` for the texts `{ a, b }`, `chosen` the position of a change or null, and
 * `differing` the number of bits that differ.
 */
export function changesView(changes, text, chosen, differing, { choose, chooseBit }) {
  if (changes === null) return [el('p', { class: 'explain' }, t('changesTooMany'))];
  if (changes.length === 0) return [el('p', { class: 'explain' }, t('changesNone'))];
  const buttons = changes.slice(0, SHOWN).map((change, at) =>
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

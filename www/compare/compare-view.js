// The compare view: two texts, a verdict, and the bits behind it.

import { cosine, distance, fromHex, Sketch, similarity, toHex } from 'nearprint';
import { currentLanguage, onLanguage, t } from '../locales/locale.js';
import { defaultScheme, optionsOf, sameScheme } from '../scheme/scheme.js';
import { byId, debounced, el } from '../shared/dom.js';
import { onChange, state, update } from '../shared/state.js';
import { bitDetail, bitLabel } from './bit-detail.js';
import { FingerprintGrid, XorGrid } from './bit-grid.js';
import { changeButton, changesView } from './changes-view.js';
import { featureLists } from './feature-lists.js';
import { measures, numbers } from './numbers.js';
import { rawScheme, samples } from './samples.js';
import { compareTexts, requestChanges } from './schedule.js';
import { textField } from './text-field.js';
import { areNear, remark, verdict } from './verdict.js';

/** The last comparison, the message of a failed one, and the chosen bit. */
let result = null;
let failure = null;
let chosen = null;

/** The changes from the first text to the second, `{ text: { a, b }, list }` or null; and the position of the chosen one. */
let changes = null;
let chosenChange = null;

/** The fields of both texts. */
let fields;

/** Buttons that a bit lists for the changes that turned it, at most. */
const MOST_TURNERS = 8;

/** The fingerprint of a side, in hexadecimal. */
const hexOf = (side) => toHex(result[side].fingerprint, result.bits);

const grids = { a: new FingerprintGrid(choose, true), xor: new XorGrid(choose), b: new FingerprintGrid(choose, false) };

function choose(bit) {
  chosen = bit;
  for (const grid of Object.values(grids)) grid.choose(bit);
  showDetail();
}

function showDetail() {
  const detail = byId('detail');
  if (!result?.perBit) return detail.replaceChildren(el('p', { class: 'explain' }, t('fingerprintsOnlyDetail')));
  detail.replaceChildren(...bitDetail(result.perBit[chosen], largestSum(), turnersOf(chosen)));
}

/** Buttons for the changes that turned a bit, those with most votes first. */
function turnersOf(bit) {
  const votesOf = ({ turned }) => turned.find((one) => one.bit === bit)?.votes ?? 0;
  const turners = (changes?.list ?? []).map((change, at) => ({ change, at, votes: votesOf(change) }));
  return turners
    .filter(({ votes }) => votes > 0)
    .sort((x, y) => y.votes - x.votes)
    .slice(0, MOST_TURNERS)
    .map(({ change, at }) => changeButton(change, changes.text, at === chosenChange, () => chooseChange(at)));
}

/** Chooses a change, or none. */
function chooseChange(at) {
  chosenChange = at;
  showChanges();
  if (at !== null) for (const side of ['a', 'b']) fields[side].scrollTo(at);
}

/** Chooses the change at a position of a text. */
function chooseChangeAt(side, position) {
  if (byId('change-list').inert) return;
  const at = changes?.list?.findIndex(({ [side]: [start, end] }) => start <= position && position <= end) ?? -1;
  if (at !== -1 && at !== chosenChange) chooseChange(at);
}

/** Shows what changed: in the texts, in the list, and in the bits. */
function showChanges() {
  const list = changes?.list ?? [];
  for (const side of ['a', 'b']) {
    fields[side].mark(
      changes?.text[side],
      list.map((change) => change[side]),
      chosenChange,
    );
  }
  const turned = new Set(chosenChange === null ? [] : list[chosenChange].turned.map(({ bit }) => bit));
  for (const grid of Object.values(grids)) grid.markTurned(turned);
  byId('changes').hidden = changes === null || byId('bits').hidden;
  if (changes === null) return;
  const hadFocus = document.activeElement?.closest('#change-list .changes li');
  const index = hadFocus ? [...hadFocus.parentElement.children].indexOf(hadFocus) : -1;
  const choices = { choose: chooseChange, chooseBit };
  const view = changesView(changes.list, changes.text, chosenChange, result.distance, choices);
  byId('change-list').replaceChildren(...view);
  if (index !== -1) byId('change-list').querySelectorAll('.changes button')[index]?.focus();
  if (chosen !== null) showDetail();
}

/** Chooses a bit and moves the focus to it. */
function chooseBit(bit) {
  choose(bit);
  grids.xor.element.querySelector('.chosen').focus();
}

/** Disables the changes of other texts than the present ones. They stay, so that the page does not jump while one types. */
function outdateChanges() {
  byId('change-list').inert = true;
  for (const side of ['a', 'b']) fields[side].mark();
}

/** Finds the changes of the present texts, in the Worker. */
async function findChanges() {
  outdateChanges();
  const compared = result;
  // Text areas have no carriage returns, and fingerprints do not depend on them.
  const [a, b] = [state.a, state.b].map((text) => text.replace(/\r\n?/g, '\n'));
  const list = compared?.shared && (await requestChanges(a, b, optionsOf(state.scheme)));
  if (compared !== result || (compared?.shared && list === undefined)) return;
  changes = list === undefined ? null : { text: { a, b }, list };
  chosenChange = null;
  byId('change-list').inert = false;
  showChanges();
}

const largestSum = () => result.perBit.reduce((most, { a, b }) => Math.max(most, Math.abs(a.sum), Math.abs(b.sum)), 0);

function showBits() {
  const { bits } = result;
  const ones = { a: result.a.fingerprint, b: result.b.fingerprint };
  const isOne = (side, bit) => ((ones[side] >> BigInt(bit)) & 1n) === 1n;
  const largest = result.perBit && largestSum();
  const strength = (side, bit) => (largest ? Math.sqrt(Math.abs(result.perBit[bit][side].sum) / largest) : 1);
  const all = Array.from({ length: bits }, (_, bit) => bit);
  const differs = (bit) => isOne('a', bit) !== isOne('b', bit);
  for (const side of ['a', 'b']) {
    const marks = all.map((bit) => ({
      one: isOne(side, bit),
      differs: differs(bit),
      strength: strength(side, bit),
    }));
    grids[side].show(marks, hexOf(side), t('fingerprintLabel', { side, hex: hexOf(side) }));
    byId(`hex-${side}`).textContent = hexOf(side);
  }
  const bare = (bit) => t('bareCellLabel', { bit, differs: differs(bit) });
  const cells = all.map((bit) => ({
    differs: differs(bit),
    label: result.perBit ? bitLabel(result.perBit[bit]) : bare(bit),
  }));
  grids.xor.show(cells, t('xorLabel', result));
  if (chosen === null || chosen >= bits) chosen = all.findLast(differs) ?? bits - 1;
  choose(chosen);
}

function showVerdict() {
  const missing = !state.summaries && (state.a.trim() === '' || state.b.trim() === '');
  const isRaw = state.scheme.features === rawScheme.features && !state.scheme.mix && state.scheme.bits !== 128;
  for (const id of ['changes', 'bits', 'features', 'numbers'])
    byId(id).closest('section').hidden = missing || result === null;
  byId('features').hidden ||= !result?.shared;
  byId('changes').hidden ||= changes === null;
  byId('raw-note').hidden = !isRaw || missing;
  const near = missing || result === null ? undefined : areNear(result, state.threshold);
  byId('ruler').hidden = near === undefined;
  byId('measures').hidden = missing || result === null;
  if (failure || missing || result === null) {
    byId('verdict').textContent = failure
      ? t('failed', { message: failure })
      : missing
        ? t('textMissing')
        : t('working');
    byId('remark').textContent = '';
    byId('result').dataset.near = '';
    return;
  }
  const units = t(`units:${state.scheme.features}`);
  byId('verdict').textContent = verdict(result, state.threshold, units);
  byId('remark').textContent = remark(result);
  byId('measures').replaceChildren(...measures(result, units));
  byId('result').dataset.near = near ?? '';
  const ruler = byId('ruler');
  ruler.style.setProperty('--at', result.estimate ?? 0);
  ruler.style.setProperty('--threshold', state.threshold);
}

function showAll() {
  showVerdict();
  if (result === null) return;
  showBits();
  if (result.shared) byId('feature-lists').replaceChildren(...featureLists(result));
  byId('numbers').replaceChildren(...numbers(result));
}

/** The result that the summaries of two texts give. */
function fromSummaries({ fingerprints, sketches }, bits) {
  const [first, second] = [fromHex(fingerprints.a), fromHex(fingerprints.b)];
  const [a, b] = sketches ? [sketches.a, sketches.b].map((hex) => Sketch.fromHex(hex)) : [];
  return {
    bits,
    a: { fingerprint: first, sketch: sketches?.a, isShort: a?.isShort },
    b: { fingerprint: second, sketch: sketches?.b, isShort: b?.isShort },
    estimate: a?.resemblance(b),
    distance: distance(first, second),
    similarity: similarity(first, second, bits),
    cosine: cosine(first, second, bits),
  };
}

function succeed(got) {
  [result, failure] = [got, null];
  showAll();
  findChanges();
}

function compareNow() {
  const { a, b, summaries, scheme } = state;
  if (summaries) return succeed(fromSummaries(summaries, scheme.bits));
  const fail = ({ message }) => {
    [result, failure] = [null, message];
    showAll();
    findChanges();
  };
  compareTexts(a, b, optionsOf(scheme), succeed, fail);
}

const compareSoon = debounced(compareNow, 120);

/** The fingerprints and sketches that are shown, or null. */
export const shownSummaries = () =>
  result && {
    fingerprints: { a: hexOf('a'), b: hexOf('b') },
    sketches: result.estimate === undefined ? null : { a: result.a.sketch, b: result.b.sketch },
  };

/** Loads a sample and its scheme. A sample without a scheme keeps the reader's, but replaces another sample's. */
function useSample({ a, b, scheme }) {
  const keep = sameScheme(state.scheme, rawScheme) ? defaultScheme : state.scheme;
  chosen = null; // Chooses the first bit that differs.
  update({ a, b, summaries: null, scheme: scheme ?? keep });
  compareSoon.now();
}

function markSample() {
  document.querySelectorAll('#samples button').forEach((button, at) => {
    const { a, b, scheme } = samples[at];
    const isRaw = sameScheme(state.scheme, rawScheme);
    const pressed = a === state.a && b === state.b && (scheme !== undefined) === isRaw;
    button.setAttribute('aria-pressed', pressed);
  });
}

/** A grid with its caption. `code` is the id of the element for the hexadecimal fingerprint, if there is one. */
const figure = (grid, key, code) =>
  el(
    'figure',
    { class: `figure-${code ?? 'xor'}` },
    el('figcaption', {}, el('span', { 'data-t': key }), ...(code ? [' ', el('code', { id: code })] : [])),
    grid.element,
  );

export function startCompare() {
  fields = {
    a: textField('a', 'firstText', (position) => chooseChangeAt('a', position)),
    b: textField('b', 'secondText', (position) => chooseChangeAt('b', position)),
  };
  byId('samples').append(
    ...samples.map((sample) => {
      const button = el('button', { type: 'button', 'data-t': sample.name });
      button.addEventListener('click', () => useSample(sample));
      return button;
    }),
  );
  byId('use-finaliser').addEventListener('click', () => {
    update({ scheme: { ...state.scheme, mix: true } });
    byId('verdict').focus();
  });
  byId('fingerprints').append(
    figure(grids.a, 'firstFingerprint', 'hex-a'),
    figure(grids.xor, 'xorFingerprint'),
    figure(grids.b, 'secondFingerprint', 'hex-b'),
  );
  onChange((changed) => {
    if (['a', 'b', 'scheme', 'summaries'].some((name) => changed.has(name))) {
      outdateChanges();
      compareSoon();
    }
    if (changed.has('threshold')) showVerdict();
    markSample();
  });
  onLanguage(() => {
    showAll();
    showChanges();
  });
  if (state.a || state.b || state.summaries) {
    compareNow(); // The share link has texts.
  } else {
    useSample(samples.find(({ name }) => name === (currentLanguage() === 'zh' ? 'sampleChinese' : 'sampleNews')));
  }
  markSample();
}

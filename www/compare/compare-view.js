// The compare view: two texts, a verdict, and the bits behind it.

import { cosine, distance, fromHex, similarity, toHex } from 'nearprint';
import { currentLanguage, onLanguage, t } from '../locales/locale.js';
import { defaultScheme, optionsOf, sameScheme } from '../scheme/scheme.js';
import { byId, debounced, el } from '../shared/dom.js';
import { onChange, state, update } from '../shared/state.js';
import { bitDetail, bitLabel } from './bit-detail.js';
import { FingerprintGrid, XorGrid } from './bit-grid.js';
import { featureLists } from './feature-lists.js';
import { numbers } from './numbers.js';
import { rawScheme, samples } from './samples.js';
import { compareTexts } from './schedule.js';
import { textField } from './text-field.js';
import { isEmpty, remark, verdict } from './verdict.js';

/** The last comparison, the message of a failed one, and the chosen bit. */
let result = null;
let failure = null;
let chosen = null;
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
  detail.replaceChildren(...bitDetail(result.perBit[chosen], largestSum()));
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
  const missing = !state.fingerprints && (state.a.trim() === '' || state.b.trim() === '');
  const isRaw = state.scheme.features === rawScheme.features && !state.scheme.mix && state.scheme.bits !== 128;
  for (const id of ['bits', 'features', 'numbers']) byId(id).closest('section').hidden = missing || result === null;
  byId('features').hidden ||= !result?.shared;
  byId('raw-note').hidden = !isRaw || missing;
  byId('ruler').hidden = missing || result === null;
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
  byId('verdict').textContent = verdict(result, state.threshold);
  byId('remark').textContent = remark(result);
  byId('result').dataset.near = isEmpty(result) ? '' : result.distance <= state.threshold;
  const ruler = byId('ruler');
  ruler.style.setProperty('--at', result.distance / result.bits);
  ruler.style.setProperty('--threshold', state.threshold / result.bits);
}

function showAll() {
  showVerdict();
  if (result === null) return;
  showBits();
  if (result.shared) byId('feature-lists').replaceChildren(...featureLists(result));
  byId('numbers').replaceChildren(...numbers(result));
}

/** The result that two fingerprints give without their texts. */
function fromFingerprints({ a, b }, bits) {
  const [first, second] = [fromHex(a), fromHex(b)];
  return {
    bits,
    a: { fingerprint: first },
    b: { fingerprint: second },
    distance: distance(first, second),
    similarity: similarity(first, second, bits),
    cosine: cosine(first, second, bits),
  };
}

function succeed(got) {
  [result, failure] = [got, null];
  showAll();
}

function compareNow() {
  const { a, b, fingerprints, scheme } = state;
  if (fingerprints) return succeed(fromFingerprints(fingerprints, scheme.bits));
  const fail = ({ message }) => {
    [result, failure] = [null, message];
    showAll();
  };
  compareTexts(a, b, optionsOf(scheme), succeed, fail);
}

const compareSoon = debounced(compareNow, 120);

/** The fingerprints that are shown, in hexadecimal, or null. */
export const shownFingerprints = () => result && { a: hexOf('a'), b: hexOf('b') };

/** Loads a sample and its scheme. A sample without a scheme keeps the reader's, but replaces another sample's. */
function useSample({ a, b, scheme }) {
  const keep = sameScheme(state.scheme, rawScheme) ? defaultScheme : state.scheme;
  const next = scheme ?? keep;
  const threshold = next.bits === state.scheme.bits ? state.threshold : next.bits / 8;
  chosen = null; // Chooses the first bit that differs.
  update({ a, b, fingerprints: null, scheme: next, threshold });
  compareNow();
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
  textField('a', 'firstText');
  textField('b', 'secondText');
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
    if (['a', 'b', 'scheme', 'fingerprints'].some((name) => changed.has(name))) compareSoon();
    if (changed.has('threshold')) showVerdict();
    markSample();
  });
  onLanguage(showAll);
  if (state.a || state.b || state.fingerprints) {
    compareNow(); // The share link has texts.
  } else {
    useSample(samples.find(({ name }) => name === (currentLanguage() === 'zh' ? 'sampleChinese' : 'sampleNews')));
  }
  markSample();
}

// The first view: two texts, a verdict in words, and the bits behind it.
import { bitDetail, bitLabel } from './bit-detail.js';
import { PrintGrid, XorGrid } from './bit-grid.js';
import { compareTexts } from './comparer.js';
import { byId, debounced, el } from './dom.js';
import { featureLists } from './features-view.js';
import { currentLanguage, onLanguage, t } from './i18n.js';
import { numbers } from './numbers-view.js';
import { cosine, distance, fromHex, similarity, toHex } from './pkg/index.js';
import { defaultRecipe, optionsOf, sameRecipe } from './recipe.js';
import { rawRecipe, samples } from './samples.js';
import { onChange, state, update } from './state.js';
import { textField } from './text-field.js';
import { isEmpty, remark, verdict } from './verdict.js';

/** The last comparison, what a failed one said, and the bit that is told of. */
let result = null;
let failure = null;
let chosen = null;
/** The side of the result, in hexadecimal. */
const hexOf = (side) => toHex(result[side].fingerprint, result.bits);

const grids = { a: new PrintGrid(choose, true), xor: new XorGrid(choose), b: new PrintGrid(choose, false) };

function choose(bit) {
  chosen = bit;
  for (const grid of Object.values(grids)) grid.choose(bit);
  showDetail();
}

function showDetail() {
  const detail = byId('detail');
  if (!result?.perBit) return detail.replaceChildren(el('p', { class: 'explain' }, t('printsOnlyDetail')));
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
    grids[side].show(marks, hexOf(side), t('printLabel', { side, hex: hexOf(side) }));
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
  const missing = !state.prints && (state.a.trim() === '' || state.b.trim() === '');
  const lab = state.recipe.features === rawRecipe.features && !state.recipe.mix && state.recipe.bits !== 128;
  for (const id of ['bits', 'features', 'numbers']) byId(id).closest('section').hidden = missing || result === null;
  byId('features').hidden ||= !result?.shared;
  byId('lab').hidden = !lab || missing;
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

/** What can be said of two fingerprints without their texts. */
function fromPrints({ a, b }, bits) {
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
  const { a, b, prints, recipe } = state;
  if (prints) return succeed(fromPrints(prints, recipe.bits));
  const fail = ({ message }) => {
    [result, failure] = [null, message];
    showAll();
  };
  compareTexts(a, b, optionsOf(recipe), succeed, fail);
}

const compareSoon = debounced(compareNow, 120);

/** Both fingerprints of what is shown, in hexadecimal, or null. */
export const shownPrints = () => result && { a: hexOf('a'), b: hexOf('b') };

/** A sample with its recipe. One without leaves the reader's, unless that came with another sample. */
function useSample({ a, b, recipe }) {
  const keep = sameRecipe(state.recipe, rawRecipe) ? defaultRecipe : state.recipe;
  const next = recipe ?? keep;
  const threshold = next.bits === state.recipe.bits ? state.threshold : next.bits / 8;
  chosen = null; // the first bit that differs
  update({ a, b, prints: null, recipe: next, threshold });
  compareNow();
}

function markSample() {
  document.querySelectorAll('#samples button').forEach((button, at) => {
    const { a, b, recipe } = samples[at];
    const isRaw = sameRecipe(state.recipe, rawRecipe);
    const pressed = a === state.a && b === state.b && (recipe !== undefined) === isRaw;
    button.setAttribute('aria-pressed', pressed);
  });
}

/** A grid with its caption; `code` holds the fingerprint in hexadecimal. */
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
  byId('mend').addEventListener('click', () => {
    update({ recipe: { ...state.recipe, mix: true } });
    byId('verdict').focus();
  });
  byId('prints').append(
    figure(grids.a, 'firstPrint', 'hex-a'),
    figure(grids.xor, 'xorPrint'),
    figure(grids.b, 'secondPrint', 'hex-b'),
  );
  onChange((changed) => {
    if (['a', 'b', 'recipe', 'prints'].some((name) => changed.has(name))) compareSoon();
    if (changed.has('threshold')) showVerdict();
    markSample();
  });
  onLanguage(showAll);
  if (state.a || state.b || state.prints) {
    compareNow(); // they came with the address
  } else {
    useSample(samples.find(({ name }) => name === (currentLanguage() === 'zh' ? 'sampleChinese' : 'sampleNews')));
  }
  markSample();
}

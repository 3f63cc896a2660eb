// The compare view: two texts, a verdict, and the bits behind it.

import { type BitComparison, toHex } from 'nearprint';
import { currentLanguage, onLanguage, type PlainKey, t } from '../locales/locale.js';
import { defaultScheme, optionsOf, sameScheme } from '../scheme/scheme.js';
import { byId, debounced, el } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { type Pair, type Side, sides } from '../shared/pair.js';
import { onChange, type Summaries, state, update } from '../shared/state.js';
import { bitDetail, bitLabel } from './bit-detail.js';
import { FingerprintGrid, XorGrid } from './bit-grid.js';
import type { Change } from './changes.js';
import { changeButton, changesView } from './changes-view.js';
import { featureLists } from './feature-lists.js';
import { measures, numbers } from './numbers.js';
import { compareSummaries, hasTexts, type Result } from './result.js';
import { rawScheme, type Sample, samples } from './samples.js';
import { compareTexts, requestChanges } from './schedule.js';
import { type TextField, textField } from './text-field.js';
import { areNear, remark, verdict } from './verdict.js';

/** The last comparison, the message of a failed one, and the chosen bit. */
let result: Result | null = null;
let failure: string | null = null;
let chosen: number | null = null;

/** The changes from the first text to the second; `list` is null if there are too many. */
let changes: { text: Pair<string>; list: Change[] | null } | null = null;
/** The position of the chosen change in the list. */
let chosenChange: number | null = null;

/** The fields of both texts. */
let fields: Pair<TextField>;

/** The limit for the buttons of a bit for the changes that turned it. */
const MAX_TURNERS = 8;

/** Returns the fingerprint of a side in hexadecimal. */
const hexOf = (result: Result, side: Side): string => toHex(result[side].fingerprint, result.bits);

const grids = { a: new FingerprintGrid(choose, true), xor: new XorGrid(choose), b: new FingerprintGrid(choose, false) };

function choose(bit: number): void {
  chosen = bit;
  for (const grid of Object.values(grids)) grid.choose(bit);
  showDetail(bit);
}

function showDetail(bit: number): void {
  const detail = byId('detail');
  if (result === null || !hasTexts(result)) {
    detail.replaceChildren(el('p', { class: 'explain' }, t('fingerprintsOnlyDetail')));
  } else {
    detail.replaceChildren(...bitDetail(result.perBit[bit], largestSum(result.perBit), turnersOf(bit)));
  }
}

/** Returns buttons for the changes that turned a bit, in descending order of votes. */
function turnersOf(bit: number): HTMLElement[] {
  if (changes === null || changes.list === null) return [];
  const { text, list } = changes;
  const votesOf = ({ turned }: Change) => turned.find((one) => one.bit === bit)?.votes ?? 0;
  return list
    .map((change, at) => ({ change, at, votes: votesOf(change) }))
    .filter(({ votes }) => votes > 0)
    .sort((x, y) => y.votes - x.votes)
    .slice(0, MAX_TURNERS)
    .map(({ change, at }) => changeButton(change, text, at === chosenChange, () => chooseChange(at)));
}

function chooseChange(at: number): void {
  chosenChange = at;
  showChanges();
  for (const side of sides) fields[side].scrollTo(at);
}

/** Chooses the change at a position of a text. */
function chooseChangeAt(side: Side, position: number): void {
  if (byId('change-list').inert) return;
  const at = changes?.list?.findIndex(({ [side]: [start, end] }) => start <= position && position <= end) ?? -1;
  if (at !== -1 && at !== chosenChange) chooseChange(at);
}

/** Shows the changes: in the texts, in the list, and in the bits. */
function showChanges(): void {
  const list = changes?.list ?? [];
  for (const side of sides) {
    fields[side].mark(
      changes?.text[side],
      list.map((change) => change[side]),
      chosenChange,
    );
  }
  const turned = new Set(chosenChange === null ? [] : list[chosenChange].turned.map(({ bit }) => bit));
  for (const grid of Object.values(grids)) grid.markTurned(turned);
  byId('changes').hidden = changes === null || byId('bits').hidden;
  if (changes === null || result === null) return;
  const view = changesView(changes.list, changes.text, chosenChange, result.distance, {
    choose: chooseChange,
    chooseBit,
  });
  replaceChangeList(view);
  if (chosen !== null) showDetail(chosen);
}

/** Replaces the list of changes. The button that has the focus keeps it. */
function replaceChangeList(view: HTMLElement[]): void {
  const list = byId('change-list');
  const buttons: (Element | null)[] = [...list.querySelectorAll('.changes button')];
  const focused = buttons.indexOf(document.activeElement);
  list.replaceChildren(...view);
  if (focused !== -1) list.querySelectorAll<HTMLElement>('.changes button')[focused]?.focus();
}

/** Chooses a bit and moves the focus to it. */
function chooseBit(bit: number): void {
  choose(bit);
  grids.xor.focus();
}

/** Disables changes that are not from the present texts. They stay, so that the page does not jump while one types. */
function outdateChanges(): void {
  byId('change-list').inert = true;
  for (const side of sides) fields[side].mark();
}

/** Finds the changes of the present texts, in the Worker. */
async function findChanges(): Promise<void> {
  outdateChanges();
  const compared = result;
  const isKnown = compared !== null && hasTexts(compared);
  // Text areas have no carriage returns, and fingerprints do not depend on them.
  const [a, b] = [state.a, state.b].map((text) => text.replace(/\r\n?/g, '\n'));
  const list = isKnown ? await requestChanges(a, b, optionsOf(state.scheme)) : undefined;
  if (compared !== result || (isKnown && list === undefined)) return;
  changes = list === undefined ? null : { text: { a, b }, list };
  chosenChange = null;
  byId('change-list').inert = false;
  showChanges();
}

/** Returns the largest sum of all bits of both texts, without its sign. */
const largestSum = (perBit: BitComparison[]): number =>
  perBit.reduce((largest, { a, b }) => Math.max(largest, Math.abs(a.sum), Math.abs(b.sum)), 0);

function showBits(result: Result): void {
  const { bits } = result;
  const perBit = hasTexts(result) ? result.perBit : null;
  const largest = perBit === null ? 0 : largestSum(perBit);
  const isOne = (side: Side, bit: number) => ((result[side].fingerprint >> BigInt(bit)) & 1n) === 1n;
  const strength = (side: Side, bit: number) =>
    perBit !== null && largest > 0 ? Math.sqrt(Math.abs(perBit[bit][side].sum) / largest) : 1;
  const all = Array.from({ length: bits }, (_, bit) => bit);
  const differs = (bit: number) => isOne('a', bit) !== isOne('b', bit);
  for (const side of sides) {
    const marks = all.map((bit) => ({
      one: isOne(side, bit),
      differs: differs(bit),
      strength: strength(side, bit),
    }));
    const hex = hexOf(result, side);
    grids[side].show(marks, hex, t('fingerprintLabel', { side, hex }));
    byId(`hex-${side}`).textContent = hex;
  }
  const cells = all.map((bit) => ({
    differs: differs(bit),
    label: perBit === null ? t('bareCellLabel', { bit, differs: differs(bit) }) : bitLabel(perBit[bit]),
  }));
  grids.xor.show(cells, t('xorLabel', result));
  if (chosen === null || chosen >= bits) chosen = all.findLast(differs) ?? bits - 1;
  choose(chosen);
}

/** Returns the sentence that stands in place of a verdict. */
function reasonForNone(isMissing: boolean): string {
  if (failure !== null) return t('failed', { message: failure });
  return t(isMissing ? 'textMissing' : 'working');
}

function showVerdict(): void {
  const isMissing = !state.summaries && (state.a.trim() === '' || state.b.trim() === '');
  const isRaw = state.scheme.features === rawScheme.features && !state.scheme.mix && state.scheme.bits !== 128;
  const isHidden = isMissing || result === null;
  for (const id of ['changes', 'bits', 'features', 'numbers']) {
    byId(id).closest('section')?.toggleAttribute('hidden', isHidden);
  }
  byId('features').hidden ||= result === null || !hasTexts(result);
  byId('changes').hidden ||= changes === null;
  byId('raw-note').hidden = !isRaw || isMissing;
  const near = isMissing || result === null ? undefined : areNear(result, state.threshold);
  const ruler = byId('ruler');
  ruler.hidden = near === undefined;
  byId('measures').hidden = isHidden;
  byId('result').dataset.near = `${near ?? ''}`;
  if (failure !== null || isMissing || result === null) {
    byId('verdict').textContent = reasonForNone(isMissing);
    byId('remark').textContent = '';
    return;
  }
  const units = t(`units:${state.scheme.features}`);
  byId('verdict').textContent = verdict(result, state.threshold, units);
  byId('remark').textContent = remark(result);
  byId('measures').replaceChildren(...measures(result, units));
  ruler.style.setProperty('--at', `${result.estimate ?? 0}`);
  ruler.style.setProperty('--threshold', `${state.threshold}`);
}

function showAll(): void {
  showVerdict();
  if (result === null) return;
  showBits(result);
  if (hasTexts(result)) byId('feature-lists').replaceChildren(...featureLists(result));
  byId('numbers').replaceChildren(...numbers(result));
}

/** Shows a result, or the message of a failure. */
function finish(newResult: Result | null, newFailure: string | null): void {
  [result, failure] = [newResult, newFailure];
  showAll();
  findChanges();
}

function compareNow(): void {
  const { a, b, summaries, scheme } = state;
  if (summaries) {
    finish(compareSummaries(summaries, scheme.bits), null);
    return;
  }
  const fail = (error: unknown) => finish(null, errorMessage(error));
  compareTexts(a, b, optionsOf(scheme), (result) => finish(result, null), fail);
}

const compareSoon = debounced(compareNow, 120);

/** Returns the fingerprints and sketches of the present result, or null. */
export function currentSummaries(): Summaries | null {
  if (result === null) return null;
  const [a, b] = [result.a.sketch, result.b.sketch];
  return {
    fingerprints: { a: hexOf(result, 'a'), b: hexOf(result, 'b') },
    sketches: a === undefined || b === undefined ? null : { a, b },
  };
}

/** Loads a sample and its scheme. A sample without a scheme keeps the reader's, but replaces another sample's. */
function useSample({ a, b, scheme }: Sample): void {
  const keep = sameScheme(state.scheme, rawScheme) ? defaultScheme : state.scheme;
  chosen = null; // Chooses the first bit that differs.
  update({ a, b, summaries: null, scheme: scheme ?? keep });
  compareSoon.now();
}

function markSample(): void {
  document.querySelectorAll('#samples button').forEach((button, at) => {
    const { a, b, scheme } = samples[at];
    const isRaw = sameScheme(state.scheme, rawScheme);
    const isPressed = a === state.a && b === state.b && (scheme !== undefined) === isRaw;
    button.setAttribute('aria-pressed', `${isPressed}`);
  });
}

/** Returns a grid with its caption. `code` is the id of the element for the hexadecimal fingerprint, if any. */
const figure = (grid: FingerprintGrid | XorGrid, key: PlainKey, code?: string): HTMLElement =>
  el(
    'figure',
    { class: `figure-${code ?? 'xor'}` },
    el('figcaption', {}, el('span', { 'data-t': key }), ...(code ? [' ', el('code', { id: code })] : [])),
    grid.element,
  );

function sampleButton(sample: Sample): HTMLElement {
  const button = el('button', { type: 'button', 'data-t': sample.name });
  button.addEventListener('click', () => useSample(sample));
  return button;
}

export function startCompare(): void {
  fields = {
    a: textField('a', 'firstText', (position) => chooseChangeAt('a', position)),
    b: textField('b', 'secondText', (position) => chooseChangeAt('b', position)),
  };
  byId('samples').append(...samples.map(sampleButton));
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
    if ((['a', 'b', 'scheme', 'summaries'] as const).some((name) => changed.has(name))) {
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
    const name = currentLanguage() === 'zh' ? 'sampleChinese' : 'sampleNews';
    useSample(samples.find((sample) => sample.name === name) ?? samples[0]);
  }
  markSample();
}

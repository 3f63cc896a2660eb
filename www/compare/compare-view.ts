// The compare view: two texts, a verdict, and the bits behind it.

import { type BitComparison, toHex } from 'nearprint';
import { currentLanguage, onLanguage, type PlainKey, t } from '../locales/locale.js';
import { defaultScheme, optionsOf, sameScheme } from '../scheme/scheme.js';
import { byId, debounced, el, replaceContent } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { type Pair, type Side, sides } from '../shared/pair.js';
import { onChange, type State, type Summaries, state, update } from '../shared/state.js';
import { bitDetail, bitLabel } from './bit-detail.js';
import { type BitEvents, FingerprintGrid, XorGrid } from './bit-grid.js';
import type { Change } from './changes.js';
import { changeButton, changesView } from './changes-view.js';
import { columnsView, markColumns } from './columns-view.js';
import { featureLists } from './feature-lists.js';
import { measures, numbers } from './numbers.js';
import { compareSummaries, hasTexts, type Result } from './result.js';
import { rawScheme, type Sample, samples } from './samples.js';
import { compareTexts, requestChanges, requestVoters } from './schedule.js';
import { type TextField, textField } from './text-field.js';
import { areNear, remarks, shareOf, thresholdFor, verdict } from './verdict.js';
import type { Voters } from './voters.js';

/** The last comparison, and the message of a failed one. */
let result: Result | null = null;
let failure: string | null = null;

/** The chosen bit, and the bit that a click holds. While one is held, pointing chooses no other. */
let chosen: number | null = null;
let held: number | null = null;

/** The voters of the chosen bit that the reader asked for. */
let listed: Partial<Pair<Voters>> = {};

const noVoters: Voters['ones'] = { count: 0, top: [] };

/** The number of voters of each value that a request adds. */
const VOTERS_PER_REQUEST = 100;

/** The texts and the scheme before they were last replaced: "Undo" restores them. */
let replaced: Pick<State, (typeof compared)[number]> | null = null;

/** The values of the state that a comparison depends on. */
const compared = ['a', 'b', 'summaries', 'scheme'] as const;

/** The changes from the first text to the second; `list` is null if there are too many. */
let changes: { text: Pair<string>; list: Change[] | null } | null = null;
/** The position of the chosen change in the list. */
let chosenChange: number | null = null;

/** The fields of both texts. */
let fields: Pair<TextField>;

/** The maximum number of buttons for changes that flipped a bit. */
const MAX_FLIPPERS = 8;

/** Returns the fingerprint of a side in hexadecimal. */
const hexOf = (result: Result, side: Side): string => toHex(result[side].fingerprint, result.bits);

const bitEvents: BitEvents = {
  point(bit) {
    if (held === null && bit !== chosen) choose(bit);
  },
  click(bit) {
    held = held === bit ? null : bit;
    choose(bit);
  },
  focus: choose,
};

const grids = {
  a: new FingerprintGrid(bitEvents, true),
  xor: new XorGrid(bitEvents),
  b: new FingerprintGrid(bitEvents, false),
};

function choose(bit: number): void {
  if (bit !== chosen) listed = {};
  chosen = bit;
  for (const grid of Object.values(grids)) grid.choose(bit, bit === held);
  showDetail(bit);
}

/** Lists the heaviest voters of a side on the chosen bit, or more of them. */
async function listMore(side: Side): Promise<void> {
  const [of, bit] = [result, chosen];
  if (bit === null) return;
  const { ones, zeros } = listed[side] ?? { ones: noVoters, zeros: noVoters };
  const limit = Math.max(ones.top.length, zeros.top.length) + VOTERS_PER_REQUEST;
  const voters = await requestVoters(state[side], bit, limit, optionsOf(state.scheme));
  if (voters === undefined || of !== result || bit !== chosen) return;
  listed = { ...listed, [side]: voters };
  showDetail(bit);
}

function showDetail(bit: number): void {
  const detail = byId('detail');
  if (result === null || !hasTexts(result)) {
    detail.replaceChildren(el('p', { class: 'explain' }, t('fingerprintsOnlyDetail')));
  } else {
    const more = { a: () => listMore('a'), b: () => listMore('b') };
    replaceContent(detail, bitDetail(result, bit, largestSum(result.perBit), flippersOf(bit), listed, more));
  }
}

/** Returns buttons for the changes that flipped a bit, in descending order of votes. */
function flippersOf(bit: number): HTMLElement[] {
  if (changes === null || changes.list === null) return [];
  const { text, list } = changes;
  const votesOf = ({ flipped }: Change) => flipped.find((one) => one.bit === bit)?.votes ?? 0;
  return list
    .map((change, at) => ({ change, at, votes: votesOf(change) }))
    .filter(({ votes }) => votes > 0)
    .sort((x, y) => y.votes - x.votes)
    .slice(0, MAX_FLIPPERS)
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
  const flipped = new Set(chosenChange === null ? [] : list[chosenChange].flipped.map(({ bit }) => bit));
  for (const grid of Object.values(grids)) grid.markFlipped(flipped);
  byId('changes').hidden = changes === null || byId('bits').hidden;
  if (changes === null || result === null) return;
  const view = changesView(changes.list, changes.text, chosenChange, result.distance, {
    choose: chooseChange,
    chooseBit,
  });
  replaceContent(byId('change-list'), view);
  markColumns(byId('columns'), chosenChange);
  if (chosen !== null) showDetail(chosen);
}

/** Shows the changes side by side. */
function showColumns(): void {
  const { list, text } = changes ?? { list: null, text: { a: '', b: '' } };
  byId('columns').replaceChildren(...(list === null || list.length === 0 ? [] : columnsView(list, text)));
}

/** Chooses a bit and moves the focus to it. */
function chooseBit(bit: number): void {
  held = bit;
  choose(bit);
  grids.xor.focus();
}

/** Disables changes that are not from the present texts. They stay, so that the page does not jump during typing. */
function outdateChanges(): void {
  for (const id of ['change-list', 'columns']) byId(id).inert = true;
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
  for (const id of ['change-list', 'columns']) byId(id).inert = false;
  showColumns();
  showChanges();
  for (const side of sides) fields[side].reveal();
}

/** Returns the largest absolute sum of any bit of either text. */
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
function missingVerdictReason(isMissing: boolean): string {
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
  byId('details').hidden = isHidden;
  byId('features').hidden ||= result === null || !hasTexts(result);
  byId('changes').hidden ||= changes === null;
  byId('raw-note').hidden = !isRaw || isMissing;
  const near = isMissing || result === null ? undefined : areNear(result, state.threshold);
  const ruler = byId('ruler');
  ruler.hidden = near === undefined;
  byId('measures').hidden = isHidden;
  byId('result').dataset.near = `${near ?? ''}`;
  byId('remark').replaceChildren();
  if (failure !== null || isMissing || result === null) {
    byId('verdict').textContent = missingVerdictReason(isMissing);
    return;
  }
  const units = t(`units:${state.scheme.features}`);
  byId('verdict').textContent = verdict(result, state.threshold, units);
  byId('remark').append(...remarks(result, state, units).flatMap((text) => [el('span', {}, text), ' ']));
  byId('measures').replaceChildren(...measures(result, units));
  ruler.style.setProperty('--at', `${shareOf(result)}`);
  ruler.style.setProperty('--threshold', `${thresholdFor(result, state.threshold)}`);
}

function showAll(): void {
  showVerdict();
  if (result === null) return;
  showBits(result);
  if (hasTexts(result)) byId('feature-lists').replaceChildren(...featureLists(result));
  byId('numbers').replaceChildren(...numbers(result, t(`units:${state.scheme.features}`)));
}

/** Shows a result, or the message of a failure. */
function finish(newResult: Result | null, newFailure: string | null): void {
  [result, failure, listed] = [newResult, newFailure, {}];
  showAll();
  findChanges();
}

function compareNow(): void {
  const { a, b, summaries, scheme } = state;
  if (summaries) {
    finish(compareSummaries(summaries, scheme.bits), null);
    return;
  }
  // The Worker may answer after a link has replaced the texts by summaries.
  const show = (...end: Parameters<typeof finish>) => state.summaries === null && finish(...end);
  compareTexts(
    a,
    b,
    optionsOf(scheme),
    (result) => show(result, null),
    (error) => show(null, errorMessage(error)),
  );
}

const compareSoon = debounced(compareNow, 120);

/** Returns the fingerprints and sketches of the present result, or null. */
export function currentSummaries(): Summaries | null {
  if (result === null) return null;
  const { a, b } = result;
  return {
    fingerprints: { a: hexOf(result, 'a'), b: hexOf(result, 'b') },
    sketches: { a: a.sketch, b: b.sketch },
  };
}

/** Replaces texts at once. "Undo" restores the old texts, and then the new ones. */
function replaceTexts(change: Partial<State>): void {
  const { a, b, summaries, scheme } = state;
  replaced = { a, b, summaries, scheme };
  update(change);
  compareSoon.now();
  byId('undo').hidden = false;
}

/** Returns the state change for a sample. Without a scheme of its own, it keeps the present one unless that is raw. */
function sampleState({ a, b, scheme }: Sample): Partial<State> {
  const keep = sameScheme(state.scheme, rawScheme) ? defaultScheme : state.scheme;
  return { a, b, summaries: null, scheme: scheme ?? keep };
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
  button.addEventListener('click', () => replaceTexts(sampleState(sample)));
  return button;
}

export function startCompare(): void {
  const finish = () => {
    compareSoon.now();
    byId('verdict').focus();
  };
  const field = (side: Side) =>
    textField(side, {
      chooseAt: (position) => chooseChangeAt(side, position),
      replace: (text) => replaceTexts({ [side]: text, summaries: null }),
      finish,
    });
  fields = { a: field('a'), b: field('b') };
  byId('undo').addEventListener('click', () => replaceTexts(replaced ?? {}));
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
    if (compared.some((name) => changed.has(name))) {
      [chosen, held] = [null, null]; // The next result chooses the highest differing bit.
      outdateChanges();
      compareSoon();
    }
    if (changed.has('threshold')) showVerdict();
    markSample();
  });
  onLanguage(() => {
    showAll();
    showColumns();
    showChanges();
  });
  if (state.a || state.b || state.summaries) {
    showVerdict(); // In place of the verdict on the first sample.
    compareNow(); // From a link or session.
  } else {
    const name = currentLanguage() === 'zh' ? 'sampleChinese' : 'sampleNews';
    update(sampleState(samples.find((sample) => sample.name === name) ?? samples[0]));
    compareSoon.now();
  }
  markSample();
}

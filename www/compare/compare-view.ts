// The compare view: two texts, their bits, and the words that move them.
import { download } from '../files/download.js';
import { onLanguage, t } from '../locales/locale.js';
import { optionsOf, rawScheme } from '../scheme/scheme.js';
import { byId, debounced, el } from '../shared/dom.js';
import { errorMessage } from '../shared/error-message.js';
import { fill, nodeOf } from '../shared/markup.js';
import { type Pair, type Side, sides } from '../shared/pair.js';
import { onChange, type State, type Summaries, state, update } from '../shared/state.js';
import { type BitResult, hasVotes } from './bits.js';
import type { Changes } from './changes.js';
import { type Compared, compareSummaries } from './compared.js';
import { chosenBit, flipContent, headlineOf, legendOf } from './first-bits.js';
import { changeOf, type TextChanges } from './flip.js';
import { numbers } from './numbers.js';
import type { Span } from './passages.js';
import { replaceTexts, undo } from './replace-texts.js';
import { markLoadedSample, markSample, showFirstSample, startSamples } from './sample-buttons.js';
import { sampleNames } from './sample-names.js';
import type { SamplePair } from './samples.js';
import { requestChanges, requestVotes, scheduleComparison } from './schedule.js';
import { hexOf, Strip } from './strip.js';
import { type TextField, textField } from './text-field.js';
import { startTextFiles } from './text-files.js';
import { areNear, remarks, rulerOf, verdict } from './verdict.js';
import type { Voters } from './voters.js';
import { featureText, votersView } from './voters-view.js';

/** The values of the state that a comparison depends on. */
const dependencies = ['a', 'b', 'summaries', 'scheme'] as const;

/** The last comparison, its bits, and the message of a failed one. */
let result: Compared | null = null;
let bits: BitResult | null = null;
let failure: string | null = null;

/** The changes of the last comparison: undefined until they are found, null if the texts are too long. */
let changes: (Changes & { text: Pair<string> }) | null | undefined;

/** The number of the last search for changes. What an earlier one finds is of other texts. */
let search = 0;

/** The chosen bit, and the bit that a click holds. While one is held, pointing chooses no other. */
let chosen = 0;
let held: number | null = null;

/** The word that is pointed at, in place of a bit. */
let pointed: { side: Side; span: Span } | null = null;

/** The voters of the chosen bit that the reader has asked for. */
let voters: Pair<Voters> | null = null;

/** The number of voters of each value that a request adds. */
const VOTERS_PER_REQUEST = 20;

let fields: Pair<TextField>;
let strip: Strip;

/** Chooses a bit: shows why it flipped, and lights the words that moved it. */
function choose(bit: number): void {
  if (bit !== chosen) voters = null;
  chosen = bit;
  pointed = null;
  showChosen();
}

function showChosen(): void {
  strip.choose(chosen, chosen === held);
  strip.light();
  showFlip();
  const most = Math.max(0, ...sides.flatMap((side) => changes?.words[side].map(({ share }) => share[chosen]) ?? []));
  byId('text-key').textContent = most === 0 ? '' : t('textKey', { bit: chosen });
  for (const side of sides) {
    fields[side].frame(null);
    fields[side].light((changes?.words[side] ?? []).map(({ share }) => (most === 0 ? 0 : share[chosen] / most)));
  }
  showVoters();
}

/** Shows the sentence on the chosen bit, and its number line. */
function showFlip(): void {
  if (bits !== null) byId('flip').replaceChildren(...flipContent(bits, chosen, changes).map(nodeOf));
}

/** Shows the votes of a word, and lights the bits that it votes on. */
async function pointAtWord(side: Side, span: Span | null): Promise<void> {
  if (span === null) {
    if (pointed?.side === side) choose(chosen);
    return;
  }
  if (bits === null || !hasVotes(bits)) return;
  const mine = { side, span };
  pointed = mine;
  const text = state[side];
  const payload = { text, span, bits: bits.bits, options: optionsOf(state.scheme) };
  const word = await requestVotes('word', payload);
  if (word === undefined || pointed !== mine || text !== state[side]) return;
  byId('text-key').textContent = '';
  for (const each of sides) {
    fields[each].light([]);
    fields[each].frame(each === side ? span : null);
  }
  strip.light(word.votes);
  const change = changes?.list.find(({ [side]: [start, end] }) => start < span[1] && end > span[0]);
  const flipped = change === undefined ? [] : flippedBy(change.moved);
  const features = word.features.map((feature) => featureText(feature));
  const content = [
    ...fill(t('wordVotes', { n: features.length, features }), {
      word: [{ tag: 'strong', attributes: {}, children: [text.slice(...span)] }],
    }),
    ...(change === undefined || !changes
      ? []
      : [' ', ...fill(t('wordFlips', { bits: flipped }), { change: [changeOf(change, changes.text)] })]),
  ];
  byId('sentence').replaceChildren(...content.map(nodeOf));
  byId('number-line').replaceChildren(el('li', { class: 'hint' }, t('wordLights')));
}

/** Returns the bits that differ and that a change moved towards their new value, the highest first. */
function flippedBy(moved: readonly number[]): number[] {
  if (bits === null || !hasVotes(bits)) return [];
  const { a, b } = bits;
  const all = moved.map((_, bit) => bit).filter((bit) => a.sums[bit] > 0 !== b.sums[bit] > 0);
  return all.filter((bit) => moved[bit] * (b.sums[bit] - a.sums[bit]) > 0).reverse();
}

/** Marks the changes in the texts. */
function showChanges(): void {
  for (const side of sides) {
    if (!changes) fields[side].unmark();
    else {
      const passages = changes.list.map((change) => change[side]);
      fields[side].mark(
        changes.text[side],
        passages,
        changes.words[side].map(({ span }) => span),
      );
    }
  }
}

/** Removes the marks of the texts before, and ends the search for their changes. */
function outdateChanges(): void {
  search++;
  byId('texts').ariaBusy = 'true';
  for (const side of sides) fields[side].unmark();
}

/** Finds the changes of the present texts, in the Worker, and marks them. */
async function markChanges(): Promise<void> {
  outdateChanges();
  const [current, mine] = [bits, search];
  // Text areas have no carriage returns, and fingerprints do not depend on them.
  const [a, b] = [state.a, state.b].map((text) => text.replace(/\r\n?/g, '\n'));
  const isKnown = current !== null && hasVotes(current);
  const found = isKnown
    ? await requestChanges({ a, b, bits: current.bits, options: optionsOf(state.scheme) })
    : undefined;
  if (mine !== search || (isKnown && found === undefined)) return;
  changes = found && { ...found, text: { a, b } };
  byId('texts').ariaBusy = 'false';
  showChanges();
  if (bits !== null && pointed === null) showChosen();
  for (const side of sides) fields[side].reveal();
}

/** Lists the heaviest voters of the chosen bit, or more of them. */
async function listVoters(): Promise<void> {
  const [of, bit] = [bits, chosen];
  const shown = voters === null ? [] : sides.flatMap((side) => [voters?.[side].ones.top, voters?.[side].zeros.top]);
  const limit = Math.max(0, ...shown.map((top) => top?.length ?? 0)) + VOTERS_PER_REQUEST;
  const options = optionsOf(state.scheme);
  const [a, b] = await Promise.all(
    sides.map((side) => requestVotes('voters', { text: state[side], bit, limit, options })),
  );
  if (a === undefined || b === undefined || of !== bits || bit !== chosen) return;
  voters = { a, b };
  showVoters();
}

/** Shows the voters of the chosen bit if they are unfolded. */
function showVoters(): void {
  const details = byId('details', HTMLDetailsElement);
  const isKnown = bits !== null && hasVotes(bits);
  byId('voters').hidden = !isKnown;
  if (!details.open || !isKnown) return;
  if (voters === null) listVoters();
  else byId('voters').replaceChildren(...votersView(chosen, voters, listVoters));
}

/** Returns the sentence that stands in place of a verdict. */
function missingVerdictReason(isMissing: boolean): string {
  if (failure !== null) return t('failed', { message: failure });
  return t(isMissing ? 'textMissing' : 'working');
}

const isMissing = (): boolean => !state.summaries && (state.a.trim() === '' || state.b.trim() === '');

function showVerdict(): void {
  const { features, mix, bits: width } = state.scheme;
  const isRaw = features === rawScheme.features && mix === rawScheme.mix && width !== 128;
  const compared = isMissing() ? null : result;
  const near = compared === null ? undefined : areNear(compared, state.threshold);
  byId('raw-note').hidden = !isRaw || isMissing();
  byId('details').hidden = compared === null;
  byId('result').dataset.near = `${near ?? ''}`;
  byId('remark').replaceChildren();
  byId('ruler').style.visibility = near === undefined ? 'hidden' : ''; // Its place stays: the bits must not jump.
  if (failure !== null || compared === null) {
    byId('verdict').textContent = missingVerdictReason(isMissing());
    return;
  }
  const units = t(`units:${state.scheme.features}`);
  byId('verdict').textContent = verdict(compared, state.threshold, units);
  byId('remark').textContent = remarks(compared, state, units).join(' ');
  byId('ruler').replaceChildren(nodeOf(rulerOf(compared, state.threshold)));
  byId('numbers').replaceChildren(...numbers(compared, units));
}

/** Shows the bits, or hides them if a text is missing. */
function showBits(): void {
  const isHidden = isMissing() || bits === null;
  for (const id of ['bits', 'flip', 'text-key']) byId(id).hidden = isHidden;
  byId('save-image', HTMLButtonElement).disabled = isHidden;
  if (bits === null || isHidden) {
    byId('headline').replaceChildren(t('headline', { bits: state.scheme.bits }));
    return;
  }
  byId('headline').replaceChildren(...headlineOf(bits).map(nodeOf));
  strip.show(bits, chosen);
  byId('legend').replaceChildren(...legendOf(bits, state).map(nodeOf));
}

/** Shows a result, or the message of a failure. */
function finish(compared: Compared | null, message: string | null = null): void {
  [result, failure, voters, changes, pointed] = [compared, message, null, undefined, null];
  bits = result?.bits ?? null;
  if (result !== null) performance.mark('compared'); // For benches/page.mjs, and for the panel of the browser.
  if (bits !== null && (held === null || held >= bits.bits)) [chosen, held] = [chosenBit(bits), null];
  showBits();
  showVerdict();
  if (bits !== null) showChosen();
  document.documentElement.classList.remove('foreign');
  markChanges();
}

function compareNow(): void {
  const { a, b, summaries, scheme } = state;
  if (summaries) {
    finish(compareSummaries(summaries, scheme.bits));
    return;
  }
  if (isMissing()) {
    finish(null);
    return;
  }
  // The Worker may answer after a link has replaced the texts by summaries.
  const isCurrent = () => state.summaries === null && !isMissing();
  scheduleComparison({
    a,
    b,
    options: optionsOf(scheme),
    show: (compared) => isCurrent() && finish(compared),
    showError: (error) => isCurrent() && finish(null, errorMessage(error)),
  });
}

const compareSoon = debounced(compareNow, 120);

/** Returns the fingerprints and sketches of the present result, or null. */
export function currentSummaries(): Summaries | null {
  if (result === null) return null;
  const { bits, likeness } = result;
  return {
    fingerprints: { a: hexOf(bits, 'a'), b: hexOf(bits, 'b') },
    sketches: { a: likeness.a.sketch, b: likeness.b.sketch },
  };
}

const replace = (change: Partial<State>): void => replaceTexts(change, compareSoon.now);

async function saveImage(): Promise<void> {
  if (bits === null) return;
  const { drawImage } = await import('./image.js');
  const blob = await drawImage(bits, chosen, changes as TextChanges | null | undefined, byId('verdict').textContent);
  download('nearprint.png', [blob], 'image/png');
}

function startActions(): void {
  byId('swap').addEventListener('click', () => {
    const { a, b, summaries } = state;
    const swapped = summaries && {
      fingerprints: { a: summaries.fingerprints.b, b: summaries.fingerprints.a },
      sketches: { a: summaries.sketches.b, b: summaries.sketches.a },
    };
    replace({ a: b, b: a, summaries: swapped });
  });
  byId('save-image').addEventListener('click', saveImage);
  byId('undo').addEventListener('click', () => undo(compareSoon.now));
  byId('use-finaliser').addEventListener('click', () => {
    update({ scheme: { ...state.scheme, mix: true } });
    byId('verdict').focus();
  });
  byId('details').addEventListener('toggle', showVoters);
}

export function startCompare(): void {
  const written = (side: Side) => byId(`text-${side}`, HTMLTextAreaElement).defaultValue;
  const first: SamplePair = { name: sampleNames[0], a: written('a'), b: written('b') };
  const toVerdict = () => {
    compareSoon.now();
    byId('verdict').focus();
  };
  const textFiles = startTextFiles(() => fields, replace);
  const field = (side: Side) =>
    textField(side, {
      point: (span) => pointAtWord(side, span),
      clear: () => replace({ [side]: '', summaries: null }),
      finish: toVerdict,
      receive: (files) => textFiles.receive(files, side),
    });
  fields = { a: field('a'), b: field('b') };
  strip = new Strip(byId('strip'), {
    point(bit) {
      if (pointed !== null || (held === null && bit !== chosen)) choose(held ?? bit);
    },
    click(bit) {
      held = held === bit ? null : bit;
      choose(bit);
    },
    focus(bit) {
      if (bit !== chosen || pointed !== null) choose(bit);
    },
  });
  startSamples(first, replace, () => fields.a.showError('sampleMissing'));
  startActions();
  onChange((changed) => {
    if (dependencies.some((name) => changed.has(name))) {
      held = null; // The next result chooses a bit that differs.
      outdateChanges();
      compareSoon();
    }
    if (changed.has('a') || changed.has('b')) textFiles.forget();
    if (changed.has('threshold')) showVerdict();
    markSample();
  });
  onLanguage(() => {
    showBits();
    showVerdict();
    if (bits !== null) showChosen();
  });
  if (state.a || state.b || state.summaries) {
    // In place of the verdict on the first sample.
    if (state.a !== first.a || state.b !== first.b) showVerdict();
    compareNow(); // From a link.
    markLoadedSample();
  } else {
    showFirstSample(({ a, b }) => {
      update({ a, b });
      compareSoon.now();
    });
  }
  markSample();
}

// Why a bit is the same or different in two texts: one sentence, and a number line with an arrow for each change.
import { number, t } from '../locales/locale.js';
import { type Content, fill, type Markup, markup } from '../shared/markup.js';
import { type Pair, sides } from '../shared/pair.js';
import { clipped, lastWords, wholeWords } from '../shared/words.js';
import { type BitComparison, isOne } from './bits.js';
import type { Change } from './changes.js';

export const signed = (sum: number): string => (sum > 0 ? '+' : sum < 0 ? '−' : '') + number(Math.abs(sum));

/** The maximum number of characters of a passage, of changes that a sentence names in one direction, and of arrows. */
const [MAX_LENGTH, MAX_NAMED, MAX_ARROWS] = [20, 3, 4];

/** Returns a passage in one line, shortened in the middle between words. A sign represents a passage of only white space. */
function inOneLine(text: string): string {
  const line = clipped(text).replace(/\s+/g, ' ');
  if (line.trim() === '') return text.includes('\n') ? '¶' : '␣';
  const passage = line.trim();
  if (passage.length <= MAX_LENGTH) return passage;
  const start = wholeWords(passage, MAX_LENGTH / 2) || MAX_LENGTH / 2;
  const end = lastWords(passage, MAX_LENGTH / 2);
  return `${passage.slice(0, start).trimEnd()} … ${passage.slice(end === passage.length ? -MAX_LENGTH / 3 : end)}`;
}

/** Returns a change as text: what was removed, and what replaces it. */
export function changeOf({ isMoved, ...spans }: Change, text: Pair<string>): Markup {
  const [removed, added] = sides.map((side) => text[side].slice(...spans[side]));
  const parts: Content[] = [];
  if (isMoved) parts.push(`${t('moved')} `);
  if (removed !== '') parts.push(markup('del', {}, inOneLine(removed)));
  if (removed !== '' && added !== '') parts.push(' → ');
  if (added !== '') parts.push(markup('ins', {}, inOneLine(added)));
  return markup('bdi', { class: isMoved ? 'change moved' : 'change' }, ...parts);
}

/** A change, and how far it moved the sum of a bit. */
interface Move {
  what: Content;
  by: number;
}

/** The moves of a bit, the largest first. */
interface Moves {
  /** The ones in the direction of its new sum. */
  towards: Move[];
  against: Move[];
}

/** The changes of two texts. */
export interface TextChanges {
  text: Pair<string>;
  list: Change[];
}

const total = (moves: readonly Move[]): number => moves.reduce((sum, { by }) => sum + by, 0);

/** Returns the moves of a bit. Together they lead from its old sum to its new one. */
function movesOf(result: BitComparison, bit: number, changes: TextChanges | null | undefined): Moves {
  const [from, to] = sides.map((side) => result[side].sums[bit]);
  const moves: Move[] = [];
  if (changes)
    for (const change of changes.list) {
      const by = change.moved[bit];
      if (by !== 0) moves.push({ what: changeOf(change, changes.text), by });
    }
  moves.sort((x, y) => Math.abs(y.by) - Math.abs(x.by));
  const rest = to - from - total(moves);
  if (rest !== 0) moves.push({ what: t('otherChanges'), by: rest });
  const isTowards = ({ by }: Move): boolean => by > 0 === to >= from;
  return { towards: moves.filter(isTowards), against: moves.filter((move) => !isTowards(move)) };
}

/** Returns at most `most` moves, with the same total: the last one represents all that are left. */
function summarised(moves: readonly Move[], most: number): readonly Move[] {
  if (moves.length <= most) return moves;
  const left = moves.slice(most - 1);
  const isCounted = left.every(({ what }) => what !== t('otherChanges'));
  const what = isCounted ? t('moreChanges', { count: number(left.length) }) : t('otherChanges');
  return [...moves.slice(0, most - 1), { what, by: total(left) }];
}

/** Joins contents with commas and "and". */
function listed(items: readonly Content[]): Content[] {
  return items.flatMap((item, at) =>
    at === 0 ? [item] : [t(at === items.length - 1 ? 'listAnd' : 'listComma'), item],
  );
}

const named = (moves: readonly Move[]): Content[] => listed(summarised(moves, MAX_NAMED).map(({ what }) => what));

/** Returns the sentence on a bit. `changes` is null if the texts are too long to find them, and undefined until they are found. */
export function sentenceOf(result: BitComparison, bit: number, changes: TextChanges | null | undefined): Content[] {
  const [from, to] = sides.map((side) => result[side].sums[bit]);
  const [before, after] = sides.map((side) => isOne(result[side], bit));
  const sums = { from: signed(from), to: signed(to) };
  const first =
    before === after
      ? t('bitStays', { bit, value: Number(before), ...sums })
      : t('bitWas', { bit, value: Number(before), votes: Math.abs(from) });
  const sentence: Content[] = [markup('strong', {}, first)];
  if (changes === undefined) return sentence;
  if (changes === null) return [...sentence, ` ${t('changesTooMany', sums)}`];
  const { towards, against } = movesOf(result, bit, changes);
  if (from === to) {
    const moves = [...towards, ...against];
    return moves.length === 0 ? sentence : [...sentence, ' ', ...fill(t('movesCancel'), { moves: named(moves) })];
  }
  const turn = against.length > 0 ? signed(from + total(towards)) : undefined;
  const value = before === after ? undefined : Number(after);
  const moved = t('movedIt', { ...sums, turn, value, isTie: to === 0 });
  return [...sentence, ' ', ...fill(moved, { towards: named(towards), against: named(against) })];
}

/** Returns a shape at a place of a track, in percent of its width. */
const placed = (at: number, ...shapes: Markup[]): Markup =>
  markup('svg', { x: `${at.toFixed(2)}%`, y: '50%', overflow: 'visible' }, ...shapes);

/** Returns the number line of a bit, from the sum of the first text to the sum of the second one. */
export function numberLine(result: BitComparison, bit: number, changes: TextChanges | null | undefined): Markup {
  const [from, to] = sides.map((side) => result[side].sums[bit]);
  const differs = from > 0 !== to > 0;
  const { towards, against } = movesOf(result, bit, changes);
  const back = Math.min(against.length, Math.max(1, MAX_ARROWS - towards.length));
  const shown = [...summarised(towards, MAX_ARROWS - back), ...summarised(against, back)];
  const stops = [from];
  for (const { by } of shown) stops.push((stops.at(-1) ?? 0) + by);
  // Zero is between 0 and 1: the sum that makes a bit 1 is positive.
  const border = 0.5;
  const [lowest, highest] = [Math.min(0, ...stops) - 0.5, Math.max(1, ...stops) + 0.5];
  const place = (sum: number): number => 3 + (94 * (sum - lowest)) / (highest - lowest);
  const track = (...shapes: Markup[]): Markup =>
    markup(
      'svg',
      { class: 'track', 'aria-hidden': 'true' },
      markup('line', { class: 'border', x1: `${place(border)}%`, x2: `${place(border)}%`, y1: 0, y2: '100%' }),
      ...shapes,
    );
  const end = (sum: number): Markup =>
    placed(
      place(sum),
      differs
        ? markup('circle', { class: sum > 0 ? 'one differs' : 'zero differs', r: 6 })
        : markup('rect', { class: sum > 0 ? 'one' : 'zero', x: -5.5, y: -5.5, width: 11, height: 11 }),
    );
  const arrow = (start: number, by: number): Markup[] => [
    markup('line', { class: 'shaft', x1: `${place(start)}%`, x2: `${place(start + by)}%`, y1: '50%', y2: '50%' }),
    placed(place(start + by), markup('path', { class: 'head', d: by > 0 ? 'M1 0l-8 -4.5v9z' : 'M-1 0l8 -4.5v9z' })),
  ];
  const row = (kind: string, what: Content, value: number, shapes: Markup[]): Markup =>
    markup(
      'li',
      { class: kind },
      markup('span', { class: 'what' }, what),
      markup('span', { class: 'votes' }, signed(value)),
      track(...shapes),
    );
  const name = (value: number, dx: number) =>
    markup('text', { x: `${place(border)}%`, y: 12, dx, 'text-anchor': dx < 0 ? 'end' : 'start' }, `${value}`);
  return markup(
    'ol',
    { id: 'number-line', 'aria-label': t('numberLine') },
    row('end', t('firstText'), from, [end(from)]),
    ...shown.map(({ what, by }, at) => row('move', what, by, arrow(stops[at], by))),
    row('end', t('secondText'), to, [end(to)]),
    markup('li', { class: 'axis', 'aria-hidden': 'true' }, track(name(0, -7), name(1, 7))),
  );
}

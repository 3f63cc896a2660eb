// The changed passages between two texts, and which of them were moved.
import { diff, tokensOf } from '../../js/report/text-diff.js';
import type { Pair, Side } from '../shared/pair.js';
import { isWord } from '../shared/words.js';

const limits = { maxEditLength: 1500, timeout: 500 };

/** The minimum number of words of a moved passage. */
const MIN_MOVED = 6;

/** A passage of a text, in UTF-16 code units. */
export type Span = [start: number, end: number];

/** A changed passage: its spans in both texts. One is empty in a passage that was deleted, inserted or moved. */
export interface Passage extends Pair<Span> {
  /** Whether the other text has the same words elsewhere. */
  isMoved: boolean;
}

/** Returns the changed passages in the order of the text. */
export function passagesOf(a: string, b: string): Passage[] {
  const passages: Passage[] = [];
  let [atA, atB] = [0, 0];
  let passage: Passage | undefined;
  for (const { op, before, after } of diff(a, b, limits)) {
    const ends: Pair<number> = { a: atA + before.length, b: atB + after.length };
    if (op === 'same') passage = undefined;
    else if (passage === undefined) {
      passage = { a: [atA, ends.a], b: [atB, ends.b], isMoved: false };
      passages.push(passage);
    } else {
      passage.a[1] = ends.a;
      passage.b[1] = ends.b;
    }
    [atA, atB] = [ends.a, ends.b];
  }
  return splitMoved(joinAcross(passages, a), { a, b });
}

const lengthOf = ([start, end]: Span): number => end - start;

/**
 * Joins passages across an equal part without a word, and across a short one: in rewritten paragraphs, single words are equal by
 * chance. `text` is the first text.
 */
function joinAcross(passages: Passage[], text: string): Passage[] {
  const joined: Passage[] = [];
  for (const passage of passages) {
    const last = joined.at(-1);
    const longest = ({ a, b }: Passage): number => Math.max(lengthOf(a), lengthOf(b));
    const isChance = last && 8 * (passage.a[0] - last.a[1]) < Math.min(longest(last), longest(passage));
    if (last && (isChance || !isWord(text.slice(last.a[1], passage.a[0])))) {
      last.a[1] = passage.a[1];
      last.b[1] = passage.b[1];
    } else joined.push(passage);
  }
  return joined;
}

/** A word of a changed passage, case-folded, and its span in the text. */
interface ChangedWord {
  word: string;
  span: Span;
  /** The position of its passage. */
  at: number;
}

/** Returns the words of the changed passages of one text. */
const changedWordsOf = (passages: Passage[], text: string, side: Side): ChangedWord[] =>
  passages.flatMap(({ [side]: [start, end] }, at) => {
    let from = start;
    return tokensOf(text.slice(start, end)).flatMap((token) => {
      const span: Span = [from, from + token.length];
      from = span[1];
      return isWord(token) ? [{ word: token.toLowerCase(), span, at }] : [];
    });
  });

/** Splits passages so that words that were deleted in one place and inserted in another form passages of their own. */
function splitMoved(passages: Passage[], text: Pair<string>): Passage[] {
  const [removed, added] = [changedWordsOf(passages, text.a, 'a'), changedWordsOf(passages, text.b, 'b')];
  const keyAt = (words: ChangedWord[], at: number): string =>
    words
      .slice(at, at + MIN_MOVED)
      .map(({ word }) => word)
      .join(' ');
  const places = new Map(added.slice(MIN_MOVED - 1).map((_, at) => [keyAt(added, at), at]));
  const taken = new Set<number>();
  const moved: Pair<Span[][]> = { a: passages.map(() => []), b: passages.map(() => []) };
  for (let from = 0; from + MIN_MOVED <= removed.length; ) {
    // Words that are inserted nowhere have length 0.
    const to = places.get(keyAt(removed, from)) ?? added.length;
    let length = 0;
    const isSame = (): boolean => {
      const [one, other] = [removed[from + length], added[to + length]];
      // Neither part may reach into another passage.
      const isInside = one?.at === removed[from].at && other?.at === added[to]?.at;
      return isInside && one.word === other?.word && !taken.has(to + length);
    };
    while (isSame()) length++;
    if (length >= MIN_MOVED) {
      for (const [side, words, first] of [['a', removed, from] as const, ['b', added, to] as const]) {
        moved[side][words[first].at].push([words[first].span[0], words[first + length - 1].span[1]]);
      }
      for (let at = to; at < to + length; at++) taken.add(at);
    }
    from += Math.max(length, 1);
  }
  return passages.flatMap((passage, at) => {
    const parts = { a: moved.a[at], b: moved.b[at].sort(([x], [y]) => x - y) };
    if (parts.a.length + parts.b.length === 0) return [passage];
    const split = (side: Side, emptyAt: number): Passage[] => {
      const cuts = [...parts[side], [passage[side][1], passage[side][1]] satisfies Span];
      let start = passage[side][0];
      return cuts.flatMap(([from, to]) => {
        const pieces = [
          { span: [start, from] satisfies Span, isMoved: false },
          { span: [from, to] satisfies Span, isMoved: true },
        ];
        start = to;
        return pieces.flatMap(({ span, isMoved }): Passage[] => {
          if (span[0] === span[1]) return [];
          const empty: Span = [emptyAt, emptyAt];
          return [side === 'a' ? { a: span, b: empty, isMoved } : { a: empty, b: span, isMoved }];
        });
      });
    };
    return [...split('a', passage.b[0]), ...split('b', passage.a[1])];
  });
}

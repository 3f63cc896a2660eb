// The changes between two texts, and how much each of them, and each of their words, moved the sum of each bit.
import type { Feature, SchemeOptions } from 'nearprint/simhash';
import { hasMoreLines } from '../shared/lines.js';
import { type Pair, type Side, sides } from '../shared/pair.js';
import { wordsNear } from '../shared/words.js';
import { addVotes, type FeatureFinder, withFeatures } from './features-at.js';
import { type Passage, passagesOf, type Span } from './passages.js';

/** The limits of an examination: the UTF-16 code units of both texts together, their lines, the passages, and their words. */
const MAX_LENGTH = 1_000_000;
const MAX_LINES = 20_000;
const MAX_PASSAGES = 200;
const MAX_WORDS = 1000;

/** A changed passage. */
export interface Change extends Passage {
  /** For each bit, the sum of the second text minus the sum of the first one, as far as the features of the passage make it. */
  moved: number[];
}

/** A word of a changed passage, or next to one, and its share of the movement of each bit. Shares are not negative. */
export interface MovingWord {
  span: Span;
  share: number[];
}

/** The changes in the order of the text. A feature of several changes counts for the first one. */
export interface Changes {
  list: Change[];
  words: Pair<MovingWord[]>;
}

/** A word of one text, and its part of the votes of a passage's features. */
interface Maker {
  side: Side;
  span: Span;
  votes: number[];
}

/** Returns the words of a passage, and the words before and after it. */
function wordsOf(text: string, [start, end]: Span): { inside: Span[]; near: Span[] } {
  const all = wordsNear(text, [start, end]);
  const inside = all.filter(([first, last]) => first < end && last > start);
  const before = all.findLast(([, last]) => last <= start);
  const after = all.find(([first]) => first >= end);
  return { inside, near: [before, after].filter((span) => span !== undefined) };
}

/** Finds the changes, or returns null if the texts are too long. */
export function findChanges(a: string, b: string, bits: number, options: SchemeOptions): Changes | null {
  if (a.length + b.length > MAX_LENGTH || hasMoreLines(a, MAX_LINES) || hasMoreLines(b, MAX_LINES)) return null;
  const text = { a, b };
  const passages = passagesOf(a, b);
  const none = () => Array<number>(bits).fill(0);
  return withFeatures([a, b], options, (inA, inB) => {
    const finders: Pair<FeatureFinder> = { a: inA, b: inB };
    /** Returns the weight of a feature in the second text minus its weight in the first one. */
    const gainOf = ({ hash }: Feature) => (inB.all.get(hash)?.weight ?? 0) - (inA.all.get(hash)?.weight ?? 0);
    const counted = new Set<bigint>();
    const words: Pair<Map<number, MovingWord>> = { a: new Map(), b: new Map() };
    /** Divides the votes of a passage's features among the words that make them. */
    const makersOf = (side: Side, span: Span, features: Feature[]): Maker[] => {
      const found = wordsOf(text[side], span);
      const [inside, near] = [found.inside, found.near].map((spans) =>
        spans.slice(0, MAX_WORDS - words[side].size).map((span) => ({
          hashes: new Set(finders[side].at(span).map(({ hash }) => hash)),
          maker: { side, span, votes: none() },
        })),
      );
      for (const feature of features) {
        const makers = [inside, near]
          .map((all) => all.filter(({ hashes }) => hashes.has(feature.hash)))
          .find((all) => all.length > 0);
        for (const { maker } of makers ?? [])
          addVotes(maker.votes, feature.hash, gainOf(feature) / (makers?.length ?? 1));
      }
      return [...inside, ...near].map(({ maker }) => maker);
    };
    /** Divides the movement of a passage among its words. Votes that cancel each other out move no bit and light no word. */
    const addWords = (makers: Maker[], moved: number[]) => {
      const all = moved.map((_, bit) => makers.reduce((sum, { votes }) => sum + Math.abs(votes[bit]), 0));
      for (const { side, span, votes } of makers) {
        if (votes.every((vote) => vote === 0)) continue;
        const word = words[side].get(span[0]) ?? { span, share: none() };
        words[side].set(span[0], word);
        for (const [bit, vote] of votes.entries()) {
          if (vote !== 0) word.share[bit] += (Math.abs(vote) / all[bit]) * Math.abs(moved[bit]);
        }
      }
    };
    const list = passages.map((passage, at): Change => {
      const moved = none();
      if (at >= MAX_PASSAGES) return { ...passage, moved };
      const makers = sides.flatMap((side) => {
        const lost = side === 'a';
        const made = finders[side]
          .at(passage[side])
          .filter((feature) => (lost ? gainOf(feature) < 0 : gainOf(feature) > 0) && !counted.has(feature.hash));
        for (const feature of made) {
          counted.add(feature.hash);
          addVotes(moved, feature.hash, gainOf(feature));
        }
        return makersOf(side, passage[side], made);
      });
      addWords(makers, moved);
      return { ...passage, moved };
    });
    return { list, words: { a: [...words.a.values()], b: [...words.b.values()] } };
  });
}

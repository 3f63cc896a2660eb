// The features that a part of a text makes, and its votes.
import { type Feature, Fingerprinter, type SchemeOptions } from 'nearprint/simhash';
import { tokensOf } from '../../js/report/text-diff.js';
import { isWord } from '../shared/words.js';
import type { Span } from './passages.js';

/** The maximum number of words or characters that a feature spans, and the maximum length of a word of interest. */
const [CONTEXT, CONTEXT_LENGTH] = [6, 300];

/** Finds the features at places of one text. */
export interface FeatureFinder {
  /** Each feature of the text, by its hash. */
  all: ReadonlyMap<bigint, Feature>;
  /** Returns the features that contain a part of a span. For an empty span, these are the ones across its position. */
  at: (span: Span) => Feature[];
}

/** Returns the first tokens of a list, up to the last of CONTEXT words. */
function toLastWord(tokens: string[]): string[] {
  let words = 0;
  const end = tokens.findIndex((token) => {
    if (isWord(token)) words++;
    return words === CONTEXT;
  });
  return end === -1 ? tokens : tokens.slice(0, end + 1);
}

/** Calls `work` with functions that find features in both texts. */
export function withFeatures<T>(
  texts: readonly string[],
  options: SchemeOptions,
  work: (...finders: FeatureFinder[]) => T,
): T {
  const fingerprinter = new Fingerprinter(options);
  const finderOf = (text: string): FeatureFinder => {
    const all = new Map(fingerprinter.features(text).map((feature) => [feature.hash, feature]));
    const at = ([start, end]: Span): Feature[] => {
      const before = tokensOf(text.slice(Math.max(0, start - CONTEXT_LENGTH), start)).reverse();
      const left = toLastWord(before).reverse().join('');
      const right = toLastWord(tokensOf(text.slice(end, end + CONTEXT_LENGTH))).join('');
      const outside = new Map<bigint, number>();
      for (const { hash, count } of [left, right].flatMap((part) => fingerprinter.features(part))) {
        outside.set(hash, (outside.get(hash) ?? 0) + count);
      }
      return fingerprinter
        .features(left + text.slice(start, end) + right)
        .filter(({ hash, count }) => count > (outside.get(hash) ?? 0))
        .flatMap(({ hash }) => all.get(hash) ?? []); // A word that the context cuts makes others.
    };
    return { all, at };
  };
  try {
    return work(...texts.map(finderOf));
  } finally {
    fingerprinter.free();
  }
}

/** Adds the votes of a feature with a weight to the votes on each bit. */
export function addVotes(votes: number[], hash: bigint, weight: number): void {
  let [low, bit] = [0, 0];
  for (let rest = hash; bit < votes.length; rest >>= 32n) {
    low = Number(BigInt.asUintN(32, rest));
    for (const end = Math.min(bit + 32, votes.length); bit < end; bit++) {
      votes[bit] += low & 1 ? weight : -weight;
      low >>>= 1;
    }
  }
}

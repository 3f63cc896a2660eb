// The changes between two texts: the changed passages, the features that they add and remove, and the bits that these
// flipped.
import { compare, type Feature, Fingerprinter, type SchemeOptions } from 'nearprint';
import { tokensOf } from '../../js/report/text-diff.js';
import { hasMoreLines } from '../shared/lines.js';
import { isWord } from '../shared/words.js';
import { type Passage, passagesOf, type Span } from './passages.js';
import type { FeatureWeight } from './summarize.js';

/** The limits of an examination: the UTF-16 code units of both texts together, their lines, and the passages. */
const MAX_LENGTH = 1_000_000;
const MAX_LINES = 20_000;
const MAX_PASSAGES = 200;

/** The maximum number of words or characters that a feature spans. */
const CONTEXT = 6;

/** The maximum length of a word of interest. */
const CONTEXT_LENGTH = 300;

/** A changed passage, and what it changes. */
export interface Change extends Passage {
  /** The features whose weight it reduces. */
  removed: FeatureWeight[];
  /** The features whose weight it increases. */
  added: FeatureWeight[];
  /** The differing bits that these features flipped, with the number of votes towards the new value. */
  flipped: { bit: number; votes: number }[];
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

/** Returns the features that contain a part of a span. For an empty span, these are the ones across its position. */
function featuresAt(text: string, [start, end]: Span, fingerprinter: Fingerprinter): Feature[] {
  const before = tokensOf(text.slice(Math.max(0, start - CONTEXT_LENGTH), start)).reverse();
  const left = toLastWord(before).reverse().join('');
  const right = toLastWord(tokensOf(text.slice(end, end + CONTEXT_LENGTH))).join('');
  const outside = new Set([left, right].flatMap((part) => fingerprinter.features(part).map(({ hash }) => hash)));
  return fingerprinter.features(left + text.slice(start, end) + right).filter(({ hash }) => !outside.has(hash));
}

/** Returns the changes in the order of the text, or null if the texts are too long. */
export function findChanges(a: string, b: string, options: SchemeOptions): Change[] | null {
  if (a.length + b.length > MAX_LENGTH || hasMoreLines(a, MAX_LINES) || hasMoreLines(b, MAX_LINES)) return null;
  const passages = passagesOf(a, b);
  const fingerprinter = new Fingerprinter(options);
  const comparison = compare(a, b, options);
  const gains = new Map(comparison.a.features.map(({ hash, weight }) => [hash, -weight]));
  for (const { hash, weight } of comparison.b.features) gains.set(hash, (gains.get(hash) ?? 0) + weight);
  /** Returns the weight of a feature in the second text minus its weight in the first one. */
  const gainOf = ({ hash }: Feature): number => gains.get(hash) ?? 0;
  const differing = comparison.perBit.filter(({ differs }) => differs);
  const changes = passages.map((passage, at): Change => {
    if (at >= MAX_PASSAGES) return { ...passage, removed: [], added: [], flipped: [] };
    const made = [featuresAt(a, passage.a, fingerprinter), featuresAt(b, passage.b, fingerprinter)].flat();
    const different = new Map(made.map((feature) => [feature.hash, feature])).values();
    const changed = [...different].filter((feature) => gainOf(feature) !== 0);
    const flipped = differing.map(({ bit, b }) => {
      const towards = b.sum > 0 ? 1n : 0n;
      const votes = changed.reduce(
        (sum, feature) => sum + (((feature.hash >> BigInt(bit)) & 1n) === towards ? 1 : -1) * gainOf(feature),
        0,
      );
      return { bit, votes };
    });
    const weighed = (features: Feature[]): FeatureWeight[] =>
      features.map((feature) => ({ feature: feature.feature, weight: Math.abs(gainOf(feature)) }));
    return {
      ...passage,
      removed: weighed(changed.filter((feature) => gainOf(feature) < 0)),
      added: weighed(changed.filter((feature) => gainOf(feature) > 0)),
      flipped: flipped.filter(({ votes }) => votes > 0).sort((x, y) => y.votes - x.votes),
    };
  });
  fingerprinter.free();
  return changes;
}

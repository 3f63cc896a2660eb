// How much of two texts is in common: what the verdict is based on.
import { compare, Sketch, sketch } from 'nearprint';
import type { SchemeOptions } from 'nearprint/simhash';
import { sketchOptionsOf } from '../scheme/scheme.js';
import type { Pair } from '../shared/pair.js';

/** A sketch, in hexadecimal, and the number of its features if that decides the rule. */
interface SketchSide {
  sketch: string;
  isShort: boolean;
  hasFewFeatures: boolean;
}

/** The results of comparing the sketches of two texts. */
export interface SketchLikeness extends Pair<SketchSide> {
  /** The resemblance as the sketches estimate it. */
  estimate: number;
}

/** The results of comparing two texts. */
export interface Likeness extends SketchLikeness {
  /** The exact resemblance, and the share of each text that the other one has. */
  resemblance: number;
  containment: Pair<number>;
  /** Whether the texts are the same, character by character. */
  isIdentical: boolean;
  /** Whether they have the same words and symbols in the same order. */
  hasSameWords: boolean;
  /**
   * Whether they have the same words in the same order apart from accents and apostrophes, and nothing else that counts in
   * fingerprints can differ in these words.
   */
  hasSameFoldedWords: boolean;
}

/** Without the texts, only their sketches are known. */
export type LikenessResult = Likeness | SketchLikeness;

const sideOf = (sketch: Sketch): SketchSide => ({
  sketch: sketch.toHex(),
  isShort: sketch.isShort,
  hasFewFeatures: sketch.hasFewFeatures,
});

/** Returns a text with the position of each of its parts between white space in the words of the part. Signs do not count as parts. */
const numbered = (text: string): string =>
  text
    .split(/\s+/)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map((part, at) => part.replace(/[\p{L}\p{N}]/u, `x${at}x$&`))
    .join(' ');

/** Returns whether texts have the same folded words: each with its position, they have all words in common. */
const haveSameFoldedWords = (a: string, b: string): boolean =>
  compare(numbered(a), numbered(b), { features: { words: 1 } }).exactResemblance === 1;

export function likenessOf(a: string, b: string, options: SchemeOptions): Likeness {
  const own = sketchOptionsOf(options);
  const { exactResemblance, containment } = compare(a, b, own);
  const [first, second] = [sketch(a, own), sketch(b, own)];
  return {
    a: sideOf(first),
    b: sideOf(second),
    estimate: first.resemblance(second),
    resemblance: exactResemblance,
    containment,
    isIdentical: a === b,
    hasSameWords: first.equals(second),
    hasSameFoldedWords: options.normalize !== 'none' && exactResemblance === 1 && haveSameFoldedWords(a, b),
  };
}

/** Returns the comparison of two sketches in hexadecimal. Throws if they are damaged, or not of one scheme. */
export function sketchLikeness({ a, b }: Pair<string>): SketchLikeness {
  const [first, second] = [Sketch.fromHex(a), Sketch.fromHex(b)];
  return { a: sideOf(first), b: sideOf(second), estimate: first.resemblance(second) };
}

// The comparison of two texts: their bits, and how much of them is in common.
import type { Bits, SchemeOptions } from 'nearprint/simhash';
import type { Summaries } from '../shared/state.js';
import { type BitResult, compareBits, compareFingerprints } from './bits.js';
import { type LikenessResult, likenessOf, sketchLikeness } from './likeness.js';

export interface Compared {
  bits: BitResult;
  likeness: LikenessResult;
}

export const compareTexts = (a: string, b: string, options: SchemeOptions): Compared => ({
  bits: compareBits(a, b, options),
  likeness: likenessOf(a, b, options),
});

/** Returns the comparison of two texts by their fingerprints and sketches alone. */
export const compareSummaries = ({ fingerprints, sketches }: Summaries, bits: Bits): Compared => ({
  bits: compareFingerprints(fingerprints, bits),
  likeness: sketchLikeness(sketches),
});
